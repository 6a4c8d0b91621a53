//! The audit trail of the catalog.

use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::response;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use axum::response::Response;
use service::manage::AuditItem;
use wire::Page;

/// The trail.
pub(super) fn routes() -> Vec<Route> {
    let audit = O::management(
        "listAudit",
        "List what changed in the catalog, newest first",
    )
    .paged()
    .gives::<Page<AuditItem>>(200);
    vec![Route::get("/audit", list, audit)]
}

pub(super) async fn list(call: Call) -> Result<Response, Failure> {
    let page = call.service.audit_trail(&call.caller, &call.page()).await?;
    response::beside(move || response::text(&page)).await
}

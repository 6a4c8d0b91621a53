//! The audit trail of the catalog.

use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::response;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use axum::response::Response;
use service::manage::{AuditFilter, AuditItem};
use url::form_urlencoded;
use wire::Page;

/// The trail.
pub(super) fn routes() -> Vec<Route> {
    let audit = O::management(
        "listAudit",
        "List what changed in the catalog, newest first",
    )
    .asks("actor", "The id or the name of who did it", false)
    .asks("action", "What was done, such as `create`", false)
    .asks("noun", "To what kind of thing, such as `api_key`", false)
    .asks("id", "To which, by its id", false)
    .asks(
        "name",
        "To what has or had this in its name, in any case",
        false,
    )
    .asks(
        "area",
        "In which business area, by its id or its name",
        false,
    )
    .asks(
        "from",
        "Not before this moment, such as `2026-01-31T00:00:00Z`",
        false,
    )
    .asks("to", "Before this moment", false)
    .paged()
    .gives::<Page<AuditItem>>(200);
    vec![Route::get("/audit", list, audit)]
}

pub(super) async fn list(call: Call) -> Result<Response, Failure> {
    let parameter = |name: &str| parameter(call.query(), name);
    let filter = AuditFilter::read(parameter)?;
    let page = call.page();
    let found = call.service.audit_trail(&call.caller, &filter, &page);
    let page = found.await?;
    response::beside(move || response::text(&page)).await
}

/// The first value of a parameter.
fn parameter(query: &str, name: &str) -> Option<String> {
    let mut all = form_urlencoded::parse(query.as_bytes());
    all.find_map(|(own, value)| (own == name).then(|| value.into_owned()))
}

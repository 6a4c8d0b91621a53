//! The audit trail of the catalog.

use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::response;
use axum::response::Response;

pub(super) async fn list(call: Call) -> Result<Response, Failure> {
    let page = call.service.audit_trail(&call.caller, &call.page()).await?;
    response::beside(move || response::text(&page)).await
}

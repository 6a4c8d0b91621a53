//! The audit trail of the catalog.

use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::shape;
use axum::response::Response;

pub(super) async fn list(call: Call) -> Result<Response, Failure> {
    shape::value(&call.service.audit_trail(&call.caller, &call.page()).await?)
}

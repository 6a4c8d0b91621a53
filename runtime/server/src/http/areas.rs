//! Endpoint 2: the areas a caller may access.

use super::call::Call;
use super::error::Failure;
use super::response;
use axum::response::Response;

pub(super) async fn list(call: Call) -> Result<Response, Failure> {
    response::open_value(&call.service.list_areas(&call.caller, &call.page())?)
}

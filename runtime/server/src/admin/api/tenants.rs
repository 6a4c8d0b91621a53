//! The caller's own tenant and its quotas. Making, naming and deleting tenants is the operator's, on the command
//! line.

use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::response;
use axum::response::Response;
use service::manage::tenant_view;

pub(super) async fn get(call: Call) -> Result<Response, Failure> {
    response::value(&tenant_view(&*call.service.tenant(&call.caller)?))
}

pub(super) async fn quotas(call: Call) -> Result<Response, Failure> {
    response::value(&call.service.quotas(&call.caller).await?)
}

//! The caller's own tenant. Making and deleting tenants is the operator's, on the command line.

use crate::admin::request::body;
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::response;
use axum::response::Response;
use service::manage::{TenantContent, tenant_view};

pub(super) async fn get(call: Call) -> Result<Response, Failure> {
    response::value(&tenant_view(&*call.service.tenant(&call.caller)?))
}

pub(super) async fn update(mut call: Call) -> Result<Response, Failure> {
    let content: TenantContent = body(&mut call).await?;
    let changed = call.service.update_tenant(&call.caller, content).await?;
    response::value(&tenant_view(&changed))
}

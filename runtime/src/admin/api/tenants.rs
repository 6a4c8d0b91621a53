//! The caller's own tenant. Making and deleting tenants is the operator's, on the command line.

use crate::admin::sent::Sent;
use crate::http::error::Failure;
use crate::http::shape;
use crate::service::manage::{TenantContent, TenantView};
use crate::service::{Caller, Service};
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

pub(super) async fn get(
    State(service): State<Arc<Service>>,
    caller: Caller,
) -> Result<Response, Failure> {
    shape::value(&TenantView::of(&*service.tenant(&caller)?))
}

pub(super) async fn update(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Sent(content): Sent<TenantContent>,
) -> Result<Response, Failure> {
    let changed = service.update_tenant(&caller, content).await?;
    shape::value(&TenantView::of(&changed))
}

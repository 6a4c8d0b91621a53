//! The audit trail of the catalog.

use crate::http::error::Failure;
use crate::http::shape;
use crate::service::{Caller, PageRequest, Service};
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

pub(super) async fn list(
    State(service): State<Arc<Service>>,
    caller: Caller,
    page: PageRequest,
) -> Result<Response, Failure> {
    shape::value(&service.audit_trail(&caller, &page).await?)
}

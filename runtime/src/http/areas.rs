//! Endpoint 2: the areas a caller may access.

use super::error::Failure;
use super::shape;
use crate::service::{Caller, PageRequest, Service};
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

pub(super) async fn list(
    State(service): State<Arc<Service>>,
    caller: Caller,
    page: PageRequest,
) -> Result<Response, Failure> {
    shape::value(&service.list_areas(&caller, &page)?)
}

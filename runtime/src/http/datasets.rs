//! Endpoint 5: the datasets of a schema.

use super::error::Failure;
use super::extract::PathIds;
use super::shape;
use crate::service::{Caller, PageRequest, Service};
use crate::store::catalog::{Resource, Verb};
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

pub(super) async fn list(
    State(service): State<Arc<Service>>,
    caller: Caller,
    path: PathIds,
    page: PageRequest,
) -> Result<Response, Failure> {
    let (area, schema) = (path.area(), path.schema());
    let permit = caller.permit_schema(Resource::Datasets, Verb::View, &area, &schema)?;
    shape::value(&service.list_datasets(&permit, &page).await?)
}

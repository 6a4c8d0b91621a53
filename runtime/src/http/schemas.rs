//! Endpoints 3 and 4: the schemas of an area, and one with its fields.

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
    let permit = caller.permit_area(Resource::Schemas, Verb::View, &path.area())?;
    shape::value(&service.list_schemas(&permit, &page)?)
}

pub(super) async fn detail(
    State(service): State<Arc<Service>>,
    caller: Caller,
    path: PathIds,
) -> Result<Response, Failure> {
    let (area, schema) = (path.area(), path.schema());
    let permit = caller.permit_schema(Resource::Schemas, Verb::View, &area, &schema)?;
    Ok(shape::json(service.schema_detail(&permit)?))
}

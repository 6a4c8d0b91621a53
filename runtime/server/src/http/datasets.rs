//! Endpoint 5: the datasets of a schema.

use super::error::Failure;
use super::extract::PathIds;
use super::shape;
use crate::http::call::Call;
use axum::response::Response;
use store::catalog::{Resource, Verb};

pub(super) async fn list(call: Call<PathIds>) -> Result<Response, Failure> {
    let permit = call.permit_schema(Resource::Datasets, Verb::View)?;
    shape::value(&call.service.list_datasets(&permit, &call.page()).await?)
}

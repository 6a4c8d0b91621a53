//! Endpoint 5: the datasets of a schema.

use super::call::Call;
use super::error::Failure;
use super::path::PathIds;
use super::response;
use axum::response::Response;
use store::catalog::{Resource, Verb};

pub(super) async fn list(call: Call<PathIds>) -> Result<Response, Failure> {
    let permit = call.permit_schema(Resource::Datasets, Verb::View)?;
    response::open_value(&call.service.list_datasets(&permit, &call.page()).await?)
}

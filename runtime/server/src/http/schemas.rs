//! Endpoints 3 and 4: the schemas of an area, and one with its fields.

use super::call::Call;
use super::error::Failure;
use super::path::PathIds;
use super::response;
use axum::response::Response;
use store::catalog::{Resource, Verb};

pub(super) async fn list(call: Call<PathIds>) -> Result<Response, Failure> {
    let permit = call.permit_area(Resource::Schemas, Verb::View)?;
    let page = call.page();
    let schemas = call.service.list_schemas(&permit, &page);
    response::open_value(&schemas.await?)
}

pub(super) async fn detail(call: Call<PathIds>) -> Result<Response, Failure> {
    let permit = call.permit_schema(Resource::Schemas, Verb::View)?;
    Ok(response::open_json(call.service.schema_detail(&permit)))
}

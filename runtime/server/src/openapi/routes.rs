//! The documents over HTTP. The service's is public; a schema's tells names of fields, so it asks for what
//! reading the schema asks for.

use super::{document, document_of};
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::extract::PathIds;
use crate::http::shape;
use axum::response::Response;
use store::catalog::{Resource, Verb};

pub(crate) async fn whole() -> Response {
    shape::json(document())
}

pub(crate) async fn of_schema(call: Call<PathIds>) -> Result<Response, Failure> {
    let permit = call.permit_schema(Resource::Schemas, Verb::View)?;
    Ok(shape::json(document_of(&permit.schema().current().schema)))
}

//! The documents over HTTP. The service's is public; a schema's tells names of fields, so it asks for what
//! reading the schema asks for.

use super::{document, document_of};
use crate::http::error::Failure;
use crate::http::extract::PathIds;
use crate::http::shape;
use crate::service::Caller;
use crate::store::catalog::{Resource, Verb};
use axum::response::Response;

pub(crate) async fn whole() -> Response {
    shape::json(document())
}

pub(crate) async fn of_schema(caller: Caller, path: PathIds) -> Result<Response, Failure> {
    let (area, schema) = (path.area(), path.schema());
    let permit = caller.permit_schema(Resource::Schemas, Verb::View, &area, &schema)?;
    Ok(shape::json(document_of(&permit.schema()?.current().schema)))
}

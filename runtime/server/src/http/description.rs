//! The OpenAPI documents over HTTP. The interfaces' is public; a schema's tells names of fields, so it asks for
//! what reading the schema asks for. Who writes them stands above all interfaces, and is handed in.

use super::call::{Call, PublicCall};
use super::error::Failure;
use super::path::PathIds;
use super::response;
use super::room::TakesNoRoom;
use axum::response::Response;
use schema::Schema;
use store::catalog::{Resource, Verb};

/// Who writes the documents.
#[derive(Clone, Copy)]
pub(crate) struct Documents {
    /// Of the data interface and of management.
    pub(crate) whole: fn() -> &'static str,
    /// Of the records of one schema.
    pub(crate) of_schema: fn(&Schema) -> String,
}

impl Documents {
    pub(super) fn whole(self, _: &PublicCall) -> Response {
        let mut response = response::json((self.whole)());
        // it was made once, for all
        response.extensions_mut().insert(TakesNoRoom);
        response
    }

    pub(super) fn of_schema(self, call: &Call<PathIds>) -> Result<Response, Failure> {
        let permit = call.permit_schema(Resource::Schemas, Verb::View)?;
        Ok(response::open_json((self.of_schema)(
            &permit.schema().current().schema,
        )))
    }
}

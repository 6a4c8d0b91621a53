//! The OpenAPI 3.1 document: both interfaces described from the routes' own constants and the types that
//! are sent and shown, and one schema's records by the schema itself. It describes; it judges nothing.

mod data;
mod kinds;
mod operation;
mod record;
pub(crate) mod routes;
mod shapes;

pub(crate) use operation::Operation;

use kinds::Shapes;
use schema::Schema;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

static DOCUMENT: LazyLock<String> = LazyLock::new(|| {
    let mut operations = data::operations();
    operations.extend(crate::admin::operations());
    let about = "Business areas hold schemas, schemas describe records, datasets hold records. The data \
        interface reads and writes them; the management interface keeps everything around them. \
        Every `GET` may be asked as `HEAD`, which answers without a body. A method that an address does \
        not have is answered 405, an address that is not here 404, both with `message`; without a \
        credential both are 401.";
    written("Fieldstone", about, operations, Map::new())
});

/// The document of the data interface and of management.
pub fn document() -> &'static str {
    &DOCUMENT
}

/// The document of the records of one schema, with their own properties.
pub(crate) fn document_of(schema: &Schema) -> String {
    let about = "The records of one schema. A value that is not what its field asks for is kept as it was \
        sent and named in `_errors`.";
    let title = format!("Records of {}", schema.name);
    written(
        &title,
        about,
        data::record_operations(),
        record::shapes_of(schema),
    )
}

/// A document of operations; `own` shapes stand in place of those of the same names.
fn written(
    title: &str,
    about: &str,
    operations: Vec<Operation>,
    own: Map<String, Value>,
) -> String {
    let mut shapes = Shapes::new();
    let mut paths = Map::new();
    for operation in operations {
        let (path, method) = (operation.path.clone(), operation.method.to_lowercase());
        let described = operation.written(&mut shapes);
        let entry = paths.entry(path).or_insert_with(|| json!({}));
        entry[method] = described;
    }
    let mut schemas = shapes.found();
    schemas.extend(own);
    let document = json!({
        "openapi": "3.1.0",
        "info": {"title": title, "description": about, "version": env!("CARGO_PKG_VERSION")},
        "tags": [
            {"name": operation::DATA, "description": "Schemas and records for integrations."},
            {"name": operation::MANAGEMENT, "description": "The staff's interface: everything around the records."},
        ],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "headers": operation::headers(),
            "securitySchemes": operation::credentials(),
        },
    });
    document.to_string()
}

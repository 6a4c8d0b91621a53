//! The words of the OpenAPI 3.1 document: operations, their shapes and answers, and a list of them rendered. It
//! describes; it judges nothing, and knows neither a route nor a handler.

mod answer;
mod components;
mod endpoint;
mod generators;
mod operation;
mod record;
pub(crate) mod shapes;

pub(crate) use endpoint::Endpoint;
pub(crate) use operation::{LINES, Operation};
pub(crate) use record::record_shapes;

use generators::Shapes;
use serde_json::{Map, Value, json};

/// A document of endpoints; `own` shapes stand in place of those of the same names.
pub(crate) fn render(
    title: &str,
    about: &str,
    endpoints: Vec<Endpoint>,
    own: Map<String, Value>,
) -> String {
    let mut shapes = Shapes::new();
    let mut paths = Map::new();
    for endpoint in endpoints {
        let rendered = endpoint.render(&mut shapes);
        let methods = paths.entry(endpoint.path).or_insert_with(|| json!({}));
        methods[endpoint.method.to_lowercase()] = rendered;
    }
    let mut schemas = shapes.definitions();
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
            "headers": components::headers(),
            "securitySchemes": components::credentials(),
        },
    });
    document.to_string()
}

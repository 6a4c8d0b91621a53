//! The OpenAPI documents, assembled from the tables that the routers are made of. It knows all interfaces, and
//! none of them knows it: whoever serves a document is handed it.

use crate::http::{self, Documents};
use crate::{admin, openapi};
use schema::Schema;
use serde_json::Map;
use std::sync::LazyLock;

/// What the interfaces serve.
pub(crate) const DOCUMENTS: Documents = Documents {
    whole: document,
    of_schema: schema_document,
};

static DOCUMENT: LazyLock<String> = LazyLock::new(|| {
    let mut endpoints = http::endpoints(DOCUMENTS);
    endpoints.extend(admin::endpoints());
    let about = "Business areas hold schemas, schemas describe records, datasets hold records. The data \
        interface reads and writes them; the management interface keeps everything around them. \
        Every `GET` may be asked as `HEAD`, which answers without a body. A method that an address does \
        not have is answered 405, an address that is not here 404, both with `message`; without a \
        credential both are 401.";
    openapi::render("Fieldstone", about, endpoints, Map::new())
});

/// The document of the data interface and of management.
pub fn document() -> &'static str {
    &DOCUMENT
}

/// The document of the records of one schema, with their own properties.
fn schema_document(schema: &Schema) -> String {
    let about = "The records of one schema. A value that is not what its field asks for is kept as it was \
        sent and named in `_errors`.";
    let title = format!("Records of {}", schema.name);
    let shapes = openapi::record_shapes(schema);
    openapi::render(&title, about, http::record_endpoints(), shapes)
}

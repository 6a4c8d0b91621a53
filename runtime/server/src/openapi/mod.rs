//! The words of the OpenAPI 3.1 document: operations, their shapes and answers, and a list of them rendered. It
//! describes; it judges nothing, and knows neither a route nor a handler.

mod answer;
mod components;
mod endpoint;
mod examples;
mod field;
mod generators;
mod operation;
mod picklists;
mod record;
pub(crate) mod record_shapes;
pub(crate) mod shapes;
mod site;
mod texts;
#[cfg(feature = "pages")]
mod told;

pub(crate) use endpoint::Endpoint;
pub(crate) use operation::{EVENTS, JSON, LINES, Operation};
pub(crate) use record::record_shapes;
pub(crate) use site::Site;
#[cfg(feature = "pages")]
pub(crate) use told::Told;

use generators::Shapes;
use serde_json::{Map, Value, json};

/// What a document is called and tells first.
pub(crate) struct Front<'t> {
    pub(crate) title: &'t str,
    pub(crate) about: &'t str,
}

/// A document of endpoints of a site; `own` shapes stand in place of those of the same names.
pub(crate) fn render(
    front: &Front<'_>,
    site: &Site,
    endpoints: Vec<Endpoint>,
    own: Map<String, Value>,
) -> String {
    let mut shapes = Shapes::new();
    let mut paths = Map::new();
    let mut tags = Vec::new();
    for endpoint in endpoints {
        if !tags.contains(&endpoint.operation.tag) {
            tags.push(endpoint.operation.tag);
        }
        let rendered = endpoint.render(&mut shapes, site);
        let methods = paths.entry(endpoint.path).or_insert_with(|| json!({}));
        methods[endpoint.method.to_lowercase()] = rendered;
    }
    let mut schemas = shapes.definitions(&mut paths);
    schemas.extend(own);
    examples::add(&mut schemas);
    examples::add_bodies(&mut paths, &schemas);
    let with_sessions = tags.contains(&operation::MANAGEMENT);
    let about = |tag: &str| match tag {
        operation::DATA => "Business areas, schemas, datasets and records, for integrations.",
        _ => "The staff's interface: everything around the records.",
    };
    let tags: Vec<_> = tags
        .into_iter()
        .map(|tag| json!({"name": tag, "description": about(tag)}))
        .collect();
    let document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": front.title,
            "description": front.about,
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "MIT or Apache 2.0", "identifier": env!("CARGO_PKG_LICENSE")},
            "contact": {"name": "Whoever operates this service"},
        },
        "servers": [{"url": site.url.as_deref().unwrap_or("/"), "description": "This service"}],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": schemas,
            "headers": components::headers(),
            "securitySchemes": components::credentials(site, with_sessions),
        },
    });
    document.to_string()
}

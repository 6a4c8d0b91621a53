//! How a program reaches a dataset: lines for curl, Python, TypeScript and Rust, with its names and ids, that work as they
//! stand once the key is in `FIELDSTONE_API_KEY`.

use super::places::Place;
use super::schemas::downloads::rust_file;
use super::values::ShownRecord;
use super::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use schema::Schema;
use serde::Deserialize;
use service::PageRequest;

#[derive(Template)]
#[template(path = "dataset_api.html")]
struct DatasetApiPage {
    page: Page,
    place: Place,
    /// Where clients ask.
    url: String,
    /// The address of the schema.
    schema_url: String,
    /// The address of the records.
    records: String,
    /// The primary key of a record that is there, as a segment of a path will have it; none where the visitor may not see it.
    key: Option<String>,
    /// The module and the name of the type that the generator makes of the schema; none where it makes none.
    rust_type: Option<(String, String)>,
    /// Names as words of a shell.
    area_word: String,
    schema_word: String,
    /// Names as texts of a program.
    area_text: String,
    schema_text: String,
    dataset_text: String,
}

/// A page of records, as far as its first one is looked at.
#[derive(Default, Deserialize)]
#[serde(default)]
struct First<'r> {
    #[serde(borrow)]
    items: Vec<ShownRecord<'r>>,
}

pub(super) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let place = Place::of(&visit, &visit.ids)?;
    let service = &visit.site.service;
    let one = PageRequest {
        key: None,
        size: Some("1".to_owned()),
    };
    let first = service.seen_records(&place.permit, &one).await?;
    let first: First<'_> = serde_json::from_slice(&first.json).unwrap_or_default();
    let version = place.version();
    let key = version.schema.primary_key();
    // a line with a mask would find nothing
    let key = key.filter(|field| !place.masks(field));
    let key = key.zip(first.items.first());
    let key = key.map(|(field, record)| segment(record.line(field)));
    let url = &visit.site.url;
    let dataset = place.permit.dataset();
    let (area, schema, id) = (&dataset.area, &dataset.schema, &dataset.id);
    let schema_url = format!("{url}/v1/businessareas/{area}/schemas/{schema}");
    shown(&DatasetApiPage {
        page: visit.page(Section::Home),
        records: format!("{schema_url}/datasets/{id}/dataobjects"),
        schema_url,
        url: url.clone(),
        key: key.filter(|key| !key.is_empty()),
        rust_type: type_of(&version.schema),
        area_word: shell_word(&place.area),
        schema_word: shell_word(&place.schema_name),
        area_text: format!("{:?}", place.area),
        schema_text: format!("{:?}", place.schema_name),
        dataset_text: format!("{:?}", place.name),
        place,
    })
}

/// The path of the type of records in what the generator makes of a schema, and its name.
fn type_of(schema: &Schema) -> Option<(String, String)> {
    let file = rust_file(schema).ok()??;
    let (_, rest) = file.text.split_once("\npub struct ")?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let module = file.path.strip_suffix(".rs")?;
    Some((module.to_owned(), rest[..end].to_owned()))
}

/// A key as a segment of a path has it. What reads addresses takes one of dots for a step within the path, but not with a space
/// behind it, which the service trims.
fn segment(mut key: String) -> String {
    if [".", ".."].contains(&&*key) {
        key.push(' ');
    }
    key
}

/// A text as one word of a shell.
fn shell_word(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

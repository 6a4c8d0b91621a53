//! How a program reaches a dataset: lines for curl, Python, TypeScript and Rust, with its names and ids, that work as they
//! stand once the key is in `FIELDSTONE_API_KEY`.

use super::places::Place;
use super::values::ShownRecord;
use super::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use serde::Deserialize;
use service::PageRequest;

#[derive(Template)]
#[template(path = "dataset_api.html")]
struct DatasetApiPage {
    page: Page,
    place: Place,
    /// Where clients ask.
    url: String,
    /// The address of the records.
    records: String,
    /// The primary key of a record that is there.
    key: Option<String>,
    /// The name that the schema's type has in Rust, and names as texts of a program.
    type_name: String,
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
    let schema = &place.version().schema;
    let key = schema.primary_key().zip(first.items.first());
    let key = key.map(|(field, record)| record.line(field));
    let url = service.settings().public_url.trim_end_matches('/');
    let dataset = place.permit.dataset();
    let (area, schema, id) = (&dataset.area, &dataset.schema, &dataset.id);
    shown(&DatasetApiPage {
        page: visit.page(Section::Home),
        records: format!(
            "{url}/v1/businessareas/{area}/schemas/{schema}/datasets/{id}/dataobjects"
        ),
        url: url.to_owned(),
        key: key.filter(|key| !key.is_empty()),
        type_name: type_name(&place.schema_name),
        area_text: format!("{:?}", place.area),
        schema_text: format!("{:?}", place.schema_name),
        dataset_text: format!("{:?}", place.name),
        place,
    })
}

/// The name of a type for a schema's name.
fn type_name(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric());
    let word = |word: &str| {
        let mut letters = word.chars();
        let first: String = letters
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .collect();
        first + letters.as_str()
    };
    words.map(word).collect()
}

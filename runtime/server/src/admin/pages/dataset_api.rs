//! How a program reaches a dataset: lines for curl, Python, TypeScript and Rust, with its names and ids, that work as they
//! stand once the key is in `FIELDSTONE_API_KEY`.

use super::places::Place;
use super::values::ShownRecord;
use super::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use crate::schema_files::rust_file;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use codegen::File;
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
    /// The module and the name of the type that the generator makes of the schema, or what it says where it makes none.
    rust_type: Result<(String, String), String>,
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

/// The module of the type of records in what the generator makes of a schema, and its name.
///
/// # Errors
/// What the generator says where it makes none; nothing where it says nothing.
fn type_of(schema: &Schema) -> Result<(String, String), String> {
    let file = rust_file(schema).map_err(|error| error.to_string())?;
    file.as_ref().and_then(type_in).ok_or_else(String::new)
}

/// The same in a file that it made.
fn type_in(file: &File) -> Option<(String, String)> {
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

#[cfg(test)]
mod tests {
    use super::*;

    const CITY: &str = r#"{"name": "City", "fields": [
        {"fieldId": "f-1", "name": "Code", "active": true, "dataType": "string", "isPrimaryKey": true,
            "isSortKey": true, "isRequired": true},
        {"fieldId": "f-2", "name": "People", "active": true, "dataType": "integer", "isPrimaryKey": false,
            "isSortKey": false, "isRequired": false}]}"#;

    #[test]
    fn where_the_generator_makes_no_type_is_said_what_it_says() {
        let mut schema = Schema::read_any(CITY).expect("a schema").schema;
        let made = ("city".to_owned(), "City".to_owned());
        assert_eq!(type_of(&schema), Ok(made));
        // no such schema is stored, whatever the generator may refuse one day
        schema.fields[1].id = "f-1".to_owned();
        let refused = type_of(&schema).expect_err("two fields of one id");
        assert!(!refused.is_empty());
    }
}

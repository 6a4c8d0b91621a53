//! JSON → `Schema` → JSON is the identity as JSON values, for every document that the reader accepts:
//! number tokens verbatim, unknown properties kept, blank settings too. Documents are made from
//! choices that proptest can shrink; the order of properties and white space are not compared.

#[rustfmt::skip] // its own package lays it out
#[path = "../../../tests/random/tests/agree/canonical.rs"]
mod canonical;
#[allow(unreachable_pub, reason = "it belongs to another package's library")]
#[rustfmt::skip] // its own package lays it out
#[path = "../../../tests/random/src/chance.rs"]
mod chance;
#[allow(unreachable_pub, reason = "it belongs to another package's library")]
#[rustfmt::skip] // its own package lays it out
#[path = "../../../tests/random/src/documents/mod.rs"]
mod documents;

use canonical::canonical;
use chance::Chance;
use proptest::prelude::*;
use schema::json::parse;
use schema::{Document, Origin, Schema, json};
use std::cell::Cell;

const FIELDS_MAX: usize = 6;

fn canonical_text(json: &str) -> String {
    let mut out = String::new();
    canonical(&parse(json).unwrap(), &mut out);
    out
}

fn read(text: &str) -> Schema {
    let Document { schema, .. } = Schema::read(text, Origin::Elsewhere)
        .unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    schema
}

/// Every JSON file directly in a folder of fixtures.
fn fixtures(folder: &str) -> Vec<String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/");
    let entries = std::fs::read_dir(format!("{root}{folder}")).unwrap();
    let files = entries.map(|entry| entry.unwrap().path());
    files
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect()
}

#[test]
fn random_documents_come_back_as_they_were() {
    let (documents, fields) = (Cell::new(0), Cell::new(0));
    let config = ProptestConfig {
        cases: 5_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let choices = prop::collection::vec(any::<u32>(), 0..600);
    proptest!(config, |(choices in choices)| {
        let text = documents::document(&mut Chance::given(choices), "s1", FIELDS_MAX);
        let schema = read(&text);
        documents.set(documents.get() + 1);
        fields.set(fields.get() + schema.fields.len());
        prop_assert_eq!(canonical_text(&schema.to_json()), canonical_text(&text));
        prop_assert_eq!(read(&schema.to_json()), schema);
    });
    println!("{} documents, {} fields", documents.get(), fields.get());
}

#[test]
fn what_code_carries_reads_back_as_the_same_schema() {
    let config = ProptestConfig {
        cases: 500,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let choices = prop::collection::vec(any::<u32>(), 0..600);
    proptest!(config, |(choices in choices)| {
        let text = documents::document(&mut Chance::given(choices), "s1", FIELDS_MAX);
        let carried = read(&text).without_provenance();
        prop_assert_eq!(Schema::read_unchecked(&carried.to_json()), Some(carried));
    });
}

#[test]
fn every_schema_of_the_fixtures_comes_back_as_it_was() {
    let texts = fixtures("schemas");
    for text in &texts {
        let schema = read(text);
        assert_eq!(canonical_text(&schema.to_json()), canonical_text(text));
    }
    assert!(texts.len() >= 10);
}

#[test]
fn every_schema_of_the_conformance_cases_comes_back_as_it_was() {
    let mut count = 0;
    for file in fixtures("conformance") {
        // its cases hold what our own reader refuses
        let root: serde_json::Value = serde_json::from_str(&file).unwrap();
        for schema in root["schemas"].as_object().unwrap().values() {
            let text = schema.to_string();
            assert_eq!(
                canonical_text(&read(&text).to_json()),
                canonical_text(&text)
            );
            count += 1;
        }
    }
    assert!(count > 250);
}

#[test]
fn odd_number_tokens_and_blank_settings_are_kept_to_the_letter() {
    let text = r#"{"schemaId": "s", "name": "n", "businessAreaId": "", "businessAreaName": "", "createdDate": "",
        "version": "", "description": null, "weight": 1.50, "huge": [1e400, -0, 0.10E-7], "fields": [
        {"fieldId": "f", "name": "a", "active": true, "dataType": "float", "isPrimaryKey": false,
         "isSortKey": false, "isRequired": false, "min": -0.0, "max": 1.50e+2, "maxSize": null, "isPII": ""},
        {"fieldId": "g", "name": "b", "active": true, "dataType": "integer", "isPrimaryKey": false,
         "isSortKey": false, "isRequired": false, "min": "10e-1", "max": 1e3, "description": ""}]}"#;
    let written = read(text).to_json();
    assert_eq!(canonical_text(&written), canonical_text(text));
    for token in [
        "1.50",
        "1e400",
        "-0",
        "0.10E-7",
        "-0.0",
        "1.50e+2",
        "\"10e-1\"",
        "1e3",
    ] {
        let is_there = [',', ']', '}'].map(|end| written.contains(&format!("{token}{end}")));
        assert!(is_there.contains(&true), "{token}");
    }
}

#[test]
fn a_version_that_would_be_rewritten_is_refused() {
    let text = r#"{"schemaId": "s", "name": "n", "businessAreaId": "", "businessAreaName": "",
        "createdDate": "", "version": -0, "fields": []}"#;
    let problems = Schema::read(text, Origin::Elsewhere).unwrap_err();
    assert_eq!(problems.items[0].path.to_string(), "$.version");
}

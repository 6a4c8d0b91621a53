//! What a record says of itself: its schema, its fields by display name, its key.

use crate::for_every_type;
use downstream::generated::airport::Airport;
use runtime::Record;
use runtime::schema::{Origin, Schema};
use runtime::value::Value;
use tests::fixture;

/// Whether a type carries the schema it came from. The one by hand has ids and words of its own.
fn carries_its_schema<R: Record>(schema: &str) -> usize {
    let text = fixture(&format!("schemas/{schema}.json"));
    let source = Schema::read(&text, Origin::Elsewhere).unwrap().schema;
    if R::SCHEMA.id == source.id {
        assert_eq!(**R::SCHEMA, source.without_provenance());
    }
    let again = Schema::read(&R::schema(), Origin::Elsewhere).unwrap();
    assert_eq!(again.schema.without_provenance().fields, R::SCHEMA.fields);
    usize::from(R::SCHEMA.id == source.id)
}

#[test]
fn a_type_carries_the_schema_it_came_from() {
    assert_eq!(for_every_type!(carries_its_schema), 20);
}

/// Whether every active field, and no other name, can be looked up.
fn gives_every_field<R: Record>(schema: &str) -> usize {
    let data = fixture(&format!("data/{schema}.ndjson"));
    let record = R::from_json(data.lines().next().unwrap().as_bytes()).unwrap();
    for field in &R::SCHEMA.fields {
        let is_there = R::SCHEMA
            .active_fields()
            .any(|active| active.name == field.name);
        assert_eq!(
            record.get(&field.name).is_some(),
            is_there,
            "{:?}",
            field.name
        );
    }
    assert!(record.get("no such field").is_none());
    assert!(record.get("_version").is_none());
    R::SCHEMA.fields.len()
}

#[test]
fn fields_are_found_by_display_name() {
    assert!(for_every_type!(gives_every_field) > 2_000);
    let line = br#"{"ICAO": " EDDF ", "Name": "Frankfurt", "Country": "DE", "Elevation": 364,
        "Latitude": 50.03, "Longitude": 8.57, "Time Zone": "Europe/Berlin"}"#;
    let airport = Airport::from_json(line).unwrap();
    assert_eq!(airport.get("ICAO"), Some(Value::Text("EDDF")));
    assert_eq!(airport.get("icao"), None);
    assert_eq!(airport.get("IATA"), Some(Value::Null));
    assert_eq!(airport.get("Country"), Some(Value::Code("DE")));
    assert_eq!(airport.get("Elevation"), Some(Value::Float(364.0)));
    assert_eq!(airport.primary_key().as_deref(), Some("EDDF"));
}

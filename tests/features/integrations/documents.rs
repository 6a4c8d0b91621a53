//! Generated types in documents: their schema is the one that `generator export --to json-schema` writes.

#![allow(unused_qualifications, reason = "a derive writes them")]

use crate::generated::airport::{Airport, AirportCountry};
use crate::generated::customer::Customer;
use crate::generated::every_type::EveryType;
use crate::generated::struct_option_less_t_greater_star_crab_star_number::StructOptionLessTGreaterStarCrabStarNumber as HostileNames;
use runtime::schema::export::{json_schema, pattern};
use runtime::{Email, Latitude, Open, Phone, Record};
use schemars::{JsonSchema, schema_for};
use serde_json::{Value, json};
use utoipa::{PartialSchema, ToSchema};

fn exported<R: Record>() -> Value {
    serde_json::from_str(&json_schema::write(R::SCHEMA)).unwrap()
}

fn by_utoipa<V: PartialSchema>() -> Value {
    serde_json::to_value(V::schema()).unwrap()
}

/// The same document with every number as a double.
fn doubles(document: Value) -> Value {
    match document {
        Value::Number(number) => number.as_f64().into(),
        Value::Array(items) => items.into_iter().map(doubles).collect(),
        Value::Object(members) => {
            let members = members.into_iter();
            members.map(|(name, one)| (name, doubles(one))).collect()
        }
        other => other,
    }
}

fn is_exported<R: Record + JsonSchema + ToSchema>() {
    let mut exported = exported::<R>();
    assert_eq!(schema_for!(R).to_value(), exported);
    // the dialect is the OpenAPI document's
    exported.as_object_mut().unwrap().remove("$schema");
    // it writes 250000.00 as 250000
    assert_eq!(doubles(by_utoipa::<R>()), doubles(exported));
}

#[test]
fn a_generated_record_has_its_exported_json_schema() {
    is_exported::<Airport>();
    is_exported::<Customer>();
    is_exported::<EveryType>();
    is_exported::<HostileNames>();
}

/// The property of a field as schemars and utoipa tell the type of its values.
fn is_property<V: JsonSchema + ToSchema>(property: &Value) {
    let mut theirs = schema_for!(V).to_value();
    let members = theirs.as_object_mut().unwrap();
    members.retain(|name, _| !["$schema", "title"].contains(&name.as_str()));
    assert_eq!(theirs, *property);
    assert_eq!(by_utoipa::<V>(), *property);
}

#[test]
fn a_value_and_a_code_have_the_schema_of_a_field_of_theirs() {
    is_property::<Email>(&json!({"type": "string", "pattern": pattern::EMAIL}));
    is_property::<Phone>(&json!({"type": "string", "pattern": "^[+][1-9][0-9]{6,14}$"}));
    is_property::<Latitude>(&json!({"type": "number", "minimum": -90, "maximum": 90}));
    let mut country = exported::<Airport>()["properties"]["Country"].take();
    country.as_object_mut().unwrap().remove("description");
    is_property::<AirportCountry>(&country);
}

type OpenCountry = Open<AirportCountry>;

#[test]
fn an_open_picklist_tells_its_codes_and_takes_any_text() {
    let codes = by_utoipa::<AirportCountry>();
    is_property::<OpenCountry>(&json!({"type": "string", "anyOf": [codes, {"type": "string"}]}));
}

#[allow(dead_code, reason = "its schema is read, no value")]
#[derive(schemars::JsonSchema, ToSchema)]
struct Flight {
    from: Airport,
    to: AirportCountry,
    over: OpenCountry,
    pilot: Email,
}

#[derive(utoipa::OpenApi)]
#[openapi(components(schemas(Flight)))]
struct Document;

#[test]
fn types_of_ones_own_refer_to_records_by_name() {
    let document = schema_for!(Flight).to_value();
    assert_eq!(document["properties"]["from"]["$ref"], "#/$defs/Airport");
    assert_eq!(document["$defs"]["Airport"]["title"], "Airport");
    assert_eq!(document["properties"]["pilot"]["pattern"], pattern::EMAIL);
    let over = "Open_AirportCountry";
    assert_eq!(
        document["properties"]["over"]["$ref"],
        format!("#/$defs/{over}")
    );

    let document = serde_json::to_value(<Document as utoipa::OpenApi>::openapi()).unwrap();
    let schemas = &document["components"]["schemas"];
    let to = &schemas["Flight"]["properties"]["to"];
    assert_eq!(to["$ref"], "#/components/schemas/AirportCountry");
    assert_eq!(schemas[over], by_utoipa::<OpenCountry>());
    assert_eq!(schemas["Airport"], by_utoipa::<Airport>());
}

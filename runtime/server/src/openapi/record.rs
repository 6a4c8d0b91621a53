//! The records of one schema, with their own properties. A property is what its field asks for, or whatever
//! was sent instead: that is kept and named in `_errors`.

use super::shapes::system_properties;
use schema::{Bound, BoundKind, DataType, Field, PicklistType, SAFE_INTEGER_MAX, Schema};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use wire::shapes::{FieldErrorShape, RecordValue};

/// What was sent and is not what its field asks for.
const FAULTY: &str = "FaultyValue";

/// The shapes of a schema's records, by the names that operations refer to.
pub(crate) fn record_shapes(schema: &Schema) -> Map<String, Value> {
    let mut generator = SchemaSettings::draft2020_12()
        .for_serialize()
        .with(|settings| settings.definitions_path = "/components/schemas".into())
        .into_generator();
    let mut fields = Map::new();
    for field in schema.active_fields() {
        fields.insert(field.name.clone(), property(field));
    }
    let output = record(&mut generator, schema, &fields);
    let mut shapes = generator_parts(&mut generator);
    shapes.insert("Record".to_owned(), output);
    let faulty = json!({
        "description": "What was sent and is not what the field asks for; `_errors` tells why",
        "$ref": "#/components/schemas/RecordValue",
    });
    shapes.insert("NewRecord".to_owned(), input(schema, false));
    shapes.insert("RecordChanges".to_owned(), input(schema, true));
    shapes.insert(FAULTY.to_owned(), faulty);
    shapes
}

fn generator_parts(generator: &mut SchemaGenerator) -> Map<String, Value> {
    generator.subschema_for::<RecordValue>();
    generator.subschema_for::<FieldErrorShape>();
    generator.take_definitions(true)
}

/// A record as it is shown: every active field, and what every record has.
fn record(generator: &mut SchemaGenerator, schema: &Schema, fields: &Map<String, Value>) -> Value {
    let mut properties = system_properties(generator);
    if let Value::Object(properties) = &mut properties {
        properties.extend(fields.clone());
    }
    let own = fields.keys().map(String::as_str);
    let required: Vec<_> = ["_dataObjectId", "_version", "_errors"]
        .into_iter()
        .chain(own)
        .collect();
    let mut shape = json!({
        "type": "object",
        "title": schema.name,
        "required": required,
        "properties": properties,
        "additionalProperties": false,
    });
    if let Some(description) = &schema.description {
        shape["description"] = json!(description);
    }
    shape
}

/// What is sent for a new record, and what is sent for a change: the fields, none of them required, since
/// what is missing is told in `_errors`.
fn input(schema: &Schema, with_version: bool) -> Value {
    let mut properties = Map::new();
    for field in schema.active_fields() {
        properties.insert(field.name.clone(), property(field));
    }
    let mut required: Vec<&str> = Vec::new();
    if with_version {
        properties.insert(
            "_version".to_owned(),
            json!({"type": "integer", "minimum": 0}),
        );
        properties.insert("_dataObjectId".to_owned(), json!(true));
        properties.insert("_errors".to_owned(), json!(true));
        required.push("_version");
    } else if let Some(key) = schema.primary_key() {
        required.push(&key.name);
    }
    json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
}

/// A field's values as they are stored when nothing is wrong with them, or anything that was sent instead.
fn property(field: &Field) -> Value {
    let one = value(field);
    let own = if field.is_multivalue() {
        json!({"type": "array", "items": one})
    } else {
        one
    };
    let mut shape = json!({
        "anyOf": [own, {"type": "null"}, {"$ref": format!("#/components/schemas/{FAULTY}")}],
    });
    if let Some(description) = &field.description {
        shape["description"] = json!(description);
    }
    shape
}

fn value(field: &Field) -> Value {
    let mut shape = form(field);
    let (least, most) = match field.data_type.facts().bounds {
        BoundKind::Length => ("minLength", "maxLength"),
        BoundKind::Value => ("minimum", "maximum"),
        BoundKind::None => return shape,
    };
    for (name, bound) in [(least, &field.min), (most, &field.max)] {
        // a bound that is a date stands in the description, if anywhere
        let number = bound
            .as_ref()
            .map(Bound::as_str)
            .and_then(|text| text.parse::<serde_json::Number>().ok());
        if let Some(number) = number
            && (shape["type"] != "string" || name == "minLength" || name == "maxLength")
        {
            shape[name] = Value::Number(number);
        }
    }
    shape
}

/// The stored form of a field's values. `docs/rules.md`, "Data types".
fn form(field: &Field) -> Value {
    let between =
        |kind: &str, min: f64, max: f64| json!({"type": kind, "minimum": min, "maximum": max});
    let whole = |min: i64, max: i64| json!({"type": "integer", "minimum": min, "maximum": max});
    let written =
        |label: String| json!({"type": "string", "description": format!("Written as {label}")});
    match field.data_type {
        DataType::String if field.is_alphanumeric() => {
            json!({"type": "string", "pattern": "^[A-Za-z0-9]*$"})
        }
        DataType::String | DataType::Latlng => json!({"type": "string"}),
        DataType::Integer => whole(-SAFE_INTEGER_MAX, SAFE_INTEGER_MAX),
        DataType::Float | DataType::Currency => json!({"type": "number"}),
        DataType::Boolean => json!({"type": "boolean"}),
        DataType::Date if field.date_shape().is_iso() => {
            json!({"type": "string", "format": "date"})
        }
        DataType::Date => written(field.date_shape().label()),
        DataType::Time => written(field.time_shape().name().to_owned()),
        DataType::Datetime => written(field.moment_shape().label()),
        DataType::DateYear => whole(1, 9999),
        DataType::DateMonth => whole(1, 12),
        DataType::DateDay => whole(1, 31),
        DataType::Picklist => picklist(field),
        DataType::Email => json!({"type": "string", "format": "email"}),
        DataType::Url => json!({"type": "string", "format": "uri"}),
        DataType::Phone => json!({"type": "string", "pattern": r"^\+[1-9][0-9]{6,14}$"}),
        DataType::Latitude => between("number", -90.0, 90.0),
        DataType::Longitude => between("number", -180.0, 180.0),
        DataType::Attachment | DataType::Image | DataType::Document | DataType::Video => json!({
            "type": "string",
            "description": "Sent as the id of an uploaded file, shown as a download link that runs out",
        }),
    }
}

fn picklist(field: &Field) -> Value {
    if field.picklist_type != Some(PicklistType::Static) {
        return json!({"type": "string"});
    }
    let entries = field.static_picklist.iter().flatten();
    json!({"enum": entries.map(|entry| &entry.code).collect::<Vec<_>>()})
}

//! The records of one schema, with their own properties. A record is clean, and its values have the types that
//! their fields ask for; or something in it is not, and then it may be whatever was sent: that is kept and named in
//! `_errors`. Both are told apart as a whole, so that faults leave the types of clean records as they are.

use super::field::{example, property};
use super::picklists::Picklists;
use super::record_shapes::{change_properties, hit_names, hit_properties, system_properties};
use super::texts::harmless;
use schema::{Field, Schema};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use wire::shapes::{FieldErrorShape, RecordValue};

/// The names of shapes that end as those of picklists do.
const RESERVED: [&str; 2] = ["ErrorCode", "DomainCode"];
const CLEAN: &str = "Every value is what its field asks for.";
const FAULTY: &str = "Some value is not what its field asks for: it is kept as it was sent, and `_errors` tells why. A \
    record that was written before its schema changed may have such a value without an entry in `_errors`, until it \
    is written again.";

/// The shapes of a schema's records, by the names that operations refer to.
pub(crate) fn record_shapes(schema: &Schema) -> Map<String, Value> {
    let mut generator = SchemaSettings::draft2020_12()
        .for_serialize()
        .with(|settings| settings.definitions_path = "/components/schemas".into())
        .into_generator();
    let Value::Object(system) = system_properties(&mut generator) else {
        return Map::new();
    };
    let mut shapes = parts(&mut generator);
    let mut clean_system = system.clone();
    clean_system["_errors"]["maxItems"] = json!(0);
    let hit = hit_properties(&mut generator);
    let mut clean_hit = hit.clone();
    clean_hit["_errors"]["maxItems"] = json!(0);
    let picklists = &Picklists::of(schema, &RESERVED);
    let system_names = ["_dataObjectId", "_version", "_errors"];
    let own = [
        (
            "CleanRecord",
            shown(schema, &clean_system, &system_names, Some(picklists)),
        ),
        ("FaultyRecord", shown(schema, &system, &system_names, None)),
        ("Record", either("Record", "A record as it is shown")),
        (
            "CleanHit",
            shown(schema, &clean_hit, &hit_names(), Some(picklists)),
        ),
        ("FaultyHit", shown(schema, &hit, &hit_names(), None)),
        ("Hit", either("Hit", "A record that a search found")),
        ("NewRecord", new_record(schema, picklists)),
        ("RecordChanges", changes(schema, picklists)),
    ];
    shapes.extend(picklists.shapes(schema));
    shapes.extend(own.map(|(name, shape)| (name.to_owned(), shape)));
    shapes
}

fn parts(generator: &mut SchemaGenerator) -> Map<String, Value> {
    generator.subschema_for::<RecordValue>();
    generator.subschema_for::<FieldErrorShape>();
    generator.take_definitions(true)
}

/// What is clean, else what is not.
fn either(what: &str, about: &str) -> Value {
    json!({
        "description": about,
        "anyOf": [
            {"$ref": format!("#/components/schemas/Clean{what}")},
            {"$ref": format!("#/components/schemas/Faulty{what}")},
        ],
    })
}

/// What is shown of a record: every active field, and what stands beside them. Of a clean one the picklists tell
/// which codes there are.
fn shown(
    schema: &Schema,
    beside: &Map<String, Value>,
    names: &[&str],
    clean: Option<&Picklists<'_>>,
) -> Value {
    let mut properties = beside.clone();
    let mut required = names.to_vec();
    for field in schema.active_fields() {
        let own = if let Some(picklists) = clean {
            property(field, picklists, !field.required)
        } else {
            json!({
                "description": about(field),
                "$ref": "#/components/schemas/RecordValue",
            })
        };
        properties.insert(field.name.clone(), own);
        required.push(&field.name);
    }
    let about = if clean.is_some() { CLEAN } else { FAULTY };
    let mut description = about.to_owned();
    if let Some(own) = &schema.description {
        description = format!("{}\n\n{about}", harmless(own));
    }
    object(&description, &required, &properties)
}

fn about(field: &Field) -> String {
    let own = field.description.as_deref().map(harmless);
    own.unwrap_or_else(|| "The value as it is stored".to_owned())
}

fn object(description: &str, required: &[&str], properties: &Map<String, Value>) -> Value {
    json!({
        "type": "object",
        "description": description,
        "required": required,
        "properties": properties,
        "additionalProperties": false,
    })
}

/// What is sent for a new record: only the key must be there, since what else is missing is told in `_errors`.
fn new_record(schema: &Schema, picklists: &Picklists<'_>) -> Value {
    let required: Vec<_> = schema
        .primary_key()
        .map(|key| key.name.as_str())
        .into_iter()
        .collect();
    let about = "A new record. Values that are not what their fields ask for are taken and stored all the same, and \
        named in `_errors`; so is a required field that is left out. Another property is 400";
    let mut shape = object(about, &required, &sent(schema, picklists));
    shape["examples"] = json!([examples(schema, true)]);
    shape
}

/// What is sent for a change.
fn changes(schema: &Schema, picklists: &Picklists<'_>) -> Value {
    let mut properties = sent(schema, picklists);
    if let Value::Object(own) = change_properties() {
        properties.extend(own);
    }
    let about = "The version that the change was made from, and the fields that change; those left out stay as they \
        are, `null` clears one. Values that are not what their fields ask for are taken, and named in `_errors`. \
        Another property is 400";
    let mut shape = object(about, &["_version"], &properties);
    let mut changed = examples(schema, false);
    changed.insert("_version".to_owned(), json!(0));
    shape["examples"] = json!([changed]);
    shape
}

fn sent(schema: &Schema, picklists: &Picklists<'_>) -> Map<String, Value> {
    let is_optional = |field: &Field| !field.required && !field.primary_key;
    let own = |field: &Field| {
        (
            field.name.clone(),
            property(field, picklists, is_optional(field)),
        )
    };
    schema.active_fields().map(own).collect()
}

/// What a record may look like, with its primary key or without.
fn examples(schema: &Schema, with_key: bool) -> Map<String, Value> {
    let fields = schema
        .active_fields()
        .filter(|field| with_key || !field.primary_key);
    fields
        .map(|field| (field.name.clone(), example(field)))
        .collect()
}

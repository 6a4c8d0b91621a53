//! Shapes that no Rust type has, for the OpenAPI document: records and schema documents are text on their
//! way through the service. docs/interface.md, "Catalog items".

use crate::Timestamp;
use schema::DataType;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

/// Gives a type its shape, under a name.
#[macro_export]
macro_rules! shaped {
    ($type:ty, $name:literal, $shape:expr) => {
        impl ::schemars::JsonSchema for $type {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                $name.into()
            }

            fn json_schema(generator: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
                let shape: fn(&mut ::schemars::SchemaGenerator) -> ::schemars::Schema = $shape;
                shape(generator)
            }
        }
    };
}

shaped!(Timestamp, "Timestamp", |_| json_schema!({
    "type": "string",
    "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$",
    "description": "UTC, with milliseconds",
}));

/// Takes from a shape what it says of its properties: where the docs of a Rust field say no more than its
/// name, the OpenAPI document does without.
pub(crate) fn undescribed(shape: &mut Schema) {
    undescribed_but("")(shape);
}

/// The same for all properties but one.
pub(crate) fn undescribed_but(described: &'static str) -> impl FnMut(&mut Schema) {
    move |shape| {
        let properties = shape.get_mut("properties").and_then(Value::as_object_mut);
        let all = properties.into_iter().flatten();
        for (_, property) in all.filter(|(name, _)| *name != described) {
            if let Some(property) = property.as_object_mut() {
                property.remove("description");
            }
        }
    }
}

/// What is wrong with one field of a record.
#[derive(JsonSchema)]
#[schemars(rename = "FieldError")]
#[expect(dead_code, reason = "describes the engine's own")]
pub struct FieldErrorShape {
    /// The field's display name.
    name: String,
    /// The texts of its faults, joined with `; `.
    errors: String,
}

/// A value of a record.
pub struct RecordValue;
shaped!(RecordValue, "RecordValue", |_| json_schema!({
    "description": "A value, or the values of a field that has several",
    "type": ["string", "number", "boolean", "null", "array"],
    "items": {"type": ["string", "number", "boolean", "null"]},
}));

/// Values by field name.
pub struct RecordValues;
shaped!(RecordValues, "RecordValues", |generator| json_schema!({
    "type": "object",
    "description": "Values by field name",
    "additionalProperties": generator.subschema_for::<RecordValue>(),
}));

/// What a schema detail always has, and is never `null`.
pub const DETAIL_REQUIRED: [&str; 6] = [
    "schemaId",
    "name",
    "businessAreaId",
    "businessAreaName",
    "createdDate",
    "fields",
];

/// A schema as management takes and keeps it: what is the service's own may be absent.
pub struct SchemaDocument;
shaped!(SchemaDocument, "SchemaDocument", |generator| {
    schema_document(generator, &["name", "fields"])
});

/// The shape of a schema document that always has `required`.
pub fn schema_document(generator: &mut SchemaGenerator, required: &[&str]) -> Schema {
    let mut properties = texts(
        &[
            "schemaId",
            "name",
            "description",
            "businessAreaId",
            "businessAreaName",
            "createdBy",
            "updatedBy",
            "createdDate",
            "updatedDate",
        ],
        &DETAIL_REQUIRED,
    );
    properties.insert("version".to_owned(), json!({"type": ["integer", "null"]}));
    let fields = json!({"type": "array", "items": generator.subschema_for::<SchemaField>()});
    properties.insert("fields".to_owned(), fields);
    json_schema!({
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": true,
    })
}

/// A field of a schema.
pub struct SchemaField;
shaped!(SchemaField, "SchemaField", |generator| {
    // who sends a schema may leave it to the service to give a field its id, and flags have defaults there
    let is_sent = generator.contract().is_deserialize();
    let required = [
        "fieldId",
        "name",
        "active",
        "dataType",
        "isPrimaryKey",
        "isSortKey",
        "isRequired",
    ];
    let mut properties = texts(
        &[
            "fieldId",
            "name",
            "description",
            "dataDomainId",
            "dateFormat",
            "dateSeparator",
            "timeFormat",
            "allowedBooleanValues",
            "picklistType",
            "createdBy",
            "updatedBy",
            "createdDate",
            "updatedDate",
        ],
        &required,
    );
    let all = DataType::table().iter().map(|facts| facts.name);
    properties.insert(
        "dataType".to_owned(),
        json!({"enum": all.collect::<Vec<_>>()}),
    );
    for flag in ["active", "isPrimaryKey", "isSortKey", "isRequired"] {
        properties.insert(flag.to_owned(), json!({"type": "boolean"}));
    }
    for flag in ["isMultivalue", "isPII"] {
        properties.insert(flag.to_owned(), json!({"type": ["boolean", "null"]}));
    }
    for bound in ["min", "max", "maxWidth", "maxHeight", "maxSize"] {
        properties.insert(
            bound.to_owned(),
            json!({"type": ["number", "string", "null"]}),
        );
    }
    let entry = |names: [&str; 2]| {
        json!({
            "type": ["array", "null"],
            "items": {"type": "object", "required": [names[0]], "properties": texts(&names, &names[..1]), "additionalProperties": true},
        })
    };
    properties.insert("classifiers".to_owned(), entry(["tagId", "tagName"]));
    properties.insert("staticPicklist".to_owned(), entry(["code", "description"]));
    properties.insert(
        "validationRules".to_owned(),
        json!({"type": ["array", "null"], "items": {"type": "string"}}),
    );
    json_schema!({
        "type": "object",
        "required": if is_sent { &["name", "dataType"][..] } else { &required[..] },
        "properties": properties,
        "additionalProperties": true,
    })
});

/// Properties that are texts; those that may be absent may also be `null`, which means the same.
fn texts(names: &[&str], required: &[&str]) -> Map<String, Value> {
    let text = |name: &&str| {
        let kind = if required.contains(name) {
            json!("string")
        } else {
            json!(["string", "null"])
        };
        ((*name).to_owned(), json!({"type": kind}))
    };
    names.iter().map(text).collect()
}

//! Shapes that no Rust type has, for the OpenAPI document: records and schema documents are text on their
//! way through the service. docs/interface.md, "Catalog items".

use crate::{Day, Timestamp};
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
    "format": "date-time",
    "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$",
    "description": "A moment in UTC by RFC 3339, with milliseconds and `Z`",
    "examples": ["2026-01-31T09:05:00.000Z"],
}));

shaped!(Day, "Day", |_| json_schema!({
    "type": "string",
    "format": "date",
    "pattern": r"^\d{4}-\d\d-\d\d$",
    "description": "A day in UTC",
    "examples": ["2026-01-31"],
}));

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
// generators make nothing of several types and an array beside one another that could be compiled or read
shaped!(RecordValue, "RecordValue", |_| json_schema!({
    "description": "A text, a number, `true` or `false`, `null`, or an array of them where a field has several \
        values; never an object",
    "not": {"type": "object"},
    "examples": ["Aachen"],
}));

/// Values by field name.
pub struct RecordValues;
shaped!(RecordValues, "RecordValues", |generator| json_schema!({
    "type": "object",
    "description": "Values by the display names of the schema's fields",
    "additionalProperties": generator.subschema_for::<RecordValue>(),
    "examples": [{"Code": "AAH", "Name": "Aachen"}],
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
    schema_document::<SchemaDocumentField>(generator, &["name", "fields"])
});

/// The shape of a schema document that always has `required`, and fields of this shape.
pub fn schema_document<F: JsonSchema>(
    generator: &mut SchemaGenerator,
    required: &[&str],
) -> Schema {
    let mut properties = texts(
        &[
            ("schemaId", "The id of the schema"),
            ("name", "The name of the schema, 1 to 100 characters"),
            ("description", "What its records are"),
            ("businessAreaId", "The id of its business area"),
            ("businessAreaName", "The name of its business area"),
            (
                "createdBy",
                "The e-mail address of who made it; a name where there is none",
            ),
            (
                "updatedBy",
                "The e-mail address of who changed it last; a name where there is none",
            ),
            ("createdDate", "When it was made"),
            ("updatedDate", "When it was changed last"),
        ],
        &DETAIL_REQUIRED,
    );
    let version = "Rises by one with every change of its structure, from 1";
    properties.insert(
        "version".to_owned(),
        json!({"type": ["integer", "null"], "description": version}),
    );
    let fields = json!({
        "type": "array",
        "items": generator.subschema_for::<F>(),
        "description": "Its fields, active or not, in the order in which they were made",
    });
    properties.insert("fields".to_owned(), fields);
    json_schema!({
        "type": "object",
        "description": "A schema with its fields. What the service does not know is kept and shown again",
        "required": required,
        "properties": properties,
        "additionalProperties": true,
    })
}

/// What a field always has.
const FIELD_REQUIRED: [&str; 7] = [
    "fieldId",
    "name",
    "active",
    "dataType",
    "isPrimaryKey",
    "isSortKey",
    "isRequired",
];

/// A field of a schema as endpoint 4 shows it.
pub struct SchemaField;
shaped!(SchemaField, "SchemaField", |generator| {
    field_shape(generator, &[])
});

/// A field of a schema as management takes and keeps it.
pub struct SchemaDocumentField;
shaped!(SchemaDocumentField, "SchemaDocumentField", |generator| {
    field_shape(
        generator,
        &[(
            "isSearched",
            "Whether searches for words look into it; they do where nothing is said. The interface for data does not \
                show it",
        )],
    )
});

/// The shape of a field that has these flags beside what every field has.
fn field_shape(generator: &SchemaGenerator, more: &[(&'static str, &'static str)]) -> Schema {
    // who sends a schema may leave it to the service to give a field its id, and flags have defaults there
    let is_sent = generator.contract().is_deserialize();
    let mut properties = field_texts();
    let all = DataType::table().iter().map(|facts| facts.name);
    properties.insert(
        "dataType".to_owned(),
        json!({"type": "string", "enum": all.collect::<Vec<_>>(), "description": "What its values are"}),
    );
    for (flag, what) in [
        ("active", "Whether records show it and take values for it"),
        (
            "isPrimaryKey",
            "Whether it is the primary key: required, and unique within a dataset",
        ),
        ("isSortKey", "Whether the application may sort by it"),
        ("isRequired", "Whether a record without a value has a fault"),
    ] {
        properties.insert(
            flag.to_owned(),
            json!({"type": "boolean", "description": what}),
        );
    }
    let optional = [
        ("isMultivalue", "Whether it has several values, as an array"),
        (
            "isPII",
            "Whether its values are personal, and masked in messages and trails",
        ),
    ];
    for (flag, what) in optional.iter().chain(more) {
        properties.insert(
            (*flag).to_owned(),
            json!({"type": ["boolean", "null"], "description": what}),
        );
    }
    for (bound, what) in [
        (
            "min",
            "The least value, or the least length in characters; a number, or a date or time as text",
        ),
        (
            "max",
            "The greatest value, or the greatest length in characters; a number, or a date or time as text",
        ),
        ("maxWidth", "The greatest width of a picture, in pixels"),
        ("maxHeight", "The greatest height of a picture, in pixels"),
        ("maxSize", "The greatest size of a file, in bytes"),
    ] {
        let shape = json!({"anyOf": [{"type": "number"}, {"type": "string"}, {"type": "null"}], "description": what});
        properties.insert(bound.to_owned(), shape);
    }
    properties.extend(field_lists());
    json_schema!({
        "type": "object",
        "description": "A field of a schema",
        "required": if is_sent { &["name", "dataType"][..] } else { &FIELD_REQUIRED[..] },
        "properties": properties,
        "additionalProperties": true,
    })
}

/// The texts of a field.
fn field_texts() -> Map<String, Value> {
    texts(
        &[
            (
                "fieldId",
                "Its id, which it keeps for life; a new one where a new field is sent without",
            ),
            (
                "name",
                "Its display name, by which records have its values: 1 to 100 characters, the first is no `_`",
            ),
            ("description", "What its values are for"),
            (
                "dataDomainId",
                "Of a dynamic picklist: the id of the data domain whose codes it takes",
            ),
            (
                "dateFormat",
                "How dates are written, such as `DD$MM$YYYY`; `$` stands for the separator. `YYYY$MM$DD` if absent",
            ),
            (
                "dateSeparator",
                "What stands between the parts of a date: `-`, `/`, `.` or a space. `-` if absent",
            ),
            (
                "timeFormat",
                "How times are written, such as `HH:mm`. `HH:mm:ss` if absent",
            ),
            (
                "allowedBooleanValues",
                "Two words that may be sent for `true` and `false`: `y/n`, `Y/N`, `1/0`, `t/f` or `T/F`",
            ),
            (
                "picklistType",
                "Of a picklist: `static` (its codes stand in `staticPicklist`) or `dynamic` (those of a data domain)",
            ),
            ("createdBy", "The e-mail address of who made it"),
            ("updatedBy", "The e-mail address of who changed it last"),
            ("createdDate", "When it was made"),
            ("updatedDate", "When it was changed last"),
        ],
        &FIELD_REQUIRED,
    )
}

/// The lists of a field.
fn field_lists() -> [(String, Value); 3] {
    let entries = |names: [(&str, &str); 2], what: &str, about: &str| {
        json!({
            "type": ["array", "null"],
            "description": what,
            "items": {
                "type": "object",
                "description": about,
                "required": [names[0].0],
                "properties": texts(&names, &[names[0].0]),
                "additionalProperties": true,
            },
        })
    };
    let classifiers = entries(
        [
            ("tagId", "The id of the tag"),
            ("tagName", "The name of the tag"),
        ],
        "Its category tags",
        "A category tag",
    );
    let codes = entries(
        [
            ("code", "The code, as it stands in records"),
            ("description", "What it means"),
        ],
        "Of a static picklist: the codes it takes",
        "A code",
    );
    let rules = json!({
        "type": ["array", "null"],
        "items": {"type": "string"},
        "description": "Names of further rules for its values. `alphanumeric` is known: ASCII letters and digits alone",
        "examples": [["alphanumeric"]],
    });
    [
        ("classifiers".to_owned(), classifiers),
        ("staticPicklist".to_owned(), codes),
        ("validationRules".to_owned(), rules),
    ]
}

/// Properties that are texts; those that may be absent may also be `null`, which means the same.
fn texts(all: &[(&str, &str)], required: &[&str]) -> Map<String, Value> {
    let text = |(name, what): &(&str, &str)| {
        let kind = if required.contains(name) {
            json!("string")
        } else {
            json!(["string", "null"])
        };
        (
            (*name).to_owned(),
            json!({"type": kind, "description": what}),
        )
    };
    all.iter().map(text).collect()
}

//! Shapes that no Rust type has: records and schema documents are text on their way through the service.
//! Interface, "Resources and their fields".

use crate::service::manage::Problem;
use crate::value::Timestamp;
use crate::wire::FieldError;
use schema::DataType;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// Gives a type its shape, under its own name.
macro_rules! shaped {
    ($type:ty, $name:literal, $shape:expr) => {
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                let shape: fn(&mut SchemaGenerator) -> Schema = $shape;
                shape(generator)
            }
        }
    };
}

/// What management says of a body that is wrong.
#[derive(Serialize, JsonSchema)]
pub(super) struct Problems {
    message: String,
    problems: Vec<Problem>,
}

/// Client credentials.
#[derive(serde::Deserialize, JsonSchema)]
#[expect(dead_code, reason = "describes what the token endpoint reads")]
pub(super) struct ClientCredentials {
    #[schemars(length(min = 1))]
    client_id: String,
    #[schemars(length(min = 1))]
    client_secret: String,
}

/// Client credentials as RFC 6749 writes them; id and secret may stand in a Basic `Authorization` instead.
#[derive(serde::Deserialize, JsonSchema)]
#[expect(dead_code, reason = "describes what the token endpoint reads")]
pub(super) struct ClientCredentialsForm {
    #[schemars(extend("const" = "client_credentials"))]
    grant_type: String,
    client_id: Option<String>,
    client_secret: Option<String>,
}

/// The program's state.
#[derive(Serialize, JsonSchema)]
pub(super) struct Health {
    #[schemars(extend("const" = "ok"))]
    status: String,
}

shaped!(Timestamp, "Timestamp", |_| json_schema!({
    "type": "string",
    "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$",
    "description": "UTC, with milliseconds",
}));

/// A form with one part `file`.
pub(super) struct UploadForm;
shaped!(UploadForm, "UploadForm", |_| json_schema!({
    "type": "object",
    "required": ["file"],
    "properties": {"file": {"type": "string", "contentMediaType": "application/octet-stream"}},
}));

/// An OpenAPI document.
pub(super) struct Document;
shaped!(Document, "OpenApiDocument", |_| json_schema!({
    "type": "object",
    "required": ["openapi", "info", "paths"],
    "additionalProperties": true,
}));

/// A value of a record.
pub(super) struct RecordValue;
shaped!(RecordValue, "RecordValue", |_| json_schema!({
    "description": "A value, or the values of a field that has several",
    "type": ["string", "number", "boolean", "null", "array"],
    "items": {"type": ["string", "number", "boolean", "null"]},
}));

/// Values by field name.
pub(crate) struct RecordValues;
shaped!(RecordValues, "RecordValues", |generator| json_schema!({
    "type": "object",
    "description": "Values by field name",
    "additionalProperties": generator.subschema_for::<RecordValue>(),
}));

/// A record to be made.
pub(super) struct NewRecord;
shaped!(NewRecord, "NewRecord", |generator| json_schema!({
    "type": "object",
    "propertyNames": {"pattern": "^[^_]"},
    "additionalProperties": generator.subschema_for::<RecordValue>(),
}));

/// What changes in a record.
pub(super) struct RecordChanges;
shaped!(RecordChanges, "RecordChanges", |generator| {
    let mut properties = json!({"_dataObjectId": true, "_errors": true});
    properties["_version"] = json!({"type": "integer", "minimum": 0});
    json_schema!({
        "type": "object",
        "required": ["_version"],
        "properties": properties,
        "additionalProperties": generator.subschema_for::<RecordValue>(),
    })
});

/// A record as it is shown.
pub(super) struct Record;
shaped!(Record, "Record", |generator| json_schema!({
    "type": "object",
    "required": ["_dataObjectId", "_version", "_errors"],
    "properties": system_properties(generator),
    "additionalProperties": generator.subschema_for::<RecordValue>(),
}));

/// What every record has beside its fields.
pub(super) fn system_properties(generator: &mut SchemaGenerator) -> Value {
    json!({
        "_dataObjectId": {"type": "string", "minLength": 1, "maxLength": 64},
        "_version": {"type": "integer", "minimum": 0},
        "_errors": {"type": "array", "items": generator.subschema_for::<FieldError>()},
    })
}

/// A record that a search found.
pub(super) struct Hit;
shaped!(Hit, "Hit", |generator| {
    let names = [
        "_dataObjectId",
        "_businessAreaId",
        "_businessAreaName",
        "_schemaId",
        "_schemaName",
        "_dataSetId",
        "_dataSetName",
    ];
    let text = |name: &&str| ((*name).to_owned(), json!({"type": "string"}));
    let properties: Map<_, _> = names.iter().map(text).collect();
    json_schema!({
        "type": "object",
        "required": names,
        "properties": properties,
        "additionalProperties": generator.subschema_for::<RecordValue>(),
    })
});

/// What a search found.
pub(super) struct Hits;
shaped!(Hits, "Hits", |generator| json_schema!({
    "type": "object",
    "required": ["hits", "total"],
    "properties": {
        "hits": {"type": "array", "items": generator.subschema_for::<Hit>()},
        "total": {"type": "integer", "minimum": 0},
        "nextPageKey": {"type": "string"},
    },
}));

/// A schema as endpoint 4 shows it.
pub(super) struct SchemaDetail;
shaped!(SchemaDetail, "SchemaDetail", |generator| {
    schema_document(generator, &DETAIL_REQUIRED)
});

/// What a schema detail always has, and is never `null`.
const DETAIL_REQUIRED: [&str; 6] = [
    "schemaId",
    "name",
    "businessAreaId",
    "businessAreaName",
    "createdDate",
    "fields",
];

/// A schema as management takes and keeps it: what is the service's own may be absent.
pub(crate) struct SchemaDocument;
shaped!(SchemaDocument, "SchemaDocument", |generator| {
    schema_document(generator, &["name", "fields"])
});

fn schema_document(generator: &mut SchemaGenerator, required: &[&str]) -> Schema {
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
pub(super) struct SchemaField;
shaped!(SchemaField, "SchemaField", |generator| {
    // who sends a schema may leave it to the service to give a field its id
    let may_lack_id = generator.contract().is_deserialize();
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
        "required": &required[usize::from(may_lack_id)..],
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

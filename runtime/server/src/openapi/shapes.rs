//! Shapes that no Rust type has: records and schema documents are text on their way through the service.
//! `docs/interface.md`, "Catalog items".

use schemars::{JsonSchema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value, json};
use service::manage::Problem;
use wire::shaped;
use wire::shapes::{DETAIL_REQUIRED, FieldErrorShape, RecordValue, schema_document};

/// What management says of a body that is wrong.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Problems {
    message: String,
    problems: Vec<Problem>,
}

/// Client credentials.
#[derive(serde::Deserialize, JsonSchema)]
#[expect(dead_code, reason = "describes what the token endpoint reads")]
pub(crate) struct ClientCredentials {
    #[schemars(length(min = 1))]
    client_id: String,
    #[schemars(length(min = 1))]
    client_secret: String,
}

/// Client credentials as RFC 6749 writes them; id and secret may stand in a Basic `Authorization` instead.
#[derive(serde::Deserialize, JsonSchema)]
#[expect(dead_code, reason = "describes what the token endpoint reads")]
pub(crate) struct ClientCredentialsForm {
    #[schemars(extend("const" = "client_credentials"))]
    grant_type: String,
    client_id: Option<String>,
    client_secret: Option<String>,
}

/// The program's state.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Health {
    #[schemars(extend("const" = "ok"))]
    status: String,
}

/// A form with one part `file`.
pub(crate) struct UploadForm;
shaped!(UploadForm, "UploadForm", |_| json_schema!({
    "type": "object",
    "required": ["file"],
    "properties": {"file": {"type": "string", "contentMediaType": "application/octet-stream"}},
}));

/// An OpenAPI document.
pub(crate) struct Document;
shaped!(Document, "OpenApiDocument", |_| json_schema!({
    "type": "object",
    "required": ["openapi", "info", "paths"],
    "additionalProperties": true,
}));

/// An operation: one member says what is to be done.
pub(crate) struct OperationRequest;
shaped!(OperationRequest, "Operation", |_| json_schema!({
    "type": "object",
    "minProperties": 1,
    "maxProperties": 1,
    "propertyNames": {"enum": ["apply", "credentials", "tenants", "export"]},
    "additionalProperties": true,
    "description": "What the program's commands send with `--server`: of the same version as the server, since it follows the commands",
}));

/// A line of an operation's answer: one member says what it tells.
pub(crate) struct OperationLine;
shaped!(OperationLine, "OperationLine", |_| json_schema!({
    "type": "object",
    "minProperties": 1,
    "maxProperties": 1,
    "propertyNames": {"enum": ["progress", "rejected", "edited", "outcome", "error"]},
    "additionalProperties": true,
    "description": "How far a record file is, a record that can't be stored or was left alone because someone edited it, and at last the outcome or why the work broke off; an empty line says that it goes on",
}));

/// A record to be made.
pub(crate) struct NewRecord;
shaped!(NewRecord, "NewRecord", |generator| json_schema!({
    "type": "object",
    "propertyNames": {"pattern": "^[^_]"},
    "additionalProperties": generator.subschema_for::<RecordValue>(),
}));

/// What changes in a record.
pub(crate) struct RecordChanges;
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
pub(crate) struct Record;
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
        "_errors": {"type": "array", "items": generator.subschema_for::<FieldErrorShape>()},
    })
}

/// A record that a search found.
pub(crate) struct Hit;
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
pub(crate) struct Hits;
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
pub(crate) struct SchemaDetail;
shaped!(SchemaDetail, "SchemaDetail", |generator| {
    schema_document(generator, &DETAIL_REQUIRED)
});

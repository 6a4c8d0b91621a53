//! Shapes that no Rust type has: schema documents, and records (`record_shapes.rs`), are text on their way through the
//! service.
//! `docs/interface.md`, "Catalog items".

use schemars::{JsonSchema, json_schema};
use serde::Serialize;
use serde_json::{Value, json};
use service::manage::Problem;
use wire::shapes::{DETAIL_REQUIRED, SchemaField, schema_document};
use wire::{CodedError, PlainError, shaped};

/// What management says of a body that is wrong.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Problems {
    /// What happened and what to do.
    message: String,
    /// All that is wrong with the body, each with its place.
    problems: Vec<Problem>,
}

/// An error with a code, or, where no code fits the cause, one without.
pub(crate) struct CodedOrPlainError;
// generators try one after the other: the one that asks for more comes first
shaped!(
    CodedOrPlainError,
    "CodedOrPlainError",
    |generator| json_schema!({
        "description": "An error with a code, or, where no code fits the cause, one without",
        "anyOf": [generator.subschema_for::<CodedError>(), generator.subschema_for::<PlainError>()],
    })
);

/// An error about a body, or one about something else.
pub(super) struct ProblemsOrPlainError;
shaped!(
    ProblemsOrPlainError,
    "ProblemsOrPlainError",
    |generator| json_schema!({
        "description": "An error about the body, or one about something else of the request",
        "anyOf": [generator.subschema_for::<Problems>(), generator.subschema_for::<PlainError>()],
    })
);

/// Client credentials.
#[derive(serde::Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = true))]
#[expect(dead_code, reason = "describes what the token endpoint reads")]
pub(crate) struct ClientCredentials {
    /// The id of the application client.
    #[schemars(length(min = 1))]
    client_id: String,
    /// Its secret, as it was shown when the client was made or its secret renewed.
    #[schemars(length(min = 1))]
    client_secret: String,
}

/// The program's state.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Health {
    /// Always `ok`: whatever else there is to say has another status.
    #[schemars(extend("const" = "ok"))]
    status: String,
}

/// A form with one part `file`.
pub(crate) struct UploadForm;
shaped!(UploadForm, "UploadForm", |_| json_schema!({
    "type": "object",
    "description": "A form with one part, the file",
    "required": ["file"],
    "properties": {"file": {
        "type": "string",
        "format": "binary",
        "contentMediaType": "application/octet-stream",
        "description": "The file with its name; what it is, its first bytes tell",
    }},
}));

/// A file to be imported.
pub(crate) struct ImportFile;
shaped!(ImportFile, "ImportFile", |_| json_schema!({
    "type": "string",
    "format": "binary",
    "description": "The file itself: CSV, NDJSON or a JSON array of objects, packed with gzip or zstd or not",
}));

/// Writes of many records. Generators know no lines of JSON: to them it is bytes.
pub(crate) struct BulkLines;
shaped!(BulkLines, "BulkLines", |_| json_schema!({
    "type": "string",
    "format": "binary",
    "description": "Lines of JSON, each an object of one member that says what is to be done: `create` or `upsert` with a \
        record's values, `update` with `_dataObjectId`, `_version` and the values that change, `delete` with `_dataObjectId` \
        and perhaps `_version`",
}));

/// An OpenAPI document.
pub(crate) struct Document;
shaped!(Document, "OpenApiDocument", |_| json_schema!({
    "type": "object",
    "description": "A document as OpenAPI 3.1 has it",
    "required": ["openapi", "info", "paths"],
    "properties": {
        "openapi": {"type": "string", "description": "The version of OpenAPI"},
        "info": {"type": "object", "description": "What it describes", "additionalProperties": true},
        "paths": {"type": "object", "description": "The operations by path and method", "additionalProperties": true},
    },
    "additionalProperties": true,
}));

/// An operation: one member says what is to be done.
pub(crate) struct OperationRequest;
shaped!(OperationRequest, "Operation", |_| json_schema!({
    "type": "object",
    "description": "One thing to do, as the program's commands say it",
    "minProperties": 1,
    "maxProperties": 1,
    "examples": [{"apply": {
        "manifest": {"tenants": [{"areas": [{"name": "Places"}]}]},
        "mode": {"dry_run": true, "only_new": false, "existing_tenant": true},
    }}],
    "properties": {
        "apply": {
            "type": "object",
            "description": "Bring the tenant to what a manifest says, which has the content of its files with it",
            "additionalProperties": true,
            "examples": [{
                "manifest": {"tenants": [{"areas": [{"name": "Places"}]}]},
                "mode": {"dry_run": true, "only_new": false, "existing_tenant": true},
            }],
        },
        "credentials": {
            "type": "object",
            "description": "List, switch, delete or renew keys, clients or users",
            "additionalProperties": true,
            "examples": [{"kind": "key", "tenant": null, "what": "list"}],
        },
        "export": {
            "type": "object",
            "description": "Tell the tenant as a manifest; with `records`, the lines of its record files come before it",
            "additionalProperties": true,
            "examples": [{"tenant": null, "records": false}],
        },
        "tenants": {
            "type": "string",
            "description": "Tell of the caller's tenant",
            "const": "list",
        },
    },
    "additionalProperties": false,
}));

/// A line of an operation's answer: one member says what it tells.
pub(crate) struct OperationLine;
shaped!(OperationLine, "OperationLine", |_| {
    let part = |description: &str, example: Value| {
        json!({
            "type": "object",
            "description": description,
            "additionalProperties": true,
            "examples": [example],
        })
    };
    let file = |more: Value| {
        let mut of = json!({"dataset": "Cities", "file": "cities.ndjson"});
        if let (Some(of), Value::Object(more)) = (of.as_object_mut(), more) {
            of.extend(more);
        }
        of
    };
    json_schema!({
        "type": "object",
        "description": "A line of the answer; an empty line says that the work goes on",
        "minProperties": 1,
        "maxProperties": 1,
        "examples": [{"progress": {"dataset": "Cities", "file": "cities.ndjson", "done": 1000, "total": 20000}}],
    "properties": {
            "progress": part("How far a record file is", file(json!({"done": 1000, "total": 20_000}))),
            "rejected": part("A record that can't be stored", file(json!({
                "line": 7, "reason": "its primary key has no value", "record": "{}",
            }))),
            "edited": part("A record that was left alone, because someone edited or deleted it", file(json!({
                "line": 7, "reason": "ada changed it",
            }))),
            "records": part("Lines of a record file that an export writes, after those that came before", json!({
                "file": "cities.ndjson", "lines": "{\"Code\":\"ULM\"}\n",
            })),
            "outcome": part("What came of it: the last line", json!({
                "applied": {"dryRun": false, "steps": [], "records": []},
            })),
            "error": part("Why it broke off: the last line", json!({
                "message": "the store failed", "causes": [], "code": "failed",
            })),
        },
        "additionalProperties": false,
    })
});

/// A schema as endpoint 4 shows it.
pub(crate) struct SchemaDetail;
shaped!(SchemaDetail, "SchemaDetail", |generator| {
    schema_document::<SchemaField>(generator, &DETAIL_REQUIRED)
});

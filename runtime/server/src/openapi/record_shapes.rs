//! Shapes of records, of their changes and of what finds them. `docs/interface.md`, "Catalog items".

use schemars::{SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};
use service::search::TOTAL_MAX;
use wire::shapes::{FieldErrorShape, RecordValue};
use wire::{Timestamp, shaped};

/// A record to be made.
pub(crate) struct NewRecord;
shaped!(NewRecord, "NewRecord", |generator| json_schema!({
    "type": "object",
    "description": "A new record: values by the display names of the schema's active fields",
    "propertyNames": {"pattern": "^[^_]"},
    "additionalProperties": generator.subschema_for::<RecordValue>(),
    "examples": [{"Code": "AAH", "Name": "Aachen", "Elevation": 623}],
}));

/// What changes in a record.
pub(crate) struct RecordChanges;
shaped!(RecordChanges, "RecordChanges", |generator| json_schema!({
    "type": "object",
    "description": "The version that the change was made from, and values of the fields that change",
    "required": ["_version"],
    "properties": change_properties(),
    "additionalProperties": generator.subschema_for::<RecordValue>(),
    "examples": [{"_version": 0, "Elevation": 625}],
}));

/// What a change has beside its fields.
pub(super) fn change_properties() -> Value {
    json!({
        "_version": {
            "type": "integer",
            "format": "int64",
            "minimum": 0,
            "description": "The version of the record that the change was made from",
        },
        "_dataObjectId": {
            "type": "string",
            "description": "May be sent as it was read, and says nothing; another than the one of the path is refused",
        },
        "_errors": {"description": "May be sent as it was read, and says nothing"},
    })
}

/// A record as it is shown.
pub(crate) struct Record;
shaped!(Record, "Record", |generator| {
    let about = "A record: what every record has, and the values of the active fields by their display names; a missing \
        value is `null`";
    json_schema!({
        "type": "object",
        "description": about,
        "required": ["_dataObjectId", "_version", "_errors"],
        "properties": system_properties(generator),
        "additionalProperties": generator.subschema_for::<RecordValue>(),
        "examples": [{
            "_dataObjectId": "Zk3vQ9tB0mXw7LcR", "_version": 0, "_errors": [],
            "Code": "AAH", "Name": "Aachen", "Elevation": 623,
        }],
    })
});

/// A change of a record.
pub(crate) struct ChangeOfRecord;
shaped!(ChangeOfRecord, "ChangeOfRecord", |generator| json_schema!({
    "type": "object",
    "description": "A change of a record",
    "required": ["position", "action", "at", "dataObjectId", "version", "record"],
    "properties": {
        "position": {
            "type": "string",
            "description": "Where it stands: what to send as `after` to go on behind it",
            "examples": ["3q2-7wQx0iYv1Zc5uT9bRg"],
        },
        "action": {
            "type": "string",
            "enum": ["create", "update", "delete", "restore", "purge"],
            "description": "What was done: a record made, changed, deleted, taken back as it was or brought back to an \
                earlier version, or removed for good. There may be more one day",
        },
        "at": {
            "description": "When it was done",
            "$ref": generator.subschema_for::<Timestamp>().get("$ref"),
        },
        "dataObjectId": {
            "type": "string",
            "description": "The record: its `_dataObjectId`",
            "examples": ["Zk3vQ9tB0mXw7LcR"],
        },
        "version": {
            "type": "integer",
            "format": "int64",
            "minimum": 0,
            "description": "Its `_version` after the change",
            "examples": [0],
        },
        "record": {
            "description": "The record as the change left it, or, of a `delete`, as it was; `null` of a `purge`",
            "anyOf": [generator.subschema_for::<Record>(), {"type": "null"}],
        },
    },
}));

/// Changes of a dataset's records.
pub(crate) struct PageOfChanges;
shaped!(PageOfChanges, "PageOfChanges", |generator| json_schema!({
    "type": "object",
    "description": "Changes of a dataset's records, and where to go on",
    "required": ["items", "next", "hasMore"],
    "properties": {
        "items": {
            "type": "array",
            "items": generator.subschema_for::<ChangeOfRecord>(),
            "description": "In the order in which they were committed",
        },
        "next": {
            "type": "string",
            "description": "Where to go on: what to send as `after`. The same as before where there was no change",
            "examples": ["3q2-7wQx0iYv1Zc5uT9bRg"],
        },
        "hasMore": {
            "type": "boolean",
            "description": "Whether there are more changes already",
            "examples": [false],
        },
    },
}));

/// What every record has beside its fields.
pub(super) fn system_properties(generator: &mut SchemaGenerator) -> Value {
    json!({
        "_dataObjectId": {
            "type": "string",
            "minLength": 1,
            "maxLength": 64,
            "description": "Its id: opaque, given when it was made, the same for life",
        },
        "_version": {
            "type": "integer",
            "format": "int64",
            "minimum": 0,
            "description": "Rises by one with every change, from 0; sent with a change, it tells what the change was made from",
        },
        "_errors": errors_property(generator),
    })
}

fn errors_property(generator: &mut SchemaGenerator) -> Value {
    json!({
        "type": "array",
        "items": generator.subschema_for::<FieldErrorShape>(),
        "description": "What is wrong with its values, an entry for each faulty field in the order of the schema; \
            empty when nothing is",
    })
}

/// What every hit has beside its fields, each with what it is.
const HIT: [(&str, &str); 7] = [
    ("_dataObjectId", "The id of the record"),
    ("_businessAreaId", "The id of its business area"),
    ("_businessAreaName", "The name of its business area"),
    ("_schemaId", "The id of its schema"),
    ("_schemaName", "The name of its schema"),
    ("_dataSetId", "The id of its dataset"),
    ("_dataSetName", "The name of its dataset"),
];

/// The names of what every hit has beside its fields.
pub(super) fn hit_names() -> Vec<&'static str> {
    let names = HIT.iter().map(|(name, _)| *name);
    names.chain(["_errors"]).collect()
}

/// What every hit has beside its fields.
pub(super) fn hit_properties(generator: &mut SchemaGenerator) -> Map<String, Value> {
    let text = |(name, what): &(&str, &str)| {
        (
            (*name).to_owned(),
            json!({"type": "string", "description": what}),
        )
    };
    let mut properties: Map<_, _> = HIT.iter().map(text).collect();
    properties.insert("_errors".to_owned(), errors_property(generator));
    properties
}

/// A record that a search found.
pub(crate) struct Hit;
shaped!(Hit, "Hit", |generator| json_schema!({
    "type": "object",
    "description": "A record that a search found: where it is, and the values of the active fields by their display names",
    "required": hit_names(),
    "properties": hit_properties(generator),
    "additionalProperties": generator.subschema_for::<RecordValue>(),
}));

/// What a search found.
pub(crate) struct Hits;
// of the name `Hits`, generated code would have a member of its own name
shaped!(Hits, "PageOfHit", |generator| json_schema!({
    "type": "object",
    "description": "What a search found, page by page",
    "required": ["hits", "total"],
    "properties": {
        "hits": {
            "type": "array",
            "items": generator.subschema_for::<Hit>(),
            "description": "In the order that `sort` asks for, or in order of datasets, then of creation",
        },
        "total": {
            "type": "integer",
            "format": "int64",
            "minimum": 0,
            "maximum": TOTAL_MAX,
            "description": "How many there are in all; exact up to 1,000, where it stays",
        },
        "totalIsAtLeast": {
            "type": "boolean",
            "description": "That there are more than `total`; absent where there are not",
        },
        "isBehind": {
            "type": "boolean",
            "description": "That what was written last may be missing, because the search index can't be written now; absent where \
                nothing is",
        },
        "nextPageKey": {
            "type": "string",
            "description": "What to send as `pageKey` for the next page; absent on the last",
        },
    },
}));

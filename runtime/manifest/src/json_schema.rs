//! The JSON Schema of manifests, for editors: made of the model, so that it says what the model reads. What may be
//! written in two forms is told here by hand, as its reading is.

use crate::model::{Manifest, RecordMode, Records};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
use store::catalog::{Resource, Verb};
use wire::shapes::SchemaDocument;

/// The JSON Schema of manifests, as JSON.
pub fn json_schema() -> String {
    let generator = SchemaSettings::draft2020_12()
        .for_deserialize()
        .into_generator();
    let mut schema = generator.into_root_schema_for::<Manifest>();
    schema.insert("title".to_owned(), "A manifest of Fieldstone".into());
    // INVARIANT: what was made as JSON is written as JSON
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

impl JsonSchema for Records {
    fn schema_name() -> Cow<'static, str> {
        "Records".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mode = generator.subschema_for::<RecordMode>();
        json_schema!({
            "description": "A record file: its path, or `file` with a `mode`.",
            "anyOf": [
                {"type": "string"},
                {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {"type": "string", "description": "Its path as seen from the manifest."},
                        "mode": {"anyOf": [mode, {"type": "null"}]},
                        "text": {"type": ["string", "null"], "description": "What it says, in place of a file's content."},
                    },
                    "additionalProperties": false,
                },
            ],
        })
    }
}

/// A schema document that stands in a manifest.
pub(crate) struct InlineDocument;

impl JsonSchema for InlineDocument {
    fn schema_name() -> Cow<'static, str> {
        "InlineDocument".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<SchemaDocument>()
    }
}

/// What a role allows, by resource.
pub(crate) struct Permissions;

impl JsonSchema for Permissions {
    fn schema_name() -> Cow<'static, str> {
        "Permissions".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (names, verbs) = (
            generator.subschema_for::<Resource>(),
            generator.subschema_for::<Vec<Verb>>(),
        );
        json_schema!({
            "type": "object",
            "propertyNames": names,
            "additionalProperties": verbs,
        })
    }
}

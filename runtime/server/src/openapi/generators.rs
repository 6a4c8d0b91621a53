//! Shapes made of Rust types, each twice: as it is sent and as it is shown. What of them is asked for, the
//! operations say.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

const DEFINITIONS_PATH: &str = "/components/schemas";

/// Makes shapes of types, each as it is sent or as it is shown.
pub(super) struct Shapes {
    /// As clients send it.
    pub(super) input: SchemaGenerator,
    /// As answers show it.
    pub(super) output: SchemaGenerator,
}

impl Shapes {
    pub(super) fn new() -> Self {
        // what is sent stands where it is asked for: the same type may ask for less than it shows
        let input = SchemaSettings::draft2020_12()
            .for_deserialize()
            .with(|settings| {
                settings.inline_subschemas = true;
                settings.meta_schema = None;
            });
        let output = SchemaSettings::draft2020_12()
            .for_serialize()
            .with(|settings| {
                settings.definitions_path = DEFINITIONS_PATH.into();
                settings.meta_schema = None;
            });
        Shapes {
            input: input.into_generator(),
            output: output.into_generator(),
        }
    }

    /// The shapes that answers refer to.
    pub(super) fn definitions(mut self) -> Map<String, Value> {
        let mut definitions = self.output.take_definitions(true);
        definitions.values_mut().for_each(without_null);
        definitions
    }
}

/// What an answer may leave out, it leaves out: it is never `null` instead.
fn without_null(shape: &mut Value) {
    let required = shape.get("required").cloned().unwrap_or_default();
    let is_open = shape.get("additionalProperties") == Some(&json!(true));
    let Some(properties) = shape
        .get_mut("properties")
        .and_then(Value::as_object_mut)
        .filter(|_| !is_open)
    else {
        return;
    };
    for (name, property) in properties {
        let is_required = required
            .as_array()
            .is_some_and(|all| all.contains(&json!(name)));
        if let Some(kinds) = property
            .get_mut("type")
            .and_then(Value::as_array_mut)
            .filter(|_| !is_required)
        {
            kinds.retain(|kind| kind != "null");
        }
    }
}

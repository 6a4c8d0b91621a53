//! Shapes made of Rust types, each twice: as it is sent and as it is shown. What of them is asked for, the
//! operations say.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

const DEFINITIONS_PATH: &str = "/components/schemas";
/// What stands before the name of a shape where it is referred to.
const REFERENCE: &str = "#/components/schemas/";
/// What a shape's name ends with as it is sent, where it is shown otherwise.
const SENT: &str = "Input";

/// Makes shapes of types, each as it is sent or as it is shown.
pub(super) struct Shapes {
    /// As clients send it.
    pub(super) input: SchemaGenerator,
    /// As answers show it.
    pub(super) output: SchemaGenerator,
}

impl Shapes {
    pub(super) fn new() -> Self {
        let with_definitions = |settings: SchemaSettings| {
            let settings = settings.with(|settings| {
                settings.definitions_path = DEFINITIONS_PATH.into();
                settings.meta_schema = None;
            });
            settings.into_generator()
        };
        Shapes {
            input: with_definitions(SchemaSettings::draft2020_12().for_deserialize()),
            output: with_definitions(SchemaSettings::draft2020_12().for_serialize()),
        }
    }

    /// The shapes that operations refer to, by name. Where a type is sent otherwise than it is shown, what is sent
    /// gets a name of its own, in the bodies of `paths` too.
    pub(super) fn definitions(mut self, paths: &mut Map<String, Value>) -> Map<String, Value> {
        let mut shown = self.output.take_definitions(true);
        shown.values_mut().for_each(without_null);
        let mut sent = self.input.take_definitions(true);
        shown
            .values_mut()
            .chain(sent.values_mut())
            .for_each(as_words);
        let renamed = renamed(&sent, &shown);
        sent.values_mut().for_each(|shape| rename(shape, &renamed));
        let operations = paths.values_mut().filter_map(Value::as_object_mut);
        for operation in operations.flat_map(Map::values_mut) {
            if let Some(body) = operation.get_mut("requestBody") {
                rename(body, &renamed);
            }
        }
        for (name, shape) in sent {
            let name = if renamed.contains(&name) {
                name + SENT
            } else {
                name
            };
            shown.insert(name, shape);
        }
        shown
    }
}

/// The names of what is sent otherwise than it is shown, or has something like that in it.
fn renamed(sent: &Map<String, Value>, shown: &Map<String, Value>) -> BTreeSet<String> {
    let differs =
        |(name, shape): &(&String, &Value)| shown.get(*name).is_some_and(|own| own != *shape);
    let mut found: BTreeSet<_> = sent
        .iter()
        .filter(differs)
        .map(|(name, _)| name.clone())
        .collect();
    loop {
        let holds = |shape: &Value| found.iter().any(|name| refers(shape, name));
        let more = sent.iter().filter(|(name, shape)| {
            !found.contains(*name) && shown.contains_key(*name) && holds(shape)
        });
        let more: Vec<_> = more.map(|(name, _)| name.clone()).collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

/// Whether a shape refers to another.
fn refers(shape: &Value, name: &str) -> bool {
    match shape {
        Value::String(text) => text.strip_prefix(REFERENCE) == Some(name),
        Value::Array(all) => all.iter().any(|shape| refers(shape, name)),
        Value::Object(members) => members.values().any(|shape| refers(shape, name)),
        _ => false,
    }
}

/// Refers to shapes by the names they have as they are sent.
fn rename(shape: &mut Value, renamed: &BTreeSet<String>) {
    match shape {
        Value::String(text)
            if text
                .strip_prefix(REFERENCE)
                .is_some_and(|name| renamed.contains(name)) =>
        {
            text.push_str(SENT);
        }
        Value::Array(all) => all.iter_mut().for_each(|shape| rename(shape, renamed)),
        Value::Object(members) => members
            .values_mut()
            .for_each(|shape| rename(shape, renamed)),
        _ => {}
    }
}

/// Makes one list of words that each have a shape of their own: generators would make a type of each. What the words
/// mean becomes part of the description.
fn as_words(shape: &mut Value) {
    let Some(all) = shape["oneOf"].as_array() else {
        return;
    };
    let words: Option<Vec<_>> = all.iter().map(|one| one.get("const").cloned()).collect();
    let Some(words) = words else {
        return;
    };
    let mut about = shape["description"].as_str().unwrap_or_default().to_owned();
    for one in all {
        if let (Some(word), Some(text)) = (one["const"].as_str(), one["description"].as_str()) {
            about.extend(["\n- `", word, "`: ", text]);
        }
    }
    *shape = json!({"type": "string", "enum": words, "description": about});
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
            if kinds.len() == 1 {
                let kind = kinds.remove(0);
                property["type"] = kind;
            }
        }
    }
}

//! Examples: what a property or a parameter may look like, by its name, and bodies made of them. They are data of
//! documents; nothing is read from them.

use serde_json::{Map, Value, json};
use std::sync::LazyLock;

const AREA: &str = "019b7635-dc80-781a-9a51-5a766190a985";
const SCHEMA: &str = "019b7637-6320-7e87-90d6-2248d5256340";
const DATASET: &str = "019b7638-1d44-7c06-8a5b-77e0c1f0a2d9";
const RECORD: &str = "Zk3vQ9tB0mXw7LcR";
const SOMEBODY: &str = "019b7634-02aa-7f3e-b1c8-9d5e4a6f7b80";
/// What properties look like by their names: of shapes that are named, and of every other.
static TABLE: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("examples.json"))
        .expect("the file is JSON, as every test of a document shows")
});
/// The key of what holds for every shape.
const EVERY: &str = "*";
/// How deep bodies are made: no shape goes deeper.
const DEPTH_MAX: usize = 16;

/// Of an id in a path.
pub(super) fn of_path_parameter(name: &str) -> Value {
    match name {
        "businessAreaId" => json!(AREA),
        "schemaId" => json!(SCHEMA),
        "datasetId" => json!(DATASET),
        "dataObjectId" | "record" => json!(RECORD),
        "pkValue" => json!("AAH"),
        "version" => json!("1"),
        "kind" => json!("json-schema"),
        _ => json!(SOMEBODY),
    }
}

/// Of what stands behind the question mark.
pub(super) fn of_parameter(name: &str) -> Value {
    match name {
        "query" => json!("Name:aachen AND (old OR wet*)"),
        "businessArea" => json!("Reference Data"),
        "schema" => json!("Airport"),
        "deleted" => json!("true"),
        "after" => json!("latest"),
        "dataset" => json!(DATASET),
        "expires" => json!("1769851200"),
        "key" => json!("5f2c"),
        "map" => json!(["Kundennr=Customer No"]),
        "encoding" => json!("utf-8"),
        "days" => json!("30"),
        "delimiter" => json!(";"),
        "split" => json!("|"),
        "sheet" => json!("Customers"),
        "fileName" => json!("customers.csv"),
        "signature" => json!("mZ0r1l7cUe3cV1Y2n0a8bQ"),
        _ => json!("all"),
    }
}

/// Gives each property of these shapes an example, where it has none and none can be made of what it refers to.
pub(super) fn add(shapes: &mut Map<String, Value>) {
    for (name, shape) in shapes.iter_mut() {
        add_to(shape, name);
    }
    for name in ["PlainError", "CodedError", "TokenError", "Problems"] {
        let example = shapes.get(name).and_then(|shape| made(shape, shapes, 0));
        if let (Some(example), Some(shape)) = (example, shapes.get_mut(name)) {
            shape["examples"] = json!([example]);
        }
    }
}

fn add_to(shape: &mut Value, owner: &str) {
    match shape {
        Value::Object(members) => {
            let properties = members.get_mut("properties").and_then(Value::as_object_mut);
            for (name, property) in properties.into_iter().flatten() {
                if needs_one(property)
                    && let Some(example) = of_property(owner, name)
                {
                    property["examples"] = json!([example]);
                }
            }
            members
                .values_mut()
                .for_each(|member| add_to(member, owner));
        }
        Value::Array(all) => all.iter_mut().for_each(|member| add_to(member, owner)),
        _ => {}
    }
}

/// Whether nothing tells what a property looks like.
fn needs_one(property: &Value) -> bool {
    let items = &property["items"];
    let is_told = |shape: &Value| {
        ["$ref", "anyOf", "enum", "const", "examples"]
            .iter()
            .any(|word| shape.get(word).is_some())
    };
    property.is_object() && !is_told(property) && !is_told(items) && items["properties"].is_null()
}

/// What a property may look like, by its name in a shape.
fn of_property(owner: &str, name: &str) -> Option<Value> {
    let of = |owner: &str| TABLE.get(owner)?.get(name).cloned();
    of(owner).or_else(|| of(EVERY))
}

/// Puts an example beside each shape of what is sent and of what is given in these operations, made of those of its
/// properties. Errors are the same everywhere: their shapes have theirs.
pub(super) fn add_bodies(paths: &mut Map<String, Value>, shapes: &Map<String, Value>) {
    let operations = paths.values_mut().filter_map(Value::as_object_mut);
    for operation in operations.flat_map(Map::values_mut) {
        let operation = operation.as_object_mut();
        for (name, part) in operation.into_iter().flatten() {
            match (name.as_str(), part) {
                ("requestBody", body) => add_body(body, shapes),
                ("responses", Value::Object(answers)) => {
                    let given = answers
                        .iter_mut()
                        .filter(|(status, _)| status.starts_with('2'));
                    given.for_each(|(_, answer)| add_body(answer, shapes));
                }
                _ => {}
            }
        }
    }
}

fn add_body(holder: &mut Value, shapes: &Map<String, Value>) {
    let content = holder.get_mut("content").and_then(Value::as_object_mut);
    for body in content.into_iter().flat_map(Map::values_mut) {
        if let Some(example) = body.get("schema").and_then(|shape| made(shape, shapes, 0)) {
            body["example"] = example;
        }
    }
}

/// A value of a shape.
pub(super) fn made(shape: &Value, shapes: &Map<String, Value>, depth: usize) -> Option<Value> {
    if depth > DEPTH_MAX {
        return None;
    }
    let inner = |shape: &Value| made(shape, shapes, depth + 1);
    if let Some(example) = shape["examples"]
        .get(0)
        .or(shape["enum"].get(0))
        .or(shape.get("const"))
    {
        return Some(example.clone());
    }
    if let Some(name) = shape["$ref"].as_str() {
        return inner(shapes.get(name.rsplit('/').next()?)?);
    }
    if let Some(first) = shape["anyOf"].get(0) {
        return inner(first);
    }
    if let Some(properties) = shape["properties"].as_object() {
        let own = properties
            .iter()
            .filter_map(|(name, shape)| Some((name.clone(), inner(shape)?)));
        return Some(Value::Object(own.collect()));
    }
    if shape["items"].is_object() {
        return Some(Value::Array(inner(&shape["items"]).into_iter().collect()));
    }
    None
}

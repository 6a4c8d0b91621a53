//! Schemas of any size, made from the 20 fields of the checked-in order, as our documents and as
//! equivalent JSON Schemas. Field names repeat after 20 with a number behind them.

use crate::fixture;
use serde_json::{Map, Value, json};

/// A schema in both forms.
#[derive(Clone, Debug)]
pub struct Pair {
    /// `Order 7`.
    pub name: String,
    /// Our schema-detail document.
    pub document: String,
    /// The equivalent JSON Schema.
    pub json_schema: String,
}

/// `schemas` schemas of `fields` fields each.
///
/// # Panics
/// When the checked-in order is not what it was.
pub fn pairs(schemas: usize, fields: usize) -> Vec<Pair> {
    let document = parsed("order.schema.json");
    let json_schema = parsed("order.json-schema.json");
    (1..=schemas)
        .map(|number| {
            let name = format!("Order {number}");
            Pair {
                document: our_document(&document, &name, fields).to_string(),
                json_schema: equivalent(&json_schema, &document, &name, fields).to_string(),
                name,
            }
        })
        .collect()
}

fn parsed(name: &str) -> Value {
    serde_json::from_str(&fixture(name)).expect("fixtures are JSON")
}

fn our_document(order: &Value, name: &str, count: usize) -> Value {
    let mut document = order.clone();
    document["name"] = name.into();
    document["schemaId"] = name.to_lowercase().replace(' ', "-").into();
    let fields = order["fields"].as_array().expect("fields are an array");
    let fields = fields.iter().cycle().take(count).enumerate();
    document["fields"] = fields
        .map(|(index, field)| {
            let mut field = field.clone();
            field["fieldId"] = format!("field-{index}").into();
            field["name"] = numbered(&field["name"], index).into();
            field["isPrimaryKey"] = (index == 0).into();
            field["description"] = description(index).into();
            field
        })
        .collect();
    document
}

/// In the order of our document's fields, which is not the alphabet's; the descriptions are the same.
fn equivalent(order: &Value, document: &Value, name: &str, count: usize) -> Value {
    let fields = document["fields"].as_array().expect("fields are an array");
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (index, field) in fields.iter().cycle().take(count).enumerate() {
        let name = numbered(&field["name"], index);
        let old = field["name"].as_str().expect("names are strings");
        let mut property = order["properties"][old].clone();
        property["description"] = description(index).into();
        if field["dataType"] == "boolean" {
            // a mixed enum of words and booleans is more than the baseline can read
            property = json!({"type": "boolean", "description": description(index)});
        }
        if field["isRequired"] == true {
            required.push(name.clone());
        }
        properties.insert(name, property);
    }
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": name,
        "description": document["description"],
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn numbered(name: &Value, index: usize) -> String {
    let name = name.as_str().expect("names are strings");
    match index / 20 {
        0 => name.to_owned(),
        round => format!("{name} {}", round + 1),
    }
}

fn description(index: usize) -> String {
    format!("What column {} of the old system held.", index + 1)
}

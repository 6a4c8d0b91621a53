//! JSON Schema 2020-12: an object with a property for each active field. What JSON Schema has no word for stands in
//! `description`, in words.

use super::{facts, pattern};
use crate::json::write_string;
use crate::{Bound, BoundKind, DataType, Field, PicklistType, SAFE_INTEGER_MAX, Schema};

/// The document of a record.
pub fn write(schema: &Schema) -> String {
    let mut out = String::from("{\n");
    let mut members = Members::new(&mut out, 1);
    members.text("$schema", "https://json-schema.org/draft/2020-12/schema");
    members.text("title", &schema.name);
    if let Some(description) = &schema.description {
        members.text("description", description);
    }
    members.raw("type", "\"object\"");
    members.raw("properties", &properties(schema));
    let required = schema.active_fields().filter(|field| field.required);
    let required: Vec<String> = required.map(|field| string(&field.name)).collect();
    if !required.is_empty() {
        members.raw("required", &format!("[{}]", required.join(", ")));
    }
    // properties of the service: _dataObjectId, _version, _errors
    members.raw("patternProperties", "{\"^_\": true}");
    members.raw("additionalProperties", "false");
    out.push_str("\n}\n");
    out
}

/// The members of an object, a line for each.
struct Members<'o> {
    out: &'o mut String,
    indent: usize,
    is_first: bool,
}

impl<'o> Members<'o> {
    fn new(out: &'o mut String, indent: usize) -> Self {
        Members {
            out,
            indent,
            is_first: true,
        }
    }

    fn raw(&mut self, key: &str, json: &str) {
        if !self.is_first {
            self.out.push_str(",\n");
        }
        self.is_first = false;
        self.out.extend(std::iter::repeat_n("  ", self.indent));
        write_string(self.out, key);
        self.out.push_str(": ");
        self.out.push_str(json);
    }

    fn text(&mut self, key: &str, text: &str) {
        self.raw(key, &string(text));
    }
}

fn string(text: &str) -> String {
    let mut out = String::new();
    write_string(&mut out, text);
    out
}

fn properties(schema: &Schema) -> String {
    let mut out = String::from("{\n");
    let mut members = Members::new(&mut out, 2);
    for field in schema.active_fields() {
        members.raw(&field.name, &property(field));
    }
    out.push_str("\n  }");
    out
}

fn property(field: &Field) -> String {
    let mut out = String::from("{\n");
    let mut members = Members::new(&mut out, 3);
    let facts = facts::of_field(field);
    match &field.description {
        Some(description) if !description.is_empty() => {
            members.text("description", &format!("{description}\n\n{facts}"));
        }
        _ => members.text("description", &facts),
    }
    if field.is_multivalue() {
        members.raw("type", kind("array", field.required).as_str());
        if field.required {
            members.raw("minItems", "1");
        }
        let mut items = String::from("{\n");
        value(&mut Members::new(&mut items, 4), field, true);
        items.push_str("\n      }");
        members.raw("items", &items);
    } else {
        value(&mut members, field, field.required);
    }
    out.push_str("\n    }");
    out
}

/// The type of a value, or of a value or `null`.
fn kind(name: &str, is_there: bool) -> String {
    if is_there {
        format!("\"{name}\"")
    } else {
        format!("[\"{name}\", \"null\"]")
    }
}

/// The schema of one value of a field that is there, whatever the field says of presence and number. One line.
pub fn of_value(field: &Field) -> String {
    let mut out = String::from("{");
    value(&mut Members::new(&mut out, 0), field, true);
    out.push('}');
    out.replace(",\n", ", ")
}

fn value(members: &mut Members<'_>, field: &Field, is_there: bool) {
    let name = match field.data_type {
        own if own.is_whole() => "integer",
        own if own.is_number() => "number",
        DataType::Boolean => "boolean",
        _ => "string",
    };
    members.raw("type", &kind(name, is_there));
    if let Some(label) = pattern::label(field) {
        members.text("pattern", &pattern::expression(&label));
        if field.data_type == DataType::Date && field.date_shape().is_iso() {
            members.text("format", "date");
        }
    }
    match field.data_type {
        DataType::Email => members.text("pattern", pattern::EMAIL),
        DataType::Url => members.text("pattern", pattern::URL),
        DataType::Phone => members.text("pattern", "^[+][1-9][0-9]{6,14}$"),
        DataType::Latlng => members.text("pattern", "^-?[0-9.]+,-?[0-9.]+$"),
        _ => {}
    }
    rules(members, field, is_there);
    if field.data_type == DataType::Picklist && field.picklist_type == Some(PicklistType::Static) {
        let codes = field.static_picklist.iter().flatten();
        let mut codes: Vec<String> = codes.map(|entry| string(&entry.code)).collect();
        if !is_there {
            codes.push("null".to_owned());
        }
        members.raw("enum", &format!("[{}]", codes.join(", ")));
    }
}

/// The rules of a value; what is blank has no value, and no rule judges it.
fn rules(members: &mut Members<'_>, field: &Field, is_there: bool) {
    let mut rules = String::new();
    let mut inner = Members::new(&mut rules, 5);
    let has_rules = field.is_alphanumeric() || field.min.is_some() || field.max.is_some();
    if is_there || field.data_type != DataType::String || !has_rules {
        if field.is_alphanumeric() {
            members.text("pattern", ALPHANUMERIC);
        }
        bounds(members, field);
        return;
    }
    if field.is_alphanumeric() {
        inner.text("pattern", ALPHANUMERIC);
    }
    bounds(&mut inner, field);
    let blank = string(&pattern::blank());
    let either =
        format!("[\n        {{\"pattern\": {blank}}},\n        {{\n{rules}\n        }}\n      ]");
    members.raw("anyOf", &either);
}

/// Letters and digits of ASCII.
const ALPHANUMERIC: &str = "^[A-Za-z0-9]*$";

fn bounds(members: &mut Members<'_>, field: &Field) {
    let (words, own) = match (field.data_type.facts().bounds, field.data_type) {
        (BoundKind::Length, _) => (["minLength", "maxLength"], [None, None]),
        (_, DataType::Date | DataType::Time | DataType::Datetime) | (BoundKind::None, _) => return,
        (_, other) => (["minimum", "maximum"], own_bounds(other)),
    };
    let ends = [&field.min, &field.max];
    for ((word, bound), own) in words.into_iter().zip(ends).zip(own) {
        match (bound, own) {
            (Some(bound), _) => members.raw(word, token(bound)),
            (None, Some(own)) => members.raw(word, &own.to_string()),
            (None, None) => {}
        }
    }
}

/// A number's token; the check has seen that a text is one.
fn token(bound: &Bound) -> &str {
    bound.as_str()
}

/// The bounds of a type where a schema names none.
pub fn own_bounds(data_type: DataType) -> [Option<i64>; 2] {
    match data_type {
        DataType::Integer | DataType::Currency => [Some(-SAFE_INTEGER_MAX), Some(SAFE_INTEGER_MAX)],
        DataType::DateYear => [Some(1), Some(9999)],
        DataType::DateMonth => [Some(1), Some(12)],
        DataType::DateDay => [Some(1), Some(31)],
        DataType::Latitude => [Some(-90), Some(90)],
        DataType::Longitude => [Some(-180), Some(180)],
        _ => [None, None],
    }
}

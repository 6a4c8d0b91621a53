//! A field of a schema as a property: its type, its limits, what it is for, and an example. `docs/rules.md`, "Data
//! types". It tells what a clean value is; whether one is, the engine judges.

use super::picklists::Picklists;
use super::texts::harmless;
use schema::export::pattern;
use schema::{Bound, BoundKind, DataType, Field, PicklistType, SAFE_INTEGER_MAX};
use serde_json::{Value, json};

/// A clean value of a field as it is stored, or all of several; of one that may be missing also `null`.
pub(super) fn property(field: &Field, picklists: &Picklists<'_>, is_nullable: bool) -> Value {
    let one = picklists.reference(field).unwrap_or_else(|| value(field));
    let own = if field.is_multivalue() {
        json!({"type": "array", "items": one})
    } else {
        one
    };
    let mut shape = if is_nullable { nullable(own) } else { own };
    shape["description"] = json!(description(field));
    shape["examples"] = json!([example(field)]);
    shape
}

fn nullable(mut shape: Value) -> Value {
    // generators make one type of a list of words and another of its absence; of words and `null` in one list not
    if shape.get("$ref").is_some() {
        return json!({"anyOf": [shape, {"type": "null"}]});
    }
    shape["type"] = json!([shape["type"], "null"]);
    shape
}

/// What a field is for, and what it asks for that its type does not tell.
fn description(field: &Field) -> String {
    let mut text = field
        .description
        .as_deref()
        .map(harmless)
        .unwrap_or_default();
    let mut add = |sentence: &str| {
        if !text.is_empty() && !text.ends_with(['.', '!', '?']) {
            text.push('.');
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(sentence);
    };
    if field.primary_key {
        add("The primary key: unique within a dataset, white space around it is left out.");
    } else if field.required {
        add("Required: a record without it has a fault.");
    }
    if let Some(written) = written(field) {
        add(&format!("Written as {written}; ISO 8601 may be sent, too."));
    }
    if field.data_type.facts().bounds == BoundKind::Value {
        for (word, bound) in [("From", &field.min), ("To", &field.max)] {
            if let Some(Bound::Text(bound)) = bound {
                add(&format!("{word} {bound}."));
            }
        }
    }
    match field.data_type {
        DataType::Attachment | DataType::Image | DataType::Document | DataType::Video => {
            add("Sent as the id of an uploaded file, shown as a download link that runs out.");
        }
        DataType::Picklist if field.picklist_type != Some(PicklistType::Static) => {
            add("A code of the data domain that the schema names.");
        }
        DataType::Latlng => add("Latitude and longitude in degrees, with a comma between."),
        DataType::Currency => add("An amount with two decimals at most."),
        _ => {}
    }
    if text.is_empty() {
        text = format!("A value of the type {}.", field.data_type.facts().name);
    }
    text
}

/// How a field's dates and times are written, where that is not as ISO 8601 has it.
fn written(field: &Field) -> Option<String> {
    match field.data_type {
        DataType::Date if field.date_shape().is_iso() => None,
        DataType::Date => Some(field.date_shape().label()),
        DataType::Time => Some(field.time_shape().name().to_owned()),
        DataType::Datetime => Some(field.moment_shape().label()),
        _ => None,
    }
}

fn value(field: &Field) -> Value {
    let mut shape = form(field);
    let (least, most) = match field.data_type.facts().bounds {
        BoundKind::Length => ("minLength", "maxLength"),
        BoundKind::Value => ("minimum", "maximum"),
        BoundKind::None => return shape,
    };
    for (name, bound) in [(least, &field.min), (most, &field.max)] {
        // a bound that is a date stands in the description
        let number = bound
            .as_ref()
            .map(Bound::as_str)
            .and_then(|text| text.parse::<serde_json::Number>().ok());
        if let Some(number) = number
            && (shape["type"] != "string" || name == "minLength" || name == "maxLength")
        {
            shape[name] = Value::Number(number);
        }
    }
    shape
}

/// The stored form of a field's values. `docs/rules.md`, "Data types".
fn form(field: &Field) -> Value {
    let between = |kind: &str, min: f64, max: f64| json!({"type": kind, "format": "double", "minimum": min, "maximum": max});
    let whole = |min: i64, max: i64| json!({"type": "integer", "minimum": min, "maximum": max});
    match field.data_type {
        DataType::String if field.is_alphanumeric() => {
            json!({"type": "string", "pattern": "^[A-Za-z0-9]*$"})
        }
        DataType::Date if field.date_shape().is_iso() => {
            json!({"type": "string", "format": "date"})
        }
        DataType::String
        | DataType::Latlng
        | DataType::Date
        | DataType::Time
        | DataType::Datetime
        | DataType::Attachment
        | DataType::Image
        | DataType::Document
        | DataType::Video => json!({"type": "string"}),
        DataType::Integer => {
            let mut shape = whole(-SAFE_INTEGER_MAX, SAFE_INTEGER_MAX);
            shape["format"] = json!("int64");
            shape
        }
        DataType::Float => json!({"type": "number", "format": "double"}),
        // no double: it would not hold every amount
        DataType::Currency => json!({"type": "number"}),
        DataType::Boolean => json!({"type": "boolean"}),
        DataType::DateYear => whole(1, 9999),
        DataType::DateMonth => whole(1, 12),
        DataType::DateDay => whole(1, 31),
        DataType::Picklist => picklist(field),
        DataType::Email => json!({"type": "string", "pattern": pattern::EMAIL}),
        DataType::Url => json!({"type": "string", "pattern": pattern::URL}),
        DataType::Phone => json!({"type": "string", "pattern": r"^\+[1-9][0-9]{6,14}$"}),
        DataType::Latitude => between("number", -90.0, 90.0),
        DataType::Longitude => between("number", -180.0, 180.0),
    }
}

fn picklist(field: &Field) -> Value {
    if field.picklist_type != Some(PicklistType::Static) {
        return json!({"type": "string"});
    }
    let entries = field.static_picklist.iter().flatten();
    let codes: Vec<_> = entries.map(|entry| &entry.code).collect();
    if codes.is_empty() {
        // it refuses every value, and an empty list of words is none that is read everywhere
        return json!({"type": "string", "maxLength": 0});
    }
    json!({"type": "string", "enum": codes})
}

/// What a clean value of a field may look like.
pub(super) fn example(field: &Field) -> Value {
    let one = example_of_one(field);
    if field.is_multivalue() {
        json!([one])
    } else {
        one
    }
}

fn example_of_one(field: &Field) -> Value {
    let shape = value(field);
    if let Some(code) = shape["enum"].get(0) {
        return code.clone();
    }
    let number = |wanted: f64| {
        let least = shape["minimum"].as_f64().unwrap_or(wanted);
        let most = shape["maximum"].as_f64().unwrap_or(wanted);
        wanted.max(least).min(most)
    };
    match field.data_type {
        DataType::Integer => json!(whole_within(&shape, 42)),
        DataType::DateYear => json!(whole_within(&shape, 2026)),
        DataType::DateMonth => json!(whole_within(&shape, 1)),
        DataType::DateDay => json!(whole_within(&shape, 31)),
        DataType::Float | DataType::Currency => json!(number(42.5)),
        DataType::Latitude => json!(number(50.823)),
        DataType::Longitude => json!(number(6.1865)),
        DataType::Latlng => json!("50.823,6.1865"),
        DataType::Boolean => json!(true),
        DataType::Email => json!("ada@example.org"),
        DataType::Url => json!("https://example.org/"),
        DataType::Phone => json!("+49241432"),
        DataType::Attachment | DataType::Image | DataType::Document | DataType::Video => {
            json!("019b7639-4e0a-7b53-9d11-08f6a2c5e7d4")
        }
        DataType::Date | DataType::Time | DataType::Datetime => json!(moment(field)),
        DataType::String | DataType::Picklist => json!(text_within(&shape)),
    }
}

fn whole_within(shape: &Value, wanted: i64) -> i64 {
    let least = shape["minimum"].as_i64().unwrap_or(wanted);
    let most = shape["maximum"].as_i64().unwrap_or(wanted);
    wanted.max(least).min(most)
}

/// A text that is neither too short nor too long.
fn text_within(shape: &Value) -> String {
    const TEXT: &str = "Example";
    let length = |name: &str, default: usize| {
        let bound = shape[name]
            .as_u64()
            .and_then(|bound| usize::try_from(bound).ok());
        bound.unwrap_or(default)
    };
    let wanted = TEXT
        .len()
        .max(length("minLength", 0))
        .min(length("maxLength", usize::MAX));
    TEXT.chars().cycle().take(wanted).collect()
}

/// The last morning of January as a field writes it.
fn moment(field: &Field) -> String {
    let mut text = written(field).unwrap_or_else(|| "YYYY-MM-DD".to_owned());
    for (part, digits) in [
        ("YYYY", "2026"),
        ("YY", "26"),
        ("MMM", "Jan"),
        ("MM", "01"),
        ("DD", "31"),
        ("HH", "09"),
        ("hh", "09"),
        ("mm", "05"),
        ("ss", "00"),
        (" A", " AM"),
        (" a", " am"),
    ] {
        text = text.replace(part, digits);
    }
    text
}

//! A record written under an earlier version of its schema, shown under another: values stay with their
//! `fieldId`, take the current name, and valid dates and times the current format. docs/rules.md,
//! "Records of earlier versions".

use schema::json::{Node, Value, parse, write_string};
use schema::{DataType, Field, Schema};
use std::collections::HashMap;
use store::StoreError;
use store::catalog::SchemaVersion;
use wire::FieldError;

/// The values of a record under another version.
pub(crate) struct RekeyedRecord {
    /// The values of the active fields, by name.
    pub(crate) body: String,
    /// The values of all other fields, by `fieldId`.
    pub(crate) hidden: Option<String>,
}

/// Moves the values of a record from one version of its schema to another.
pub(crate) fn rekey(
    from: &SchemaVersion,
    to: &SchemaVersion,
    body: &str,
    hidden: Option<&str>,
) -> Result<RekeyedRecord, StoreError> {
    let damaged = |error| StoreError::Damaged(format!("a stored record: {error}"));
    let body_tree = parse(body).map_err(damaged)?;
    let hidden_tree = parse(hidden.unwrap_or("{}")).map_err(damaged)?;
    let mut values: HashMap<&str, (Option<&Field>, &str)> = HashMap::new();
    for (id, raw) in members(&hidden_tree, hidden.unwrap_or("{}")) {
        values.insert(id, (field_by_id(&from.schema, id), raw));
    }
    for field in from.schema.active_fields() {
        if let Some(node) = body_tree.get(&field.name) {
            values.insert(&field.id, (Some(field), &body[node.start..node.end]));
        }
    }
    let mut out = String::from("{");
    for field in to.schema.active_fields() {
        if out.len() > 1 {
            out.push(',');
        }
        write_string(&mut out, &field.name);
        out.push(':');
        match values.remove(field.id.as_str()) {
            None => out.push_str("null"),
            Some((old, raw)) => write_value(&mut out, old, field, raw),
        }
    }
    out.push('}');
    values.retain(|_, (_, raw)| *raw != "null");
    Ok(RekeyedRecord {
        body: out,
        hidden: (!values.is_empty()).then(|| write_hidden(&values)),
    })
}

/// The entries of `_errors` in the order and under the names of another version; `None` when none is left.
pub(crate) fn rename_errors(
    from: &SchemaVersion,
    to: &SchemaVersion,
    errors: &str,
) -> Result<Option<String>, StoreError> {
    let entries: Vec<FieldError> =
        serde_json::from_str(errors).map_err(|source| StoreError::Document {
            what: "a record's errors".to_owned(),
            source,
        })?;
    let old_id = |name: &str| {
        let mut fields = from.schema.active_fields();
        fields
            .find(|field| field.name == name)
            .map(|field| &field.id)
    };
    let mut out = String::from("[");
    for field in to.schema.active_fields() {
        let own = |entry: &&FieldError| old_id(&entry.name) == Some(&field.id);
        let Some(entry) = entries.iter().find(own) else {
            continue;
        };
        if out.len() > 1 {
            out.push(',');
        }
        let renamed = FieldError {
            name: field.name.clone(),
            errors: entry.errors.clone(),
        };
        renamed.write_json(&mut out);
    }
    out.push(']');
    Ok((out.len() > 2).then_some(out))
}

fn members<'t>(node: &'t Node<'t>, text: &'t str) -> Vec<(&'t str, &'t str)> {
    match &node.value {
        Value::Object(members) => members
            .iter()
            .map(|member| (&*member.key, &text[member.value.start..member.value.end]))
            .collect(),
        _ => Vec::new(),
    }
}

fn field_by_id<'a>(schema: &'a Schema, id: &str) -> Option<&'a Field> {
    schema.fields.iter().find(|field| field.id == id)
}

fn write_hidden(values: &HashMap<&str, (Option<&Field>, &str)>) -> String {
    let mut sorted: Vec<_> = values.iter().collect();
    sorted.sort_by_key(|(id, _)| **id);
    let mut out = String::from("{");
    for (id, (_, raw)) in sorted {
        if out.len() > 1 {
            out.push(',');
        }
        write_string(&mut out, id);
        out.push(':');
        out.push_str(raw);
    }
    out.push('}');
    out
}

/// A value as it is, or, for a date or time that is valid in the old format, in the new one.
fn write_value(out: &mut String, old: Option<&Field>, new: &Field, raw: &str) {
    let Some(old) = old.filter(|old| old.data_type == new.data_type && is_reformatted(old, new))
    else {
        out.push_str(raw);
        return;
    };
    let node = parse(raw);
    match node.as_ref().map(|node| &node.value) {
        Ok(Value::String(text)) => write_string(out, &reformatted(old, new, text)),
        Ok(Value::Array(items)) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                match &item.value {
                    Value::String(text) => write_string(out, &reformatted(old, new, text)),
                    _ => out.push_str(&raw[item.start..item.end]),
                }
            }
            out.push(']');
        }
        _ => out.push_str(raw),
    }
}

fn is_reformatted(old: &Field, new: &Field) -> bool {
    match new.data_type {
        DataType::Date => old.date_shape() != new.date_shape(),
        DataType::Time => old.time_shape() != new.time_shape(),
        DataType::Datetime => old.moment_shape() != new.moment_shape(),
        _ => false,
    }
}

/// The text in the new format; as it is, where it is not valid in the old one or the new one can't
/// hold it.
fn reformatted(old: &Field, new: &Field, text: &str) -> String {
    let mut out = String::new();
    match new.data_type {
        DataType::Date => {
            if let Some(day) = old
                .date_shape()
                .read(text)
                .ok()
                .filter(|day| new.date_shape().can_hold(*day))
            {
                new.date_shape().write(day, &mut out);
            }
        }
        DataType::Time => {
            let holds = |clock: &schema::format::TimeOfDay| {
                new.time_shape().has_seconds() || clock.second() == 0
            };
            if let Some(clock) = old.time_shape().read(text).ok().filter(holds) {
                new.time_shape().write(clock, &mut out);
            }
        }
        DataType::Datetime => {
            let shape = new.moment_shape();
            if let Some(moment) = old
                .moment_shape()
                .read(text)
                .ok()
                .filter(|moment| shape.can_hold(*moment))
            {
                shape.write(moment, &mut out);
            }
        }
        _ => {}
    }
    if out.is_empty() { text.to_owned() } else { out }
}

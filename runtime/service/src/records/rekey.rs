//! A record written under an earlier version of its schema, shown under another: values stay with their
//! `fieldId`, take the current name, and valid dates and times the current format. docs/rules.md,
//! "Records of earlier versions".

use schema::json::{Node, Value, parse, write_string};
use schema::{Field, Schema, carry_value};
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
    /// Whether one of them is in another format than it is stored in.
    pub(crate) is_reformatted: bool,
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
    let (mut out, mut is_reformatted) = (String::from("{"), false);
    for field in to.schema.active_fields() {
        if out.len() > 1 {
            out.push(',');
        }
        write_string(&mut out, &field.name);
        out.push(':');
        let start = out.len();
        match values.remove(field.id.as_str()) {
            None => out.push_str("null"),
            Some((Some(old), raw)) => {
                carry_value(&mut out, old, field, raw);
                is_reformatted |= out[start..] != *raw;
            }
            Some((None, raw)) => out.push_str(raw),
        }
    }
    out.push('}');
    values.retain(|_, (_, raw)| *raw != "null");
    Ok(RekeyedRecord {
        body: out,
        hidden: (!values.is_empty()).then(|| write_hidden(&values)),
        is_reformatted,
    })
}

/// Values by `fieldId`, and beside them those of other ones that are to stay.
pub(crate) fn merge_hidden(
    own: Option<&str>,
    others: Option<&str>,
    stays: impl Fn(&str) -> bool,
) -> Result<Option<String>, StoreError> {
    let damaged = |error| StoreError::Damaged(format!("a stored record: {error}"));
    let (own, others) = (own.unwrap_or("{}"), others.unwrap_or("{}"));
    let own_tree = parse(own).map_err(damaged)?;
    let other_tree = parse(others).map_err(damaged)?;
    let mut values: HashMap<&str, (Option<&Field>, &str)> = HashMap::new();
    let others = members(&other_tree, others).into_iter();
    values.extend(
        others
            .filter(|(id, _)| stays(id))
            .map(|(id, raw)| (id, (None, raw))),
    );
    for (id, raw) in members(&own_tree, own) {
        values.insert(id, (None, raw));
    }
    Ok((!values.is_empty()).then(|| write_hidden(&values)))
}

/// All entries of `_errors`, under the names of another version where that has the field.
pub(crate) fn errors_as_named(
    from: &SchemaVersion,
    to: &SchemaVersion,
    errors: &str,
) -> Result<String, StoreError> {
    let mut out = String::from("[");
    for entry in entries_of(errors)? {
        let old = from.schema.active_fields().find(|it| it.name == entry.name);
        let new = old.and_then(|old| to.schema.active_fields().find(|it| it.id == old.id));
        if out.len() > 1 {
            out.push(',');
        }
        let renamed = FieldError {
            name: new.map_or(entry.name, |new| new.name.clone()),
            errors: entry.errors,
        };
        renamed.write_json(&mut out);
    }
    out.push(']');
    Ok(out)
}

fn entries_of(errors: &str) -> Result<Vec<FieldError>, StoreError> {
    serde_json::from_str(errors).map_err(|source| StoreError::Document {
        what: "a record's errors".to_owned(),
        source,
    })
}

/// The entries of `_errors` in the order and under the names of another version; `None` when none is left.
pub(crate) fn rename_errors(
    from: &SchemaVersion,
    to: &SchemaVersion,
    errors: &str,
) -> Result<Option<String>, StoreError> {
    let entries = entries_of(errors)?;
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

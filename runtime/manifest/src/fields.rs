//! Fields of a manifest's schema beside those that are there: which is which, and what differs. A field is known by
//! its `fieldId`; one without goes by its name among the active fields, or by the name that it is renamed from.

use crate::report::{FieldAction, FieldChange, PropertyChange};
use anyhow::bail;
use schema::{Field, Schema, diff, id_of};
use serde_json::Value;
use std::collections::HashSet;

/// In a manifest's field: the name that it had.
const RENAMED_FROM: &str = "renamedFrom";

/// Gives the fields without an id (`made` are their indexes) the ids of the fields that they are, or new ones.
///
/// # Errors
/// A name to be renamed from that no active field has, where there is none of the new name either.
pub(crate) fn find_ids(
    schema: &mut Schema,
    made: &[usize],
    old: Option<&Schema>,
    new_id: impl Fn() -> String,
) -> anyhow::Result<()> {
    let named = schema.fields.iter().enumerate();
    let named = named.filter(|(index, _)| !made.contains(index));
    let mut taken: HashSet<String> = named.map(|(_, field)| field.id.clone()).collect();
    let kept: HashSet<String> = schema.active_fields().map(|it| it.name.clone()).collect();
    for (index, field) in schema.fields.iter_mut().enumerate() {
        let renamed_from = renamed_from(field)?;
        if let Some(from) = renamed_from.as_ref().filter(|from| **from != field.name)
            && kept.contains(from)
        {
            bail!(
                "the field {} is to be renamed from `{from}`, and this schema has an active field `{from}`, too, which keeps the name; give one of them a name that neither has, apply that, and go on from there",
                field.name
            );
        }
        let is_known = |id: &str| old.is_some_and(|old| old.fields.iter().any(|it| it.id == id));
        let of_names = || field.id == id_of(&[&schema.name, &field.name]);
        // the ids that Rust sources make of names go by the name, where the schema does not know them
        let goes_by_name = made.contains(&index) || (!is_known(&field.id) && of_names());
        if !goes_by_name {
            continue;
        }
        let active = |name: &str| {
            let mut fields = old.into_iter().flat_map(Schema::active_fields);
            let found = fields.find(|it| it.name == name && !taken.contains(&it.id));
            found.map(|it| it.id.clone())
        };
        let mut found = active(&field.name);
        if let (None, Some(from), Some(old)) = (&found, &renamed_from, old) {
            found = active(from);
            if found.is_none() {
                let names: Vec<_> = old.active_fields().map(|it| it.name.as_str()).collect();
                bail!(
                    "the field {} is to be renamed from `{from}`, which no active field is named; there are {}",
                    field.name,
                    names.join(", ")
                );
            }
        }
        if found.is_some() || made.contains(&index) {
            field.id = found.unwrap_or_else(&new_id);
        }
        taken.insert(field.id.clone());
    }
    Ok(())
}

/// The name that a field had, which is no property of the stored document.
fn renamed_from(field: &mut Field) -> anyhow::Result<Option<String>> {
    let Some(at) = field.extra.iter().position(|(key, _)| key == RENAMED_FROM) else {
        return Ok(None);
    };
    let (_, json) = field.extra.remove(at);
    match serde_json::from_str(&json) {
        Ok(Value::String(name)) => Ok(Some(name)),
        _ => bail!(
            "`{RENAMED_FROM}` of the field {} is {json}; write the name that it had",
            field.name
        ),
    }
}

/// What becomes of the fields: first those of the new schema in its order, then those that go. How many values are
/// hidden is yet to be counted. With the id of each.
pub(crate) fn changes(old: &Schema, new: &Schema) -> Vec<(String, FieldChange)> {
    let mut found = Vec::new();
    let is_active = |schema: &Schema, id: &str| schema.active_fields().any(|it| it.id == id);
    for field in &new.fields {
        let before = old.fields.iter().find(|it| it.id == field.id);
        let (is_new, was) = (field.active, is_active(old, &field.id));
        let action = match (was, is_new) {
            (false, true) => FieldAction::Add,
            (true, false) => FieldAction::Remove,
            _ if before.is_none() => continue,
            _ => FieldAction::Change,
        };
        let renamed_from = before.filter(|it| it.name != field.name);
        let properties = before.map_or_else(Vec::new, |before| properties(before, field));
        if action == FieldAction::Change && renamed_from.is_none() && properties.is_empty() {
            continue;
        }
        let change = FieldChange {
            action,
            name: field.name.clone(),
            renamed_from: renamed_from.map(|it| it.name.clone()),
            properties,
            hidden_values: None,
            returning_values: None,
        };
        found.push((field.id.clone(), change));
    }
    for field in old.active_fields() {
        if new.fields.iter().all(|it| it.id != field.id) {
            let change = FieldChange {
                action: FieldAction::Remove,
                name: field.name.clone(),
                renamed_from: None,
                properties: Vec::new(),
                hidden_values: None,
                returning_values: None,
            };
            found.push((field.id.clone(), change));
        }
    }
    found
}

/// The properties that differ, but the name.
fn properties(old: &Field, new: &Field) -> Vec<PropertyChange> {
    let value = |json: Option<String>| {
        // INVARIANT: properties are written as JSON
        json.and_then(|json| serde_json::from_str(&json).ok())
            .unwrap_or_default()
    };
    let mut all: Vec<PropertyChange> = diff::properties(old, new)
        .into_iter()
        .filter(|(property, ..)| property != "name")
        .map(|(property, from, to)| PropertyChange {
            property,
            from: value(from),
            to: value(to),
        })
        .filter(|change| change.from != change.to)
        .collect();
    all.sort_by(|a, b| a.property.cmp(&b.property));
    all
}

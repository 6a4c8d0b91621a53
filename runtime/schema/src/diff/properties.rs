//! The properties of a field or a schema that differ, by their own names, as JSON. They are taken from the one writer
//! of documents, so that none can be forgotten. Who made something and when is no difference.

use crate::json::{Value, parse};
use crate::model::{Field, Provenance, Schema};
use crate::write::field_json;

/// A property that differs.
pub(super) struct Difference {
    pub(super) property: String,
    /// Its JSON text on both sides.
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
}

/// What a field does not say of its values.
const NOT_COMPARED: [&str; 5] = [
    "fieldId",
    "createdBy",
    "updatedBy",
    "createdDate",
    "updatedDate",
];

/// The properties of two fields that differ.
pub(super) fn of_fields(old: &Field, new: &Field) -> Vec<Difference> {
    if old == new {
        return Vec::new();
    }
    let (old, new) = (members(&field_json(old)), members(&field_json(new)));
    let is_compared = |property: &str| !NOT_COMPARED.contains(&property);
    differences(old, new, is_compared)
}

/// The properties of two schemas that differ, but their fields and versions.
pub(super) fn of_schemas(old: &Schema, new: &Schema) -> Vec<Difference> {
    let head = |schema: &Schema| {
        let head = Schema {
            id: schema.id.clone(),
            name: schema.name.clone(),
            description: schema.description.clone(),
            area_id: schema.area_id.clone(),
            area_name: None,
            version: None,
            provenance: Provenance::default(),
            fields: Vec::new(),
            extra: schema.extra.clone(),
        };
        members(&head.to_json())
    };
    differences(head(old), head(new), |property| property != "fields")
}

/// What differs: first what the old side has, then what only the new one has.
fn differences(
    old: Vec<(String, String)>,
    mut new: Vec<(String, String)>,
    is_compared: impl Fn(&str) -> bool,
) -> Vec<Difference> {
    let mut found = Vec::new();
    for (property, from) in old {
        let at = new.iter().position(|(other, _)| *other == property);
        let to = at.map(|at| new.remove(at).1);
        if to.as_ref() != Some(&from) {
            found.push(Difference {
                property,
                from: Some(from),
                to,
            });
        }
    }
    found.extend(new.into_iter().map(|(property, to)| Difference {
        property,
        from: None,
        to: Some(to),
    }));
    found.retain(|difference| is_compared(&difference.property));
    found
}

/// The members of an object, with their JSON texts.
fn members(json: &str) -> Vec<(String, String)> {
    match parse(json).map(|node| node.value) {
        Ok(Value::Object(members)) => members
            .iter()
            .map(|member| {
                let value = &json[member.value.start..member.value.end];
                (member.key.clone().into_owned(), value.to_owned())
            })
            .collect(),
        // INVARIANT: a schema is written as a JSON object
        _ => Vec::new(),
    }
}

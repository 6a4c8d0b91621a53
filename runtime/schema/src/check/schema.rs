//! What can be wrong with a schema as a whole: its names and ids, and the primary key among its fields.

use super::findings::{Findings, Origin};
use super::problem::{Path, Problem};
use crate::model::{Field, Schema};
use crate::names::unseen_in;
use std::collections::HashMap;

/// How long a field's display name may be, in characters.
pub const NAME_LENGTH_MAX: usize = 100;

/// Reports every contradiction of `schema`, in the order of its fields; warnings included.
pub fn check(schema: &Schema, origin: Origin) -> Vec<Problem> {
    let mut found = Findings::new(origin);
    if schema.name.is_empty() {
        found.error(
            Path::root().key("name"),
            "the schema has no name",
            "give it one",
        );
    }
    found.unseen(Path::root().key("name"), &schema.name);
    if schema.id.is_empty() {
        found.error(
            Path::root().key("schemaId"),
            "the schema has no id",
            "give it one",
        );
    }
    found.field_ids(schema);
    found.names(schema);
    found.primary_key(schema);
    for (index, field) in schema.fields.iter().enumerate() {
        found.field(&Path::field(index), field);
    }
    found.problems.sort_by(|a, b| a.path.cmp(&b.path));
    found.problems
}

impl Findings {
    fn field_ids(&mut self, schema: &Schema) {
        let mut seen = HashMap::new();
        for (index, field) in schema.fields.iter().enumerate() {
            let path = Path::field(index).key("fieldId");
            if field.id.is_empty() {
                self.error(
                    path,
                    "the field has no id",
                    "give it one that stays the same when it is renamed",
                );
            } else if let Some(first) = seen.insert(&field.id, index) {
                let message = format!("the id {:?} is that of `fields[{first}]` too", field.id);
                self.error(path, message, "give each field an id of its own");
            }
        }
    }

    fn names(&mut self, schema: &Schema) {
        let mut seen = HashMap::new();
        for (index, Field { name, active, .. }) in schema.fields.iter().enumerate() {
            let path = Path::field(index).key("name");
            let length = name.chars().count();
            if name.is_empty() {
                self.error(
                    path,
                    "the field has no name",
                    "give it one of 1 to 100 characters",
                );
                continue;
            }
            if length > NAME_LENGTH_MAX {
                let message =
                    format!("the name has {length} characters, more than {NAME_LENGTH_MAX}");
                self.error(path.clone(), message, "shorten it");
            }
            if name.starts_with('_') {
                let message = "the name begins with `_`, which is kept for system properties";
                self.error(path.clone(), message, "begin it with another character");
            }
            self.unseen(path.clone(), name);
            if *active && let Some(first) = seen.insert(name, index) {
                let message =
                    format!("the name {name:?} is that of the active `fields[{first}]` too");
                self.error(
                    path,
                    message,
                    "rename one of the fields or make it inactive",
                );
            }
        }
    }

    /// A character of a name that nobody sees: it may pass for another name. Whoever makes a schema refuses it.
    fn unseen(&mut self, path: Path, name: &str) {
        if let Some(hidden) = unseen_in(name) {
            let code = u32::from(hidden);
            let message = format!("the name has the character U+{code:04X}, which nobody sees");
            self.warning(path, message, "take it away where the schema is made");
        }
    }

    fn primary_key(&mut self, schema: &Schema) {
        let keys = schema
            .fields
            .iter()
            .enumerate()
            .filter(|(_, field)| field.active && field.primary_key);
        let mut first = None;
        for (index, field) in keys {
            let path = Path::field(index);
            if let Some(first) = first {
                let message = format!("this is the second primary key, after `fields[{first}]`");
                self.error(
                    path.clone().key("isPrimaryKey"),
                    message,
                    "keep one active primary key",
                );
            }
            first = first.or(Some(index));
            if field.is_multivalue() {
                let message = "a primary key can't have several values";
                self.error(
                    path.clone().key("isMultivalue"),
                    message,
                    "make it a field of one value",
                );
            }
            if field.data_type.is_file() {
                let message = format!("a primary key can't be a file ({})", field.data_type);
                self.error(
                    path.key("dataType"),
                    message,
                    "choose a field with text or a number",
                );
            }
        }
    }
}

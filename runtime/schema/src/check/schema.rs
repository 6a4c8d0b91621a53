//! What can be wrong with a schema as a whole: its names and ids, and the primary key among its fields.

use super::contradiction::Contradiction as C;
use super::findings::{Findings, Origin};
use super::problem::{Path, Problem};
use crate::model::{Field, Schema};
use crate::names::unseen_in;
use std::collections::HashMap;
use std::fmt::Display;

/// How long a field's display name may be, in characters.
pub const NAME_LENGTH_MAX: usize = 100;

/// Reports every contradiction of `schema`, in the order of its fields; warnings included.
pub fn check(schema: &Schema, origin: Origin) -> Vec<Problem> {
    let mut found = Findings::new(origin);
    if schema.name.is_empty() {
        found.error(Path::root().key("name"), C::SchemaNameMissing, &[]);
    }
    found.unseen(Path::root().key("name"), &schema.name);
    if schema.id.is_empty() {
        found.error(Path::root().key("schemaId"), C::SchemaIdMissing, &[]);
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
                self.error(path, C::FieldIdMissing, &[]);
            } else if let Some(first) = seen.insert(&field.id, index) {
                self.error(
                    path,
                    C::FieldIdTwice,
                    &[&format_args!("{:?}", field.id), &first],
                );
            }
        }
    }

    fn names(&mut self, schema: &Schema) {
        let mut seen = HashMap::new();
        for (index, Field { name, active, .. }) in schema.fields.iter().enumerate() {
            let path = Path::field(index).key("name");
            let length = name.chars().count();
            if name.is_empty() {
                self.error(path, C::FieldNameMissing, &[]);
                continue;
            }
            if length > NAME_LENGTH_MAX {
                let values: [&dyn Display; 2] = [&length, &NAME_LENGTH_MAX];
                self.error(path.clone(), C::NameTooLong, &values);
            }
            if name.starts_with('_') {
                self.error(path.clone(), C::NameOfSystem, &[]);
            }
            self.unseen(path.clone(), name);
            if *active && let Some(first) = seen.insert(name, index) {
                self.error(path, C::NameTwice, &[&format_args!("{name:?}"), &first]);
            }
        }
    }

    /// A character of a name that nobody sees: it may pass for another name. Whoever makes a schema refuses it.
    fn unseen(&mut self, path: Path, name: &str) {
        if let Some(hidden) = unseen_in(name) {
            let code = u32::from(hidden);
            self.warning(path, C::NameUnseen, &[&format_args!("{code:04X}")]);
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
                self.error(path.clone().key("isPrimaryKey"), C::KeyTwice, &[&first]);
            }
            first = first.or(Some(index));
            if field.is_multivalue() {
                self.error(path.clone().key("isMultivalue"), C::KeySeveral, &[]);
            }
            if field.data_type.is_file() {
                self.error(path.key("dataType"), C::KeyFile, &[&field.data_type]);
            }
        }
    }
}

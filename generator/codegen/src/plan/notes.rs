//! What is noted while a module is planned: each name that had to be adjusted, and why.

use crate::coded_report::field_at;
use crate::name::{Identifier, ident};
use crate::note::Note;
use schema::{Path, Schema};

/// The notes of one module.
pub(super) struct Notes<'i> {
    input: &'i str,
    schema: &'i Schema,
    pub(super) all: Vec<Note>,
}

impl<'i> Notes<'i> {
    /// None yet, of a module that is made of this input.
    pub(super) fn of(input: &'i str, schema: &'i Schema) -> Self {
        Notes {
            input,
            schema,
            all: Vec::new(),
        }
    }

    /// Notes why a name was adjusted, if it was.
    pub(super) fn add(&mut self, display: &str, path: Path, name: &Identifier) {
        if !name.causes.is_empty() {
            let field = field_at(self.schema, &path);
            self.all.push(Note {
                input: self.input.to_owned(),
                schema: self.schema.name.clone(),
                field: field.map(|field| field.name.clone()),
                path,
                display: display.to_owned(),
                name: ident(&name.text),
                causes: name.causes.clone(),
            });
        }
    }
}

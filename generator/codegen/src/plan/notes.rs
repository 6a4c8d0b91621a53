//! What is noted while a module is planned: each name that had to be adjusted, and why.

use crate::name::{Identifier, ident};
use crate::note::Note;
use schema::Path;

/// The notes of one module.
pub(super) struct Notes<'i> {
    input: &'i str,
    pub(super) all: Vec<Note>,
}

impl<'i> Notes<'i> {
    /// None yet, of a module that is made of this input.
    pub(super) fn of(input: &'i str) -> Self {
        Notes {
            input,
            all: Vec::new(),
        }
    }

    /// Notes why a name was adjusted, if it was.
    pub(super) fn add(&mut self, display: &str, path: Path, name: &Identifier) {
        if !name.causes.is_empty() {
            self.all.push(Note {
                input: self.input.to_owned(),
                path,
                display: display.to_owned(),
                name: ident(&name.text),
                causes: name.causes.clone(),
            });
        }
    }
}

//! The static picklists that keep unknown codes, as the configuration tells them. One that names no static picklist is
//! a mistake, because someone meant something by it.

use crate::error::Mistake;
use crate::message::quoted;
use crate::told::is_told;
use schema::{Field, Schema};
use std::cell::Cell;

/// What stands for every static picklist.
const EVERY: &str = "*";

/// The fields that were told, and which of them were of use.
pub(super) struct OpenPicklists<'a> {
    told: Vec<(&'a str, Cell<bool>)>,
}

impl<'a> OpenPicklists<'a> {
    /// None of them used so far.
    pub(super) fn new(told: &'a [String]) -> Self {
        let told = told.iter().map(|told| (told.as_str(), Cell::new(false)));
        OpenPicklists {
            told: told.collect(),
        }
    }

    /// Whether this static picklist keeps unknown codes.
    pub(super) fn has(&self, schema: &Schema, field: &Field) -> bool {
        let mut found = false;
        for (told, used) in &self.told {
            if *told == EVERY || is_told(schema, field, told) {
                used.set(true);
                found = true;
            }
        }
        found
    }

    /// A mistake for each that is no static picklist; schemas without any may well be asked for `*`.
    pub(super) fn unused(&self) -> impl Iterator<Item = Mistake> {
        let unused = self
            .told
            .iter()
            .filter(|(told, used)| *told != EVERY && !used.get());
        unused.map(|(told, _)| Mistake {
            message: format!(
                "{} can't be open: there is no such active static picklist",
                quoted(told)
            ),
            help: "write `Schema.Field` as in the schema, by display names or ids, or `*`"
                .to_owned(),
        })
    }
}

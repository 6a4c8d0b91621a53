//! A record as its type where it is clean, and raw with its faults where it is not: nothing is dropped
//! and nothing stops the reading of others.

use super::error::{FromJsonError, StoredError};
use super::record::Record;
use crate::FieldError;
use crate::validate::{Rejected, Rejection, RejectionCode};
use schema::json::{Member, Value, compact, parse, write_string};
use std::fmt;

/// A record that became its type, or one that could not and is kept as it came.
#[derive(Clone)]
pub enum Typed<R> {
    /// It is clean.
    Clean(R),
    /// It has faults.
    Faulty {
        /// Its field values by name, as JSON text.
        json: String,
        /// What the service said of it, or, where it said nothing, what this type's schema says.
        /// The name is empty where a reason is about the record as a whole.
        errors: Vec<FieldError>,
    },
}

impl<R: Record> Typed<R> {
    /// Reads field values by name, a JSON object without the frame of an answer: what is known of a record
    /// where nothing but its values was kept. Fields that the type does not have are left out, and so is
    /// every key that begins with `_`.
    ///
    /// # Errors
    /// When the text is no JSON object. A record with faults is no error.
    pub fn from_values(json: &[u8]) -> Result<Self, StoredError> {
        let text = text_of(json)?;
        let root = parse(text).map_err(StoredError::Syntax)?;
        let Value::Object(members) = &root.value else {
            return Err(StoredError::Shape);
        };
        let Values { known, .. } = Values::of::<R>(text, members);
        Ok(typed(known, Vec::new()))
    }
}

impl<R> Typed<R> {
    /// The typed record, where it is clean.
    pub fn clean(self) -> Option<R> {
        match self {
            Typed::Clean(record) => Some(record),
            Typed::Faulty { .. } => None,
        }
    }
}

/// Hides the values of a faulty record: some may be personally identifiable information.
impl<R: fmt::Debug> fmt::Debug for Typed<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Typed::Clean(record) => f.debug_tuple("Clean").field(record).finish(),
            Typed::Faulty { errors, .. } => f
                .debug_struct("Faulty")
                .field("errors", errors)
                .finish_non_exhaustive(),
        }
    }
}

/// The field values of an object, as JSON text.
pub(super) struct Values {
    /// An object of those that the type has fields for.
    pub(super) known: String,
    /// The others, by name.
    pub(super) unknown: Vec<(String, String)>,
}

impl Values {
    pub(super) fn of<R: Record>(text: &str, members: &[Member<'_>]) -> Self {
        let mut known = String::from("{");
        let mut unknown = Vec::new();
        for member in members.iter().filter(|member| !member.key.starts_with('_')) {
            let raw = &text[member.value.start..member.value.end];
            if R::CHECKER.index_of(&member.key).is_none() {
                let mut value = String::new();
                compact(&mut value, raw);
                unknown.push((member.key.to_string(), value));
                continue;
            }
            if known.len() > 1 {
                known.push(',');
            }
            write_string(&mut known, &member.key);
            known.push(':');
            compact(&mut known, raw);
        }
        known.push('}');
        Values { known, unknown }
    }
}

/// The record as its type where it is clean. What the type can't read at all, because the service has
/// moved on (a value that is an object, say), is kept raw too: one such record must not hide a page.
pub(super) fn typed<R: Record>(json: String, errors: Vec<FieldError>) -> Typed<R> {
    if !errors.is_empty() {
        return Typed::Faulty { json, errors };
    }
    match R::from_json(json.as_bytes()) {
        Ok(record) => Typed::Clean(record),
        Err(FromJsonError::Faulty(checked)) => Typed::Faulty {
            json,
            errors: checked.errors(),
        },
        Err(FromJsonError::Rejected(rejected)) => Typed::Faulty {
            json,
            errors: rejected.items().iter().map(field_error).collect(),
        },
    }
}

/// A reason for a rejection as an entry of `_errors`.
fn field_error(reason: &Rejection) -> FieldError {
    let nameless = Rejection {
        name: None,
        ..reason.clone()
    };
    FieldError {
        name: reason.name.clone().unwrap_or_default(),
        errors: nameless.to_string(),
    }
}

/// An answer as text.
pub(super) fn text_of(json: &[u8]) -> Result<&str, StoredError> {
    std::str::from_utf8(json).map_err(|error| {
        StoredError::Rejected(Rejected::one(RejectionCode::Utf8, error.valid_up_to()))
    })
}

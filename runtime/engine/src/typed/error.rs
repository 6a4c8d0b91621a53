//! Why JSON did not become a typed record.

use crate::FieldError;
use crate::validate::{Checked, Rejected};
use std::fmt;

/// Why JSON did not become a typed record: either it is no record at all, or a record with faults.
#[derive(Clone, Debug)]
pub enum FromJsonError {
    /// It is no flat JSON object of the schema's fields.
    Rejected(Rejected),
    /// It is a record, and has faults; its normal form is kept.
    Faulty(Box<Checked>),
}

impl FromJsonError {
    /// The entries of `_errors`; empty when the text was rejected.
    pub fn errors(&self) -> Vec<FieldError> {
        match self {
            FromJsonError::Rejected(_) => Vec::new(),
            FromJsonError::Faulty(checked) => checked.errors(),
        }
    }
}

impl fmt::Display for FromJsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FromJsonError::Rejected(rejected) => rejected.fmt(f),
            FromJsonError::Faulty(checked) => checked.verdict().fmt(f),
        }
    }
}

impl std::error::Error for FromJsonError {}

impl From<Rejected> for FromJsonError {
    fn from(rejected: Rejected) -> Self {
        FromJsonError::Rejected(rejected)
    }
}

//! Why JSON did not become a typed record, or an answer of the service no record at all.

use crate::FieldError;
use crate::validate::{Checked, Rejected};
use schema::json::SyntaxError;
use std::fmt;

/// Why JSON did not become a typed record: either it is no record at all, or a record with faults.
#[derive(Clone)]
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

/// What `unwrap` shows: the texts alone, not how they are held.
impl fmt::Debug for FromJsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variant = match self {
            FromJsonError::Rejected(_) => "Rejected",
            FromJsonError::Faulty(_) => "Faulty",
        };
        write!(f, "{variant}({self})")
    }
}

impl std::error::Error for FromJsonError {}

impl From<Rejected> for FromJsonError {
    fn from(rejected: Rejected) -> Self {
        FromJsonError::Rejected(rejected)
    }
}

/// Why an answer is no record of the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredError {
    /// It is not JSON.
    Syntax(SyntaxError),
    /// It lacks a system property, or has it in another shape.
    System(&'static str),
    /// It is no object, or no array of objects where a list was expected.
    Shape,
    /// It is not UTF-8.
    Rejected(Rejected),
}

impl fmt::Display for StoredError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoredError::Syntax(error) => write!(f, "the answer is not JSON: {error}"),
            StoredError::System(name) => {
                write!(
                    f,
                    "the answer has no well-formed `{name}`; is it a data object of the service?"
                )
            }
            StoredError::Shape => f.write_str("the answer is no JSON object, or no array of them"),
            StoredError::Rejected(rejected) => write!(f, "the answer cannot be read: {rejected}"),
        }
    }
}

impl std::error::Error for StoredError {}

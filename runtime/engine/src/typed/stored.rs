//! Reading an answer of the service: a record with its system properties. docs/interface.md,
//! "Reading records".

use super::error::StoredError;
use super::outcome::{Typed, Values, text_of, typed};
use super::record::Record;
use crate::FieldError;
use schema::json::{Node, Value, parse};
use std::fmt;

/// A record as the service returns it.
#[derive(Clone)]
pub struct Stored<R> {
    /// `_dataObjectId`
    pub id: String,
    /// `_version`
    pub version: u64,
    /// The record.
    pub record: Typed<R>,
    /// What the type has no field for, by name, as JSON text: fields that are newer than the type.
    pub unknown: Vec<(String, String)>,
}

impl<R: Record> Stored<R> {
    /// Reads one data object.
    ///
    /// # Errors
    /// When the text is no data object of the service. A record with faults is no error.
    pub fn from_json(json: &[u8]) -> Result<Self, StoredError> {
        let text = text_of(json)?;
        Self::read(text, &parse(text).map_err(StoredError::Syntax)?)
    }

    /// Reads an array of data objects, such as the `items` of a page.
    ///
    /// # Errors
    /// When the text is no array of data objects of the service. A record with faults is no error.
    pub fn list_from_json(json: &[u8]) -> Result<Vec<Self>, StoredError> {
        let text = text_of(json)?;
        let root = parse(text).map_err(StoredError::Syntax)?;
        let Value::Array(items) = &root.value else {
            return Err(StoredError::Shape);
        };
        items.iter().map(|item| Self::read(text, item)).collect()
    }

    fn read(text: &str, node: &Node<'_>) -> Result<Self, StoredError> {
        let Value::Object(members) = &node.value else {
            return Err(StoredError::Shape);
        };
        let id = match node.get("_dataObjectId").map(|node| &node.value) {
            Some(Value::String(id)) => id.to_string(),
            _ => return Err(StoredError::System("_dataObjectId")),
        };
        let version = match node.get("_version").map(|node| &node.value) {
            Some(Value::Number(token)) => token.parse().ok(),
            _ => None,
        };
        let version = version.ok_or(StoredError::System("_version"))?;
        let errors = errors_of(node).ok_or(StoredError::System("_errors"))?;
        let Values { known, unknown } = Values::of::<R>(text, members);
        Ok(Stored {
            id,
            version,
            record: typed(known, errors),
            unknown,
        })
    }
}

/// The entries of `_errors`; absent counts as none.
fn errors_of(node: &Node<'_>) -> Option<Vec<FieldError>> {
    let Some(node) = node.get("_errors") else {
        return Some(Vec::new());
    };
    let text = |node: &Node<'_>, key| match node.get(key).map(|node| &node.value) {
        Some(Value::String(text)) => Some(text.to_string()),
        _ => None,
    };
    match &node.value {
        Value::Null => Some(Vec::new()),
        Value::Array(items) => items
            .iter()
            .map(|item| {
                Some(FieldError {
                    name: text(item, "name")?,
                    errors: text(item, "errors")?,
                })
            })
            .collect(),
        _ => None,
    }
}

/// Hides what the type does not know.
impl<R: fmt::Debug> fmt::Debug for Stored<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.unknown.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Stored")
            .field("id", &self.id)
            .field("version", &self.version)
            .field("record", &self.record)
            .field("unknown", &names)
            .finish()
    }
}

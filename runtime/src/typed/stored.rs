//! Reading an answer of the service: a record with its system properties, typed where it is clean and
//! raw with its faults where it is not. Interface, "Data object".

use super::error::FromJsonError;
use super::record::Record;
use crate::validate::{Rejected, Rejection, RejectionCode};
use crate::wire::FieldError;
use schema::json::{Node, SyntaxError, Value, compact, parse, write_string};
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
        let mut json = String::from("{");
        let mut unknown = Vec::new();
        for member in members.iter().filter(|member| !member.key.starts_with('_')) {
            let raw = &text[member.value.start..member.value.end];
            if R::CHECKER.index_of(&member.key).is_none() {
                let mut value = String::new();
                compact(&mut value, raw);
                unknown.push((member.key.to_string(), value));
                continue;
            }
            if json.len() > 1 {
                json.push(',');
            }
            write_string(&mut json, &member.key);
            json.push(':');
            compact(&mut json, raw);
        }
        json.push('}');
        Ok(Stored {
            id,
            version,
            record: typed(json, errors),
            unknown,
        })
    }
}

/// The record as its type where it is clean. What the type can't read at all, because the service has
/// moved on (a value that is an object, say), is kept raw too: one such record must not hide a page.
fn typed<R: Record>(json: String, errors: Vec<FieldError>) -> Typed<R> {
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
            errors: rejected.items().iter().map(told).collect(),
        },
    }
}

/// A reason for a rejection as an entry of `_errors`.
fn told(reason: &Rejection) -> FieldError {
    let nameless = Rejection {
        name: None,
        ..reason.clone()
    };
    FieldError {
        name: reason.name.clone().unwrap_or_default(),
        errors: nameless.to_string(),
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

fn text_of(json: &[u8]) -> Result<&str, StoredError> {
    std::str::from_utf8(json).map_err(|error| {
        StoredError::Rejected(Rejected::one(RejectionCode::Utf8, error.valid_up_to()))
    })
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

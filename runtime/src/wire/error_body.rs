//! Bodies of errors. Interface, "Errors"; decisions section 1.

use super::FieldError;
use serde::{Deserialize, Serialize};

/// A coded error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "server", derive(schemars::JsonSchema))]
pub struct CodedError {
    /// `INVALID_REQUEST_BODY`, `PRIMARY_KEY_REQUIRED`, `DUPLICATE_PRIMARY_KEY`,
    /// `DATA_OBJECT_VERSION_CONFLICT`, `DATA_OBJECT_NOT_FOUND` or
    /// `DATA_OBJECT_CONCURRENT_MODIFICATION`.
    pub code: String,
    /// What happened and what to do.
    pub message: String,
    /// Which fields it is about.
    pub fields: Vec<FieldError>,
}

/// Any other error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "server", derive(schemars::JsonSchema))]
pub struct PlainError {
    /// What happened and what to do.
    pub message: String,
}

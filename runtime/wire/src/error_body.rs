//! Bodies of errors. docs/interface.md, "Coded errors".

use crate::FieldError;
use serde::{Deserialize, Serialize};

/// A coded error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct CodedError {
    /// `INVALID_REQUEST_BODY`, `PRIMARY_KEY_REQUIRED`, `DUPLICATE_PRIMARY_KEY`,
    /// `DATA_OBJECT_VERSION_CONFLICT`, `DATA_OBJECT_NOT_FOUND` or
    /// `DATA_OBJECT_CONCURRENT_MODIFICATION`.
    pub code: String,
    /// What happened and what to do.
    pub message: String,
    /// Which fields it is about.
    #[cfg_attr(
        feature = "schemars",
        schemars(with = "Vec<crate::shapes::FieldErrorShape>")
    )]
    pub fields: Vec<FieldError>,
}

/// Any other error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct PlainError {
    /// What happened and what to do.
    pub message: String,
}

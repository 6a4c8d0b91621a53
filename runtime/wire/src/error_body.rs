//! Bodies of errors, and the codes that some of them have. `docs/interface.md`, "Coded errors".

use crate::FieldError;
use serde::{Deserialize, Serialize};

/// A coded error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct CodedError {
    /// What happened, for programs: `INVALID_REQUEST_BODY`, `PRIMARY_KEY_REQUIRED`, `DUPLICATE_PRIMARY_KEY`,
    /// `DATA_OBJECT_VERSION_CONFLICT`, `DATA_OBJECT_NOT_FOUND`, `DATA_OBJECT_CONCURRENT_MODIFICATION` or
    /// `QUOTA_EXCEEDED`; of management also `PASSWORD_CHANGE_REQUIRED`, `PROOF_REQUIRED`,
    /// `SECOND_FACTOR_REQUIRED` or `SECOND_FACTOR_SETUP_REQUIRED`.
    /// There may be more one day.
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

/// An error of endpoint 1: as RFC 6749, section 5.2, has it, beside the interface's `message`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct TokenError {
    /// What happened and what to do.
    pub message: String,
    /// What OAuth clients tell errors apart by.
    pub error: TokenErrorCode,
    /// The same as `message`, where OAuth clients look for it.
    pub error_description: String,
}

/// What an error of the token endpoint is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TokenErrorCode {
    /// Something is missing, stands twice or can't be read.
    InvalidRequest,
    /// The client's id or secret is not right, or the client is switched off.
    InvalidClient,
    /// Another grant than `client_credentials`.
    UnsupportedGrantType,
    /// No tokens are issued for now.
    TemporarilyUnavailable,
}

/// What a [`CodedError`] is about. On the wire it is text, so that a client meets codes that it does not know
/// yet; here alone stands which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// The body is no data object.
    InvalidRequestBody,
    /// The primary key has no value.
    PrimaryKeyRequired,
    /// Another data object has the primary key.
    DuplicatePrimaryKey,
    /// The data object has another version than the one sent.
    DataObjectVersionConflict,
    /// The data object is not there, or deleted.
    DataObjectNotFound,
    /// Another request changed the data object at the same moment.
    DataObjectConcurrentModification,
    /// The user of the session has to choose a password first.
    PasswordChangeRequired,
    /// The session's user has to prove anew who it is.
    ProofRequired,
    /// The password is right, and a code of the second factor is missing.
    SecondFactorRequired,
    /// A second factor is required of the session's user, who has to set one up first.
    SecondFactorSetupRequired,
    /// A quota of the tenant is used up.
    QuotaExceeded,
}

impl ErrorCode {
    /// All of them.
    pub const ALL: [ErrorCode; 11] = [
        ErrorCode::InvalidRequestBody,
        ErrorCode::PrimaryKeyRequired,
        ErrorCode::DuplicatePrimaryKey,
        ErrorCode::DataObjectVersionConflict,
        ErrorCode::DataObjectNotFound,
        ErrorCode::DataObjectConcurrentModification,
        ErrorCode::PasswordChangeRequired,
        ErrorCode::ProofRequired,
        ErrorCode::SecondFactorRequired,
        ErrorCode::SecondFactorSetupRequired,
        ErrorCode::QuotaExceeded,
    ];

    /// As it stands in a body.
    pub fn as_str(self) -> &'static str {
        match self {
            ErrorCode::InvalidRequestBody => "INVALID_REQUEST_BODY",
            ErrorCode::PrimaryKeyRequired => "PRIMARY_KEY_REQUIRED",
            ErrorCode::DuplicatePrimaryKey => "DUPLICATE_PRIMARY_KEY",
            ErrorCode::DataObjectVersionConflict => "DATA_OBJECT_VERSION_CONFLICT",
            ErrorCode::DataObjectNotFound => "DATA_OBJECT_NOT_FOUND",
            ErrorCode::DataObjectConcurrentModification => "DATA_OBJECT_CONCURRENT_MODIFICATION",
            ErrorCode::PasswordChangeRequired => "PASSWORD_CHANGE_REQUIRED",
            ErrorCode::ProofRequired => "PROOF_REQUIRED",
            ErrorCode::SecondFactorRequired => "SECOND_FACTOR_REQUIRED",
            ErrorCode::SecondFactorSetupRequired => "SECOND_FACTOR_SETUP_REQUIRED",
            ErrorCode::QuotaExceeded => "QUOTA_EXCEEDED",
        }
    }

    /// The code of a body; `None` when it is not one of these.
    pub fn parse(text: &str) -> Option<Self> {
        ErrorCode::ALL
            .into_iter()
            .find(|code| code.as_str() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_it_is_written_and_no_two_are_alike() {
        for code in ErrorCode::ALL {
            assert_eq!(ErrorCode::parse(code.as_str()), Some(code));
        }
        assert_eq!(ErrorCode::parse("data_object_not_found"), None);
    }
}

//! Endpoint 1. docs/interface.md, "Tokens".

use serde::{Deserialize, Serialize};

/// What the token endpoint answers.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct TokenAnswer {
    /// The token for the `Authorization` header, without a prefix.
    pub access_token: String,
    /// Seconds until it stops working.
    pub expires_in: i64,
    /// `Bearer`; the token is sent without it all the same.
    pub token_type: String,
}

impl std::fmt::Debug for TokenAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TokenAnswer")
            .field("expires_in", &self.expires_in)
            .finish_non_exhaustive()
    }
}

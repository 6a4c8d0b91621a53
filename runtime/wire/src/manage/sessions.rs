//! Sessions of one's own, and the second factor that signing in may ask for. A session's secret is in none of
//! these.

use crate::Timestamp;
use serde::Serialize;

/// One of the caller's sessions.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    /// Its id: it ends the session, and opens nothing.
    pub session_id: String,
    /// Whether it is the one that asks.
    pub current: bool,
    /// When it began.
    pub created_date: Timestamp,
    /// When it was used last, to a part of the time that it may stay unused.
    pub last_used_at: Timestamp,
    /// When it ends, however much it is used.
    pub expires_at: Timestamp,
    /// The address that it was begun from, where that is known.
    pub address: Option<String>,
    /// What the browser or the program called itself that it was begun by (`User-Agent`), its first 200 characters, where
    /// it said so.
    pub user_agent: Option<String>,
}

/// A second factor that waits to be confirmed. It is shown this once.
#[derive(Clone, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SecondFactorSetup {
    /// The secret in base 32, to be typed into an authenticator.
    pub secret: String,
    /// The same as an address (`otpauth://…`), to be shown as a QR code.
    pub otpauth_url: String,
}

/// Codes that stand in for an authenticator that was lost, each good for one time. They are shown this once.
#[derive(Clone, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    /// The codes.
    pub recovery_codes: Vec<String>,
}

//! API keys, as management takes and shows them: masked.

#[cfg(feature = "schemars")]
use super::limits::{DESCRIPTION_LENGTH_MAX, GRACE_SECONDS_MAX, NAME_LENGTH_MAX};
use super::{Grant, StampView, yes};
use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// A key to be made.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewApiKey {
    /// Its name, unique within the tenant.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1, max = NAME_LENGTH_MAX)))]
    pub name: String,
    /// What it is for.
    #[cfg_attr(feature = "schemars", schemars(length(max = DESCRIPTION_LENGTH_MAX)))]
    #[serde(default)]
    pub description: String,
    /// When it stops working; never, when absent.
    #[serde(default)]
    pub expires_at: Option<Timestamp>,
    /// Whether it stops working with the key, client or user that makes it.
    #[serde(default)]
    pub ends_with_maker: bool,
    /// Whether it is switched on.
    #[serde(default = "yes")]
    pub active: bool,
    /// The ids of its roles.
    #[serde(default)]
    pub roles: Vec<String>,
    /// The areas it reaches.
    #[serde(default)]
    pub grants: Vec<Grant>,
}

/// What can be changed of a key.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApiKeyContent {
    /// Its name, unique within the tenant.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1, max = NAME_LENGTH_MAX)))]
    pub name: String,
    /// What it is for.
    #[cfg_attr(feature = "schemars", schemars(length(max = DESCRIPTION_LENGTH_MAX)))]
    #[serde(default)]
    pub description: String,
    /// When it stops working from now on: never, if `null`; as before, when absent.
    #[serde(default)]
    #[cfg_attr(feature = "schemars", schemars(with = "Option<Timestamp>"))]
    pub expires_at: KeyExpiry,
    /// Whether it is switched on.
    pub active: bool,
    /// The ids of its roles.
    pub roles: Vec<String>,
    /// The areas it reaches.
    pub grants: Vec<Grant>,
}

/// What a change makes of when a key stops working.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyExpiry {
    /// It stays as it is.
    #[default]
    Unchanged,
    /// The key never stops.
    Never,
    /// The key stops at this moment.
    At(Timestamp),
}

impl KeyExpiry {
    /// The end of a key that had this one before.
    pub fn of(self, before: Option<Timestamp>) -> Option<Timestamp> {
        match self {
            KeyExpiry::Unchanged => before,
            KeyExpiry::Never => None,
            KeyExpiry::At(end) => Some(end),
        }
    }
}

impl<'de> Deserialize<'de> for KeyExpiry {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let end = Option::<Timestamp>::deserialize(deserializer)?;
        Ok(end.map_or(KeyExpiry::Never, KeyExpiry::At))
    }
}

/// How a key gets a new secret.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KeyRotation {
    /// Seconds for which the old secret still works, 30 days at most; 0 ends the earlier ones at once, too.
    #[cfg_attr(feature = "schemars", schemars(range(min = 0, max = GRACE_SECONDS_MAX)))]
    #[serde(default = "a_day")]
    pub grace_seconds: i64,
}

fn a_day() -> i64 {
    24 * 3600
}

/// An API key, masked.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ApiKeyView {
    /// Its id.
    pub api_key_id: String,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// What may be shown of the key.
    pub masked_key: String,
    /// When it stops working; `null` if it never does.
    pub expires_at: Option<Timestamp>,
    /// Whether it was found to have stopped, whatever a clock says that went back. Its `status` tells it.
    #[serde(skip)]
    pub has_ended: bool,
    /// Whether it stops working with who made it.
    pub ends_with_maker: bool,
    /// Until when its earlier secrets work, the last of them; none does, when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earlier_secret_until: Option<Timestamp>,
    /// Whether it is switched on.
    pub active: bool,
    /// The ids of its roles.
    pub roles: Vec<String>,
    /// The areas it reaches.
    pub grants: Vec<Grant>,
    /// When it was used last, some seconds late at most; `null` if it never was.
    pub last_used_at: Option<Timestamp>,
    /// Who made it and changed it last, and when.
    #[serde(flatten)]
    pub stamp: StampView,
}

impl ApiKeyView {
    /// `Active`, `Inactive` or `Expired`. docs/interface.md, "Credentials".
    pub fn status(&self, now: Timestamp) -> &'static str {
        let has_ended = self.has_ended || self.expires_at.is_some_and(|end| end <= now);
        match (self.active, has_ended) {
            (_, true) => "Expired",
            (true, false) => "Active",
            (false, false) => "Inactive",
        }
    }
}

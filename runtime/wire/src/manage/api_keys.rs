//! API keys, as management takes and shows them: masked.

use super::{Grant, StampView, yes};
use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// A key to be made. docs/interface.md, "Credentials".
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
// the text of /openapi.json, which stays as it was published
#[cfg_attr(
    feature = "schemars",
    schemars(description = "A key to be made. Interface, \"API key\".")
)]
pub struct NewApiKey {
    /// Its name, unique within the tenant.
    pub name: String,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// When it stops working; never, when absent.
    #[serde(default)]
    pub expires_at: Option<Timestamp>,
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
    pub name: String,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// Whether it is switched on.
    pub active: bool,
    /// The ids of its roles.
    pub roles: Vec<String>,
    /// The areas it reaches.
    pub grants: Vec<Grant>,
}

/// An API key, masked.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schemars", schemars(transform = crate::shapes::undescribed))]
pub struct ApiKeyView {
    /// Its id.
    pub api_key_id: String,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// What may be shown of the key.
    pub masked_key: String,
    /// When it stops working; never, when absent.
    pub expires_at: Option<Timestamp>,
    /// Whether it is switched on.
    pub active: bool,
    /// The ids of its roles.
    pub roles: Vec<String>,
    /// The areas it reaches.
    pub grants: Vec<Grant>,
    /// When it was used last, to a few seconds; `None` for never.
    pub last_used_at: Option<Timestamp>,
    /// Who made it and changed it last, and when.
    #[serde(flatten)]
    pub stamp: StampView,
}

impl ApiKeyView {
    /// `Active`, `Inactive` or `Expired`. docs/interface.md, "Credentials".
    pub fn status(&self, now: Timestamp) -> &'static str {
        match (self.active, self.expires_at) {
            (_, Some(end)) if end <= now => "Expired",
            (true, _) => "Active",
            (false, _) => "Inactive",
        }
    }
}

//! Application clients, as management takes and shows them: without their secrets.

use super::{Grant, StampView, yes};
use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// A client to be made.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewApp {
    /// Its name, unique within the tenant.
    pub name: String,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// Whether it is switched on.
    #[serde(default = "yes")]
    pub active: bool,
    /// How long its tokens live, in seconds.
    #[serde(default = "hour")]
    pub token_seconds: i64,
    /// The ids of its roles.
    #[serde(default)]
    pub roles: Vec<String>,
    /// The areas it reaches.
    #[serde(default)]
    pub grants: Vec<Grant>,
}

/// What can be changed of a client.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AppContent {
    /// Its name, unique within the tenant.
    pub name: String,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// Whether it is switched on.
    pub active: bool,
    /// How long its tokens live, in seconds.
    pub token_seconds: i64,
    /// The ids of its roles.
    pub roles: Vec<String>,
    /// The areas it reaches.
    pub grants: Vec<Grant>,
}

/// An application client, without its secret.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "each is the noun's own")]
pub struct AppView {
    pub client_id: String,
    pub name: String,
    pub description: String,
    pub active: bool,
    pub token_seconds: i64,
    pub roles: Vec<String>,
    pub grants: Vec<Grant>,
    pub last_used_at: Option<Timestamp>,
    #[serde(flatten)]
    pub stamp: StampView,
}

impl From<AppContent> for NewApp {
    fn from(content: AppContent) -> Self {
        NewApp {
            name: content.name,
            description: content.description,
            active: content.active,
            token_seconds: content.token_seconds,
            roles: content.roles,
            grants: content.grants,
        }
    }
}

fn hour() -> i64 {
    3600
}

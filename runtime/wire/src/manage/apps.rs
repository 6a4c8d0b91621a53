//! Application clients, as management takes and shows them: without their secrets.

#[cfg(feature = "schemars")]
use super::limits::{DESCRIPTION_LENGTH_MAX, NAME_LENGTH_MAX, TOKEN_SECONDS_MAX};
use super::{Grant, StampView, yes};
use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// A client to be made.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewApp {
    /// Its name, unique within the tenant.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1, max = NAME_LENGTH_MAX)))]
    pub name: String,
    /// What it is for.
    #[cfg_attr(feature = "schemars", schemars(length(max = DESCRIPTION_LENGTH_MAX)))]
    #[serde(default)]
    pub description: String,
    /// Whether it is switched on.
    #[serde(default = "yes")]
    pub active: bool,
    /// How long its tokens live, in seconds.
    #[cfg_attr(feature = "schemars", schemars(range(min = 1, max = TOKEN_SECONDS_MAX)))]
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
    #[cfg_attr(feature = "schemars", schemars(length(min = 1, max = NAME_LENGTH_MAX)))]
    pub name: String,
    /// What it is for.
    #[cfg_attr(feature = "schemars", schemars(length(max = DESCRIPTION_LENGTH_MAX)))]
    #[serde(default)]
    pub description: String,
    /// Whether it is switched on.
    pub active: bool,
    /// How long its tokens live, in seconds.
    #[cfg_attr(feature = "schemars", schemars(range(min = 1, max = TOKEN_SECONDS_MAX)))]
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
pub struct AppView {
    /// Its id, which is sent for a token.
    pub client_id: String,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Whether it is switched on.
    pub active: bool,
    /// How long its tokens live, in seconds.
    pub token_seconds: i64,
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

//! What a manifest says of who asks and who is told: users, keys, application clients and the areas they reach;
//! webhooks and their secrets.

use crate::moment::expiry;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use store::catalog::Verb;
use wire::Timestamp;

/// A person.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct User {
    /// The name to sign in with.
    pub username: String,
    /// The full name; without it, that of a new one is the user name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_name: Option<String>,
    /// The e-mail address.
    pub email: String,
    /// For a new user; without it one is made and shown once. It never changes an existing user's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// Whether it is switched on; without it, a new one is, and another stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    /// Whether it must have a second factor, whatever its roles say; without it, a new one need not, and another stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_factor_required: Option<bool>,
    /// Its roles, by their names: these and no others. As they are, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roles: Option<Vec<String>>,
    /// The areas it reaches, by their names: these and no others. As they are, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub areas: Option<Areas>,
}

/// An API key.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApiKey {
    /// Its name, unique within the tenant.
    pub name: String,
    /// What it is for; as it is, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// When it stops working, a time or a day (its start, in UTC); without it, a new one never does, and another one stays as it is.
    #[serde(
        default,
        deserialize_with = "expiry",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub expires: Option<Timestamp>,
    /// Whether it is switched on; without it, a new one is, and another stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    /// Its roles, by their names: these and no others. As they are, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roles: Option<Vec<String>>,
    /// The areas it reaches, by their names: these and no others. As they are, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub areas: Option<Areas>,
}

/// An application client.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Client {
    /// Its name, unique within the tenant.
    pub name: String,
    /// What it is for; as it is, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// How long its tokens live, in seconds; without it, those of a new one an hour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_seconds: Option<i64>,
    /// Whether it is switched on; without it, a new one is, and another stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    /// Its roles, by their names: these and no others. As they are, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roles: Option<Vec<String>>,
    /// The areas it reaches, by their names: these and no others. As they are, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub areas: Option<Areas>,
}

/// A webhook: where changes of datasets are sent.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Webhook {
    /// Its name, unique within the tenant.
    pub name: String,
    /// What it is for; as it is, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The address that changes are sent to.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub url: String,
    /// The datasets whose changes are sent, each as `AREA/SCHEMA/DATASET` by their names, or by its id: these and no others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub datasets: Vec<String>,
    /// Whether it is switched on; without it, a new one is, and another stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    /// Where its secret is kept; without it, a new one gets one that is shown once, and another keeps its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<Secret>,
    /// Whether it is to be gone, for good, where there is one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub removed: bool,
}

/// Where a secret is kept: in a file, or in a variable of the environment of who reads the manifest.
#[derive(Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Secret {
    /// The path of a file as seen from the manifest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The name of a variable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// What it is, once it is read; never in the text of a manifest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub text: Option<String>,
}

impl std::fmt::Debug for Secret {
    /// Without the secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Secret")
            .field("file", &self.file)
            .field("environment", &self.environment)
            .finish_non_exhaustive()
    }
}

/// Which areas are reached, and how.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Areas {
    /// The same in all areas of the tenant, also those that are made later: `all: [view]`.
    All(AllAreas),
    /// By the area's name; beside others, `*` is all areas.
    Named(BTreeMap<String, Vec<Verb>>),
}

/// The same in all areas.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AllAreas {
    /// What is allowed in each of them.
    pub all: Vec<Verb>,
}

impl Default for Areas {
    fn default() -> Self {
        Areas::Named(BTreeMap::new())
    }
}

//! Webhooks, as management takes and shows them: without their secrets. docs/webhooks.md tells what they send.

#[cfg(feature = "schemars")]
use super::limits::{DESCRIPTION_LENGTH_MAX, NAME_LENGTH_MAX};
use super::{StampView, yes};
use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// What can be said of a webhook.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WebhookContent {
    /// Its name, unique within the tenant.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1, max = NAME_LENGTH_MAX)))]
    pub name: String,
    /// What it is for.
    #[cfg_attr(feature = "schemars", schemars(length(max = DESCRIPTION_LENGTH_MAX)))]
    #[serde(default)]
    pub description: String,
    /// The address that changes are sent to: `https`, or `http` where nobody reads along.
    pub url: String,
    /// The ids of the datasets whose changes are sent.
    pub datasets: Vec<String>,
    /// Whether it is switched on.
    #[serde(default = "yes")]
    pub active: bool,
}

/// A webhook, without its secret.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WebhookView {
    /// Its id.
    pub webhook_id: String,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// The address that changes are sent to.
    pub url: String,
    /// The ids of the datasets whose changes are sent.
    pub datasets: Vec<String>,
    /// Whether it is switched on.
    pub active: bool,
    /// Who made it and changed it last, and when.
    #[serde(flatten)]
    pub stamp: StampView,
}

/// How a webhook fares.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DeliveryView {
    /// When something was delivered last; `null` if nothing ever was.
    pub delivered_at: Option<Timestamp>,
    /// Since when nothing can be delivered; `null` while it can.
    pub failing_since: Option<Timestamp>,
    /// How often what is to be delivered now was tried in vain.
    pub tries: u32,
    /// When it is tried again; `null` where nothing waits for that.
    pub next_try_at: Option<Timestamp>,
    /// Why the last try failed; `null` if it did not.
    pub error: Option<String>,
}

/// Changes that a webhook gave up to deliver.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DeadLetterView {
    /// Its number.
    pub number: u64,
    /// The id of the dataset that changed; empty where that is not known any more.
    pub dataset: String,
    /// How many changes there are; 0 where that is not known any more.
    pub changes: u64,
    /// When it was given up; `null` where what was kept of it can't be read.
    pub at: Option<Timestamp>,
    /// Why the last try failed.
    pub error: String,
}

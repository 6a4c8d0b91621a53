//! Webhooks: where changes of datasets are sent. How far each has come is kept elsewhere.

use super::Stamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A webhook.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Webhook {
    /// Its id.
    pub id: String,
    /// Its tenant.
    pub tenant: String,
    /// Its name, unique within the tenant.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Where changes are sent to.
    pub url: String,
    /// What they are signed with: `whsec_` and 32 bytes in base64. Whoever signs needs it as it is.
    pub secret: String,
    /// The ids of the datasets whose changes are sent.
    pub datasets: Vec<String>,
    /// Whether it is switched on.
    pub active: bool,
    /// The entry of the change log behind which it begins.
    pub begins_behind: u64,
    /// The same of each dataset that was added to it later, by the dataset's id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub added_behind: BTreeMap<String, u64>,
    /// Who made and changed it, and when.
    pub stamp: Stamp,
}

impl Webhook {
    /// The entry of the change log behind which it begins with a dataset.
    pub fn begins_behind(&self, dataset: &str) -> u64 {
        let added = self.added_behind.get(dataset).copied();
        added.unwrap_or(self.begins_behind)
    }
}

impl fmt::Debug for Webhook {
    /// Without the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Webhook")
            .field("id", &self.id)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

//! Datasets, as management takes and shows them.

use super::StampView;
use serde::{Deserialize, Serialize};

/// What can be said of a dataset.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DatasetContent {
    /// Its name, unique among the schema's datasets.
    pub name: String,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// In a change: the version it was made from, if that is to be compared.
    #[serde(default)]
    pub version: Option<i64>,
}

/// A dataset.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "each is the noun's own")]
pub struct DatasetView {
    pub data_set_id: String,
    pub data_set_name: String,
    pub data_set_description: String,
    pub business_area_id: String,
    pub schema_id: String,
    pub deleted: bool,
    pub version: i64,
    #[serde(flatten)]
    pub stamp: StampView,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errored_records_count: Option<u64>,
}

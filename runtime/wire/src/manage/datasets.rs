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
#[cfg_attr(feature = "schemars", schemars(transform = crate::shapes::undescribed))]
pub struct DatasetView {
    /// Its id.
    pub data_set_id: String,
    /// Its name.
    pub data_set_name: String,
    /// What it is for.
    pub data_set_description: String,
    /// The id of its business area.
    pub business_area_id: String,
    /// The id of its schema.
    pub schema_id: String,
    /// Whether it was deleted.
    pub deleted: bool,
    /// Its version: rises with every change.
    pub version: i64,
    /// Who made it and changed it last, and when.
    #[serde(flatten)]
    pub stamp: StampView,
    /// How many records it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_count: Option<u64>,
    /// How many of them have faults.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errored_records_count: Option<u64>,
}

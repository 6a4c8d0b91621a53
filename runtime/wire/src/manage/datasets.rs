//! Datasets, as management takes and shows them.

use super::StampView;
#[cfg(feature = "schemars")]
use super::limits::{DESCRIPTION_LENGTH_MAX, NAME_LENGTH_MAX};
use crate::Day;
use serde::{Deserialize, Serialize};

/// What can be said of a dataset.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DatasetContent {
    /// Its name, unique among the schema's datasets.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1, max = NAME_LENGTH_MAX)))]
    pub name: String,
    /// What it is for.
    #[cfg_attr(feature = "schemars", schemars(length(max = DESCRIPTION_LENGTH_MAX)))]
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

/// What a dataset had day by day.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DailyCounts {
    /// The days that were counted, the oldest first; the last one is today, as of now.
    pub items: Vec<DailyCount>,
}

/// What was there at the end of a day.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DailyCount {
    /// The day, in UTC.
    pub day: Day,
    /// How many records there were.
    pub record_count: u64,
    /// How many of them had a fault.
    pub errored_records_count: u64,
}

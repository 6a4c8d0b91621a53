//! Items of the catalog's lists. Interface, "Resources and their fields".

use serde::{Deserialize, Serialize};

/// A business area.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "named as in the interface")]
pub struct AreaItem {
    pub business_area_id: String,
    pub name: String,
    pub description: String,
    pub active: bool,
    pub created_by: String,
    pub updated_by: String,
    pub created_date: String,
    pub updated_date: String,
    pub version: i64,
}

/// A schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "named as in the interface")]
pub struct SchemaItem {
    pub schema_id: String,
    pub name: String,
    pub description: String,
    pub business_area_id: String,
    pub business_area_name: String,
    pub active: bool,
    pub state: String,
    pub fields_count: u64,
    pub data_set_count: u64,
    pub version: i64,
    pub created_by: String,
    pub updated_by: String,
    pub created_by_email: String,
    pub updated_by_email: String,
    pub created_date: String,
    pub updated_date: String,
    pub running_jobs_count: u64,
    pub deleted: bool,
}

/// A dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "named as in the interface")]
pub struct DatasetItem {
    pub data_set_id: String,
    pub data_set_name: String,
    pub data_set_description: String,
    pub business_area_id: String,
    pub business_area_name: String,
    pub schema_id: String,
    pub schema_name: String,
    pub record_count: u64,
    pub errored_records_count: u64,
    pub running_jobs_count: u64,
    pub version: i64,
    pub created_by: String,
    pub updated_by: String,
    pub created_by_email: String,
    pub updated_by_email: String,
    pub created_by_name: String,
    pub updated_by_name: String,
    pub created_date: String,
    pub updated_date: String,
    pub deleted: bool,
}

//! Items of the catalog's lists. docs/interface.md, "Catalog items".

use serde::{Deserialize, Serialize};

/// A business area.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AreaItem {
    /// Its id.
    pub business_area_id: String,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Whether it is active.
    pub active: bool,
    /// The id of who made it.
    pub created_by: String,
    /// The id of who changed it last.
    pub updated_by: String,
    /// When it was made.
    #[cfg_attr(feature = "schemars", schemars(with = "crate::Timestamp"))]
    pub created_date: String,
    /// When it was changed last.
    #[cfg_attr(feature = "schemars", schemars(with = "crate::Timestamp"))]
    pub updated_date: String,
    /// Its version: rises with every change.
    pub version: i64,
}

/// A schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SchemaItem {
    /// Its id.
    pub schema_id: String,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// The id of its business area.
    pub business_area_id: String,
    /// The name of its business area.
    pub business_area_name: String,
    /// Whether it is active.
    pub active: bool,
    /// Its state: `published` or `draft`.
    pub state: String,
    /// How many fields it has, active or not.
    pub fields_count: u64,
    /// How many datasets it has.
    pub data_set_count: u64,
    /// Its version: rises with every change.
    pub version: i64,
    /// The id of who made it.
    pub created_by: String,
    /// The id of who changed it last.
    pub updated_by: String,
    /// The e-mail address of who made it; empty where there is none.
    pub created_by_email: String,
    /// The e-mail address of who changed it last; empty where there is none.
    pub updated_by_email: String,
    /// When it was made.
    #[cfg_attr(feature = "schemars", schemars(with = "crate::Timestamp"))]
    pub created_date: String,
    /// When it was changed last.
    #[cfg_attr(feature = "schemars", schemars(with = "crate::Timestamp"))]
    pub updated_date: String,
    /// How many jobs work on it.
    pub running_jobs_count: u64,
    /// Whether it was deleted.
    pub deleted: bool,
}

/// A dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DatasetItem {
    /// Its id.
    pub data_set_id: String,
    /// Its name.
    pub data_set_name: String,
    /// What it is for.
    pub data_set_description: String,
    /// The id of its business area.
    pub business_area_id: String,
    /// The name of its business area.
    pub business_area_name: String,
    /// The id of its schema.
    pub schema_id: String,
    /// The name of its schema.
    pub schema_name: String,
    /// How many records it has.
    pub record_count: u64,
    /// How many of them have faults.
    pub errored_records_count: u64,
    /// How many jobs work on it.
    pub running_jobs_count: u64,
    /// Its version: rises with every change.
    pub version: i64,
    /// The id of who made it.
    pub created_by: String,
    /// The id of who changed it last.
    pub updated_by: String,
    /// The e-mail address of who made it; empty where there is none.
    pub created_by_email: String,
    /// The e-mail address of who changed it last; empty where there is none.
    pub updated_by_email: String,
    /// The full name of who made it; empty where there is none.
    pub created_by_name: String,
    /// The full name of who changed it last; empty where there is none.
    pub updated_by_name: String,
    /// When it was made.
    #[cfg_attr(feature = "schemars", schemars(with = "crate::Timestamp"))]
    pub created_date: String,
    /// When it was changed last.
    #[cfg_attr(feature = "schemars", schemars(with = "crate::Timestamp"))]
    pub updated_date: String,
    /// Whether it was deleted.
    pub deleted: bool,
}

//! Deleted records.

use serde::Serialize;
use serde_json::value::RawValue;

/// A deleted record, under the names of the schema version it was written with.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DeletedRecord {
    /// The record: its `_dataObjectId`.
    pub data_object_id: String,
    /// The `_version` it had when it was deleted.
    pub version: i64,
    /// The schema version of its values.
    pub schema_version: i64,
    /// Its values.
    #[cfg_attr(
        feature = "schemars",
        schemars(with = "Option<crate::shapes::RecordValues>")
    )]
    pub values: Option<Box<RawValue>>,
}

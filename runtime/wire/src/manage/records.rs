//! Records beyond the data interface: those that were deleted, and the past of each.

use super::{Actor, LogAction};
use crate::Timestamp;
use serde::{Deserialize, Serialize};
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
    /// When it was deleted; absent where that can't be read any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<Timestamp>,
    /// Who deleted it, and by what it worked, where that was no request about this record alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deleted_by: Option<Actor>,
    /// The schema version of its values.
    pub schema_version: i64,
    /// Its values.
    #[cfg_attr(
        feature = "schemars",
        schemars(with = "Option<crate::shapes::RecordValues>")
    )]
    pub values: Option<Box<RawValue>>,
}

/// One thing that was done to a record.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HistoryItem {
    /// `_version` after it.
    pub version: i64,
    /// `create`, `update`, `delete` or `restore`.
    #[cfg_attr(feature = "schemars", schemars(with = "String"))]
    pub action: LogAction,
    /// When.
    pub at: Timestamp,
    /// Who, and by what it worked, where that was no request about this record alone.
    pub actor: Actor,
    /// The fields that it gave another value, in the order of the schema.
    pub changes: Vec<FieldChange>,
}

/// One field of a record that was given another value.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FieldChange {
    /// The id of the field.
    pub field_id: String,
    /// The name that the field has by now.
    pub name: String,
    /// The value before, in the form of the schema as it is now; `***` in place of a personal one.
    #[cfg_attr(
        feature = "schemars",
        schemars(with = "Option<crate::shapes::RecordValue>")
    )]
    pub before: Option<Box<RawValue>>,
    /// The value after, as the one before.
    #[cfg_attr(
        feature = "schemars",
        schemars(with = "Option<crate::shapes::RecordValue>")
    )]
    pub after: Option<Box<RawValue>>,
}

/// The records that were changed last.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct RecentChanges {
    /// Each record once, by its newest change, the newest first.
    pub items: Vec<RecentChange>,
}

/// What was done last to a record.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RecentChange {
    /// The id of its dataset.
    pub data_set_id: String,
    /// The name of its dataset.
    pub data_set_name: String,
    /// The record: its `_dataObjectId`.
    pub data_object_id: String,
    /// The text of its primary key; `***` in place of a personal one, absent where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary_key: Option<String>,
    /// Whether that is a mask, for pages: whoever reads the answer sees `***`.
    #[serde(skip)]
    pub is_key_masked: bool,
    /// `_version` after the change.
    pub version: i64,
    /// `create`, `update`, `delete` or `restore`.
    #[cfg_attr(feature = "schemars", schemars(with = "String"))]
    pub action: LogAction,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// The names of the fields that got another value, in the order of the schema; of a record that was made, none.
    pub fields: Vec<String>,
}

/// What brings a record back to an earlier version.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct VersionRestore {
    /// The `_version` that the record has now.
    #[cfg_attr(feature = "schemars", schemars(range(min = 0)))]
    #[serde(rename = "_version")]
    pub version: i64,
}

//! Schemas, as management shows them.

use super::{Problem, StampView, Wording};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A schema with its document.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SchemaView {
    /// Its id.
    pub schema_id: String,
    /// Its name.
    pub name: String,
    /// The id of its business area.
    pub business_area_id: String,
    /// Its state: `published` or `draft`.
    pub state: String,
    /// Whether it is active.
    pub active: bool,
    /// Whether it was deleted.
    pub deleted: bool,
    /// Its version: rises with every change.
    pub version: i64,
    /// Who made it and changed it last, and when.
    #[serde(flatten)]
    pub stamp: StampView,
    /// The schema-detail document of the version in force.
    #[cfg_attr(
        feature = "schemars",
        schemars(with = "Option<crate::shapes::SchemaDocument>")
    )]
    pub document: Option<Box<RawValue>>,
}

/// A schema that nobody made yet, and a record that is tried under it.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SchemaTrial {
    /// The schema with its fields, judged as one that is made of it.
    #[cfg_attr(feature = "schemars", schemars(with = "crate::shapes::SchemaDocument"))]
    pub document: Box<RawValue>,
    /// A record for it; without one, only the schema is judged.
    #[serde(default)]
    #[cfg_attr(
        feature = "schemars",
        schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")
    )]
    pub record: Option<Box<RawValue>>,
}

/// What came of trying a schema: it can be made, and the record would be stored.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TriedSchema {
    /// What looks wrong with the schema but does no harm.
    pub warnings: Vec<Problem>,
    /// The record as it would be stored.
    #[cfg_attr(
        feature = "schemars",
        schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")
    )]
    pub record: Option<Box<RawValue>>,
    /// The faults that it would have, as its `_errors`.
    #[cfg_attr(
        feature = "schemars",
        schemars(with = "Vec<crate::shapes::FieldErrorShape>")
    )]
    pub errors: Vec<crate::FieldError>,
}

/// A schema proposed from a sample file.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InferredSchema {
    /// The schema, to be read and mended: data show what is, not what may be.
    #[cfg_attr(feature = "schemars", schemars(with = "crate::shapes::SchemaDocument"))]
    pub document: Box<RawValue>,
    /// Rows that it is proposed from.
    pub row_count: u64,
    /// Rows that can't be read and were left out.
    pub unread_count: u64,
    /// Why each field is as it is.
    pub evidence: Vec<FieldEvidence>,
    /// Rows that would be faulty or no records under it.
    pub faulty_count: u64,
    /// What is wrong with the first of them.
    pub faults: Vec<SampleFault>,
}

/// Why a proposed field is as it is.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FieldEvidence {
    /// The field's display name.
    pub field: String,
    /// Its type with its formats, in words.
    pub data_type: String,
    /// Each observation in words.
    pub lines: Vec<String>,
    /// The same by code, for whoever tells it in another language.
    pub observations: Vec<Wording>,
}

/// What is wrong with a row of a sample.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SampleFault {
    /// The line of the file, from 1; of a sheet, its row.
    pub line: u64,
    /// The field's display name; empty where it is about the row.
    pub field: String,
    /// What is wrong, without the value.
    pub message: String,
}

//! Schemas, as management shows them.

use super::StampView;
use serde::Serialize;
use serde_json::value::RawValue;

/// A schema with its document.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "each is the noun's own")]
pub struct SchemaView {
    pub schema_id: String,
    pub name: String,
    pub business_area_id: String,
    pub state: String,
    pub active: bool,
    pub deleted: bool,
    pub version: i64,
    #[serde(flatten)]
    pub stamp: StampView,
    /// The schema-detail document of the version in force.
    #[cfg_attr(
        feature = "schemars",
        schemars(with = "Option<crate::shapes::SchemaDocument>")
    )]
    pub document: Option<Box<RawValue>>,
}

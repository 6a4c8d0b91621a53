//! Schemas, as management shows them.

use super::StampView;
use serde::Serialize;
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

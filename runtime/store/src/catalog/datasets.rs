//! Datasets. docs/interface.md, "Catalog items".

use super::Stamp;
use serde::{Deserialize, Serialize};

/// A set of records that follow one schema.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dataset {
    /// `dataSetId`
    pub id: String,
    /// Its tenant.
    pub tenant: String,
    /// `businessAreaId`
    pub area: String,
    /// `schemaId`
    pub schema: String,
    /// A number that is unique in the store and never used again: the first part of its records' places.
    pub number: u32,
    /// `dataSetName`, unique among the schema's datasets that are not deleted.
    pub name: String,
    /// `dataSetDescription`
    pub description: String,
    /// `deleted`
    pub deleted: bool,
    /// `version`, from 1; rises with its own properties, not with its records.
    pub version: i64,
    /// Who made and changed it, and when.
    pub stamp: Stamp,
}

//! Data domains: the codes of dynamic picklists.

use super::StampView;
use serde::{Deserialize, Serialize};

/// One code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct DomainCode {
    /// The code, as it stands in records.
    pub code: String,
    /// What it means.
    #[serde(default)]
    pub description: String,
}

/// What can be said of a domain.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DomainContent {
    /// Its name, unique within the tenant.
    pub name: String,
    /// Its codes; none twice.
    pub codes: Vec<DomainCode>,
    /// In a change: the version it was made from, if that is to be compared.
    #[serde(default)]
    pub version: Option<i64>,
}

/// A data domain.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schemars", schemars(transform = crate::shapes::undescribed))]
pub struct DomainView {
    /// Its id.
    pub data_domain_id: String,
    /// Its name.
    pub name: String,
    /// Its codes.
    pub codes: Vec<DomainCode>,
    /// Its version: rises with every change.
    pub version: i64,
    /// Who made it and changed it last, and when.
    #[serde(flatten)]
    pub stamp: StampView,
}

//! Data domains: the codes of dynamic picklists.

use super::StampView;
#[cfg(feature = "schemars")]
use super::limits::NAME_LENGTH_MAX;
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
    #[cfg_attr(feature = "schemars", schemars(length(min = 1, max = NAME_LENGTH_MAX)))]
    pub name: String,
    /// Its codes; none twice.
    pub codes: Vec<DomainCode>,
    /// In a change: the version it was made from, if that is to be compared.
    #[serde(default)]
    pub version: Option<i64>,
}

impl DomainContent {
    /// As a change of the domain with this id that is asked about, and not made.
    pub fn draft_of(self, id: &str) -> DomainDraft {
        DomainDraft {
            data_domain_id: id.to_owned(),
            name: self.name,
            codes: self.codes,
            version: self.version,
        }
    }
}

/// A change of a domain that is asked about, and not made.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DomainDraft {
    /// The id of the domain.
    pub data_domain_id: String,
    /// Its name with the change.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1, max = NAME_LENGTH_MAX)))]
    pub name: String,
    /// Its codes with the change; none twice.
    pub codes: Vec<DomainCode>,
    /// The version it was made from, if that is to be compared.
    #[serde(default)]
    pub version: Option<i64>,
}

impl From<DomainDraft> for DomainContent {
    fn from(draft: DomainDraft) -> Self {
        DomainContent {
            name: draft.name,
            codes: draft.codes,
            version: draft.version,
        }
    }
}

/// A data domain.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
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

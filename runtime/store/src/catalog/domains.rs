//! Data domains: the codes of dynamic picklists.

use super::Stamp;
use serde::{Deserialize, Serialize};
use wire::manage::DomainCode;

/// A list of codes that fields of any schema may refer to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Domain {
    /// `dataDomainId`
    pub id: String,
    /// Its tenant.
    pub tenant: String,
    /// Its name, unique within the tenant.
    pub name: String,
    /// Its codes, sorted by code; none twice.
    pub codes: Vec<DomainCode>,
    /// From 1.
    pub version: i64,
    /// Who made and changed it, and when.
    pub stamp: Stamp,
}

impl Domain {
    /// Whether the domain has the code (exact case).
    pub fn has(&self, code: &str) -> bool {
        self.codes
            .binary_search_by(|entry| entry.code.as_str().cmp(code))
            .is_ok()
    }
}

//! Data domains: the codes of dynamic picklists.

use super::{CountedOnce, Stamp};
use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
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
    /// The bytes of its codes.
    #[serde(skip)]
    pub size: CountedOnce,
}

impl Domain {
    /// A number that is another one for each version of it. The version alone is not enough: it is given again, to other
    /// codes, where a database lost commits. Only numbers of one process are to be compared.
    pub(super) fn mark(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.id, self.version, self.stamp.updated_at).hash(&mut hasher);
        hasher.finish()
    }

    /// The bytes of its codes and descriptions.
    pub fn bytes(&self) -> u64 {
        let bytes = |it: &DomainCode| (it.code.len() + it.description.len()) as u64;
        self.size.get(|| self.codes.iter().map(bytes).sum())
    }

    /// Whether the domain has the code (exact case).
    pub fn has(&self, code: &str) -> bool {
        self.codes
            .binary_search_by(|entry| entry.code.as_str().cmp(code))
            .is_ok()
    }
}

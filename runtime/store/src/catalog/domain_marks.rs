//! A mark of a tenant's data domains: beside the version of the schema, it tells at each commit whether what records were judged
//! by is in force.

use super::Domain;
use rustc_hash::FxHashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// The marks of the data domains, by tenant: the sum of a digest of each one, so that it follows from what is there, not from
/// the way there.
#[derive(Clone, Debug, Default)]
pub(super) struct DomainMarks(FxHashMap<String, u64>);

impl DomainMarks {
    pub(super) fn of(&self, tenant: &str) -> u64 {
        self.0.get(tenant).copied().unwrap_or(0)
    }

    pub(super) fn add(&mut self, domain: &Domain) {
        let mark = self.0.entry(domain.tenant.clone()).or_default();
        *mark = mark.wrapping_add(digest(domain));
    }

    pub(super) fn take(&mut self, domain: &Domain) {
        if let Some(mark) = self.0.get_mut(&domain.tenant) {
            *mark = mark.wrapping_sub(digest(domain));
        }
    }
}

/// One of an id and a version: each change counts the version up.
fn digest(domain: &Domain) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&domain.id, domain.version).hash(&mut hasher);
    hasher.finish()
}

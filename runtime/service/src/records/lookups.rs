//! The look-ups of a request: domains from the catalog it was admitted with, files as they were found
//! before the judgement, which waits for nothing.

use crate::files::KnownFiles;
use engine::validate::{CodeLookup, FileFacts, Lookups};
use store::catalog::Catalog;

/// Look-ups for the records of one dataset.
pub(crate) struct CatalogLookups<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) tenant: &'a str,
    pub(crate) files: &'a KnownFiles,
}

impl Lookups for CatalogLookups<'_> {
    fn code(&self, domain_id: &str, code: &str) -> CodeLookup {
        match self
            .catalog
            .domains
            .get(domain_id)
            .filter(|domain| domain.tenant == self.tenant)
        {
            None => CodeLookup::NoDomain,
            Some(domain) if domain.has(code) => CodeLookup::Known,
            Some(_) => CodeLookup::Unknown,
        }
    }

    fn file(&self, reference: &str) -> Option<FileFacts> {
        self.files.facts(reference)
    }
}

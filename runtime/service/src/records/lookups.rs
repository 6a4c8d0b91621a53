//! The look-ups of a request: domains from the catalog it was admitted with, files as they were found
//! before the judgement, which waits for nothing.

use crate::files::KnownFiles;
use engine::validate::{CodeLookup, FileFacts, Lookups};
use store::catalog::{Catalog, Domain};

/// Look-ups for the records of one dataset.
pub(crate) struct CatalogLookups<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) tenant: &'a str,
    pub(crate) files: &'a KnownFiles,
    /// A domain as a change would make it, in place of the one of its id.
    pub(crate) draft: Option<&'a Domain>,
}

impl CatalogLookups<'_> {
    fn domain(&self, id: &str) -> Option<&Domain> {
        if let Some(draft) = self.draft.filter(|draft| draft.id == id) {
            return Some(draft);
        }
        let domain = self.catalog.domains.get(id)?;
        (domain.tenant == self.tenant).then_some(domain)
    }
}

impl Lookups for CatalogLookups<'_> {
    fn code(&self, domain_id: &str, code: &str) -> CodeLookup {
        match self.domain(domain_id) {
            None => CodeLookup::NoDomain,
            Some(domain) if domain.has(code) => CodeLookup::Known,
            Some(_) => CodeLookup::Unknown,
        }
    }

    fn domain_name(&self, domain_id: &str) -> Option<String> {
        Some(self.domain(domain_id)?.name.clone())
    }

    fn file(&self, reference: &str) -> Option<FileFacts> {
        self.files.facts(reference)
    }
}

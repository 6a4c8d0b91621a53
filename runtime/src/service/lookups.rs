//! The look-ups of a request: domains and files from the catalog it was admitted with.

use crate::store::catalog::Catalog;
use crate::validate::{CodeLookup, FileFacts, Lookups};

/// Look-ups for the records of one dataset.
pub(super) struct CatalogLookups<'a> {
    pub(super) catalog: &'a Catalog,
    pub(super) tenant: &'a str,
    pub(super) dataset: &'a str,
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
        let id = super::ids::file_id_of(reference);
        let file = self
            .catalog
            .files
            .get(id)
            .filter(|file| file.dataset == self.dataset)?;
        Some(FileFacts {
            id: file.id.clone(),
            media_type: file.media_type.clone(),
            size: file.size,
            width: file.width,
            height: file.height,
        })
    }
}

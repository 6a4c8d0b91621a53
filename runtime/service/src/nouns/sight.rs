//! What whoever asks sees of the catalogue.

use crate::{Caller, Rights};
use store::catalog::Catalog;

/// What whoever asks sees: a catalog, and its rights in it.
#[derive(Clone, Copy)]
pub struct Sight<'c> {
    /// The catalog.
    pub catalog: &'c Catalog,
    /// The tenant of whoever asks.
    pub tenant: &'c str,
    pub(crate) rights: Rights<'c>,
}

impl Caller {
    /// What it sees.
    pub(crate) fn sight(&self) -> Sight<'_> {
        Sight {
            catalog: self.catalog(),
            tenant: self.tenant(),
            rights: self.rights(),
        }
    }
}

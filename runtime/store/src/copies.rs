//! A whole store, and copies of it to try things on: what is written to a copy is seen in no other store, and goes
//! with it. What is tried, and who may ask for it, is not told here.

use crate::files::Files;
use crate::{
    Catalogs, DailyCounts, Issued, Jobs, Leases, Records, Retention, SharedLimits, StoreFuture,
};
use std::sync::Arc;

/// A store of records, of the catalog, of what is issued, of jobs, and of counts of days, from which things may go by their
/// age, with limits and leases that hold for all who share it.
pub trait Store:
    Records + Catalogs + Issued + Copies + Jobs + DailyCounts + Retention + SharedLimits + Leases
{
}

impl<S> Store for S where
    S: Records
        + Catalogs
        + Issued
        + Copies
        + Jobs
        + DailyCounts
        + Retention
        + SharedLimits
        + Leases
{
}

/// A copy of a store, which is gone when both its handles are.
pub struct ThrowawayCopy {
    /// Catalog and records.
    pub store: Arc<dyn Store>,
    /// What is known of files; their contents are not copied.
    pub files: Arc<dyn Files>,
}

impl std::fmt::Debug for ThrowawayCopy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ThrowawayCopy").finish_non_exhaustive()
    }
}

/// The contract of a store that can be copied.
pub trait Copies: Send + Sync {
    /// A copy of all that was committed when it began; `None` where an engine makes none. Writes go on meanwhile.
    fn throwaway_copy(&self) -> StoreFuture<'_, Option<ThrowawayCopy>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    /// Waits until copies whose handles are gone have left nothing behind, as far as that can be removed now.
    fn copies_gone(&self) -> StoreFuture<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }
}

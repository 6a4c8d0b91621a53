//! Whether a newer program has changed the tables since this one opened them. From then on this one asks nothing more of
//! them: it would take rows of a newer form for something else, and write some that the newer one does not expect.

use parking_lot::RwLock;
use std::sync::Arc;
use store::StoreError;

/// The newest step of the tables, and the newest that this program knows, once that is an older one.
#[derive(Clone, Default)]
pub(crate) struct StepGuard(Arc<RwLock<Option<(i64, i64)>>>);

impl StepGuard {
    /// Refuses tables that were found to be newer.
    pub(crate) fn require_known(&self) -> Result<(), StoreError> {
        match *self.0.read() {
            Some((found, known)) => Err(StoreError::Newer { found, known }),
            None => Ok(()),
        }
    }

    /// Notes that the tables are newer, and tells the log, once.
    pub(crate) fn note(&self, found: i64, known: i64) {
        if self.0.write().replace((found, known)).is_none() {
            tracing::error!(
                found,
                known,
                "a newer program has changed the tables of the database: this one takes no requests and writes nothing any more; \
                 replace it"
            );
        }
    }

    /// Notes that they are known again: the database was brought back to a moment of before.
    pub(crate) fn forget(&self) {
        if self.0.write().take().is_some() {
            tracing::info!("the tables of the database are those of this program again");
        }
    }

    /// Whether they were found to be newer.
    pub(crate) fn is_closed(&self) -> bool {
        self.0.read().is_some()
    }
}

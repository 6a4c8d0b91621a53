//! Whether an index was found damaged while it was used. It is made anew then and never repaired; who finds the
//! damage gets an error, and nobody is told what a damaged index says.

use crate::error::Failure;
use rusqlite::ErrorCode;
use std::sync::atomic::{AtomicBool, Ordering};
use store::StoreError;

/// What is known of an index's damage.
#[derive(Default)]
pub(super) struct Damage(AtomicBool);

impl Damage {
    pub(super) fn is_there(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// Remembers a failure that tells of damage; the log has the first.
    pub(super) fn noted(&self, failure: Failure) -> Failure {
        if !is_damage(&failure) {
            return failure;
        }
        if !self.0.swap(true, Ordering::AcqRel) {
            tracing::error!(
                error = %failure,
                "the search index is damaged; it is made anew from the records"
            );
        }
        StoreError::IndexDamaged.into()
    }

    /// Notes that the index does not hold what was written there.
    pub(super) fn report_difference(&self) -> Failure {
        if !self.0.swap(true, Ordering::AcqRel) {
            tracing::error!(
                "the search index does not hold what was written there; it is rebuilt from the records"
            );
        }
        StoreError::IndexDamaged.into()
    }

    /// The index was made anew.
    pub(super) fn mended(&self) {
        self.0.store(false, Ordering::Release);
    }

    /// Refuses to work with an index that is damaged.
    pub(super) fn refuse(&self) -> Result<(), Failure> {
        if self.is_there() {
            return Err(StoreError::IndexDamaged.into());
        }
        Ok(())
    }
}

/// Whether a failure says that what is in the file is not what was written there. A disk that fails is not damage:
/// it may read the same block the next time.
fn is_damage(failure: &Failure) -> bool {
    let Failure::Database(error) = failure else {
        return false;
    };
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    )
}

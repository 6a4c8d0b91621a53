//! Why the store could not do its work. What a caller did wrong is a verdict, never one of these.

use thiserror::Error;

/// A failure of the store.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process has the data folder.
    #[error("the data folder {0} is in use by another process; stop it first, or use its address")]
    InUse(String),
    /// The store was written by a newer version.
    #[error(
        "the store has version {found}, newer than this program's {known}; use a newer program"
    )]
    Newer {
        /// Its version.
        found: i64,
        /// The newest this program knows.
        known: i64,
    },
    /// The store is shutting down.
    #[error("the store is closed")]
    Closed,
    /// Something stored can't be read.
    #[error("the store is damaged: {0}; run `fieldstone check`")]
    Damaged(String),
    /// The database failed.
    #[cfg(feature = "sqlite")]
    #[error("the database failed")]
    Sqlite(#[from] rusqlite::Error),
    /// A file failed.
    #[error("a file of the store failed")]
    File(#[from] std::io::Error),
}

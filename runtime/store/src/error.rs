//! Why the store could not do its work. What a caller did wrong is a verdict, never one of these.

use thiserror::Error;

/// A failure of the store. After one, nothing of the work it answers was done.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process has the data folder.
    #[error("the data folder {0} is in use by another process; stop it first, or use its address")]
    InUse(String),
    /// There is no store to read.
    #[error("the data folder {0} holds no store; make one with `fieldstone init`")]
    Missing(String),
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
    /// The work took longer than it may.
    #[error("the work took longer than it may, and was given up")]
    TimedOut,
    /// The work panicked; what it had begun was taken back.
    #[error("work inside the store panicked; it was taken back")]
    Panicked,
    /// Places are numbers of limited size, and the dataset's are used up.
    #[error("dataset number {dataset} has no place for another record; use another dataset")]
    NoPlace {
        /// The dataset's number.
        dataset: u32,
    },
    /// Whenever the request was judged, the catalog changed before it was written.
    #[error("the catalog changed each time the request was judged; it was given up")]
    Overtaken,
    /// Something stored can't be read.
    #[error("the store is damaged: {0}; run `fieldstone check`")]
    Damaged(String),
    /// A stored document can't be read, or a noun can't be written as one.
    #[error("the document of {what} does not follow its form; run `fieldstone check`")]
    Document {
        /// What it describes.
        what: String,
        /// Where it fails.
        source: serde_json::Error,
    },
    /// The database failed.
    #[error("the database failed")]
    Database(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A file failed.
    #[error("a file of the store failed")]
    File(#[from] std::io::Error),
}

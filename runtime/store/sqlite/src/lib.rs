//! The embedded store: one SQLite file in a data folder. One thread writes; everything that is
//! waiting goes into one transaction (group commit), so that many writers share one sync to disk. Reads
//! run on connections of their own beside it.

mod catalog;
mod changes;
mod check;
mod checksum;
mod data_folder;
mod error;
mod files;
mod folder;
mod gaps;
mod issued;
mod log_row;
mod noun_rows;
mod open;
mod opened_files;
mod pages;
mod record_cache;
mod records;
mod row;
mod search;
mod write;
mod writer;

#[cfg(test)]
mod tests;

pub use folder::SqliteFolder;
pub use search::SqliteSearch;

use changes::Changes;
use data_folder::FolderLock;
use error::Failure;
use issued::IssuedTables;
use open::Readers;
use opened_files::OpenedFiles;
use parking_lot::RwLock;
use record_cache::RecordCache;
use rusqlite::Connection;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use store::StoreError;
use store::catalog::Catalog;
use writer::{READERS_REST, Shared, Writer};

/// What can be said of a store when it is opened.
#[derive(Clone, Copy, Debug)]
pub struct SqliteOptions {
    /// Bytes of memory for records that were looked up by primary key before, so that they are found without
    /// the database; 0 keeps none. They are taken as records are looked up.
    pub record_cache_bytes: u64,
    /// Whether an empty store is begun where a folder has files of a store and no database, or one of no bytes.
    /// Without, that is [`StoreError::Lost`]. A folder that is empty, or not there, gets a store in any case.
    pub create: bool,
}

impl Default for SqliteOptions {
    /// An eighth of the memory there is, 1 GiB at most.
    fn default() -> Self {
        SqliteOptions {
            record_cache_bytes: record_cache::default_bytes(),
            create: false,
        }
    }
}

/// A store in a data folder.
pub struct SqliteStore {
    readers: Arc<Readers>,
    changes: Arc<Changes>,
    record_cache: Arc<RecordCache>,
    catalog: Arc<RwLock<Arc<Catalog>>>,
    issued: Arc<IssuedTables>,
    // dropped before the lock: the writer finishes what is queued
    writer: Writer,
    _lock: FolderLock,
}

impl std::fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SqliteStore").finish_non_exhaustive()
    }
}

impl SqliteStore {
    /// Opens the store of a folder, making both if they are not there, and locks the folder.
    ///
    /// # Errors
    /// When another process has the folder, the folder lost its database, the store is from a newer version, or
    /// the disk fails.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        Self::open_with(folder, SqliteOptions::default())
    }

    /// Opens the store of a folder as [`open`](Self::open) does, with options.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn open_with(folder: &Path, options: SqliteOptions) -> Result<Self, StoreError> {
        Ok(Self::open_prepared(folder, options, READERS_REST, |_| {
            Ok(())
        })?)
    }

    /// Opens the store after a word with the connection that will write.
    fn open_prepared(
        folder: &Path,
        options: SqliteOptions,
        readers_rest: Duration,
        prepare: impl FnOnce(&Connection) -> rusqlite::Result<()>,
    ) -> Result<Self, Failure> {
        data_folder::make(folder)?;
        let lock = FolderLock::take(folder, options.create)?;
        let file = folder.join(open::FILE);
        let connection = open::writer_connection(&file)?;
        prepare(&connection)?;
        let files = Arc::new(OpenedFiles::of(&file)?);
        let readers = Arc::new(Readers::open(&file, files.clone())?);
        let issued = Arc::new(IssuedTables::default());
        let loaded = catalog::load(&connection, &issued)?;
        let catalog = Arc::new(RwLock::new(Arc::new(loaded)));
        let changes = Arc::new(Changes::default());
        let shared = Shared {
            catalog: catalog.clone(),
            issued: issued.clone(),
            readers: readers.clone(),
            files,
            readers_rest,
            changes: changes.clone(),
        };
        let writer = Writer::start(connection, shared)?;
        Ok(SqliteStore {
            readers,
            changes,
            record_cache: Arc::new(RecordCache::new(options.record_cache_bytes)),
            catalog,
            issued,
            writer,
            _lock: lock,
        })
    }

    /// Whether a folder has a store in it.
    ///
    /// # Errors
    /// [`StoreError::Lost`] when it has files of a store and no database; when the disk fails.
    pub fn is_in(folder: &Path) -> Result<bool, StoreError> {
        Ok(data_folder::holds_store(folder)?)
    }

    /// Checks the store of a folder, reading only: also beside the process that has it.
    ///
    /// # Errors
    /// When there is no store, it is from a newer version, or the disk fails.
    pub fn check_folder(folder: &Path) -> Result<Vec<String>, StoreError> {
        Ok(check::check(&open::existing(folder)?)?)
    }

    /// How many transactions the writer has committed since the store was opened: fewer than the
    /// writes, because those that wait together share one.
    pub fn transactions(&self) -> u64 {
        self.writer.transactions()
    }

    /// Finishes what is queued and closes the store.
    pub fn close(self) {
        drop(self);
    }
}

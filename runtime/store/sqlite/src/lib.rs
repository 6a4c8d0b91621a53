//! The embedded store: one SQLite file in a data folder. One thread writes; everything that is
//! waiting goes into one transaction (group commit), so that many writers share one sync to disk. Reads
//! run on connections of their own beside it.

mod access;
mod anew;
mod backup;
mod catalog;
mod changes;
mod check;
mod check_catalog;
mod checkpoints;
mod checksum;
mod commit_mark;
mod compact;
mod daily_counts;
mod data_folder;
mod deliveries;
mod error;
mod files;
mod folder;
mod folder_check;
mod gaps;
mod give_way;
mod issued;
mod job_rows;
mod job_steps;
mod jobs;
mod length_limit;
mod log_row;
mod noted_jobs;
mod noun_rows;
mod open;
mod opened_files;
mod pace;
mod pages;
mod past;
mod past_states;
mod queued_job;
mod record_cache;
mod records;
mod restored;
mod retention;
mod row;
mod seal;
mod search;
mod throwaway;
mod transfer;
mod write;
mod writer;

#[cfg(test)]
mod tests;

pub use access::Access;
pub use backup::StoreCopy;
pub use compact::Compacted;
pub use data_folder::{RESTORE_PREFIX, TOKEN_FILE};
pub use folder::SqliteFolder;
pub use folder_check::FolderCheck;
pub use search::SqliteSearch;

use access::{ReadAccess, Untouched};
use changes::Changes;
use checkpoints::Checkpoints;
use data_folder::{FolderLock, SharedLock};
use error::Failure;
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
use store::files::StoredFile;
use store::issued_tables::IssuedTables;
use tempfile::TempDir;
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
    /// Whether the store is opened to be written.
    pub access: Access,
    /// Whether a database that was in use is opened though its write-ahead log is missing or another's. Without, that is
    /// [`StoreError::LogLost`]. What only the log had is lost then.
    pub without_log: bool,
    /// How many pages of 4 KiB the write-ahead log has when they are brought into the database: with fewer, less is at
    /// stake when the log rots, and writes cost more (`cargo bench -p bench --bench checkpoints`).
    pub checkpoint_pages: u32,
    /// Whether the writer waits for those that it just answered, half a sync or, on one core, one, so that more of them share the next
    /// one (`cargo bench -p bench --bench groups`), where 32 or more write, or 8 on one core.
    pub gathers: bool,
}

impl Default for SqliteOptions {
    /// An eighth of the memory there is, 32 MiB at most.
    fn default() -> Self {
        SqliteOptions {
            record_cache_bytes: record_cache::default_bytes(),
            create: false,
            access: Access::Write,
            without_log: false,
            checkpoint_pages: open::CHECKPOINT_PAGES,
            gathers: true,
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
    // behind the connections
    _untouched: Option<Untouched>,
    _lock: Lock,
    /// Of a copy: it goes with the store.
    _folder: Option<TempDir>,
}

/// How the folder is held.
enum Lock {
    Alone(#[allow(dead_code, reason = "it is held")] FolderLock),
    Shared(#[allow(dead_code, reason = "it is held")] SharedLock),
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
        let written = || {
            let opened = Self::open_prepared(folder, options, READERS_REST, |_| Ok(()));
            opened.map_err(|failure| failure.of_opening(folder))
        };
        let opened = match options.access {
            Access::Write => written(),
            Access::Read => Self::open_to_read(folder, options),
            Access::WriteUnlessFull => match written() {
                Err(error) if access::is_full(&error) => {
                    tracing::error!(
                        error = %error,
                        "the disk is full: the store is read only until there is room and it is opened again"
                    );
                    Self::open_to_read(folder, options)
                }
                opened => opened,
            },
        };
        let opened = opened?;
        let whole = |connection: &Connection| transfer::require_whole(connection, folder);
        opened.readers.with(whole)?;
        Ok(opened)
    }

    /// Opens the store of a folder to read it, and leaves the folder as it is.
    fn open_to_read(folder: &Path, options: SqliteOptions) -> Result<Self, Failure> {
        if !data_folder::holds_store(folder)? {
            return Err(StoreError::Missing(folder.display().to_string()).into());
        }
        let lock = Lock::Shared(SharedLock::take(folder)?);
        let file = folder.join(data_folder::FILE);
        let untouched = Untouched::of(&file);
        commit_mark::require_log(&file)?;
        let access = ReadAccess::of(&file)?;
        let connection = open::reader_connection(&file, access)?;
        open::require_current(&connection)?;
        let issued = Arc::new(IssuedTables::default());
        let loaded = catalog::load(&connection, &issued)?;
        let files = Arc::new(OpenedFiles::of(&file)?);
        Ok(SqliteStore {
            readers: Arc::new(Readers::open(&file, access, files)?),
            changes: Arc::new(Changes::default()),
            record_cache: Arc::new(RecordCache::new(options.record_cache_bytes)),
            catalog: Arc::new(RwLock::new(Arc::new(loaded))),
            issued,
            writer: Writer::none(),
            _untouched: untouched,
            _lock: lock,
            _folder: None,
        })
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
        throwaway::remove_leftovers(folder);
        compact::remove_leftovers(folder);
        let file = folder.join(data_folder::FILE);
        // before the first connection: the last one to go brings what the log holds into the database
        if options.without_log {
            commit_mark::accept_loss(&file)?;
        } else {
            commit_mark::require_log(&file)?;
        }
        let connection = open::writer_connection(&file)?;
        prepare(&connection)?;
        jobs::let_go(&connection)?;
        let files = Arc::new(OpenedFiles::of_writer(&file)?);
        // where the rest fails, it is closed before the files
        let connection = connection;
        let shared = ReadAccess::Shared;
        let readers = Arc::new(Readers::open(&file, shared, files.clone())?);
        let issued = Arc::new(IssuedTables::default());
        let loaded = catalog::load(&connection, &issued)?;
        let catalog = Arc::new(RwLock::new(Arc::new(loaded)));
        let changes = Arc::new(Changes::default());
        let checkpoints = Checkpoints::start(
            &file,
            options.checkpoint_pages,
            files.clone(),
            readers.clone(),
        )?;
        let shared = Shared {
            catalog: catalog.clone(),
            issued: issued.clone(),
            readers: readers.clone(),
            files,
            readers_rest,
            changes: changes.clone(),
            checkpoints,
            gathers: options.gathers,
        };
        let writer = Writer::start(connection, shared)?;
        Ok(SqliteStore {
            readers,
            changes,
            record_cache: Arc::new(RecordCache::new(options.record_cache_bytes)),
            catalog,
            issued,
            writer,
            _untouched: None,
            _lock: Lock::Alone(lock),
            _folder: None,
        })
    }

    /// Whether a folder has a store in it.
    ///
    /// # Errors
    /// [`StoreError::Lost`] when it has files of a store and no database; when the disk fails.
    pub fn is_in(folder: &Path) -> Result<bool, StoreError> {
        Ok(data_folder::holds_store(folder)?)
    }

    /// Whether another process has a folder alone, as who may write does; not one that only reads. For who has not opened
    /// the folder itself.
    pub fn has_writer(folder: &Path) -> bool {
        data_folder::has_writer(folder)
    }

    /// Whether another process has a folder, be it one that only reads; where a system locks no folders, one may. For who has
    /// not opened the folder itself.
    pub fn is_in_use(folder: &Path) -> bool {
        data_folder::is_in_use(folder)
    }

    /// The uploaded files that the store of a folder knows, by their ids, behind one of them; so many at most. Reads
    /// only, also beside the process that has the store.
    ///
    /// # Errors
    /// When there is no store, it is from a newer version, or the disk fails.
    pub fn files_in_folder(
        folder: &Path,
        after: &str,
        max: usize,
    ) -> Result<Vec<StoredFile>, StoreError> {
        let _untouched = Untouched::of(&folder.join(data_folder::FILE));
        let store = open::existing(folder)?;
        Ok(files::known(&store, after, max)?)
    }

    /// The catalog of the store of a folder, without what is issued. Reads only, also beside the process that has the store.
    ///
    /// # Errors
    /// When there is no store, it is from a newer version, it is damaged, or the disk fails.
    pub fn catalog_in_folder(folder: &Path) -> Result<Catalog, StoreError> {
        let _untouched = Untouched::of(&folder.join(data_folder::FILE));
        let store = open::existing(folder)?;
        Ok(catalog::load_nouns(&store, &IssuedTables::default())?)
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

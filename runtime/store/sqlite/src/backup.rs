//! Copies of a store for keeping: its database as of one commit, in a folder that goes with the copy, looked at whole
//! before anyone takes it away. Who writes goes on meanwhile; the write-ahead log can't begin anew until the copy is made.
//! Where a copy is kept, and what else belongs to it, is not told here.

use super::access::Untouched;
use super::data_folder::{self, SharedLock};
use super::{SqliteStore, catalog, check, commit_mark, files, open, throwaway, transfer};
use crate::error::Failure;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use store::catalog::Catalog;
use store::files::StoredFile;
use store::issued_tables::IssuedTables;
use store::{StoreError, StoreFuture};
use tempfile::TempDir;

/// How many times the bytes of the store must be free for a copy: for itself alone.
const ROOM_TO_COPY: u64 = 1;

/// A copy of a store's database, in a folder that goes with it.
#[derive(Debug)]
pub struct StoreCopy {
    folder: TempDir,
}

impl StoreCopy {
    /// The store of a folder that was made for it and is closed.
    pub fn of(folder: TempDir) -> Self {
        StoreCopy { folder }
    }

    /// The database's file. Nobody has it open.
    pub fn database(&self) -> PathBuf {
        self.folder.path().join(data_folder::FILE)
    }

    /// The copy's own `check`: what contradicts in it. Takes as long as the store is large.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn check(&self) -> Result<Vec<String>, StoreError> {
        let found = self.read(check::check)?;
        Ok(found)
    }

    /// Its catalog, without what is issued.
    ///
    /// # Errors
    /// When it is damaged, or the disk fails.
    pub fn catalog(&self) -> Result<Catalog, StoreError> {
        let read =
            |connection: &Connection| catalog::load_nouns(connection, &IssuedTables::default());
        Ok(self.read(read)?)
    }

    /// The files that it knows, by their ids, behind one of them; so many at most.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn files(&self, after: &str, max: usize) -> Result<Vec<StoredFile>, StoreError> {
        Ok(self.read(|connection| files::known(connection, after, max))?)
    }

    fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T, Failure>) -> Result<T, Failure> {
        let file = self.database();
        let _untouched = Untouched::of(&file);
        let connection = open::existing(self.folder.path())?;
        read(&connection)
    }
}

/// Tells who copies that nobody waits any more.
struct GiveUp(Arc<AtomicBool>);

impl Drop for GiveUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl SqliteStore {
    /// A copy of all that was committed when it began, in the store's own folder or, where that is only read, among the
    /// machine's temporary files. Ends early when nobody waits for it.
    ///
    /// # Errors
    /// [`StoreError::NoRoomForCopy`]; when the disk fails.
    pub fn backup_copy(&self) -> StoreFuture<'_, StoreCopy> {
        let span = tracing::debug_span!("store.backup_copy");
        let source = self.readers.another();
        let file = self.readers.file().to_owned();
        let beside = !self.writer.is_read_only();
        let given_up = Arc::new(AtomicBool::new(false));
        let waits = GiveUp(given_up.clone());
        Box::pin(async move {
            let work = tokio::task::spawn_blocking(move || {
                let is_given_up = || given_up.load(Ordering::Relaxed);
                span.in_scope(|| {
                    copied(
                        &mut source()?,
                        &file,
                        file.parent().filter(|_| beside),
                        &is_given_up,
                    )
                })
            });
            let copy = work.await.map_err(|_| StoreError::Panicked)?;
            drop(waits);
            Ok(copy?)
        })
    }

    /// A copy of the store of a folder that nobody has open to write, of any version up to this program's. The folder is
    /// left as it is; the copy is made in another, or among the machine's temporary files.
    ///
    /// # Errors
    /// [`StoreError::InUse`] beside a process that has it; those of [`backup_copy`](Self::backup_copy).
    pub fn backup_copy_of(folder: &Path, parent: Option<&Path>) -> Result<StoreCopy, StoreError> {
        if !data_folder::holds_store(folder)? {
            return Err(StoreError::Missing(folder.display().to_string()));
        }
        let _lock = SharedLock::take(folder)?;
        let file = folder.join(data_folder::FILE);
        let _untouched = Untouched::of(&file);
        commit_mark::require_log(&file)?;
        let mut source = open::existing(folder)?;
        transfer::require_whole(&source, folder)?;
        Ok(copied(&mut source, &file, parent, &|| false)?)
    }
}

fn copied(
    source: &mut Connection,
    file: &Path,
    parent: Option<&Path>,
    is_given_up: &dyn Fn() -> bool,
) -> Result<StoreCopy, Failure> {
    let folder = throwaway::folder(file, parent, ROOM_TO_COPY)?;
    throwaway::copy_into(&folder, source, is_given_up)?;
    Ok(StoreCopy { folder })
}

//! Throwaway copies of a store: the database is copied page by page into a folder of its own, as of one commit, while
//! the writer goes on, and opened there. The copy syncs nothing: it goes with its last handle, its folder too. What a
//! process that was killed left behind goes when the store is opened next.

use super::commit_mark::CommitMark;
use super::open::version;
use super::{Access, SqliteOptions, SqliteStore, data_folder};
use crate::error::Failure;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::{Copies, Leases, SharedLimits, StoreError, StoreFuture, ThrowawayCopy};
use tempfile::TempDir;

/// How the folders of copies begin.
const PREFIX: &str = "trial-";

/// Pages that are copied at a time: all see one state of the store.
const PAGES_AT_ONCE: i32 = 4096;

/// How many times the bytes of the store must be free for a copy: for itself and for what is tried.
const ROOM_TO_TRY: u64 = 2;

// nobody shares a folder, so the service counts in memory, and has every lease
impl SharedLimits for SqliteStore {}

impl Leases for SqliteStore {}

impl Copies for SqliteStore {
    fn throwaway_copy(&self) -> StoreFuture<'_, Option<ThrowawayCopy>> {
        let span = tracing::debug_span!("store.throwaway_copy");
        let source = self.readers.another();
        let file = self.readers.file().to_owned();
        let beside = !self.writer.is_read_only();
        Box::pin(async move {
            // it reads and writes everything, so on a thread that may take its time
            let work = tokio::task::spawn_blocking(move || {
                span.in_scope(|| copy(&mut source()?, &file, beside))
            });
            let store = Arc::new(work.await.map_err(|_| StoreError::Panicked)??);
            Ok(Some(ThrowawayCopy {
                store: store.clone(),
                files: store,
            }))
        })
    }
}

fn copy(source: &mut Connection, file: &Path, beside: bool) -> Result<SqliteStore, Failure> {
    let parent = file.parent().filter(|_| beside);
    let folder = folder(file, parent, ROOM_TO_TRY)?;
    copy_into(&folder, source, &|| false)?;
    SqliteStore::open_copy(folder)
}

/// Copies a database into a folder, as of one commit; an error once it `is_given_up`.
pub(super) fn copy_into(
    folder: &TempDir,
    source: &mut Connection,
    is_given_up: &dyn Fn() -> bool,
) -> Result<(), Failure> {
    let target = folder.path().join(data_folder::FILE);
    data_folder::make_file(&target)?;
    {
        let mut target = Connection::open(&target)?;
        target.execute_batch("PRAGMA synchronous = OFF;")?;
        // one state of the store, whatever is committed meanwhile
        let source = source.transaction_with_behavior(TransactionBehavior::Deferred)?;
        version(&source)?;
        let backup = Backup::new(&source, &mut target)?;
        loop {
            match backup.step(PAGES_AT_ONCE)? {
                StepResult::Done => break,
                StepResult::More if !is_given_up() => {}
                _ => return Err(StoreError::TimedOut.into()),
            }
        }
        drop(backup);
        // it needs no log: it has what the log had
        let mark = CommitMark::of(&target)?;
        mark.of_copy(&target)?.write(&target)?;
    }
    Ok(())
}

/// A folder for a copy of a database, in this one or where the machine has such, if there is room for it.
pub(super) fn folder(file: &Path, parent: Option<&Path>, room: u64) -> Result<TempDir, Failure> {
    let parent = parent.map_or_else(std::env::temp_dir, Path::to_owned);
    require_room(file, &parent, room)?;
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    Ok(builder.prefix(PREFIX).tempdir_in(parent)?)
}

/// Refuses a copy that could fill the disk: so many times its bytes must be free.
pub(super) fn require_room(file: &Path, parent: &Path, room: u64) -> Result<(), Failure> {
    let log = file.with_extension("db-wal");
    let length = |file: &Path| std::fs::metadata(file).map_or(0, |file| file.len());
    let needed = room * (length(file) + length(&log));
    match free_bytes(parent)? {
        Some(free) if free < needed => Err(StoreError::NoRoomForCopy {
            folder: parent.display().to_string(),
            needed,
            free,
        }
        .into()),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn free_bytes(folder: &Path) -> Result<Option<u64>, Failure> {
    let disk = rustix::fs::statvfs(folder).map_err(std::io::Error::from)?;
    Ok(Some(disk.f_bavail.saturating_mul(disk.f_frsize)))
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Result<Option<u64>, Failure> {
    Ok(None)
}

/// Removes what a killed process left behind; who holds the folder's lock alone has no copies yet.
pub(super) fn remove_leftovers(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_copy = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(PREFIX) && path.join(data_folder::FILE).is_file()
    };
    for path in entries.map(|entry| entry.path()).filter(is_copy) {
        if let Err(error) = std::fs::remove_dir_all(&path) {
            tracing::warn!(%error, path = %path.display(), "a copy that was left behind can't be removed");
        }
    }
}

impl SqliteStore {
    /// Opens a copy, which takes its folder along when it goes.
    fn open_copy(folder: TempDir) -> Result<Self, Failure> {
        let options = SqliteOptions {
            record_cache_bytes: 0,
            create: false,
            access: Access::Write,
            ..SqliteOptions::default()
        };
        let unsynced =
            |connection: &Connection| connection.execute_batch("PRAGMA synchronous = OFF;");
        let store = Self::open_prepared(folder.path(), options, super::READERS_REST, unsynced)?;
        Ok(SqliteStore {
            _folder: Some(folder),
            ..store
        })
    }
}

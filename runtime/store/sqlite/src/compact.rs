//! Writes the databases of a folder anew, without the room that is free in them and without what was removed: SQLite
//! leaves removed rows in the file until something takes their place, and the index words until it joins its parts. The
//! new file is whole and on disk before it takes its name. Nobody has the folder meanwhile.

use super::anew::{put_in_place, remove_unplaced, write_anew};
use super::check;
use super::commit_mark::{self, CommitMark};
use super::data_folder::{self, FolderLock};
use super::opened_files::beside;
use super::{SqliteStore, open, search, throwaway};
use crate::error::Failure;
use rusqlite::Connection;
use std::path::Path;
use store::StoreError;

/// The newest entry of the log that takes words out of the index.
const TAKES_WORDS: &str =
    "SELECT coalesce(max(number), 0) FROM change_log WHERE action <> 'create'";

/// Bytes of the databases and their logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compacted {
    /// Bytes that they had.
    pub before: u64,
    /// Bytes that they have now.
    pub after: u64,
}

impl SqliteStore {
    /// Writes the store of a folder, brought to this version, and the index beside it, anew. Takes as long as a check and
    /// two copies of it.
    ///
    /// # Errors
    /// [`StoreError::InUse`] beside a process that has the folder; [`StoreError::Damaged`] for one that is not sound;
    /// [`StoreError::NoRoomForCopy`]; when the disk fails. The store is as it was then.
    pub fn compact_folder(folder: &Path) -> Result<Compacted, StoreError> {
        Ok(compact(folder)?)
    }
}

fn compact(folder: &Path) -> Result<Compacted, Failure> {
    if !data_folder::holds_store(folder)? {
        return Err(StoreError::Missing(folder.display().to_string()).into());
    }
    let _lock = FolderLock::take(folder, false)?;
    throwaway::remove_leftovers(folder);
    remove_leftovers(folder);
    let file = folder.join(data_folder::FILE);
    commit_mark::require_log(&file)?;
    let before = bytes(folder);
    let connection = open::writer_connection(&file)?;
    let found = check::check(&connection)?;
    if let Some(first) = found.first() {
        let count = found.len();
        let text = format!("it is not compacted: {count} contradictions, such as: {first}");
        return Err(StoreError::Damaged(text).into());
    }
    // as at an orderly end: whatever stops this, no log is missed
    let mark = CommitMark::of(&connection)?;
    if !mark.is_closed {
        // by itself, behind all others
        connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);")?;
        mark.next(true).write(&connection)?;
    }
    let newest: i64 = connection.query_row(TAKES_WORDS, [], |row| row.get(0))?;
    let fresh = write_anew(&connection, &file)?;
    let copy = Connection::open(&fresh)?;
    CommitMark::of(&copy)?.of_copy(&copy)?.write(&copy)?;
    drop((connection, copy));
    put_in_place(&fresh, &file)?;
    search::compact(folder, newest.cast_unsigned())?;
    Ok(Compacted {
        before,
        after: bytes(folder),
    })
}

/// Removes what one left that did not end: it is as long as a database, and holds its records. Who holds the folder's lock
/// alone has none under way yet.
pub(super) fn remove_leftovers(folder: &Path) {
    for name in [data_folder::FILE, search::FILE] {
        let file = folder.join(name);
        // an index that is a link is written anew beside what that leads to
        let file = file.canonicalize().unwrap_or(file);
        if let Err(error) = remove_unplaced(&file) {
            tracing::warn!(%error, path = %file.display(), "what a compaction left beside this file can't be removed");
        }
    }
}

/// Bytes of the databases of a folder and of their logs.
fn bytes(folder: &Path) -> u64 {
    let files = [data_folder::FILE, search::FILE];
    let all = files.iter().flat_map(|file| {
        let file = folder.join(file);
        [beside(&file, "-wal"), file]
    });
    all.filter_map(|file| Some(std::fs::metadata(file).ok()?.len()))
        .sum()
}

//! A database written anew, beside itself, and put in its place when it is whole and on disk. Nobody has it open meanwhile
//! but who asks for it.

use super::opened_files::beside;
use super::{data_folder, throwaway};
use crate::error::Failure;
use rusqlite::Connection;
use std::fs::File;
use std::path::{Path, PathBuf};
use store::StoreError;

/// How many times the bytes of a database must be free.
const ROOM: u64 = 1;

/// Writes a database anew beside itself; the new file.
pub(super) fn write_anew(connection: &Connection, file: &Path) -> Result<PathBuf, Failure> {
    let fresh = beside(file, ".new");
    remove_unplaced(file)?;
    let parent = file.parent().unwrap_or(Path::new("."));
    throwaway::require_room(file, parent, ROOM)?;
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);")?;
    data_folder::make_file(&fresh)?;
    connection.execute("VACUUM INTO ?1", [fresh.to_string_lossy()])?;
    Ok(fresh)
}

/// Removes what was to take the place of a database and did not, as of a process that was killed, with its journal.
pub(super) fn remove_unplaced(file: &Path) -> Result<(), Failure> {
    for end in [".new", ".new-journal"] {
        let left = beside(file, end);
        if remove_if_there(&left)? {
            tracing::info!(path = %left.display(), "what a compaction left that did not end is removed");
        }
    }
    Ok(())
}

/// Whether it was there.
fn remove_if_there(path: &Path) -> Result<bool, Failure> {
    match std::fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Puts a database that was written anew in place of the old one, which nobody has open any more.
pub(super) fn put_in_place(fresh: &Path, file: &Path) -> Result<(), Failure> {
    // the last connection takes the log along; one that stayed would be another's
    let log = beside(file, "-wal");
    if std::fs::metadata(&log).is_ok_and(|log| log.len() > 0) {
        let text = "its write-ahead log can't be brought over; it is not compacted".to_owned();
        return Err(StoreError::Damaged(text).into());
    }
    for end in ["-wal", "-shm"] {
        remove_if_there(&beside(file, end))?;
    }
    File::open(fresh)?.sync_all()?;
    std::fs::rename(fresh, file)?;
    if let Some(folder) = file.parent() {
        // where a folder can't be opened, the system sees to it
        if let Ok(folder) = File::open(folder) {
            folder.sync_all()?;
        }
    }
    Ok(())
}

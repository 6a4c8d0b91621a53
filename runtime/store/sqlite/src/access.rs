//! How a database can be read where it can't be written: beside a write-ahead log with SQLite's own locks, or,
//! where these have no place to be, as a file that nobody changes. A log is read or told, never passed over.

use super::opened_files::beside;
use crate::error::{Failure, finds_no_room};
use crate::length_limit::may_be_too_long;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use store::StoreError;

/// How a store is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// To read and to write.
    #[default]
    Write,
    /// To read and to write; only to read, if the disk is full.
    WriteUnlessFull,
    /// Only to read, and to leave the folder as it is.
    Read,
}

/// How connections for reading are made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadAccess {
    /// With locks: others may write.
    Shared,
    /// Without locks and log: nobody writes, and the log holds nothing.
    Immutable,
}

impl ReadAccess {
    /// How a database can be read that may be on a disk which can't be written.
    pub(super) fn of(file: &Path) -> Result<Self, Failure> {
        let shared = ReadAccess::Shared.connect(file);
        // the file is looked into by the first statement only
        let look = |connection: Connection| -> Result<i64, Failure> {
            Ok(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
        };
        let Err(error) = shared.and_then(look) else {
            return Ok(ReadAccess::Shared);
        };
        let log = beside(file, "-wal");
        let has_log = std::fs::metadata(&log).is_ok_and(|log| log.len() > 0);
        match &error {
            Failure::Database(found) if is_of_the_disk(found) && has_log => {
                Err(StoreError::UnreadLog(log.display().to_string()).into())
            }
            Failure::Database(found) if is_of_the_disk(found) => Ok(ReadAccess::Immutable),
            _ => Err(error),
        }
    }

    /// A connection that never writes.
    pub(super) fn connect(self, file: &Path) -> Result<Connection, Failure> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = match self {
            ReadAccess::Shared => Connection::open_with_flags(file, flags)?,
            ReadAccess::Immutable => {
                let address = format!("file:{}?immutable=1", escaped(file)?);
                Connection::open_with_flags(address, flags | OpenFlags::SQLITE_OPEN_URI)?
            }
        };
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        Ok(connection)
    }
}

/// A database that had no log and is only read: what SQLite makes beside it for that goes again when this is dropped,
/// once the connections are closed.
pub(super) struct Untouched {
    file: PathBuf,
}

impl Untouched {
    /// Of a database before it is opened; `None` where a log is there or was left, which is no matter of who reads.
    pub(super) fn of(file: &Path) -> Option<Self> {
        let is_there = |end| beside(file, end).try_exists().unwrap_or(true);
        let file = file.to_owned();
        (!is_there("-wal") && !is_there("-shm")).then_some(Untouched { file })
    }
}

impl Drop for Untouched {
    fn drop(&mut self) {
        let is_empty =
            |end| std::fs::metadata(beside(&self.file, end)).is_ok_and(|it| it.len() == 0);
        if !is_empty("-wal") {
            return;
        }
        // the last connection that may write removes them, and SQLite knows which one is the last
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let look = |connection: Connection| {
            connection.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0))
        };
        // what can't be removed is read over by the next one
        let _ = Connection::open_with_flags(&self.file, flags).and_then(look);
    }
}

/// A path within an address, where some characters mean something.
fn escaped(file: &Path) -> Result<String, Failure> {
    let file = std::path::absolute(file)?;
    let name = file.to_str().ok_or_else(|| {
        StoreError::Damaged(format!(
            "the path {} is no text, so it can't be read only",
            file.display()
        ))
    })?;
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '%' => text.push_str("%25"),
            '?' => text.push_str("%3f"),
            '#' => text.push_str("%23"),
            c => text.push(c),
        }
    }
    Ok(text)
}

/// Whether it is the disk that does not let the database make its files.
pub(super) fn is_of_the_disk(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::CannotOpen
                | ErrorCode::ReadOnly
                | ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure
                | ErrorCode::PermissionDenied
        )
    )
}

/// Whether an opening failed because the disk is full, or a file as long as it may be.
pub(super) fn is_full(failure: &Failure) -> bool {
    match failure {
        Failure::Database(error) => {
            error.sqlite_error_code() == Some(ErrorCode::DiskFull)
                || finds_no_room(error)
                || may_be_too_long(error)
        }
        Failure::Store(StoreError::File(error)) => matches!(
            error.kind(),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge
        ),
        Failure::Store(_) => false,
    }
}

//! What fails inside this engine, before its doors tell it as the contract does.

use crate::length_limit::may_be_too_long;
use rusqlite::{ErrorCode, ffi};
use std::io;
use std::path::Path;
use store::StoreError;

/// SQLite's own failure, or one that the contract names.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The database's.
    Database(rusqlite::Error),
    /// The contract's.
    Store(StoreError),
}

impl Failure {
    /// The same for another who waited for the same work.
    pub(crate) fn of_another(&self) -> Failure {
        match self {
            Failure::Database(rusqlite::Error::SqliteFailure(code, words)) => {
                rusqlite::Error::SqliteFailure(*code, words.clone()).into()
            }
            other => {
                let words: Box<dyn std::error::Error + Send + Sync> = other.to_string().into();
                StoreError::Database(words).into()
            }
        }
    }

    /// What an opening to write failed with: told as what it is, where the folder or its disk can't be written.
    pub(crate) fn of_opening(self, folder: &Path) -> Failure {
        let is_unwritable = match &self {
            Failure::Database(error) => error.sqlite_error_code() == Some(ErrorCode::ReadOnly),
            Failure::Store(StoreError::File(error)) => matches!(
                error.kind(),
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
            ),
            Failure::Store(_) => false,
        };
        if !is_unwritable {
            return self;
        }
        let source: Box<dyn std::error::Error + Send + Sync> = match self {
            Failure::Database(error) => Box::new(error),
            Failure::Store(error) => Box::new(error),
        };
        let folder = folder.display().to_string();
        StoreError::Unwritable { folder, source }.into()
    }

    /// Whether a transaction failed because a lock could not be had. One that is there is the writer's alone, so it was
    /// never begun.
    pub(crate) fn is_of_a_lock(&self) -> bool {
        let Failure::Database(error) = self else {
            return false;
        };
        let extended = error.sqlite_error().map(|error| error.extended_code);
        matches!(
            error.sqlite_error_code(),
            Some(
                ErrorCode::DatabaseBusy
                    | ErrorCode::DatabaseLocked
                    | ErrorCode::FileLockingProtocolFailed
            )
        ) || matches!(
            extended,
            Some(ffi::SQLITE_IOERR_LOCK | ffi::SQLITE_IOERR_RDLOCK | ffi::SQLITE_IOERR_SHMLOCK)
        )
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Database(error) => error.fmt(f),
            Failure::Store(error) => error.fmt(f),
        }
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Failure::Database(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Store(StoreError::File(error))
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Failure::Store(error)
    }
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Database(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) =>
            {
                StoreError::Database(Box::new(Misread(error)))
            }
            Failure::Database(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) =>
            {
                StoreError::Locked(Box::new(error))
            }
            Failure::Database(error) if finds_no_room(&error) => {
                StoreError::Database(Box::new(NoRoom(error)))
            }
            Failure::Database(error) if may_be_too_long(&error) => {
                StoreError::Database(Box::new(TooLong(error)))
            }
            Failure::Database(error) => StoreError::Database(Box::new(error)),
            Failure::Store(error) => error,
        }
    }
}

/// What the library calls a malformed image. It says so of damage, and while a disk fails, too: then nothing is damaged, and
/// it ends when the disk is well again.
#[derive(Debug)]
struct Misread(rusqlite::Error);

impl std::fmt::Display for Misread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(
            "what was read of it does not fit together: its disk fails just now, or it is damaged; look for I/O errors \
             before this one, and run `fieldstone check` when the disk is well",
        )
    }
}

impl std::error::Error for Misread {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// Whether the index of the write-ahead log finds no room on the disk, which SQLite tells as an I/O error.
pub(crate) fn finds_no_room(error: &rusqlite::Error) -> bool {
    let extended = error.sqlite_error().map(|error| error.extended_code);
    extended == Some(ffi::SQLITE_IOERR_SHMSIZE)
}

/// What the library calls an I/O error on a full disk.
#[derive(Debug)]
struct NoRoom(rusqlite::Error);

impl std::fmt::Display for NoRoom {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the disk is full, or it fails: the index of the write-ahead log finds no room; make some")
    }
}

impl std::error::Error for NoRoom {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// What the library calls an I/O error, where the files of this process may be so long and no longer.
#[derive(Debug)]
struct TooLong(rusqlite::Error);

impl std::fmt::Display for TooLong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(
            "a file of it is as long as those of this process may be, or its disk fails; take the limit away \
             (`ulimit -f unlimited`, `LimitFSIZE=` of a unit)",
        )
    }
}

impl std::error::Error for TooLong {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::ffi;
    use std::error::Error as _;

    #[test]
    fn a_folder_that_can_not_be_written_is_told_by_its_path_with_what_to_do() {
        let folder = Path::new("/data");
        let told = |failure: Failure| store::chain(&StoreError::from(failure.of_opening(folder)));
        let closed = ffi::Error::new(ffi::SQLITE_READONLY_DIRECTORY);
        let closed = rusqlite::Error::SqliteFailure(closed, None);
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        for failure in [Failure::from(closed), denied.into()] {
            let told = told(failure);
            let is_told = told.starts_with("the data folder /data can't be written");
            assert!(is_told && told.contains("--read-only"), "{told}");
        }
        let told = told(StoreError::ReadOnly.into());
        assert!(!told.contains("/data"), "{told}");
    }

    #[test]
    fn what_may_be_a_failing_disk_is_not_told_as_damage_alone_and_a_full_one_as_full() {
        let malformed = ffi::Error::new(ffi::SQLITE_CORRUPT);
        let malformed = rusqlite::Error::SqliteFailure(malformed, None);
        let told = StoreError::from(Failure::from(malformed));
        let words = told.source().map(ToString::to_string).unwrap_or_default();
        assert!(
            words.contains("its disk fails just now, or it is damaged"),
            "{words}"
        );
        for code in [ffi::SQLITE_FULL, ffi::SQLITE_IOERR_SHMSIZE] {
            let full = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
            let told = StoreError::from(Failure::from(full));
            let words = told.source().map(ToString::to_string).unwrap_or_default();
            assert!(words.contains("is full"), "{words}");
        }
    }
}

//! Which files were opened, and whether their names still lead to them: a store that was removed, replaced or
//! moved away under a running process takes its writes along, so none of them may be acknowledged. Closing a file gives up the
//! locks that the process holds on it, those of connections too: so the one that is opened here, the database's own, is
//! closed behind the last of them. Whoever has connections drops them before this.

use crate::error::Failure;
use std::fs::File;
use std::path::{Path, PathBuf};
use store::StoreError;

/// What the database keeps beside its file while it is open: the write-ahead log has what was acknowledged
/// last, the index of the log has the locks.
const BESIDE: [&str; 2] = ["-wal", "-shm"];

/// The files of an open database.
pub(super) struct OpenedFiles {
    opened: Vec<(PathBuf, FileIdentity)>,
    /// That of the database, where it is written.
    database: Option<File>,
}

/// What tells a file from any other on the machine, whatever it is called.
#[derive(Clone, Copy, PartialEq, Eq)]
struct FileIdentity {
    device: u64,
    inode: u64,
}

impl OpenedFiles {
    /// Those of a database that was opened just now and looked into.
    pub(super) fn of(database: &Path) -> Result<Self, Failure> {
        let mut opened = vec![(database.to_owned(), identity(database)?)];
        for end in BESIDE {
            let path = beside(database, end);
            // a database that is only read may be without
            if path.try_exists()? {
                let own = identity(&path)?;
                opened.push((path, own));
            }
        }
        Ok(OpenedFiles {
            opened,
            database: None,
        })
    }

    /// The same, of a database that is written.
    pub(super) fn of_writer(database: &Path) -> Result<Self, Failure> {
        let files = Self::of(database)?;
        // writing, since elsewhere only who may write can sync
        let opened = File::options().read(true).write(true).open(database)?;
        Ok(OpenedFiles {
            database: Some(opened),
            ..files
        })
    }

    /// Has the disk take what was written into the database. SQLite does so by itself before it needs it; who comes before has
    /// the wait instead.
    pub(super) fn sync_database(&self) -> Result<(), Failure> {
        if let Some(database) = &self.database {
            database.sync_data()?;
        }
        Ok(())
    }

    /// That each is still where it was: a few microseconds, so that every commit may ask.
    pub(super) fn verify(&self) -> Result<(), Failure> {
        for (path, opened) in &self.opened {
            if identity(path).ok() != Some(*opened) {
                return Err(StoreError::Replaced(path.display().to_string()).into());
            }
        }
        Ok(())
    }
}

/// A file beside the database, by the end of its name.
pub(super) fn beside(database: &Path, end: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(end);
    name.into()
}

#[cfg(unix)]
fn identity(path: &Path) -> std::io::Result<FileIdentity> {
    use std::os::unix::fs::MetadataExt as _;
    let metadata = std::fs::metadata(path)?;
    Ok(FileIdentity {
        device: metadata.dev(),
        inode: metadata.ino(),
    })
}

/// Elsewhere an open file can't be removed or replaced.
#[cfg(not(unix))]
fn identity(path: &Path) -> std::io::Result<FileIdentity> {
    std::fs::metadata(path).map(|_| FileIdentity {
        device: 0,
        inode: 0,
    })
}

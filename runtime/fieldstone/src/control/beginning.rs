//! A store that a command begins, and takes back when the command fails: what it made goes, and nothing that was there.

use service::signing::SIGNING_SECRET_FILE;
use sqlite::SqliteStore;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// What opening a store makes in its folder.
const MADE: [&str; 5] = [
    "fieldstone.db",
    "fieldstone.db-wal",
    "fieldstone.db-shm",
    SIGNING_SECRET_FILE,
    "fieldstone.lock",
];
/// A folder that it makes there.
const MADE_FOLDER: &str = "files";

/// What is to be removed if it comes to nothing.
pub(super) struct Beginning {
    folder: PathBuf,
    has_made_folder: bool,
    files: Vec<PathBuf>,
    has_made_files: bool,
}

impl Beginning {
    /// Of a folder before its store is opened; `None` where it has a store, or had one.
    pub(super) fn of(folder: &Path, secret_file: &Path) -> Option<Self> {
        if !matches!(SqliteStore::is_in(folder), Ok(false)) {
            return None;
        }
        let is_new = |path: &PathBuf| !path.try_exists().unwrap_or(true);
        let made = MADE.map(|name| folder.join(name));
        let files = made.into_iter().chain([secret_file.to_owned()]);
        Some(Beginning {
            has_made_folder: is_new(&folder.to_owned()),
            has_made_files: is_new(&folder.join(MADE_FOLDER)),
            files: files.filter(is_new).collect(),
            folder: folder.to_owned(),
        })
    }

    /// Removes what was made, unless someone else has the folder by now.
    pub(super) fn take_back(self) -> io::Result<()> {
        let held = match File::open(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            held => held?,
        };
        if held.try_lock().is_err() {
            return Ok(());
        }
        for file in &self.files {
            match fs::remove_file(file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        // a folder that holds anything stays
        if self.has_made_files {
            let _ = fs::remove_dir(self.folder.join(MADE_FOLDER));
        }
        if self.has_made_folder {
            let _ = fs::remove_dir(&self.folder);
        }
        Ok(())
    }
}

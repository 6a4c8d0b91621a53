//! The data folder: made where there is none, refused where a store lost its database, and held by one process.

use super::opened_files::beside;
use crate::error::Failure;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::Duration;
use store::StoreError;

/// The database's name in the data folder.
pub(super) const FILE: &str = "fieldstone.db";
const LOCK_FILE: &str = "fieldstone.lock";
/// The file in which commands find the server that holds the folder. Whoever takes the folder removes what a killed one left.
pub const TOKEN_FILE: &str = "fieldstone.token";
/// How often a folder is asked for that someone has, and how long between: a process that begins has for a moment all
/// that the one has that begins it, one that ends may be about to, and so may one that [asks](is_in_use) who has it.
const LOCK_TRIES: u32 = 5;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// The database, and what SQLite keeps beside it, by the ends of their names.
const OF_THE_DATABASE: [&str; 3] = ["", "-wal", "-shm"];

/// What a store leaves in its folder beside the database. Where one of them is and the database is not, it was
/// lost: a volume is not mounted, a copy is not complete.
const OF_A_STORE: &[&str] = &[
    "fieldstone.db-wal",
    "search.db",
    "files",
    TOKEN_FILE,
    LOCK_FILE,
];

/// How the folders begin in which a backup lies that becomes this store. The database is the last to leave it.
pub const RESTORE_PREFIX: &str = "restoring-";

/// Makes the data folder where there is none, for this user alone: it holds the deployment's secret.
pub(super) fn make(folder: &Path) -> Result<(), Failure> {
    Ok(store::folders::make_folder_of_store(folder)?)
}

/// Makes a file for this user alone where there is none; SQLite gives the files beside a database the mode of the
/// database. One that is there is not opened: closing it would give up the locks that this process has on it.
pub(super) fn make_file(file: &Path) -> Result<(), Failure> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(file) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error.into()),
        _ => Ok(()),
    }
}

/// Refuses a database that is a link. Its log and its locks are beside what the link leads to, where neither a lock of this
/// folder nor a look into it finds them: two folders could have one database at once. A folder that is one is as good as
/// what it leads to. The same becomes of a database, or a log, that is one file with another name and in use: by each name it
/// has a log of its own, and neither knows what the other holds. One that lies still is read by any of its names, as of copies
/// that are links to what did not change since the copy before; who is to write it asks for [more](refuse_second_name).
pub(super) fn refuse_link(folder: &Path) -> Result<(), Failure> {
    let file = folder.join(FILE);
    if file.is_symlink() {
        return Err(StoreError::Linked(file.display().to_string()).into());
    }
    // an empty log holds nothing: readers leave one
    let has_log = || std::fs::metadata(beside(&file, "-wal")).is_ok_and(|log| log.len() > 0);
    match second_name(folder) {
        Some(named) if has_log() || is_held(folder) => Err(named.into()),
        _ => Ok(()),
    }
}

/// Refuses a folder whose database, or log, has another name, to who is to write it.
fn refuse_second_name(folder: &Path) -> Result<(), Failure> {
    match second_name(folder) {
        Some(named) => Err(named.into()),
        None => Ok(()),
    }
}

/// The first file of the database that has another name, as it is refused.
fn second_name(folder: &Path) -> Option<StoreError> {
    let file = folder.join(FILE);
    let mut files = OF_THE_DATABASE.iter().map(|end| beside(&file, end));
    let named = files.find(|file| has_second_name(file))?;
    Some(StoreError::SecondName(named.display().to_string()))
}

/// Whether a file is there and has another name.
#[cfg(unix)]
fn has_second_name(file: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(file).is_ok_and(|found| found.nlink() > 1)
}

/// Elsewhere nobody tells.
#[cfg(not(unix))]
fn has_second_name(_file: &Path) -> bool {
    false
}

/// Whether a folder has a database in it; one that lost it is an error, and so is one that is in another folder.
pub(super) fn holds_store(folder: &Path) -> Result<bool, Failure> {
    refuse_link(folder)?;
    let lost = |found: &str| {
        let folder = folder.display().to_string();
        let found = found.to_owned();
        Err(StoreError::Lost { folder, found }.into())
    };
    match std::fs::metadata(folder.join(FILE)) {
        Ok(file) if file.len() > 0 => Ok(true),
        Ok(_) => lost(&format!("an empty {FILE}")),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            if let Some(found) = left_by_restore(folder)? {
                let folder = folder.display().to_string();
                return Err(StoreError::Unrestored { folder, found }.into());
            }
            for name in OF_A_STORE {
                if folder.join(name).try_exists()? {
                    return lost(&format!("{name} and no {FILE}"));
                }
            }
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

/// What a restore left in a folder that broke off.
fn left_by_restore(folder: &Path) -> std::io::Result<Option<String>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let name = entry?.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(RESTORE_PREFIX) {
            return Ok(Some(name.into_owned()));
        }
    }
    Ok(None)
}

/// Whether a process has a folder, or the file by which it is known, that may write; where these can't be locked, nobody can
/// tell.
pub(super) fn is_held(path: &Path) -> bool {
    let tried = File::open(path).map(|file| file.try_lock_shared());
    matches!(tried, Ok(Err(TryLockError::WouldBlock)))
}

/// Whether another process has the folder alone, as who writes does. For who has none of its files open: closing the lock's
/// file may give up what this process has locked in it.
pub(super) fn has_writer(folder: &Path) -> bool {
    is_held(folder) || is_held(&folder.join(LOCK_FILE))
}

/// Whether another process has the folder, be it one that only reads; where folders can't be locked, one may.
pub(super) fn is_in_use(folder: &Path) -> bool {
    let tried = File::open(folder).map(|itself| held(itself, folder, File::try_lock));
    !matches!(tried, Ok(Ok(_)))
}

/// Removes the way to a server that had the folder and was killed: what listens there may be another program by now.
fn remove_left_token(folder: &Path) -> Result<(), Failure> {
    match std::fs::remove_file(folder.join(TOKEN_FILE)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

/// Holds the data folder for this process, until it ends.
pub(super) struct FolderLock {
    /// The folder itself, where a system can lock one: the lock is there whatever becomes of files in it.
    _folder: Option<File>,
    /// A file in it, by which systems know that can lock no folder.
    _file: File,
}

impl FolderLock {
    /// Takes it. Before a file is made in it, looks whether a store was lost there, unless one is to begin anew.
    pub(super) fn take(folder: &Path, create: bool) -> Result<Self, Failure> {
        refuse_link(folder)?;
        refuse_second_name(folder)?;
        let itself = File::open(folder)
            .ok()
            .map(|itself| held(itself, folder, File::try_lock))
            // who can't lock a folder has the file
            .and_then(|held| match held {
                Err(Failure::Store(StoreError::File(_))) => None,
                held => Some(held),
            })
            .transpose()?;
        if !create {
            holds_store(folder)?;
        }
        let path = folder.join(LOCK_FILE);
        make_file(&path)?;
        let file = OpenOptions::new().write(true).open(path)?;
        let lock = FolderLock {
            _folder: itself,
            _file: held(file, folder, File::try_lock)?,
        };
        remove_left_token(folder)?;
        Ok(lock)
    }
}

/// Shares the data folder with others who only read it, and keeps out who would write. Nothing is made in it.
pub(super) struct SharedLock {
    _folder: Option<File>,
}

impl SharedLock {
    pub(super) fn take(folder: &Path) -> Result<Self, Failure> {
        let itself = File::open(folder)?;
        match held(itself, folder, File::try_lock_shared) {
            Ok(itself) => Ok(SharedLock {
                _folder: Some(itself),
            }),
            // a system that locks no folders
            Err(Failure::Store(StoreError::File(_))) => Ok(SharedLock { _folder: None }),
            Err(failure) => Err(failure),
        }
    }
}

/// A file that is locked by now.
fn held(
    file: File,
    folder: &Path,
    lock: fn(&File) -> Result<(), TryLockError>,
) -> Result<File, Failure> {
    for _ in 0..LOCK_TRIES {
        match lock(&file) {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
    }
    Err(StoreError::InUse(folder.display().to_string()).into())
}

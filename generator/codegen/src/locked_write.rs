//! A run that keeps identifiers: the lock file is read, the files and the lock are written, and nobody else's run comes
//! between. Build scripts only read a lock.

use crate::config::Config;
use crate::error::Error;
use crate::file::File;
use crate::generate::{Locked, generate_locked};
use crate::input::Input;
use crate::lock::Lock;
use crate::write::{Change, compare, hold, read_text, replace, write_held};
use std::fs;
use std::path::{Path, PathBuf};

/// What a run with a lock file changes.
pub struct LockedChanges {
    /// What was generated.
    pub files: Vec<File>,
    /// What that changes in the directory of generated files.
    pub changes: Vec<Change>,
    /// What it changes in the lock file, whose path is that of the change; `None` where it was up to date.
    pub lock: Option<Change>,
}

/// Reads a lock file; one that is not there holds nothing.
///
/// # Errors
/// [`Error::File`] where it can't be read, [`Error::Config`] where it is no lock.
pub fn read_lock(path: &Path) -> Result<Lock, Error> {
    match read_text(path)? {
        Some(text) => Lock::read(&path.display().to_string(), &text),
        None => Ok(Lock::new()),
    }
}

/// What [`write_locked`] would change.
///
/// # Errors
/// As [`write_locked`].
pub fn compare_locked(
    dir: &Path,
    lock_file: &Path,
    inputs: &[Input],
    config: &Config,
) -> Result<LockedChanges, Error> {
    let (Locked { files, .. }, lock) = locked(lock_file, inputs, config)?;
    let changes = compare(dir, &files)?;
    Ok(LockedChanges {
        files,
        changes,
        lock,
    })
}

/// Makes `dir` hold the types of the inputs under the identifiers that the lock file keeps, and the lock file the
/// identifiers that are new. The lock is written first: one that knows more than the files does no harm.
///
/// # Errors
/// Those of [`generate()`](crate::generate()), of [`read_lock`] and of [`write()`](crate::write()).
pub fn write_locked(
    dir: &Path,
    lock_file: &Path,
    inputs: &[Input],
    config: &Config,
) -> Result<LockedChanges, Error> {
    // a link may lead to the lock of several: those who have it by other names wait for each other, too
    let real_lock = lock_file.canonicalize();
    let real_lock = real_lock.unwrap_or_else(|_| lock_file.to_owned());
    let folder = folder_of(&real_lock);
    for dir in [dir, folder] {
        fs::create_dir_all(dir).map_err(|error| Error::file("create", dir, error))?;
    }
    let real = |dir: &Path| {
        dir.canonicalize()
            .map_err(|error| Error::file("find", dir, error))
    };
    // always in one order, so that no two runs wait for each other
    let mut dirs: Vec<PathBuf> = vec![real(dir)?, real(folder)?];
    dirs.sort();
    dirs.dedup();
    let _held = dirs
        .iter()
        .map(|dir| hold(dir))
        .collect::<Result<Vec<_>, _>>()?;
    let (Locked { files, .. }, lock) = locked(lock_file, inputs, config)?;
    compare(dir, &files)?;
    if let Some(Change {
        after: Some(text), ..
    }) = &lock
    {
        let name = real_lock.file_name().unwrap_or_default().to_string_lossy();
        replace(folder, &name, text)?;
    }
    let changes = write_held(dir, &files)?;
    Ok(LockedChanges {
        files,
        changes,
        lock,
    })
}

fn locked(
    lock_file: &Path,
    inputs: &[Input],
    config: &Config,
) -> Result<(Locked, Option<Change>), Error> {
    let before = read_text(lock_file)?;
    let config = config.clone().lock(read_lock(lock_file)?);
    let locked = generate_locked(inputs, &config)?;
    let after = locked.lock.to_string();
    let change = (before.as_ref() != Some(&after)).then(|| Change {
        path: lock_file.display().to_string(),
        before,
        after: Some(after),
    });
    Ok((locked, change))
}

fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

//! Who can look into a data folder: nobody but its user. What the program makes is closed to others from the
//! moment it is there, whoever makes it (the store, the index, SQLite's own files, uploads); a folder that was
//! there before and is open is told, and left as it is: its owner may have meant it.

use std::path::Path;

/// Closes everything that this process makes from now on to other users: folders are 0700, files 0600. For the
/// first moments of the program, before there is another thread.
pub(crate) fn close_to_others() {
    #[cfg(unix)]
    nix::sys::stat::umask(nix::sys::stat::Mode::from_bits_truncate(0o077));
}

/// Warns of a data folder that other users of the machine can look into.
#[cfg(unix)]
pub(crate) fn warn_if_open(folder: &Path) {
    if let Some(mode) = open_mode(folder) {
        let shown = folder.display();
        tracing::warn!(
            "the data folder {shown} is open to other users (mode {mode:04o}), who may read all records and secrets in it; close it with: chmod -R go-rwx {shown}"
        );
    }
}

/// Warns of a file with a secret that other users of the machine can read.
#[cfg(unix)]
pub(crate) fn warn_if_readable(file: &Path) {
    if let Some(mode) = open_mode(file) {
        let shown = file.display();
        tracing::warn!(
            "the file {shown} holds a secret and is open to other users (mode {mode:04o}); close it with: chmod go-rwx {shown}"
        );
    }
}

/// Warns of a file with a secret, called `what`, that every user of the machine can read; who else is to read it, such as the
/// user that the service runs as, has a group for it.
#[cfg(unix)]
pub(crate) fn warn_if_readable_by_all(what: &str, file: &Path) {
    if let Some(mode) = open_mode(file).filter(|mode| mode & 0o007 != 0) {
        let shown = file.display();
        tracing::warn!(
            "the {what} {shown} holds a secret and is open to all users (mode {mode:04o}); close it with: chmod o-rwx {shown}, and have the service's user own it or be in its group"
        );
    }
}

/// The mode of what others have a right to; `None` where they have none, or nothing is there.
#[cfg(unix)]
fn open_mode(path: &Path) -> Option<u32> {
    let metadata = std::fs::metadata(path).ok()?;
    let mode = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o7777;
    (mode & 0o077 != 0).then_some(mode)
}

/// Other systems have no modes to look at.
#[cfg(not(unix))]
pub(crate) fn warn_if_open(_: &Path) {}

/// Other systems have no modes to look at.
#[cfg(not(unix))]
pub(crate) fn warn_if_readable(_: &Path) {}

/// Other systems have no modes to look at.
#[cfg(not(unix))]
pub(crate) fn warn_if_readable_by_all(_: &str, _: &Path) {}

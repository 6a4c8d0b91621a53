//! Rooms: folders in which a store or a backup lies in the clear for a while. Whoever is killed leaves its room behind, with
//! all the secrets in it, and the next one that begins there takes it away: its lock can be had. Whoever is told to stop takes
//! its own away before it ends.

use parking_lot::{Mutex, const_mutex};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

/// The file that is locked while somebody is at work in a room.
const LOCK_FILE: &str = "in-use.lock";
/// The same before it is locked.
const NEW_LOCK_FILE: &str = "new.lock";
/// How often a room is tried to be removed in which others may be at work still, at any time and at the end of the process, and
/// how long between.
const TRIES_AT_WORK: u32 = 5;
const TRIES_AT_END: u32 = 200;
const PAUSE: Duration = Duration::from_millis(5);

/// The rooms of this process.
static OWN: Mutex<Vec<PathBuf>> = const_mutex(Vec::new());

/// A room of one's own. It goes with all that is in it when this is dropped.
#[derive(Debug)]
pub(crate) struct Room {
    path: PathBuf,
    /// `None` where the system locks no files: a room that is left there stays until somebody removes it.
    _lock: Option<File>,
}

impl Room {
    /// Makes one in a folder, by a name that begins so, and takes away what others left there that were killed.
    pub(super) fn begin(parent: &Path, prefix: &str) -> io::Result<Self> {
        clear_away(parent, prefix);
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let folder = builder.prefix(prefix).tempdir_in(parent)?;
        let lock = locked(folder.path())?;
        let path = folder.keep();
        OWN.lock().push(path.clone());
        Ok(Room { path, _lock: lock })
    }

    /// The folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // where somebody is at work in it for long, the end of the process takes it away
        if is_taken_away(&self.path, TRIES_AT_WORK) {
            OWN.lock().retain(|own| *own != self.path);
        }
    }
}

/// Locks a room; the lock has its name then, so that nobody takes the room for one that was left.
fn locked(room: &Path) -> io::Result<Option<File>> {
    let new = room.join(NEW_LOCK_FILE);
    let lock = File::create_new(&new)?;
    if lock.lock().is_err() {
        return Ok(None);
    }
    fs::rename(&new, room.join(LOCK_FILE))?;
    Ok(Some(lock))
}

/// Takes away all rooms of this process, which is about to end: its threads may be at work in them still.
pub(crate) fn take_away_rooms() {
    let rooms = std::mem::take(&mut *OWN.lock());
    for room in &rooms {
        is_taken_away(room, TRIES_AT_END);
    }
}

/// Does what a signal must not leave half done: whoever takes the rooms away waits for it.
pub(super) fn undisturbed<T>(work: impl FnOnce() -> T) -> T {
    let _rooms = OWN.lock();
    work()
}

/// Tries so often to remove a room in which others may be at work; whether it is gone.
fn is_taken_away(room: &Path, tries: u32) -> bool {
    for _ in 1..tries {
        if is_removed(room) {
            return true;
        }
        sleep(PAUSE);
    }
    is_removed(room)
}

/// Takes away the rooms of those who were killed.
pub(super) fn clear_away(parent: &Path, prefix: &str) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(prefix) {
            continue;
        }
        let room = entry.path();
        if is_left(&room) && !is_removed(&room) {
            tracing::warn!(
                path = %room.display(),
                "what was left here by a process that was killed can't be removed; remove it by hand, for secrets may lie in it"
            );
        }
    }
}

/// Whether whoever made a room was killed.
fn is_left(room: &Path) -> bool {
    let lock = room.join(LOCK_FILE);
    // anything may have this name where others write, too, and nobody is waited for
    if !lock.symlink_metadata().is_ok_and(|lock| lock.is_file()) {
        return false;
    }
    // to be written: a shared folder locks nothing that is open to be read alone
    let lock = File::options().write(true).open(lock);
    lock.is_ok_and(|lock| lock.try_lock().is_ok())
}

/// Removes a room; whether it is gone, be it that another one was faster.
fn is_removed(room: &Path) -> bool {
    fs::remove_dir_all(room).is_ok() || room.symlink_metadata().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PREFIX: &str = "room-";

    #[test]
    fn a_room_that_was_left_goes_with_its_secrets_and_one_in_use_or_of_others_stays() {
        let parent = tempfile::tempdir().unwrap();
        let killed = parent.path().join("room-killed");
        fs::create_dir(&killed).unwrap();
        let lock = locked(&killed).unwrap();
        fs::write(killed.join("secrets"), "x").unwrap();
        let other = parent.path().join("room-other");
        fs::create_dir(&other).unwrap();
        let at_work = Room::begin(parent.path(), PREFIX).unwrap();
        assert!(killed.exists(), "its lock is held");
        drop(lock);
        let room = Room::begin(parent.path(), PREFIX).unwrap();
        assert!(!killed.exists() && at_work.path().exists() && other.exists());
        fs::write(room.path().join("secrets"), "x").unwrap();
        let path = room.path().to_owned();
        drop(room);
        assert!(!path.exists());
    }

    #[test]
    fn no_room_is_taken_away_while_something_must_not_be_left_half_done() {
        assert!(undisturbed(|| OWN.try_lock().is_none()));
    }
}

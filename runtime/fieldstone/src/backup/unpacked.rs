//! A backup that lies unpacked for a while, compared and checked, as the data folder that would be restored of it: its store
//! can be opened like any other, and the backup itself is only read.

use super::SECRETS;
use super::archive::{ABOUT, CHECKSUMS, Contents};
use super::encryption::Opener;
use super::restoring::{PREFIX, restore};
use anyhow::Context as _;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The file that is locked while somebody is at work in the room of a backup.
const LOCK_FILE: &str = "in-use.lock";

/// A backup that lies unpacked until this is dropped.
pub(crate) struct Unpacked {
    room: TempDir,
    /// Whoever is killed holds it no more, so that the next one clears the room away.
    _lock: File,
    /// What stood in it.
    pub(crate) contents: Contents,
}

/// Whether a path is a backup, be it that it broke off, and no data folder.
pub(crate) fn is_backup(path: &Path) -> bool {
    let has = |name: &&str| path.join(name).exists();
    path.is_file() || [ABOUT, CHECKSUMS].iter().any(has)
}

impl Unpacked {
    /// Unpacks a backup in a folder, made where there is none. What others left there that were killed goes first: secrets
    /// lie in it.
    pub(crate) async fn of(backup: &Path, opener: Opener, parent: &Path) -> anyhow::Result<Self> {
        let shown = parent.display();
        fs::create_dir_all(parent).with_context(|| format!("can't make the folder {shown}"))?;
        let begun = begin(parent);
        let (room, lock) = begun.with_context(|| format!("can't unpack the backup in {shown}"))?;
        let folder = folder_in(&room);
        let contents = restore(backup, opener, &folder, folder.join(SECRETS)).await?;
        Ok(Unpacked {
            room,
            _lock: lock,
            contents,
        })
    }

    /// The data folder.
    pub(crate) fn folder(&self) -> PathBuf {
        folder_in(&self.room)
    }
}

fn folder_in(room: &TempDir) -> PathBuf {
    room.path().join("data")
}

/// A room of one's own.
fn begin(parent: &Path) -> io::Result<(TempDir, File)> {
    clear_away(parent)?;
    let room = TempDir::with_prefix_in(PREFIX, parent)?;
    // it has its name when it is locked: nobody takes the room for one that was left
    let new = room.path().join("new.lock");
    let lock = File::create_new(&new)?;
    lock.lock()?;
    fs::rename(&new, room.path().join(LOCK_FILE))?;
    Ok((room, lock))
}

/// Removes the rooms of those who were killed: their locks can be had.
fn clear_away(parent: &Path) -> io::Result<()> {
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        // to be written: a shared folder locks nothing that is open to be read alone
        let lock = File::options()
            .write(true)
            .open(entry.path().join(LOCK_FILE));
        let Ok(lock) = lock else {
            continue;
        };
        if lock.try_lock().is_err() {
            continue;
        }
        match fs::remove_dir_all(entry.path()) {
            // who was at its end just now took it away
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_that_was_left_goes_with_its_secrets_and_one_in_use_or_of_others_stays() {
        let parent = tempfile::tempdir().unwrap();
        let (killed, lock) = begin(parent.path()).unwrap();
        let killed = killed.keep();
        fs::write(killed.join("secrets"), "x").unwrap();
        let other = parent.path().join(format!("{PREFIX}other"));
        fs::create_dir(&other).unwrap();
        let (at_work, _held) = begin(parent.path()).unwrap();
        assert!(killed.exists(), "its lock is held");
        drop(lock);
        let (_room, _lock) = begin(parent.path()).unwrap();
        assert!(!killed.exists() && at_work.path().exists() && other.exists());
    }
}

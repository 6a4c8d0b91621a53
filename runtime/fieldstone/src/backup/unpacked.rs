//! A backup that lies unpacked for a while, compared and checked, as the data folder that would be restored of it: its store
//! can be opened like any other, and the backup itself is only read.

use super::SECRETS;
use super::archive::{ABOUT, CHECKSUMS, Contents};
use super::restoring::{PREFIX, restore};
use super::room::Room;
use anyhow::Context as _;
use std::fs;
use std::path::{Path, PathBuf};

/// A backup that lies unpacked until this is dropped.
pub(crate) struct Unpacked {
    room: Room,
    /// What stood in it.
    pub(crate) contents: Contents,
}

/// Whether a path is a backup, be it that it broke off, and no data folder.
pub(crate) fn is_backup(path: &Path) -> bool {
    let has = |name: &&str| path.join(name).exists();
    path.is_file() || [ABOUT, CHECKSUMS].iter().any(has)
}

impl Unpacked {
    /// Unpacks a backup in a folder, made where there is none.
    pub(crate) async fn of(backup: &Path, parent: &Path) -> anyhow::Result<Self> {
        let shown = parent.display();
        fs::create_dir_all(parent).with_context(|| format!("can't make the folder {shown}"))?;
        let room = Room::begin(parent, PREFIX);
        let room = room.with_context(|| format!("can't unpack the backup in {shown}"))?;
        let folder = folder_in(&room);
        let contents = restore(backup, &folder, folder.join(SECRETS)).await?;
        Ok(Unpacked { room, contents })
    }

    /// The data folder.
    pub(crate) fn folder(&self) -> PathBuf {
        folder_in(&self.room)
    }
}

fn folder_in(room: &Room) -> PathBuf {
    room.path().join("data")
}

//! Where a backup goes: one file, or a folder. Nothing is overwritten, and nothing stands under its name before it is
//! whole: it is written beside, read again from the disk and compared, and then takes its name.

use super::archive::{self, Contents, Into};
use super::room::{self, Room};
use crate::failure::{conflict, usage};
use crate::folder_entries::names_in;
use crate::pieces::Pieces;
use anyhow::{Context as _, bail};
use hyper::body::Bytes;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use store::folders::{make_folder, sync_folder, sync_folders};
use tempfile::NamedTempFile;

/// How the folders begin in which backups lie that are not whole yet.
const PREFIX: &str = ".fieldstone-backup-";

/// A backup on its way.
pub(crate) enum Incoming {
    /// From this process.
    Own(Pieces),
    /// From the server that has the folder.
    OfServer(reqwest::Response),
}

impl Incoming {
    /// The next piece; `None` after the last.
    pub(crate) async fn next(&mut self) -> anyhow::Result<Option<Bytes>> {
        match self {
            Incoming::Own(pieces) => Ok(pieces.next().await?),
            Incoming::OfServer(answer) => answer
                .chunk()
                .await
                .context("the backup broke off; the server's log tells why"),
        }
    }
}

/// A backup that is kept.
pub(crate) struct KeptBackup {
    /// What stands in it.
    pub(crate) contents: Contents,
    /// Its bytes as one file; as they came, where it is a folder.
    pub(crate) bytes: u64,
}

/// Keeps a backup as a new file.
pub(crate) async fn to_file(incoming: Incoming, path: &Path) -> anyhow::Result<KeptBackup> {
    refuse_what_is_there(path)?;
    let room = room_beside(path)?;
    let looked = received_and_looked(incoming, &room).await?;
    let path = path.to_owned();
    let work = tokio::task::spawn_blocking(move || {
        let _room = room;
        let (file, bytes, contents) = looked;
        let kept = file.persist_noclobber(&path);
        kept.with_context(|| format!("can't write {}", path.display()))?;
        sync_folder(parent(&path))?;
        Ok(KeptBackup { contents, bytes })
    });
    work.await?
}

/// Keeps a backup as a folder, which is empty or not there.
pub(crate) async fn to_folder(incoming: Incoming, folder: &Path) -> anyhow::Result<KeptBackup> {
    let room = room_for_folder(folder)?;
    let (file, bytes) = received(incoming, &room).await?;
    let folder = folder.to_owned();
    let work = tokio::task::spawn_blocking(move || {
        let shown = folder.display().to_string();
        let staged = room.path().join("backup");
        make_folder(&staged)?;
        let contents = archive::read(File::open(file.path())?, &Into::BackupFolder(&staged))?;
        sync_folders(&staged)?;
        let placed = room::undisturbed(|| place(&staged, &folder));
        placed.with_context(|| format!("can't make {shown}"))?;
        Ok(KeptBackup { contents, bytes })
    });
    work.await?
}

/// Gives what is whole its name: that of a folder that is not there, or those of its parts in one that is, as a disk of its own
/// can't be replaced. The checksums come last: what has none is no backup.
fn place(staged: &Path, folder: &Path) -> anyhow::Result<()> {
    if !folder.try_exists()? {
        fs::rename(staged, folder)?;
        return Ok(sync_folder(parent(folder))?);
    }
    let parts = fs::read_dir(staged)?.map(|part| part.map(|part| part.file_name()));
    let mut parts = parts.collect::<io::Result<Vec<OsString>>>()?;
    parts.retain(|part| part != archive::CHECKSUMS);
    let last = OsString::from(archive::CHECKSUMS);
    for part in parts.iter().chain([&last]) {
        if folder.join(part).symlink_metadata().is_ok() {
            bail!("{} is in the way", part.display());
        }
        if *part == last {
            sync_folder(folder)?;
        }
        fs::rename(staged.join(part), folder.join(part))?;
    }
    Ok(sync_folder(folder)?)
}

/// Refuses a folder with anything in it but what a killed backup left there, which goes.
pub(crate) fn require_empty(folder: &Path) -> anyhow::Result<()> {
    room::clear_away(folder, PREFIX);
    let shown = folder.display();
    let mut names = names_in(folder).with_context(|| format!("can't read {shown}"))?;
    if names.next().transpose()?.is_none() {
        return Ok(());
    }
    Err(usage(format!(
        "{shown} is a folder that is not empty; name a new file in it, such as {}",
        folder.join("fieldstone.tar.zst").display()
    )))
}

/// Refuses a file that is there.
pub(crate) fn refuse_what_is_there(path: &Path) -> anyhow::Result<()> {
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    Err(conflict(format!(
        "{} is there, and nothing is overwritten; name another file",
        path.display()
    )))
}

/// All that comes, on disk, as `received` has it; its length, and what stands in it: it was read again and compared.
pub(super) async fn received_and_looked(
    incoming: Incoming,
    room: &Room,
) -> anyhow::Result<(NamedTempFile, u64, Contents)> {
    let (file, bytes) = received(incoming, room).await?;
    let work = tokio::task::spawn_blocking(move || {
        let contents = archive::read(File::open(file.path())?, &Into::Nothing)?;
        Ok((file, bytes, contents))
    });
    work.await?
}

/// A room beside what a backup becomes: what is whole there takes its name by that alone.
pub(crate) fn room_beside(path: &Path) -> anyhow::Result<Room> {
    room_in(parent(path))
}

/// A room for what a folder becomes: in one that is there, which may be a disk of its own, or beside where it will be.
pub(crate) fn room_for_folder(folder: &Path) -> anyhow::Result<Room> {
    if folder.is_dir() {
        return room_in(folder);
    }
    room_beside(folder)
}

/// A room among the machine's temporary files, for what is kept elsewhere.
pub(crate) fn room_elsewhere() -> anyhow::Result<Room> {
    room_in(&std::env::temp_dir())
}

fn room_in(folder: &Path) -> anyhow::Result<Room> {
    let room = Room::begin(folder, PREFIX);
    room.with_context(|| format!("can't write in {}", folder.display()))
}

/// All that comes, on disk, in a file that goes unless it is given a name; its length.
async fn received(mut incoming: Incoming, room: &Room) -> anyhow::Result<(NamedTempFile, u64)> {
    let shown = || format!("can't write in {}", room.path().display());
    let mut file = NamedTempFile::new_in(room.path()).with_context(shown)?;
    while let Some(piece) = incoming.next().await? {
        file = tokio::task::spawn_blocking(move || {
            file.write_all(&piece)?;
            Ok::<_, io::Error>(file)
        })
        .await?
        .with_context(shown)?;
    }
    file.as_file().sync_all()?;
    let bytes = file.stream_position()?;
    Ok((file, bytes))
}

/// The folder that something lies in.
fn parent(path: &Path) -> &Path {
    let parent = path.parent().filter(|it| !it.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// The place of a backup, if a path means a folder: one that is there, or ends as the names of folders do.
pub(crate) fn folder_of(path: &Path) -> Option<PathBuf> {
    let ends_as_one = path.as_os_str().to_string_lossy().ends_with('/');
    (ends_as_one || path.is_dir()).then(|| path.components().collect())
}

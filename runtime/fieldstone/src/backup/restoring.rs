//! A backup becomes a data folder: all of it is read, compared and checked before anything of it stands where a store
//! is looked for. Nothing that is there is overwritten. What comes of it is in an epoch of its own: what came behind the backup is
//! gone, and its numbers are given again.

use super::archive::{self, Contents, Into, new_file};
use super::room::{self, Room};
use super::{DATABASE, FILES, SECRETS};
use crate::failure::conflict;
use crate::folder_entries::names_in;
use anyhow::{Context as _, bail};
use manifest::failure::{Failure, FailureCode};
use service::{SystemEntropy, new_epoch};
use sqlite::SqliteStore;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use store::folders::{make_folder, sync_folder, sync_folders};

/// How folders begin in which a backup lies for a while: by it, whoever opens a store knows that one broke off.
pub(super) const PREFIX: &str = sqlite::RESTORE_PREFIX;

/// Restores a backup, from a file, a folder or standard input (`-`), into a data folder that is empty or not there; what
/// stood in the backup.
pub(crate) async fn restore(
    backup: &Path,
    folder: &Path,
    secret_file: PathBuf,
) -> anyhow::Result<Contents> {
    let (backup, folder) = (backup.to_owned(), folder.to_owned());
    let work = tokio::task::spawn_blocking(move || restore_now(&backup, &folder, &secret_file));
    work.await?
}

/// The same, on a thread that may wait for disks.
fn restore_now(backup: &Path, folder: &Path, secret_file: &Path) -> anyhow::Result<Contents> {
    clear_after_restore(folder);
    require_empty(folder)?;
    let secrets_elsewhere = (secret_file != folder.join(SECRETS)).then_some(secret_file);
    if let Some(secret_file) = secrets_elsewhere
        && secret_file.try_exists()?
    {
        return Err(conflict(format!(
            "{} is there, and a restored store has secrets of its own; move it away, or name another file with --signing-secret-file",
            secret_file.display()
        )));
    }
    let is_new = !folder.try_exists()?;
    make_folder(folder).with_context(|| format!("can't make {}", folder.display()))?;
    let restored = into_place(backup, folder, secrets_elsewhere);
    if restored.is_err() && is_new {
        // one that holds something stays
        let _ = fs::remove_dir(folder);
    }
    restored
}

/// Unpacks a backup, looks at all of it, and gives it its place.
fn into_place(
    backup: &Path,
    folder: &Path,
    secrets_elsewhere: Option<&Path>,
) -> anyhow::Result<Contents> {
    let room = Room::begin(folder, PREFIX)?;
    let staged = room.path().join("data");
    make_folder(&staged)?;
    let contents = unpack(backup, &staged)?;
    let found = SqliteStore::check_folder(&staged)?;
    if !found.is_empty() {
        return Err(Failure {
            message: format!(
                "the backup holds a store that is not sound, so it was not restored ({} contradictions); restore an earlier one",
                found.len()
            ),
            causes: found.into_iter().take(1).collect(),
            code: FailureCode::Unsound,
        }
        .into());
    }
    SqliteStore::note_restored(&staged, &new_epoch(&SystemEntropy))?;
    sync_folders(&staged)?;
    room::undisturbed(|| place(&staged, folder, secrets_elsewhere))?;
    sync_folder(folder)?;
    Ok(contents)
}

/// Gives what was unpacked its place; the signing secrets theirs outside of the folder, where one is named.
fn place(staged: &Path, folder: &Path, secrets_elsewhere: Option<&Path>) -> anyhow::Result<()> {
    let secrets = staged.join(SECRETS);
    if let Some(secret_file) = secrets_elsewhere
        && secrets.try_exists()?
    {
        // the file may be on another disk
        let mut file = new_file(secret_file)
            .with_context(|| format!("can't write {}", secret_file.display()))?;
        io::copy(&mut File::open(&secrets)?, &mut file)?;
        file.sync_all()?;
        fs::remove_file(&secrets)?;
    }
    // the database last: without it, nobody takes the folder for a store
    for name in [SECRETS, FILES, DATABASE] {
        let from = staged.join(name);
        if from.try_exists()? {
            fs::rename(from, folder.join(name))?;
        }
    }
    Ok(())
}

/// Takes away what a restore left that was killed, where there is nothing else.
fn clear_after_restore(folder: &Path) {
    let mut names = names_in(folder).into_iter().flatten();
    if names.all(|name| name.is_ok_and(|name| is_of_restore(&name))) {
        room::clear_away(folder, PREFIX);
    }
}

fn is_of_restore(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with(PREFIX)
}

fn require_empty(folder: &Path) -> anyhow::Result<()> {
    let shown = folder.display();
    let mut names = names_in(folder).with_context(|| format!("can't read {shown}"))?;
    let Some(name) = names.next().transpose()? else {
        return Ok(());
    };
    let found = name.display();
    Err(conflict(if is_of_restore(&name) {
        format!(
            "a restore is under way in {shown}, or broke off there; wait for it, or remove {found} and restore again"
        )
    } else {
        format!(
            "{shown} is not empty (it has {found}), and nothing is overwritten; name another folder with --data, or move this one away"
        )
    }))
}

/// Writes what a backup holds into an empty folder.
fn unpack(backup: &Path, into: &Path) -> anyhow::Result<Contents> {
    let shown = backup.display();
    if backup == Path::new("-") {
        return archive::read(crate::io::standard_input(), &Into::DataFolder(into));
    }
    if backup.is_dir() {
        return copy_folder(backup, into).with_context(|| format!("can't restore from {shown}"));
    }
    let file = File::open(backup).with_context(|| format!("can't read {shown}"))?;
    archive::read(file, &Into::DataFolder(into))
        .with_context(|| format!("can't restore from {shown}"))
}

/// Copies a backup that lies in a folder: it has the names of an archive's entries.
fn copy_folder(backup: &Path, into: &Path) -> anyhow::Result<Contents> {
    let text = fs::read(backup.join(archive::CHECKSUMS))
        .context("it has no checksums.json, so it is no backup, or broke off")?;
    let contents: Contents = serde_json::from_slice(&text)?;
    let into = Into::DataFolder(into);
    for entry in &contents.entries {
        let path = archive::known_path(Path::new(&entry.path))?;
        let from: PathBuf = backup.join(&path);
        let unread = || format!("can't read {}", from.display());
        let mut source = File::open(&from).with_context(unread)?;
        let found = into.take(&path, &mut source)?.with_context(unread)?;
        if found != (entry.sha256.clone(), entry.bytes) {
            bail!("{} is not as it was written", from.display());
        }
    }
    Ok(contents)
}

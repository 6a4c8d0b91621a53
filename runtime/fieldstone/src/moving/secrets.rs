//! What becomes of the signing secrets of a store that moves: a data folder has them in a file, a database among its settings,
//! and either may have them in a file that is named. Whoever moves a store has the links that it signed work on.

use crate::failure::conflict;
use anyhow::Context as _;
use service::signing::{is_kept_in, kept_by_store};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use store::catalog::Noun;
use store::folders::{make_folder, sync_folder};
use store::transfer::TransferRow;

/// Where they are, and are to be.
pub(crate) enum Secrets {
    /// They stay where they are.
    Stay,
    /// They go from a file into the database.
    IntoDatabase(PathBuf),
    /// They go from the file of one data folder to that of another.
    IntoFolder(PathBuf, PathBuf),
    /// Those of a backup go to the file that is named for them.
    IntoFile(PathBuf, PathBuf),
}

impl Secrets {
    /// Refuses to move where others are in the way; asked before anything is copied.
    pub(crate) fn require_place(&self) -> anyhow::Result<()> {
        match self {
            Secrets::IntoFile(from, to) => is_to_be_written(from, to).map(drop),
            Secrets::Stay | Secrets::IntoDatabase(_) | Secrets::IntoFolder(..) => Ok(()),
        }
    }

    /// The rows by which a database keeps them; none where there is no file, or they go elsewhere.
    pub(crate) fn rows(&self) -> anyhow::Result<Vec<TransferRow>> {
        let Secrets::IntoDatabase(file) = self else {
            return Ok(Vec::new());
        };
        let row = |noun: Noun| -> anyhow::Result<TransferRow> {
            let key = noun.key();
            Ok(TransferRow::Noun {
                kind: key.kind.as_str().to_owned(),
                id: key.id,
                document: noun.to_json()?,
            })
        };
        kept_by_store(file)?.into_iter().map(row).collect()
    }

    /// Brings them to their file, if that is where they go: once all else is there, and before the move is at its end, so that
    /// one that ends before is begun again.
    pub(crate) fn bring(&self) -> anyhow::Result<()> {
        match self {
            Secrets::IntoFolder(from, to) if from.try_exists()? => {
                fs::copy(from, to)?;
                File::open(to)?.sync_all()?;
                Ok(())
            }
            Secrets::IntoFile(from, to) if is_to_be_written(from, to)? => write_new(from, to)
                .with_context(|| format!("can't write the signing secrets to {}", to.display())),
            _ => Ok(()),
        }
    }
}

/// Whether a row is of the signing secrets, which a folder has in a file of its own.
pub(super) fn is_secret(row: &TransferRow) -> bool {
    matches!(row, TransferRow::Noun { kind, id, .. } if kind == "setting" && is_kept_in(id))
}

/// Whether the secrets of a backup are not in the file yet that is named for them. Others that are there stay.
fn is_to_be_written(from: &Path, to: &Path) -> anyhow::Result<bool> {
    if !from.try_exists()? {
        return Ok(false);
    }
    let there = match fs::read(to) {
        Ok(there) => there,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error).with_context(|| format!("can't read {}", to.display())),
    };
    if there == fs::read(from)? {
        return Ok(false);
    }
    Err(conflict(format!(
        "{} has other signing secrets than the backup, and nothing is overwritten; move it away, or name another file with --signing-secret-file",
        to.display()
    )))
}

/// Writes a file that is not there, whole or not at all, for its user alone.
fn write_new(from: &Path, to: &Path) -> anyhow::Result<()> {
    let folder = to.parent().filter(|it| !it.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    make_folder(folder)?;
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    new.write_all(&fs::read(from)?)?;
    new.as_file().sync_all()?;
    new.persist_noclobber(to)?;
    sync_folder(folder)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_of_a_backup_are_written_once_and_over_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to] = ["from", "new/to"].map(|name| folder.path().join(name));
        let secrets = Secrets::IntoFile(from.clone(), to.clone());
        secrets.require_place().unwrap();
        secrets.bring().unwrap();
        assert!(!to.exists(), "the backup has none");
        fs::write(&from, "those of the backup").unwrap();
        for _ in 0..2 {
            secrets.require_place().unwrap();
            secrets.bring().unwrap();
            assert_eq!(fs::read(&to).unwrap(), b"those of the backup");
        }
        fs::write(&to, "others").unwrap();
        assert!(secrets.require_place().is_err() && secrets.bring().is_err());
        assert_eq!(fs::read(&to).unwrap(), b"others");
    }
}

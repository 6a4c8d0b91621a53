//! The form of a backup: a tar archive, compressed with zstd, in this order.
//!
//! ```text
//! backup.json              which form it has, which program made it, when
//! fieldstone.db            the database, as of one commit
//! fieldstone.secret        the signing secrets
//! files/DATASET/FILE       contents of uploaded files
//! checksums.json           what stands before it, and what was missing: without it, the backup broke off
//! ```
//!
//! It is written and read as a stream, in one go. It opens no store.

use super::{DATABASE, FILES, SECRETS};
use crate::hex::hex;
use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use store::folders::make_folder;

/// The form that is written, and the newest that can be read.
const FORMAT: u32 = 1;
pub(super) const ABOUT: &str = "backup.json";
pub(super) const CHECKSUMS: &str = "checksums.json";
/// As good as zstd does without taking long.
const LEVEL: i32 = 3;
/// Bytes of a document in a backup at most.
const DOCUMENT_BYTES_MAX: u64 = 1 << 30;
/// Bytes of an entry that are in memory on its way to a file.
const COPIED_AT_A_TIME: usize = 64 << 10;

/// What a backup is.
#[derive(Serialize, Deserialize)]
struct About {
    format: u32,
    program: String,
}

/// One thing in a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// Its name there.
    pub(crate) path: String,
    /// Its length.
    pub(crate) bytes: u64,
    /// SHA-256 of it, in hex.
    pub(crate) sha256: String,
}

/// What stands in a backup.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Contents {
    /// Everything that stands before this list.
    pub(crate) entries: Vec<Entry>,
    /// What should be there and is not, in words.
    pub(crate) problems: Vec<String>,
}

impl Contents {
    /// How many contents of files.
    pub(crate) fn files(&self) -> usize {
        let is_file = |entry: &&Entry| entry.path.starts_with(FILES);
        self.entries.iter().filter(is_file).count()
    }
}

/// Where what is read goes.
pub(crate) enum Into<'p> {
    /// Nowhere: it is only compared.
    Nothing,
    /// A new data folder.
    DataFolder(&'p Path),
    /// A folder that is a backup as the archive is, with its lists.
    BackupFolder(&'p Path),
}

impl Into<'_> {
    /// The file that an entry becomes.
    fn file(&self, path: &str) -> Option<PathBuf> {
        let is_list = matches!(path, ABOUT | CHECKSUMS);
        match self {
            Into::DataFolder(folder) if !is_list => Some(folder.join(path)),
            Into::BackupFolder(folder) => Some(folder.join(path)),
            Into::Nothing | Into::DataFolder(_) => None,
        }
    }

    /// Reads an entry, and writes it where it goes: its checksum and length, or why it can't be read. That it can't be written
    /// is an error of another kind: the backup is none the worse.
    pub(super) fn take(
        &self,
        path: &str,
        entry: &mut impl Read,
    ) -> anyhow::Result<io::Result<(String, u64)>> {
        let mut hashed = Hashed::new(entry);
        let read = match self.file(path) {
            Some(file) => write_new(&mut hashed, &file).with_context(|| self.unwritten(&file))?,
            None => io::copy(&mut hashed, &mut io::sink()).map(drop),
        };
        Ok(read.map(|()| (hex(&hashed.hash.finalize()), hashed.bytes)))
    }

    /// What is told of a file that can't be written.
    fn unwritten(&self, file: &Path) -> String {
        let told = format!("can't write {}", file.display());
        match self {
            Into::DataFolder(_) => told + ", and the backup is none the worse",
            Into::Nothing | Into::BackupFolder(_) => told,
        }
    }
}

/// Writes a backup.
pub(super) struct Archive<W: Write> {
    tar: tar::Builder<zstd::Encoder<'static, W>>,
    contents: Contents,
    seconds: u64,
}

impl<W: Write> Archive<W> {
    /// One that is empty.
    pub(super) fn new(out: W) -> anyhow::Result<Self> {
        let mut encoder = zstd::Encoder::new(out, LEVEL)?;
        encoder.include_checksum(true)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let mut archive = Archive {
            tar: tar::Builder::new(encoder),
            contents: Contents::default(),
            seconds: now.map_or(0, |now| now.as_secs()),
        };
        let about = About {
            format: FORMAT,
            program: env!("CARGO_PKG_VERSION").to_owned(),
        };
        archive.add_bytes(ABOUT, &serde_json::to_vec(&about)?)?;
        Ok(archive)
    }

    /// Adds something small.
    pub(super) fn add_bytes(&mut self, path: &str, content: &[u8]) -> anyhow::Result<()> {
        self.add(path, content.len() as u64, content)?;
        Ok(())
    }

    /// Adds something of a known length; its checksum.
    pub(super) fn add(
        &mut self,
        path: &str,
        bytes: u64,
        content: impl Read,
    ) -> anyhow::Result<String> {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes);
        header.set_mode(0o600);
        header.set_mtime(self.seconds);
        let mut content = Hashed::new(content.take(bytes));
        self.tar.append_data(&mut header, path, &mut content)?;
        if content.bytes != bytes {
            bail!("{path} has {} bytes, not {bytes}", content.bytes);
        }
        let sha256 = hex(&content.hash.finalize());
        self.contents.entries.push(Entry {
            path: path.to_owned(),
            bytes,
            sha256: sha256.clone(),
        });
        Ok(sha256)
    }

    /// Tells of something that should be in it.
    pub(super) fn miss(&mut self, problem: String) {
        self.contents.problems.push(problem);
    }

    /// Ends it.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        let contents = serde_json::to_vec(&self.contents)?;
        self.add_bytes(CHECKSUMS, &contents)?;
        self.tar.into_inner()?.finish()?.flush()?;
        Ok(())
    }
}

/// Reads a backup to its end, and compares all of it with its checksums.
pub(crate) fn read(source: impl Read, into: &Into<'_>) -> anyhow::Result<Contents> {
    const BROKEN: &str = "the backup is damaged, or broke off";
    let source = BufReader::with_capacity(1 << 20, source);
    let mut tar = tar::Archive::new(zstd::Decoder::with_buffer(source).context(BROKEN)?);
    let mut found = HashMap::new();
    let mut contents: Option<Contents> = None;
    for entry in tar.entries().context(BROKEN)? {
        let mut entry = entry.context(BROKEN)?;
        if contents.is_some() {
            bail!("{BROKEN}: something stands behind its end");
        }
        let path = known_path(&entry.path().context(BROKEN)?)?;
        // who is given it twice would tell of the disk
        if found.contains_key(&path) {
            bail!("{BROKEN}: {path} stands in it twice");
        }
        let sum = if matches!(path.as_str(), ABOUT | CHECKSUMS) {
            let mut document = Vec::new();
            let mut reader = entry.by_ref().take(DOCUMENT_BYTES_MAX);
            reader.read_to_end(&mut document).context(BROKEN)?;
            let sum = into
                .take(&path, &mut document.as_slice())?
                .context(BROKEN)?;
            if path == CHECKSUMS {
                contents = Some(serde_json::from_slice(&document).context(BROKEN)?);
                continue;
            }
            require_known(&serde_json::from_slice(&document).context(BROKEN)?)?;
            sum
        } else {
            let taken = into.take(&path, &mut entry)?;
            taken.with_context(|| format!("{BROKEN} at {path}"))?
        };
        found.insert(path, sum);
    }
    let contents = contents.context(BROKEN)?;
    // what compressed it has a checksum of its own, behind the archive's end
    io::copy(&mut tar.into_inner(), &mut io::sink()).context(BROKEN)?;
    for entry in &contents.entries {
        let is_same = found
            .remove(&entry.path)
            .is_some_and(|it| it == (entry.sha256.clone(), entry.bytes));
        if !is_same {
            bail!("{BROKEN}: {} is not as it was written", entry.path);
        }
    }
    match found.keys().next() {
        Some(path) => bail!("{BROKEN}: it does not say what {path} is"),
        None => Ok(contents),
    }
}

fn require_known(about: &About) -> anyhow::Result<()> {
    if about.format > FORMAT {
        bail!(
            "the backup was made by version {} of the program, in a form that this version does not know; use a newer program",
            about.program
        );
    }
    Ok(())
}

/// The name of an entry, if it is one that backups have: nothing is written where nobody means it to be.
pub(super) fn known_path(path: &Path) -> anyhow::Result<String> {
    let names: Option<Vec<&str>> = path
        .components()
        .map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    match names.as_deref() {
        Some([name @ (ABOUT | CHECKSUMS | DATABASE | SECRETS)]) => Ok((*name).to_owned()),
        Some([FILES, dataset, file]) => Ok(format!("{FILES}/{dataset}/{file}")),
        _ => bail!(
            "this is no backup of this program: it holds {}",
            path.display()
        ),
    }
}

/// Writes what is read into a new file. What fails within is the reading; the rest is the writing.
fn write_new(from: &mut impl Read, path: &Path) -> io::Result<io::Result<()>> {
    let mut file = new_file(path)?;
    let mut buffer = vec![0; COPIED_AT_A_TIME];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => file.write_all(&buffer[..count])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Ok(Err(error)),
        }
    }
    file.sync_all()?;
    Ok(Ok(()))
}

/// A file that is not there yet, for this user alone, in a folder that is made.
pub(super) fn new_file(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// What is read, with its checksum.
struct Hashed<R> {
    inner: R,
    hash: Sha256,
    bytes: u64,
}

impl<R> Hashed<R> {
    fn new(inner: R) -> Self {
        Hashed {
            inner,
            hash: Sha256::new(),
            bytes: 0,
        }
    }
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hash.update(&buffer[..count]);
        self.bytes += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_that_can_not_be_written_is_told_by_its_path_and_as_no_damage_of_the_backup() {
        let mut backup = Vec::new();
        let mut archive = Archive::new(&mut backup).unwrap();
        archive.add_bytes(DATABASE, b"rows").unwrap();
        archive.finish().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let told = |backup: &[u8], target: &Path| {
            let failed = read(backup, &Into::DataFolder(target)).unwrap_err();
            format!("{failed:#}")
        };
        let no_folder = folder.path().join("notes");
        std::fs::write(&no_folder, "").unwrap();
        let unwritten = told(&backup, &no_folder);
        let path = no_folder.join(DATABASE).display().to_string();
        let meant = format!("can't write {path}, and the backup is none the worse: ");
        assert!(unwritten.starts_with(&meant), "{unwritten}");
        let cut = told(&backup[..backup.len() - 1], &folder.path().join("data"));
        let is_told = cut.starts_with("the backup is damaged, or broke off");
        assert!(is_told, "{cut}");
    }
}

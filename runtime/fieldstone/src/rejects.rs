//! The file of records that can't be stored: one JSON object a line. It is written beside its place and takes it when
//! the work has come to its end, so that a command that did nothing leaves an older one as it was. It is never a file
//! that the command reads, nor one of the data folder.

use crate::failure::usage;
use anyhow::Context as _;
use manifest::events::RejectedRecord;
use serde::Serialize;
use serde_json::value::RawValue;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

/// Where records go that can't be stored.
pub(crate) struct Rejects {
    path: PathBuf,
    file: BufWriter<File>,
    /// Where it is until it takes its place; none where that is a device or a pipe.
    beside: Option<TempPath>,
    failed: Option<io::Error>,
}

/// A line of the file.
#[derive(Serialize)]
struct Reject<'a> {
    dataset: &'a str,
    file: &'a str,
    line: usize,
    reason: &'a str,
    record: Record<'a>,
}

/// A record: as it stands in its file, where it is JSON at all.
#[derive(Serialize)]
#[serde(untagged)]
enum Record<'a> {
    Json(&'a RawValue),
    Text(&'a str),
}

impl Rejects {
    /// Begins one; `inputs` are the files that the command reads, `data` is the data folder.
    ///
    /// # Errors
    /// A path that is one of the inputs or lies in the data folder, and one that can't be written.
    pub(crate) fn create(path: &Path, inputs: &[PathBuf], data: &Path) -> anyhow::Result<Self> {
        refuse_inputs(path, inputs, data)?;
        Self::open(path).with_context(|| format!("can't write {}", path.display()))
    }

    fn open(path: &Path) -> io::Result<Self> {
        // a link stays one: what it leads to is replaced
        let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let is_plain = place.metadata().map_or(true, |there| there.is_file());
        let (file, beside) = if is_plain {
            let (file, beside) = NamedTempFile::new_in(folder_of(&place))?.into_parts();
            (file, Some(beside))
        } else {
            (OpenOptions::new().write(true).open(&place)?, None)
        };
        Ok(Rejects {
            path: place,
            file: BufWriter::new(file),
            beside,
            failed: None,
        })
    }

    /// Writes one; a failure is told at the end.
    pub(crate) fn write(&mut self, rejected: &RejectedRecord) {
        if self.failed.is_some() {
            return;
        }
        let line = Reject {
            dataset: &rejected.dataset,
            file: &rejected.file,
            line: rejected.line,
            reason: &rejected.reason,
            record: match serde_json::from_str(&rejected.record) {
                Ok(json) => Record::Json(json),
                Err(_) => Record::Text(&rejected.record),
            },
        };
        let written = serde_json::to_writer(&mut self.file, &line).map_err(io::Error::from);
        let written = written.and_then(|()| self.file.write_all(b"\n"));
        self.failed = written.err();
    }

    /// Puts it in its place.
    ///
    /// # Errors
    /// When it is not whole; the one that was there stays then.
    pub(crate) fn end(mut self) -> anyhow::Result<()> {
        let path = self.path.clone();
        let written = match self.failed.take() {
            Some(error) => Err(error),
            None => self.file.flush(),
        };
        let placed = written.and_then(|()| match self.beside {
            Some(beside) => Ok(beside.persist(&path)?),
            None => Ok(()),
        });
        placed.with_context(|| {
            format!(
                "the records that were left out are not in {}",
                path.display()
            )
        })
    }
}

/// A file that is read must not be written over.
fn refuse_inputs(path: &Path, inputs: &[PathBuf], data: &Path) -> anyhow::Result<()> {
    let shown = path.display();
    if inputs.iter().any(|input| is_same(path, input)) {
        return Err(usage(format!(
            "--rejects {shown} would be written over a file that this command reads; name another file"
        )));
    }
    if is_same(folder_of(path), data) {
        return Err(usage(format!(
            "--rejects {shown} lies in the data folder, which the store has for itself; name a file elsewhere"
        )));
    }
    Ok(())
}

/// Whether two paths lead to one thing, be it by links.
fn is_same(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(one), Ok(other)) = (one.metadata(), other.metadata()) {
        use std::os::unix::fs::MetadataExt as _;
        return (one.dev(), one.ino()) == (other.dev(), other.ino());
    }
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

//! The file of records that can't be stored: one JSON object a line. It is never a file that the command reads, nor one
//! in the data folder.

use crate::out_file::OutFile;
use anyhow::Context as _;
use manifest::events::RejectedRecord;
use serde::Serialize;
use serde_json::value::RawValue;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Where records go that can't be stored.
pub(crate) struct Rejects {
    file: OutFile,
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
        Ok(Rejects {
            file: OutFile::create(Some("--rejects"), path, inputs, data)?,
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
        let path = self.file.path().display().to_string();
        let placed = match self.failed.take() {
            Some(error) => Err(error),
            None => self.file.end(),
        };
        placed.with_context(|| format!("the records that were left out are not in {path}"))
    }
}

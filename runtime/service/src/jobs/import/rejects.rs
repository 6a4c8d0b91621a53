//! Rows that can't be stored, in a file that reads like the one they came from: each as it came, with its line and the
//! reason before it. It is written before the step is committed that counts them; what no step committed is none of it.

use super::file_head::{FileHead, Guarded, Source};
use super::marks::mark;
use super::rows::Row;
use crate::jobs::folder::JobFolder;
use crate::jobs::growing_file::{self, GrowingFile};
use std::io;
use store::jobs::JobFilePart;
use tabular::{CsvWriter, LINE_COLUMN, REASON_COLUMN};
use wire::manage::JobFile;

/// The file and how its rows stand in it.
#[derive(Debug)]
pub(super) struct Rejects {
    /// None until there is a row.
    file: Option<GrowingFile>,
    committed: Vec<JobFilePart>,
    head: FileHead,
}

impl Rejects {
    /// One that has so much already.
    pub(super) fn new(committed: Vec<JobFilePart>) -> Self {
        Rejects {
            file: None,
            committed,
            head: FileHead::default(),
        }
    }

    /// Learns how rows stand in the file that is imported.
    pub(super) fn learn(&mut self, head: &FileHead) {
        self.head = head.clone();
    }

    /// Appends a row, and what comes before the first one, which `is_first` is.
    pub(super) fn add(&self, row: &Row, reason: &str, out: &mut Vec<u8>) {
        let is_first = self.committed.is_empty() && out.is_empty();
        if is_first {
            out.extend_from_slice(self.head.mark_of_rejects.as_bytes());
        }
        match self.head.source {
            Source::Lines => {
                mark(&row.raw, row.line, reason, out);
                out.push(b'\n');
            }
            Source::Array => {
                out.extend_from_slice(if is_first { b"[\n" } else { b",\n" });
                mark(&row.raw, row.line, reason, out);
            }
            Source::Cells { delimiter, quote } => {
                let writer = CsvWriter {
                    delimiter,
                    quote,
                    // of names; cells have theirs already
                    for_spreadsheets: self.head.guarded != Guarded::Nothing,
                    ..CsvWriter::default()
                };
                self.add_cells(writer, (row, reason), is_first, out);
            }
        }
    }

    fn add_cells(
        &self,
        writer: CsvWriter,
        (row, reason): (&Row, &str),
        is_first: bool,
        out: &mut Vec<u8>,
    ) {
        let mut text = String::new();
        if is_first {
            if self.head.has_separator_line {
                text = format!("sep={}\n", char::from(writer.delimiter));
            }
            let names = self.head.names.iter().map(String::as_str);
            let marks = [LINE_COLUMN, REASON_COLUMN];
            writer.names(marks.into_iter().chain(names), &mut text);
        }
        let line = row.line.to_string();
        let marks = [Some(line.as_str()), Some(reason)];
        if let Some(cells) = &row.cells {
            let cells = cells.iter().map(Option::as_deref);
            writer.row(marks.into_iter().chain(cells), &mut text);
            out.extend_from_slice(text.as_bytes());
        } else {
            writer.row(marks, &mut text);
            text.pop();
            out.extend_from_slice(text.as_bytes());
            out.push(writer.delimiter);
            // bytes that are no text stay as they are: in their place, others would be taken for a value
            out.extend_from_slice(&row.raw);
            out.push(b'\n');
        }
    }

    /// Writes rows behind those that were committed; what the file has with them.
    pub(super) fn write(
        &mut self,
        rows: &[u8],
        open: impl FnOnce(&[JobFilePart]) -> io::Result<GrowingFile>,
    ) -> io::Result<Vec<JobFilePart>> {
        if rows.is_empty() {
            return Ok(self.committed.clone());
        }
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(open(&self.committed)?),
        };
        file.write(rows)
    }

    /// Notes that the file has so much for good.
    pub(super) fn commit(&mut self, parts: Vec<JobFilePart>) {
        if let Some(file) = &mut self.file {
            file.commit(&parts);
        }
        self.committed = parts;
    }

    /// Ends the file for who holds the job by this name: what it has, and how its name ends. One without rows is none.
    pub(super) fn close(
        &mut self,
        folder: &JobFolder,
        (job, holder): (&str, &str),
    ) -> io::Result<Option<(Vec<JobFilePart>, &'static str)>> {
        self.file = None;
        if self.committed.is_empty() {
            return Ok(None);
        }
        let mut parts = self.committed.clone();
        growing_file::require(folder, job, JobFile::Rejects, &parts)?;
        let ending = match self.head.source {
            Source::Lines => "ndjson",
            Source::Cells { .. } => "csv",
            Source::Array => {
                let own = (JobFile::Rejects, holder);
                parts.push(growing_file::end_with(b"\n]\n", folder, job, own)?);
                "json"
            }
        };
        Ok(Some((parts, ending)))
    }
}

//! Rows with findings as they stand, in a file that reads like the one that they came from, to be mended and validated again.
//! It judges nothing.

use crate::data_files::Failure;
use crate::output_file::Output;
use std::io::Write as _;
use std::path::Path;
use tabular::{CsvWriter, Format, Records};

/// What stands between the elements of an array.
const BETWEEN: &str = ",\n";

/// The file of such rows.
pub(super) struct Rejects {
    output: Output,
    is_array: bool,
    /// What comes before the next row.
    before: String,
}

impl Rejects {
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        Ok(Rejects {
            output: Output::create(path)?,
            is_array: false,
            before: String::new(),
        })
    }

    /// Learns how rows stand in the file that is read. Names of columns are written at once: a file without rows has them, too.
    pub(super) fn begin(&mut self, records: &Records<'_>) -> Result<(), Failure> {
        let reader = records.reader();
        self.is_array = reader.format() == Format::JsonArray;
        let mut begin = reader.copy_mark().to_owned();
        if self.is_array {
            begin.push_str("[\n");
        }
        let writer = CsvWriter {
            delimiter: reader.delimiter().unwrap_or(b','),
            quote: reader.quote().unwrap_or(b'"'),
            ..CsvWriter::default()
        };
        if reader.has_separator_line() {
            begin.push_str("sep=");
            begin.push(char::from(writer.delimiter));
            begin.push('\n');
        }
        let Some(header) = records.header() else {
            self.before = begin;
            return Ok(());
        };
        writer.names(header.iter().map(String::as_str), &mut begin);
        self.output.write(|file| file.write_all(begin.as_bytes()))
    }

    /// Writes a row; of what an array has beside its elements nothing is kept.
    pub(super) fn add(&mut self, raw: &[u8]) -> Result<(), Failure> {
        if self.is_array && raw.is_empty() {
            return Ok(());
        }
        let end: &[u8] = if self.is_array { b"" } else { b"\n" };
        let before = &self.before;
        self.output.write(|file| {
            file.write_all(before.as_bytes())?;
            file.write_all(raw)?;
            file.write_all(end)
        })?;
        self.before.clear();
        if self.is_array {
            self.before.push_str(BETWEEN);
        }
        Ok(())
    }

    /// Puts the file in its place.
    pub(super) fn end(mut self) -> Result<(), Failure> {
        if self.before == BETWEEN {
            self.output.write(|file| file.write_all(b"\n]\n"))?;
        }
        self.output.end()
    }
}

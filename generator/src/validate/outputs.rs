//! The two files that validating may write: clean rows in their normal form, and the others as they stand. Every row
//! goes to one of them, at once. Each is written beside its place and takes it at the end, so that a run that fails
//! leaves an older one as it was. It judges nothing.

use super::arguments::Arguments;
use crate::data_files::Failure;
use crate::output_file::Output;
use schema::Schema;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tabular::{CsvWriter, Records};

/// What is written beside the findings.
pub(super) struct Outputs {
    normal_form: Option<Output>,
    /// Writes the normal form, where it is CSV.
    csv: Option<CsvWriter>,
    rejects: Option<Output>,
    /// Room for a row.
    row: String,
}

impl Outputs {
    pub(super) fn create(arguments: &Arguments, schema: &Schema) -> Result<Self, Failure> {
        refuse_same(arguments)?;
        let create = |path: &Option<PathBuf>| path.as_deref().map(Output::create).transpose();
        let is_csv = |path: &Path| {
            let ending = path.extension().unwrap_or_default();
            ending.eq_ignore_ascii_case("csv")
        };
        let mut outputs = Outputs {
            normal_form: create(&arguments.normal_form)?,
            csv: None,
            rejects: create(&arguments.rejects)?,
            row: String::new(),
        };
        if arguments.normal_form.as_deref().is_some_and(is_csv) {
            let writer = CsvWriter {
                for_spreadsheets: arguments.for_spreadsheets,
                ..CsvWriter::default()
            };
            let names = schema.active_fields().map(|field| field.name.as_str());
            writer.names(names, &mut outputs.row);
            outputs.csv = Some(writer);
            if let Some(output) = &mut outputs.normal_form {
                output.write(|file| file.write_all(outputs.row.as_bytes()))?;
            }
        }
        Ok(outputs)
    }

    /// Begins a file: its rejects have its header.
    pub(super) fn begin(&mut self, records: &Records<'_>) -> Result<(), Failure> {
        let (Some(rejects), Some(header)) = (&mut self.rejects, records.header()) else {
            return Ok(());
        };
        let writer = CsvWriter {
            delimiter: records.delimiter().unwrap_or(b','),
            quote: records.quote().unwrap_or(b'"'),
            ..CsvWriter::default()
        };
        self.row.clear();
        writer.names(header.iter().map(String::as_str), &mut self.row);
        rejects.write(|file| file.write_all(self.row.as_bytes()))
    }

    pub(super) fn clean(&mut self, normal_form: &str) -> Result<(), Failure> {
        let Some(output) = &mut self.normal_form else {
            return Ok(());
        };
        let Some(csv) = self.csv else {
            return output.write(|file| writeln!(file, "{normal_form}"));
        };
        self.row.clear();
        let written = csv.record(normal_form, &mut self.row);
        // INVARIANT: a normal form is a flat object
        debug_assert!(written.is_ok());
        output.write(|file| file.write_all(self.row.as_bytes()))
    }

    pub(super) fn reject(&mut self, raw: &[u8]) -> Result<(), Failure> {
        let Some(output) = &mut self.rejects else {
            return Ok(());
        };
        output.write(|file| {
            file.write_all(raw)?;
            file.write_all(b"\n")
        })
    }

    pub(super) fn finish(self) -> Result<(), Failure> {
        let mut outputs = [self.normal_form, self.rejects].into_iter().flatten();
        outputs.try_for_each(Output::end)
    }
}

/// A file that is read must not be written, nor one be written twice.
fn refuse_same(arguments: &Arguments) -> Result<(), Failure> {
    let written = [&arguments.normal_form, &arguments.rejects];
    let mut taken: Vec<PathBuf> = arguments.files.clone();
    taken.push(arguments.schema.clone());
    taken.extend(arguments.domains.clone());
    for path in written.into_iter().flatten() {
        let is_same = |other: &PathBuf| match (path.canonicalize(), other.canonicalize()) {
            (Ok(path), Ok(other)) => path == other,
            // what is not there yet can only be written twice
            _ => path == other,
        };
        if taken.iter().any(is_same) {
            let message = format!("{} would be written over", path.display());
            return Err(Failure::new(message, "name a file that nothing else names"));
        }
        taken.push(path.clone());
    }
    Ok(())
}

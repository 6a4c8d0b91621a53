//! The two files that validating may write: clean rows in their normal form, and the others as they stand. Every row
//! goes to one of them, at once. Each is written beside its place and takes it at the end, so that a run that fails
//! leaves an older one as it was. It judges nothing.

use super::arguments::Arguments;
use super::rejects::Rejects;
use crate::data_files::Failure;
use crate::output_file::{Output, is_same, is_standard_output};
use schema::Schema;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tabular::{CsvWriter, Records};

/// What is written beside the findings.
pub(super) struct Outputs {
    normal_form: Option<Output>,
    /// Writes the normal form, where it is CSV.
    csv: Option<CsvWriter>,
    rejects: Option<Rejects>,
    /// Room for a row.
    row: String,
}

impl Outputs {
    pub(super) fn create(arguments: &Arguments, schema: &Schema) -> Result<Self, Failure> {
        refuse_taken(arguments)?;
        let is_csv = |path: &Path| {
            let ending = path.extension().unwrap_or_default();
            ending.eq_ignore_ascii_case("csv")
        };
        let mut outputs = Outputs {
            normal_form: arguments
                .normal_form
                .as_deref()
                .map(Output::create)
                .transpose()?,
            csv: None,
            rejects: arguments
                .rejects
                .as_deref()
                .map(Rejects::create)
                .transpose()?,
            row: String::new(),
        };
        if arguments.normal_form.as_deref().is_some_and(is_csv) {
            let writer = CsvWriter {
                for_spreadsheets: arguments.for_spreadsheets,
                ..CsvWriter::default()
            };
            let names = schema.active_fields().map(|field| field.name.as_str());
            writer.head(names, &mut outputs.row);
            outputs.csv = Some(writer);
            if let Some(output) = &mut outputs.normal_form {
                output.write(|file| file.write_all(outputs.row.as_bytes()))?;
            }
        }
        Ok(outputs)
    }

    /// Begins a file.
    pub(super) fn begin(&mut self, records: &Records<'_>) -> Result<(), Failure> {
        match &mut self.rejects {
            Some(rejects) => rejects.begin(records),
            None => Ok(()),
        }
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
        match &mut self.rejects {
            Some(rejects) => rejects.add(raw),
            None => Ok(()),
        }
    }

    pub(super) fn finish(self) -> Result<(), Failure> {
        self.normal_form.map_or(Ok(()), Output::end)?;
        self.rejects.map_or(Ok(()), Rejects::end)
    }
}

/// Standard output has the findings. A file that is read must not be written, nor one be written twice.
fn refuse_taken(arguments: &Arguments) -> Result<(), Failure> {
    let written = [
        ("--normal-form", &arguments.normal_form),
        ("--rejects", &arguments.rejects),
    ];
    let mut taken: Vec<PathBuf> = arguments.files.clone();
    taken.push(arguments.schema.clone());
    taken.extend(arguments.domains.clone());
    for (flag, path) in written {
        let Some(path) = path else {
            continue;
        };
        if is_standard_output(path) {
            let message = format!("{flag} can't be `-`: standard output has the findings");
            return Err(Failure::new(
                message,
                "name a file; `./-` is one of this name",
            ));
        }
        if taken.iter().any(|other| is_same(path, other)) {
            let message = format!("{} would be written over", path.display());
            return Err(Failure::new(message, "name a file that nothing else names"));
        }
        taken.push(path.clone());
    }
    Ok(())
}

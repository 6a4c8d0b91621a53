//! Data files against a schema: every fault of every row at its place, in the order of the rows. One row is held at a
//! time, and of each primary key 16 bytes.

mod arguments;
mod domains;
mod outputs;
mod rejects;
mod report;
mod summary;

pub(crate) use arguments::Arguments;
pub(crate) use domains::Domains;

use crate::data_files::{Failure, is_standard_input, open};
use crate::findings::Reporter;
use crate::schema_file;
use engine::validate::Lookups;
use outputs::Outputs;
use report::Report;
use schema::{Field, PicklistType, Schema};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use summary::Summary;
use tabular::{Finding, Judged, LostColumn, Mapping, OpenError, Place, Records, Settings};
use tabular::{Keys, Twice};

/// Validates files; yields whether nothing was found.
pub(crate) fn validate(arguments: &Arguments, reporter: &Reporter) -> Result<bool, Failure> {
    let inputs = std::iter::once(&arguments.schema).chain(&arguments.files);
    if inputs.filter(|path| is_standard_input(path)).count() > 1 {
        let message = "standard input (`-`) can be read only once";
        return Err(Failure::new(message, "name one file as `-`"));
    }
    if arguments.rejects.is_some() && arguments.files.len() > 1 {
        let message = "--rejects takes the rows of one file, and there are several";
        return Err(Failure::new(message, "validate the files one by one"));
    }
    let (_, schema) = schema_file::read(&arguments.schema, "validate with", reporter)?;
    let (mark, split) = (arguments.decimal_mark, arguments.split);
    if let Some((field, sign)) = tabular::DecimalMark::parted_by(mark, split, &schema) {
        let sign = match sign {
            tabular::NumberSign::Decimals => "is the decimal mark, too",
            tabular::NumberSign::Thousands => "may stand between the thousands of numbers",
        };
        let message = format!("--split {sign}, and would part the numbers of {field:?}");
        return Err(Failure::new(message, "part values by another sign"));
    }
    let domains = arguments
        .domains
        .as_deref()
        .map(Domains::read)
        .transpose()?;
    let out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut run = Run::new(arguments, &schema, Keys::new(), out)?;
    let settings = Settings {
        mappings: &arguments.mappings,
        split: arguments.split,
        decimal_mark: arguments.decimal_mark,
        lookups: domains.as_ref().map(|domains| domains as &dyn Lookups),
        ..Settings::default()
    };
    for path in &arguments.files {
        run.file(path, arguments, &schema, settings)?;
    }
    run.finish()
}

/// What of a schema's rules is not judged, if anything is: codes that are not given, and files.
fn beyond(schema: &Schema, has_domains: bool) -> &'static str {
    let is_dynamic = |field: &Field| field.picklist_type == Some(PicklistType::Dynamic);
    let has_codes = !has_domains && schema.active_fields().any(is_dynamic);
    let has_files = schema
        .active_fields()
        .any(|field| field.data_type.is_file());
    match (has_codes, has_files) {
        (false, _) => "files",
        (true, false) => "codes of data domains (see --domains)",
        (true, true) => "codes of data domains (see --domains) and files",
    }
}

/// Where rows stand among all files, and whether they count as faulty, as one number each, in the order of the rows.
#[derive(Default)]
struct Places {
    files: Vec<String>,
}

/// The bits of a line's number.
const LINE_BITS: u32 = 44;

impl Places {
    /// The number of a row that begins at a line of the file that came last.
    fn number(&self, line: u64, is_faulty: bool) -> u64 {
        let file = self.files.len() as u64 - 1;
        (file << LINE_BITS | line) << 1 | u64::from(is_faulty)
    }

    fn file_and_line(&self, number: u64) -> (&str, u64) {
        let place = number >> 1;
        let file = usize::try_from(place >> LINE_BITS).unwrap_or(usize::MAX);
        let name = self.files.get(file).map_or("", String::as_str);
        (name, place & ((1 << LINE_BITS) - 1))
    }

    fn is_faulty(number: u64) -> bool {
        number & 1 == 1
    }
}

/// A run over all files.
struct Run<W> {
    report: Report<W>,
    outputs: Outputs,
    summary: Summary,
    /// The names of the active fields.
    fields: Vec<String>,
    /// The primary key's field, and its values so far.
    keys: Option<(String, Keys)>,
    places: Places,
}

impl<W: Write> Run<W> {
    /// One that remembers primary keys by `keys`, where the schema has one, and tells findings to `out`.
    fn new(arguments: &Arguments, schema: &Schema, keys: Keys, out: W) -> Result<Self, Failure> {
        Ok(Run {
            report: Report::new(arguments.format, out).map_err(|error| Failure::output(&error))?,
            outputs: Outputs::create(arguments, schema)?,
            summary: Summary {
                beyond: beyond(schema, arguments.domains.is_some()),
                ..Summary::default()
            },
            fields: schema
                .active_fields()
                .map(|field| field.name.clone())
                .collect(),
            keys: schema.primary_key().map(|field| (field.name.clone(), keys)),
            places: Places::default(),
        })
    }

    fn file(
        &mut self,
        path: &Path,
        arguments: &Arguments,
        schema: &Schema,
        settings: Settings<'_>,
    ) -> Result<(), Failure> {
        let reader = open(path, &arguments.file)?;
        let mut records =
            Records::new(schema, reader, settings).map_err(|error| unopened(path, error))?;
        if arguments.rejects.is_some() {
            records = records.keeping_raw();
        }
        let name = if is_standard_input(path) {
            "standard input".to_owned()
        } else {
            path.display().to_string()
        };
        self.places.files.push(name.clone());
        for lost in records.lost_columns() {
            self.tell(&name, &lost_column(lost))?;
        }
        self.outputs.begin(&records)?;
        while let Some(row) = records.next() {
            let row = row.map_err(|error| Failure::file("read", path, &error))?;
            self.row(&name, row, &records)?;
        }
        Ok(())
    }

    fn row(&mut self, file: &str, mut row: Judged, records: &Records<'_>) -> Result<(), Failure> {
        if row.is_blank && self.keys.is_some() {
            // as an import has it, no row
            return Ok(());
        }
        self.summary.rows += 1;
        if let Some(record) = &row.record {
            self.summary.unjudged += u64::from(!record.is_fully_judged());
            if let Some((field, keys)) = &mut self.keys {
                if let Some(key) = record.primary_key() {
                    let number = self.places.number(row.place.line, !row.findings.is_empty());
                    let before = keys.insert(key, number);
                    if let Some(before) = before.map_err(|error| no_room(&error))? {
                        let before = self.places.file_and_line(before);
                        row.findings.push(duplicate(field, row.place, file, before));
                    }
                } else if !has_finding(&row.findings, field) {
                    // where the schema requires it, that is told already
                    row.findings.push(keyless(field, row.place));
                }
            }
        }
        for finding in &row.findings {
            self.tell(file, finding)?;
        }
        match &row.record {
            Some(record) if row.findings.is_empty() => self.outputs.clean(record.normal_form()),
            _ => {
                self.summary.faulty += 1;
                self.outputs.reject(records.raw())
            }
        }
    }

    fn tell(&mut self, file: &str, finding: &Finding) -> Result<(), Failure> {
        self.summary
            .count(&self.fields, finding.field.as_deref(), finding.code);
        self.report
            .finding(file, finding)
            .map_err(|error| Failure::output(&error))
    }

    fn finish(mut self) -> Result<bool, Failure> {
        if let Some((field, keys)) = self.keys.take() {
            for Twice { first, again } in keys.finish().map_err(|error| no_room(&error))? {
                let (file, line) = self.places.file_and_line(again);
                let place = Place::of_line(line);
                let finding = duplicate(&field, place, file, self.places.file_and_line(first));
                let file = file.to_owned();
                self.summary.faulty += u64::from(!Places::is_faulty(again));
                self.tell(&file, &finding)?;
            }
        }
        self.outputs.finish()?;
        let is_clean = self.summary.findings() == 0;
        let finished = self.report.finish(&self.summary, &mut io::stderr());
        finished.map_err(|error| Failure::output(&error))?;
        Ok(is_clean)
    }
}

/// Why the rows of a file are not read.
pub(crate) fn unopened(path: &Path, error: OpenError) -> Failure {
    match error {
        OpenError::Read(error) => Failure::file("read", path, &error),
        OpenError::Mapping(wrong) => Failure::new(
            format!("--map, {}: {wrong}", path.display()),
            "write COLUMN=FIELD with names as they stand in the file and the schema",
        ),
        OpenError::Schema(problems) => Failure::new(problems.to_string(), "mend the schema first"),
    }
}

fn no_room(error: &io::Error) -> Failure {
    let message = format!("can't keep the primary keys in a temporary file: {error}");
    Failure::new(message, "make room there, or name another folder in TMPDIR")
}

fn has_finding(findings: &[Finding], field: &str) -> bool {
    let mut fields = findings.iter().map(|finding| &finding.field);
    fields.any(|of| of.as_deref() == Some(field))
}

/// A row that the service makes no record of: `PRIMARY_KEY_REQUIRED`.
fn keyless(field: &str, place: Place) -> Finding {
    Finding {
        place,
        field: Some(field.to_owned()),
        code: "primary_key_required",
        message: "is the primary key, and has no value".to_owned(),
    }
}

fn duplicate(field: &str, place: Place, file: &str, before: (&str, u64)) -> Finding {
    let (before_file, line) = before;
    let message = if before_file == file {
        format!("must be unique; line {line} has the same")
    } else {
        format!("must be unique; line {line} of {before_file} has the same")
    };
    Finding {
        place,
        field: Some(field.to_owned()),
        code: "duplicate_primary_key",
        message,
    }
}

/// A column that goes nowhere, told at the file's first line.
fn lost_column(lost: &LostColumn) -> Finding {
    let (code, message) = match lost {
        LostColumn::Unknown {
            name,
            near: Some(near),
            ..
        } => (
            "unknown_column",
            format!(
                "no field has the name of the column {name:?}; if {near:?} is meant, say --map {:?}",
                Mapping::typed(name, near)
            ),
        ),
        LostColumn::Unknown {
            name, near: None, ..
        } => (
            "unknown_column",
            format!(
                "no field has the name of the column {name:?}; leave it out with --map {:?}",
                Mapping::typed(name, "")
            ),
        ),
        LostColumn::Only { name } => (
            "unknown_column",
            format!(
                "no field has the name of the only column {name:?}; if its cells are not parted by a comma, a semicolon, a tab or a bar, say by what with --delimiter"
            ),
        ),
        LostColumn::Surplus { .. } => ("surplus_column", lost.to_string()),
        LostColumn::Twice { column, field, .. } => (
            "second_column",
            format!(
                "column {} is for {field:?} too; another one counts",
                column + 1
            ),
        ),
    };
    Finding {
        place: Place::of_line(1),
        field: None,
        code,
        message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args as _, FromArgMatches as _};
    use schema::Origin;

    const SCHEMA: &str = r#"{"schemaId":"s","name":"Customer","businessAreaId":"a","businessAreaName":"A","createdDate":"2026-01-01T00:00:00.000Z",
        "fields":[{"fieldId":"1","name":"No","active":true,"dataType":"string","isPrimaryKey":true,"isSortKey":false,"isRequired":true},
        {"fieldId":"2","name":"Size","active":true,"dataType":"integer","isPrimaryKey":false,"isSortKey":false,"isRequired":false}]}"#;

    #[test]
    fn a_row_with_findings_whose_key_is_found_again_at_the_end_counts_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.csv");
        std::fs::write(&path, "No,Size\n1,1\n2,1\n1,x\n2,2\n").unwrap();
        let command = Arguments::augment_args(clap::Command::new("validate"));
        let said = ["validate", "s.json", "in.csv", "--format", "json"];
        let arguments = Arguments::from_arg_matches(&command.get_matches_from(said)).unwrap();
        let schema = Schema::read(SCHEMA, Origin::Elsewhere).unwrap().schema;
        let mut out = Vec::new();
        // of so few that are held, each that stands again is found at the end
        let Ok(mut run) = Run::new(&arguments, &schema, Keys::holding(1), &mut out) else {
            panic!("it can't begin");
        };
        let read = run.file(&path, &arguments, &schema, Settings::default());
        assert!(read.is_ok());
        assert!(run.finish().is_ok_and(|is_clean| !is_clean));
        let out = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines.len(), 4, "{out}");
        for (line, told) in lines.iter().zip([
            "\"line\":4,\"column\":3,",
            "line 2 has the same",
            "line 3 has the same",
            "{\"summary\":{\"rows\":4,\"faultyRows\":2,\"notFullyJudgedRows\":0,\"findings\":3,",
        ]) {
            assert!(line.contains(told), "{told}: {out}");
        }
    }
}

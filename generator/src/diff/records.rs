//! Rows of a data file, counted: those that break no rule under the old schema and break one under the new. No value is
//! kept or shown; a sample is the line of a row.

use super::arguments::Arguments;
use crate::data_files::{Failure, open};
use crate::validate::{Domains, unopened};
use engine::validate::{Checker, Fault, Lookups};
use schema::diff::Diff;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use tabular::{Records, Settings};

/// Lines told of each field and rule.
const SAMPLES_MAX: usize = 5;

/// What became of the rows.
#[derive(Default)]
pub(super) struct Counted {
    /// Rows that were read.
    pub(super) rows: u64,
    /// Rows that are no records of the old schema, or none of the new one.
    pub(super) unread: u64,
    /// Rows that become faulty, or have a fault in a field that had none.
    pub(super) faulty: u64,
    /// Of each field, by its new name, and rule.
    pub(super) findings: BTreeMap<(String, &'static str), Finding>,
}

/// The rows that one field and rule are about.
#[derive(Default)]
pub(super) struct Finding {
    pub(super) rows: u64,
    /// The lines of the first rows, from 1.
    pub(super) lines: Vec<u64>,
}

/// Counts the rows of the file of `--records`.
pub(super) fn count(
    diff: &Diff<'_>,
    path: &Path,
    arguments: &Arguments,
) -> Result<Counted, Failure> {
    let domains = arguments
        .domains
        .as_deref()
        .map(Domains::read)
        .transpose()?;
    let lookups = domains.as_ref().map(|domains| domains as &dyn Lookups);
    let checker = Checker::new(diff.new)
        .map_err(|problems| Failure::new(problems.to_string(), "mend the schema first"))?;
    let settings = Settings {
        lookups,
        ..Settings::default()
    };
    let reader = open(path, &arguments.file)?;
    let records =
        Records::new(diff.old, reader, settings).map_err(|error| unopened(path, error))?;
    let mut counted = Counted::default();
    for row in records {
        let row = row.map_err(|error| Failure::file("read", path, &error))?;
        counted.rows += 1;
        let carried = row.record.as_ref();
        let carried = carried.and_then(|record| diff.carry(record.normal_form()));
        let judged = carried.and_then(|body| checker.check_with(body.as_bytes(), lookups).ok());
        let Some(judged) = judged else {
            counted.unread += 1;
            continue;
        };
        let was_faulty: HashSet<&str> = row
            .record
            .iter()
            .flat_map(|it| it.faults())
            .map(Fault::field)
            .collect();
        let mut told = HashSet::new();
        for fault in judged.faults() {
            let old_name = diff.old_name(fault.field());
            if old_name.is_some_and(|name| was_faulty.contains(name)) {
                continue;
            }
            if told.insert((fault.field(), fault.rule().code())) {
                let key = (fault.field().to_owned(), fault.rule().code());
                let finding = counted.findings.entry(key).or_default();
                finding.rows += 1;
                if finding.lines.len() < SAMPLES_MAX {
                    finding.lines.push(row.place.line);
                }
            }
        }
        counted.faulty += u64::from(!told.is_empty());
    }
    Ok(counted)
}

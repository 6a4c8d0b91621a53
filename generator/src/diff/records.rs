//! Rows of a data file, counted: those that break no rule under the old schema and break one under the new. No value is
//! kept or shown; a sample is the line of a row, or the id of a record.

use super::arguments::Arguments;
use crate::data_files::{Failure, open};
use crate::validate::{Domains, unopened};
use engine::validate::{Checked, Checker, Fault, Lookups};
use schema::diff::Diff;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::Path;
use tabular::{Records, Settings};

/// Samples told of each field and rule.
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
    /// The first rows: lines of a file, from 1, or ids of records.
    pub(super) samples: Vec<Sample>,
}

/// Where a row is found again.
#[derive(Clone)]
pub(super) enum Sample {
    Line(u64),
    #[cfg_attr(
        not(feature = "fetch"),
        expect(dead_code, reason = "records are asked for")
    )]
    Record(String),
}

impl Finding {
    /// `line 3, 4`, or `record vT…, aN…`.
    pub(super) fn places(&self) -> String {
        let noun = match self.samples.first() {
            Some(Sample::Record(_)) => "record",
            _ => "line",
        };
        let places: Vec<_> = self.samples.iter().map(Sample::to_string).collect();
        format!("{noun} {}", places.join(", "))
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sample::Line(line) => line.fmt(f),
            Sample::Record(id) => id.fmt(f),
        }
    }
}

/// Counts the rows of `--records`.
pub(super) fn count(
    diff: &Diff<'_>,
    records: &Path,
    arguments: &Arguments,
) -> Result<Counted, Failure> {
    let domains = arguments
        .domains
        .as_deref()
        .map(Domains::read)
        .transpose()?;
    let lookups = domains.as_ref().map(|domains| domains as &dyn Lookups);
    let mut counting = Counting {
        diff,
        new: Checker::new(diff.new)
            .map_err(|problems| Failure::new(problems.to_string(), "mend the schema first"))?,
        lookups,
        counted: Counted::default(),
    };
    let named = records.to_str().unwrap_or_default();
    if named.starts_with("http://") || named.starts_with("https://") {
        counting.of_service(named, arguments)?;
    } else {
        counting.of_file(records, arguments)?;
    }
    Ok(counting.counted)
}

/// What rows are judged by, and what was found so far.
struct Counting<'a> {
    diff: &'a Diff<'a>,
    new: Checker,
    lookups: Option<&'a dyn Lookups>,
    counted: Counted,
}

impl Counting<'_> {
    fn of_file(&mut self, path: &Path, arguments: &Arguments) -> Result<(), Failure> {
        let settings = Settings {
            lookups: self.lookups,
            ..Settings::default()
        };
        let reader = open(path, &arguments.file)?;
        let records =
            Records::new(self.diff.old, reader, settings).map_err(|error| unopened(path, error))?;
        let has_key = self.diff.old.primary_key().is_some();
        for row in records {
            let row = row.map_err(|error| Failure::file("read", path, &error))?;
            if row.is_blank && has_key {
                // as an import has it, no row
                continue;
            }
            self.row(row.record.as_ref(), &Sample::Line(row.place.line));
        }
        Ok(())
    }

    #[cfg(feature = "fetch")]
    fn of_service(&mut self, url: &str, arguments: &Arguments) -> Result<(), Failure> {
        let old = Checker::new(self.diff.old)
            .map_err(|problems| Failure::new(problems.to_string(), "mend the schema first"))?;
        let dataset = arguments.dataset.as_deref();
        crate::fetch::records(url, self.diff.old, dataset, |id, body| {
            let record = old.check_with(body.as_bytes(), self.lookups).ok();
            self.row(record.as_ref(), &Sample::Record(id.to_owned()));
        })
        .map_err(crate::fetch::FetchError::into_failure)
    }

    #[cfg(not(feature = "fetch"))]
    #[expect(clippy::unused_self, reason = "with the feature `fetch` it counts")]
    fn of_service(&mut self, url: &str, _: &Arguments) -> Result<(), Failure> {
        let help = "build it with the feature `fetch`, or name a file";
        Err(Failure::new(format!("this program can't ask {url}"), help))
    }

    /// Counts a row: one that is no record of either schema, or one that has a fault in a field that had none.
    fn row(&mut self, old: Option<&Checked>, sample: &Sample) {
        self.counted.rows += 1;
        let carried = old.and_then(|record| self.diff.carry(record.normal_form()));
        let judged =
            carried.and_then(|body| self.new.check_with(body.as_bytes(), self.lookups).ok());
        let Some(judged) = judged else {
            self.counted.unread += 1;
            return;
        };
        let faults = old.into_iter().flat_map(|it| it.faults());
        let was_faulty: HashSet<&str> = faults.map(Fault::field).collect();
        let mut told = HashSet::new();
        for fault in judged.faults() {
            let old_name = self.diff.old_name(fault.field());
            if old_name.is_some_and(|name| was_faulty.contains(name)) {
                continue;
            }
            if told.insert((fault.field(), fault.rule().code())) {
                let key = (fault.field().to_owned(), fault.rule().code());
                let finding = self.counted.findings.entry(key).or_default();
                finding.rows += 1;
                if finding.samples.len() < SAMPLES_MAX {
                    finding.samples.push(sample.clone());
                }
            }
        }
        self.counted.faulty += u64::from(!told.is_empty());
    }
}

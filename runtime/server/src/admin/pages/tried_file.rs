//! The file of a dry run, with which its maker goes on: what it was read as, and what its values say of how it should have
//! been read; and whether a form has it read so again.

use super::file_inputs::character;
use super::job_faults::is_none_clean;
use super::job_figures::{Figure, figures};
use super::job_rights;
use super::visit::Visit;
use service::manage::{
    DateReading, DecimalMark, FoundFile, ImportOptions, JobKind, JobView, NumberTexts,
};

/// Where the address of a job says why a file was tried though its import was asked for.
const INSTEAD: &str = "instead";
const OF_CELLS: &str = "cells";
const OF_COLUMNS: &str = "columns";

/// The file of a dry run.
pub(super) struct TriedFile {
    pub(super) name: String,
    /// What would come of it.
    pub(super) figures: Vec<Figure>,
    /// Whether no row would be stored without a fault.
    pub(super) is_none_clean: bool,
    /// Whether it was tried as one that was exported for spreadsheets.
    pub(super) is_guarded: bool,
    /// What was said to stand before the decimals of its numbers; empty where nothing was.
    pub(super) decimal_mark: &'static str,
    /// What else was said of the values of its cells, by the names of inputs.
    pub(super) said: Vec<(&'static str, String)>,
    /// Whether nothing was said, and a comma stands before the decimals of a field, and of none a point.
    pub(super) has_commas: bool,
    pub(super) found: Option<FoundFile>,
}

/// How a form has a file read that was tried.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    AsTried,
    /// It has the columns that were found, and their cells may mean something else.
    OtherCells,
    /// It may have other columns.
    OtherColumns,
}

impl Reading {
    /// The address of the job that tries a file in place of its import, by which it tells why.
    pub(super) fn told_at(self, address: String) -> String {
        let why = match self {
            Reading::AsTried => return address,
            Reading::OtherCells => OF_CELLS,
            Reading::OtherColumns => OF_COLUMNS,
        };
        let sign = if address.contains('?') { '&' } else { '?' };
        format!("{address}{sign}{INSTEAD}={why}")
    }
}

impl TriedFile {
    /// Whether what a form says by an input of this name has the file read as it was tried; where it says nothing, what was
    /// found is found again.
    pub(super) fn is_read_by(&self, name: &str, said: &str) -> bool {
        match name {
            "decimalMark" => said == self.decimal_mark,
            "dateFormat" | "trueWords" | "falseWords" | "nullWords" => {
                let mut own = self.said.iter().filter(|(own, _)| *own == name);
                said == own.next().map_or("", |(_, said)| said.as_str())
            }
            "forSpreadsheets" => (said == "true") == self.is_guarded,
            _ if said.is_empty() => true,
            _ => {
                let said = if name == "delimiter" {
                    character(said)
                } else {
                    said
                };
                let found = self.found.as_ref();
                found.is_none_or(|found| was_found(found, name) == said)
            }
        }
    }
}

/// What was found of a file, as an input of this name says it.
fn was_found(found: &FoundFile, name: &str) -> String {
    let own = match name {
        "format" => Some(found.format.as_str().to_owned()),
        "encoding" => found.encoding.clone(),
        "delimiter" => found.delimiter.map(String::from),
        "quote" => found.quote.map(String::from),
        "header" => found.header.map(|it| it.to_string()),
        "sheet" => found.sheet.clone(),
        _ => None,
    };
    own.unwrap_or_default()
}

/// Why a file was tried in place of its import, for who asked for that.
pub(super) fn instead_of_import<P>(visit: &Visit<P>, job: &JobView) -> Option<&'static str> {
    let is_trial = job.kind == JobKind::Import && job.is_dry_run;
    let why = visit.parameter(INSTEAD).filter(|_| is_trial)?;
    let texts = &visit.texts.found_file;
    match &*why {
        OF_CELLS => Some(texts.instead_cells),
        OF_COLUMNS => Some(texts.instead_columns),
        _ => None,
    }
}

/// The file of this dry run, where there is one of the visitor's own: nobody else goes on with it, or reads its name.
pub(super) async fn tried_file(visit: &Visit<String>, job: &str) -> Option<TriedFile> {
    if job.is_empty() {
        return None;
    }
    let service = &visit.site.service;
    let job = service.get_job(&visit.caller, job).await.ok()?;
    if !job_rights::is_own(visit, &job) || job.data_set_id != visit.ids {
        return None;
    }
    let is_there = service.has_tried_file(&job);
    let figures = figures(&job, visit.texts);
    let options = job.import_options.filter(|_| is_there)?;
    let unnamed = || visit.texts.file.to_owned();
    let result = job.import_result.unwrap_or_default();
    Some(TriedFile {
        figures,
        is_none_clean: is_none_clean(job.state, &result),
        is_guarded: options.for_spreadsheets,
        decimal_mark: options.decimal_mark.map_or("", DecimalMark::as_str),
        said: said_of_cells(&options),
        has_commas: has_commas_alone(&result.numbers),
        name: options.file_name.unwrap_or_else(unnamed),
        found: result.found,
    })
}

/// What was said of the values of cells, by the names of inputs, but for the mark of decimals.
pub(super) fn said_of_cells(options: &ImportOptions) -> Vec<(&'static str, String)> {
    let format = options.date_format.filter(|it| *it != DateReading::Field);
    let said = [
        ("dateFormat", format.map(|it| it.as_str().to_owned())),
        ("trueWords", options.true_words.clone()),
        ("falseWords", options.false_words.clone()),
        ("nullWords", options.null_words.clone()),
    ];
    let said = said.into_iter();
    said.filter_map(|(name, said)| Some((name, said?)))
        .collect()
}

/// Whether a file is to be read by a comma as far as it tells: it would give a field with points other values.
fn has_commas_alone(numbers: &[NumberTexts]) -> bool {
    let is_other = |own: &NumberTexts| own.others > own.commas;
    numbers.iter().any(NumberTexts::has_commas) && !numbers.iter().any(is_other)
}

#[cfg(test)]
mod tests {
    use super::super::found::example;
    use super::*;

    fn tried(found: Option<FoundFile>) -> TriedFile {
        TriedFile {
            name: "wares.csv".to_owned(),
            figures: Vec::new(),
            is_none_clean: false,
            is_guarded: false,
            decimal_mark: "comma",
            said: vec![("dateFormat", "us".to_owned())],
            has_commas: false,
            found,
        }
    }

    #[test]
    fn a_file_is_read_as_it_was_tried_where_nothing_is_said_or_what_was_found() {
        let own = tried(Some(example()));
        for (name, alike, other) in [
            ("format", "csv", "xlsx"),
            ("encoding", "utf-8", "windows-1252"),
            ("delimiter", "tab", ";"),
            ("quote", "\"", "'"),
            ("header", "true", "false"),
            ("sheet", "", "Sheet 2"),
        ] {
            assert!(own.is_read_by(name, "") && own.is_read_by(name, alike));
            assert!(!own.is_read_by(name, other), "{name}");
            let unread = tried(None);
            assert!(
                unread.is_read_by(name, other),
                "{name} of none that was read"
            );
        }
        // of these, nothing said is another reading
        assert!(own.is_read_by("decimalMark", "comma"));
        assert!(!own.is_read_by("decimalMark", ""));
        assert!(own.is_read_by("dateFormat", "us") && own.is_read_by("nullWords", ""));
        assert!(!own.is_read_by("dateFormat", "") && !own.is_read_by("nullWords", "-"));
        assert!(own.is_read_by("forSpreadsheets", ""));
        assert!(!own.is_read_by("forSpreadsheets", "true"));
    }

    #[test]
    fn the_address_of_a_trial_says_why_it_stands_in_place_of_an_import() {
        for (reading, address, told) in [
            (Reading::AsTried, "/jobs/a", "/jobs/a"),
            (Reading::OtherCells, "/jobs/a", "/jobs/a?instead=cells"),
            (
                Reading::OtherColumns,
                "/jobs/a?before=true",
                "/jobs/a?before=true&instead=columns",
            ),
        ] {
            assert_eq!(reading.told_at(address.to_owned()), told);
        }
    }
}

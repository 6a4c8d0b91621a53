//! The file of a dry run, with which its maker goes on: what it was read as, and what its values say of how it should have
//! been read.

use super::job_figures::{Figure, figures};
use super::job_rights;
use super::visit::Visit;
use service::manage::{DecimalMark, FoundFile, NumberTexts};

/// The file of a dry run.
pub(super) struct TriedFile {
    pub(super) name: String,
    /// What would come of it.
    pub(super) figures: Vec<Figure>,
    /// Whether it was tried as one that was exported for spreadsheets.
    pub(super) is_guarded: bool,
    /// What was said to stand before the decimals of its numbers; empty where nothing was.
    pub(super) decimal_mark: &'static str,
    /// Whether nothing was said, and a comma stands before the decimals of a field, and of none a point.
    pub(super) has_commas: bool,
    pub(super) found: Option<FoundFile>,
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
        is_guarded: options.for_spreadsheets,
        decimal_mark: options.decimal_mark.map_or("", DecimalMark::as_str),
        has_commas: has_commas_alone(&result.numbers),
        name: options.file_name.unwrap_or_else(unnamed),
        found: result.found,
    })
}

/// Whether a file is to be read by a comma as far as it tells: it would give a field with points other values.
fn has_commas_alone(numbers: &[NumberTexts]) -> bool {
    let is_other = |own: &NumberTexts| own.others > own.commas;
    numbers.iter().any(NumberTexts::has_commas) && !numbers.iter().any(is_other)
}

//! Jobs: what is under way and what came of it; cancelled and undone from here, their files deleted.

use super::form_jobs::form_of;
use super::found::numbers_told;
use super::import_address::address_of;
use super::job_figures::{Figure, figures};
use super::job_rights;
use super::job_rows::{JobRow, row};
use super::numbers::{duration, grouped, moment};
use super::revisions::Revision;
use super::sample_records::{LeftOut, SampleNames};
use super::texts::Texts;
use super::tried_file::instead_of_import;
use super::undone::{UndoneBy, undoing_of};
use super::values::fault_text;
use super::visit::{Page, Section, Submission, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::Refusal;
use service::catalog::Verb;
use service::judgement::is_worded_as_now;
use service::manage::{FaultCount, JobFile, JobKind, JobState, JobView, UnusedColumn};
use std::time::Duration;
use wire::Timestamp;

struct FaultLine {
    field: String,
    rule: &'static str,
    count: String,
    sample: String,
}

/// Something that came of a job and can be taken.
struct Download {
    which: &'static str,
    text: &'static str,
    name: String,
    size: String,
    until: String,
    /// Why the visitor may not take it.
    refusal: Option<String>,
}

struct LogLine {
    at: String,
    text: String,
}

#[derive(Template)]
#[template(path = "job.html", blocks = ["live"])]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a fact or a right of its own, as the template asks for it"
)]
struct JobPage {
    page: Page,
    job: JobRow,
    /// The form that made it when it came before, where that came again.
    form: Option<String>,
    /// Why it tried a file in place of its import.
    instead: Option<&'static str>,
    /// How fast it is and how long it takes still, while it is done.
    pace: Option<String>,
    /// The dataset it is of.
    dataset_id: String,
    /// The same, where the visitor comes to it.
    reached: Option<String>,
    failure: Option<String>,
    figures: Vec<Figure>,
    faults: Vec<FaultLine>,
    rejections: Vec<FaultLine>,
    log: Vec<LogLine>,
    may_undo: bool,
    /// By what it is or was undone.
    undone_by: Option<UndoneBy>,
    is_trial: bool,
    /// Whether it is left half done when it is cancelled.
    loses_work: bool,
    is_purged: bool,
    /// Where the file of a trial is imported, behind the address of the dataset.
    again: Option<String>,
    unused: Vec<UnusedColumn>,
    /// What is to be looked at twice of how the numbers of its file are written.
    numbers: Vec<String>,
    /// Whether a file was tried that has no rows.
    has_no_rows: bool,
    downloads: Vec<Download>,
    /// Whether it has files, which can be deleted before their time.
    has_files: bool,
    revision: Option<Revision>,
    /// Records that an undo left as they are, and why.
    left: Vec<LeftOut>,
}

/// How fast a job is and how long it takes still; none of one that nobody works on, or of which nothing is done yet.
fn pace(job: &JobView, now: Timestamp, texts: &Texts) -> Option<String> {
    let began = job
        .started_date
        .filter(|_| job.state == JobState::Running)?;
    let elapsed = u64::try_from(now.millis() - began.millis()).ok()?;
    let (progress, elapsed) = (&job.progress, Duration::from_millis(elapsed));
    let rate = grouped(progress.rows_per_second(elapsed), texts);
    let rate = (progress.rows > 0).then(|| (texts.job.rate)(&rate, texts.of_rows(&rate)));
    let left = progress.time_left(elapsed);
    let left = left.map(|left| (texts.job.time_left)(&duration(left)));
    let told: Vec<_> = rate.into_iter().chain(left).collect();
    (!told.is_empty()).then(|| told.join(" · "))
}

/// The first row with a fault: by the rule alone where an earlier release told it in other words.
fn first_of(fault: &FaultCount, texts: &Texts) -> Option<String> {
    let first = fault.samples.first()?;
    let told = if is_worded_as_now(&first.message) {
        fault_text(&first.message, texts)
    } else {
        texts.rule(&fault.rule).to_owned()
    };
    Some((texts.line_and_message)(first.line, &told))
}

pub(super) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let job = visit.site.service.get_job(&visit.caller, &visit.ids);
    let job = job.await?;
    let texts = visit.texts;
    let result = job.import_result.as_ref();
    let faults = result
        .into_iter()
        .flat_map(|it| &it.faults)
        .map(|fault| FaultLine {
            field: fault.field.clone(),
            rule: texts.rule(&fault.rule),
            count: grouped(fault.count, texts),
            sample: first_of(fault, texts).unwrap_or_default(),
        });
    let rejections = result
        .into_iter()
        .flat_map(|it| &it.rejections)
        .map(|it| FaultLine {
            field: texts.rejection(&it.reason).to_owned(),
            rule: "",
            count: grouped(it.count, texts),
            sample: it.samples.first().map_or_else(String::new, |it| {
                (texts.line_and_message)(it.line, &fault_text(&it.message, texts))
            }),
        });
    let log = job.log.iter().map(|line| LogLine {
        at: moment(line.at),
        text: texts.said(&line.text),
    });
    let (may_undo, undone_by) = undoing_of(&visit, &job).await?;
    let page = JobPage {
        page: visit.page(Section::Jobs),
        job: row(&visit, &job),
        form: form_of(&visit, &job),
        instead: instead_of_import(&visit, &job),
        pace: pace(&job, visit.site.service.now(), texts),
        dataset_id: job.data_set_id.clone(),
        reached: job_rights::may(&visit, &job, Verb::View).then(|| job.data_set_id.clone()),
        failure: job.failure.as_deref().map(|it| texts.said(it)),
        figures: figures(&job, texts),
        left: left_by_undo(&visit, &job).await?,
        faults: faults.collect(),
        rejections: rejections.collect(),
        log: log.collect(),
        may_undo,
        undone_by,
        is_trial: job.is_dry_run,
        loses_work: writes(&job),
        is_purged: job.is_purged,
        revision: Revision::of(&visit, &job).await?,
        again: imported_from(&visit, &job),
        has_no_rows: job.is_dry_run && has_no_rows(&job),
        numbers: result.map_or_else(Vec::new, |it| numbers_told(it, texts)),
        unused: result.map_or_else(Vec::new, |it| it.unused_columns.clone()),
        downloads: downloads(&visit, &job)?,
        has_files: has_files(&visit, &job),
    };
    if visit.is_part {
        return shown(&page.as_live());
    }
    shown(&page)
}

/// Whether it changes records: what it did so far stays when it is cancelled.
pub(super) fn writes(job: &JobView) -> bool {
    match job.kind {
        JobKind::Export | JobKind::Effects => false,
        JobKind::Import | JobKind::Repair | JobKind::Revalidate | JobKind::Undo | JobKind::Bulk => {
            !job.is_dry_run
        }
    }
}

/// Where the file of a trial is imported, for who sent it, as long as it is there.
fn imported_from<P>(visit: &Visit<P>, job: &JobView) -> Option<String> {
    let trial = job.import_options.as_ref()?;
    let is_there = job.state.has_ended()
        && !has_no_rows(job)
        && job_rights::is_own(visit, job)
        && visit.site.service.has_tried_file(job);
    is_there.then(|| address_of(trial, &job.job_id))
}

/// Whether an import was done to the end of a file that has no rows.
fn has_no_rows(job: &JobView) -> bool {
    let result = job.import_result.as_ref();
    job.state == JobState::Done && result.is_some_and(|it| it.rows == 0)
}

/// The records that an undo left as they are.
async fn left_by_undo<P>(visit: &Visit<P>, job: &JobView) -> Result<Vec<LeftOut>, Failure> {
    let left = job.undo_result.as_ref().map(|it| &*it.left_records);
    let Some(left) = left.filter(|left| !left.is_empty()) else {
        return Ok(Vec::new());
    };
    let ids = left.iter().map(|it| &*it.data_object_id).collect();
    let names = SampleNames::of(visit, ids).await?;
    Ok(names.left_out(left, visit.texts))
}

/// Whether a job that has ended has files: those that it made, or the one that was tried.
pub(super) fn has_files<P>(visit: &Visit<P>, job: &JobView) -> bool {
    let has_any = !job.files.is_empty() || visit.site.service.has_tried_file(job);
    job.state.has_ended() && has_any
}

fn downloads<P>(visit: &Visit<P>, job: &JobView) -> Result<Vec<Download>, Refusal> {
    let (service, texts) = (&visit.site.service, visit.texts);
    let files = job.files.iter().map(|file| {
        let refusal = match service.require_download(&visit.caller, job, file.file) {
            Ok(()) => None,
            Err(refusal @ (Refusal::Forbidden(_) | Refusal::NotFound(_))) => {
                Some(texts.refusal(&refusal))
            }
            Err(refusal) => return Err(refusal),
        };
        let (which, text) = match file.file {
            JobFile::Export => ("export", texts.download_export),
            JobFile::Rejects => ("rejects", texts.download_rejects),
        };
        Ok(Download {
            refusal,
            which,
            text,
            name: file.name.clone(),
            size: grouped(file.bytes.div_ceil(1024), texts),
            until: moment(file.until),
        })
    });
    files.collect()
}

pub(super) async fn delete_files(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let service = &visit.site.service;
    service.delete_job_files(&visit.caller, &visit.ids).await?;
    Ok(visit.see(&format!("/jobs/{}", visit.ids)))
}

pub(super) async fn cancel(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let job = visit.site.service.cancel_job(&visit.caller, &visit.ids);
    let job = job.await?;
    Ok(visit.see(&format!("/jobs/{}", job.job_id)))
}

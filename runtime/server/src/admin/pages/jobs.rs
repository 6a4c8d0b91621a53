//! Jobs: what is under way and what came of it; cancelled and undone from here, their files deleted.

use super::form_jobs::form_of;
use super::found::{file_notices, first_rows};
use super::import_address::address_of;
use super::job_faults::{FaultLine, fault_lines, has_unclean, is_none_clean, rejected_lines};
use super::job_figures::{Figure, figures};
use super::job_rights;
use super::job_rows::{JobRow, row};
use super::numbers::{bytes, duration, grouped, moment, percent, second};
use super::revisions::Revision;
use super::sample_records::{LeftOut, SampleNames};
use super::texts::{Texts, filled};
use super::tried_file::instead_of_import;
use super::undone::{UndoneBy, undoes, undoing_of};
use super::unused_columns::UnusedColumns;
use super::visit::{Page, Section, Submission, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::Refusal;
use service::catalog::{Resource, Verb};
use service::manage::{JobFile, JobKind, JobProgress, JobState, JobView};
use std::time::Duration;
use wire::Timestamp;

/// Something that came of a job and can be taken.
struct Download {
    file: JobFile,
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
    /// How far and how fast it is and how long it takes still, while it is done.
    pace: Option<String>,
    /// Whether there is room for that: a page that was there while the job went on keeps it.
    has_pace: bool,
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
    /// The job that it takes back itself.
    undoes: Option<JobRow>,
    /// Whether it has written records, which the visitor comes to.
    has_written: bool,
    /// Whether faulty ones are among these, which the visitor may search for.
    is_left_faulty: bool,
    is_trial: bool,
    /// Whether it is left half done when it is cancelled.
    loses_work: bool,
    is_purged: bool,
    /// Where the file of a trial is imported, behind the address of the dataset.
    again: Option<String>,
    /// The same, to try it once more, where the file is to be corrected first: it could not be read, or rows of it are at fault.
    correct: Option<String>,
    /// Whether these are all of its rows.
    is_none_clean: bool,
    /// The columns of its file that go nowhere.
    unused: Option<UnusedColumns>,
    /// What is to be checked of how its file was read.
    notices: Vec<String>,
    /// The first rows of a dry run, as they would be stored.
    first_rows: Vec<(u64, String)>,
    /// Whether a file was tried that has no rows.
    has_no_rows: bool,
    downloads: Vec<Download>,
    /// Whether it has files, which can be deleted before their time.
    has_files: bool,
    revision: Option<Revision>,
    /// Records that an undo left as they are, and why.
    left: Vec<LeftOut>,
}

impl JobPage {
    /// What can be taken of rows that were rejected, which stands below these.
    fn rejects(&self) -> Vec<&Download> {
        let is_own = |it: &&Download| it.file == JobFile::Rejects && self.shows_rejections();
        self.downloads.iter().filter(is_own).collect()
    }

    /// What else can be taken.
    fn other_downloads(&self) -> Vec<&Download> {
        let is_other = |it: &&Download| it.file != JobFile::Rejects || !self.shows_rejections();
        self.downloads.iter().filter(is_other).collect()
    }

    /// What becomes of rows that were rejected, and what one does about them: they are taken as long as there is a file of them that
    /// the visitor may have.
    fn told_rejections(&self) -> &'static str {
        let own = &self.page.t.job;
        if self.is_trial {
            own.rejected_would
        } else if self.rejects().iter().any(|it| it.refusal.is_none()) {
            own.rejected_were
        } else {
            own.rejected_alone
        }
    }

    /// Rows that were rejected are told of once the job has ended.
    fn shows_rejections(&self) -> bool {
        self.job.has_ended && !self.rejections.is_empty()
    }
}

/// How far and how fast a job is and how long it takes still; none of one that nobody works on.
fn pace(job: &JobView, now: Timestamp, texts: &Texts) -> Option<String> {
    let began = job
        .started_date
        .filter(|_| job.state == JobState::Running)?;
    let elapsed = u64::try_from(now.millis() - began.millis()).ok()?;
    let (progress, elapsed) = (&job.progress, Duration::from_millis(elapsed));
    let part = progress.part();
    let part = part.map(|(done, all)| percent(done.min(all), all, texts));
    let rate = grouped(progress.rows_per_second(elapsed), texts);
    let rate = (progress.rows > 0).then(|| (texts.job.rate)(&rate, texts.of_rows(&rate)));
    let left = progress.time_left(elapsed);
    let left = left.map(|left| (texts.job.time_left)(&duration(left)));
    let told = [part, done_of(progress, texts), rate, left];
    let told: Vec<_> = told.into_iter().flatten().collect();
    (!told.is_empty()).then(|| told.join(" · "))
}

/// How much is done and of how much, as far as that is known: rows where these are counted, else bytes of the file.
fn done_of(progress: &JobProgress, texts: &Texts) -> Option<String> {
    let told = |done: &str, all: &str| filled(texts.job.done_of, &[done, all]);
    let of_rows = progress.rows_total.map(|all| {
        let [done, all] = [progress.rows, all].map(|count| grouped(count, texts));
        format!("{} {}", told(&done, &all), texts.of_rows(&all))
    });
    let of_bytes = || {
        let [done, all] = [progress.bytes, progress.bytes_total?].map(|it| bytes(it, texts));
        Some(told(&done, &all))
    };
    of_rows.or_else(of_bytes)
}

pub(super) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let job = visit.site.service.get_job(&visit.caller, &visit.ids);
    let job = job.await?;
    let texts = visit.texts;
    let result = job.import_result.as_ref();
    let log = job.log.iter().map(|line| LogLine {
        at: second(line.at),
        text: texts.said(&line.text),
    });
    let (may_undo, undone_by) = undoing_of(&visit, &job).await?;
    let reached = job_rights::may(&visit, &job, Verb::View);
    let is_sorted = job.state.has_ended() && !visit.is_part;
    let may_search = visit.caller.rights().may(Resource::Search, Verb::View);
    let again = imported_from(&visit, &job);
    let corrects_first = job.state == JobState::Failed || result.is_some_and(has_unclean);
    let page = JobPage {
        page: visit.page(Section::Jobs),
        job: row(&visit, &job),
        form: form_of(&visit, &job),
        instead: instead_of_import(&visit, &job),
        pace: pace(&job, visit.site.service.now(), texts),
        has_pace: !job.state.has_ended() || visit.is_part,
        dataset_id: job.data_set_id.clone(),
        reached: reached.then(|| job.data_set_id.clone()),
        undoes: undoes(&visit, &job).await?,
        has_written: reached && writes(&job) && job.state.has_ended(),
        is_left_faulty: may_search && undone_by.is_none() && leaves_faulty(&job),
        failure: job.failure.as_deref().map(|it| texts.said(it)),
        figures: figures(&job, texts),
        left: left_by_undo(&visit, &job).await?,
        faults: result.map_or_else(Vec::new, |it| fault_lines(it, is_sorted, texts)),
        rejections: result.map_or_else(Vec::new, |it| rejected_lines(it, texts)),
        log: log.collect(),
        may_undo,
        undone_by,
        is_trial: job.is_dry_run,
        loses_work: writes(&job),
        is_purged: job.is_purged,
        revision: Revision::of(&visit, &job).await?,
        correct: again
            .as_ref()
            .filter(|_| corrects_first)
            .map(|it| format!("{it}&try=true")),
        is_none_clean: result.is_some_and(|it| is_none_clean(job.state, it)),
        again,
        has_no_rows: job.is_dry_run && has_no_rows(&job),
        notices: result.map_or_else(Vec::new, |it| file_notices(it, texts)),
        first_rows: result.map_or_else(Vec::new, first_rows),
        unused: result.and_then(|it| UnusedColumns::of(it, texts)),
        downloads: downloads(&visit, &job)?,
        has_files: has_files(&visit, &job),
    };
    if visit.is_part {
        return shown(&page.as_live());
    }
    shown(&page)
}

/// Whether records that it wrote or judged are faulty.
fn leaves_faulty(job: &JobView) -> bool {
    let imported = job.import_result.as_ref().map(|it| it.faulty);
    let judged = job.revision_result.as_ref().map(|it| it.faulty_after);
    imported.or(judged).is_some_and(|count| count > 0)
}

/// Whether it changes records: what it did so far stays when it is cancelled.
fn writes(job: &JobView) -> bool {
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
            file: file.file,
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

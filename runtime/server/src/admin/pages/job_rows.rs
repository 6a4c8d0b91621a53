//! Jobs as lists tell of them: all that the visitor may see or those of one dataset, and what is under way, for home.

use super::actor_names::actor_name;
use super::job_figures::{Figure, figures};
use super::job_rights;
use super::numbers::{grouped, percent, second, share};
use super::pagination::PageLinks;
use super::places::Place;
use super::texts::Texts;
use super::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::catalog::{Resource, Verb};
use service::manage::{JobKind, JobState, JobView, is_by_itself};
use service::{PageRequest, Refusal};

/// A job as a list shows it.
pub(super) struct JobRow {
    pub(super) id: String,
    pub(super) kind: &'static str,
    pub(super) dataset: String,
    /// The name of the file that it imports, for who sent it, or of the field that it repairs; empty where there is none.
    pub(super) of: String,
    pub(super) state: &'static str,
    pub(super) rows: String,
    /// Whether a file is only tried: there is room from the beginning for what will be at fault, so that nothing moves at its end.
    pub(super) tries_file: bool,
    /// What would be wrong with rows of such a file.
    pub(super) at_fault: Vec<Figure>,
    /// How much of it is done, as the width of a bar and, where that is known of one that goes on, in words.
    pub(super) share: String,
    pub(super) percent: Option<String>,
    pub(super) by: String,
    pub(super) at: String,
    pub(super) has_ended: bool,
}

#[derive(Template)]
#[template(path = "jobs.html", blocks = ["live"])]
struct JobsPage {
    page: Page,
    /// The dataset whose jobs they are, by its id and name, where one is asked for.
    dataset: Option<(String, String)>,
    jobs: Vec<JobRow>,
    /// Whether the visitor comes to a dataset, where jobs begin.
    may_start: bool,
    is_live: bool,
    pages: PageLinks,
}

/// Jobs as home tells of them.
#[derive(Default)]
pub(super) struct UnderWay {
    pub(super) rows: Vec<JobRow>,
    /// Whether any job goes on.
    pub(super) goes_on: bool,
}

/// The jobs that have not ended, newest first. Who was shown some before, by their ids, is told what became of them and of
/// no others, so that nothing moves below them.
pub(super) async fn under_way<P>(
    visit: &Visit<P>,
    shown_before: Option<&str>,
) -> Result<UnderWay, Failure> {
    let service = &visit.site.service;
    let newest = PageRequest::default();
    let page = match service.glance_at_jobs(&visit.caller, None, &newest).await {
        Ok(page) => page,
        Err(Refusal::Forbidden(_)) => return Ok(UnderWay::default()),
        Err(refusal) => return Err(refusal.into()),
    };
    let is_told = |job: &&JobView| match shown_before {
        Some(ids) => ids.split(',').any(|id| id == job.job_id),
        None => !job.state.has_ended(),
    };
    let told = page.items.iter().filter(is_told);
    Ok(UnderWay {
        rows: told.map(|job| row(visit, job)).collect(),
        goes_on: page.items.iter().any(|job| !job.state.has_ended()),
    })
}

/// A job as a list shows it.
pub(super) fn row<P>(visit: &Visit<P>, job: &JobView) -> JobRow {
    let texts = visit.texts;
    let dataset = visit.caller.catalog().datasets.get(&job.data_set_id);
    let rights = visit.caller.rights();
    let dataset = dataset.filter(|dataset| rights.manages(&dataset.area, Verb::View));
    let progress = &job.progress;
    let done = progress.part();
    let (part, whole) = done.unwrap_or_default();
    let goes_on = job.state == JobState::Running;
    let import = job.import_options.as_ref();
    let import = import.filter(|_| job_rights::is_own(visit, job));
    let tries_file = job.is_dry_run && job.kind == JobKind::Import;
    let tried = if tries_file && job.state.has_ended() {
        figures(job, texts)
    } else {
        Vec::new()
    };
    JobRow {
        id: job.job_id.clone(),
        kind: kind(job.kind, texts),
        dataset: dataset.map_or_else(String::new, |dataset| dataset.name.clone()),
        of: import
            .and_then(|it| it.file_name.clone())
            .or_else(|| job.repair_options.as_ref().map(|it| it.field.clone()))
            .unwrap_or_default(),
        state: state(job, texts),
        rows: grouped(progress.rows, texts),
        tries_file,
        at_fault: tried.into_iter().filter(|it| it.is_faulty).collect(),
        share: if job.state == JobState::Done {
            "100".to_owned()
        } else {
            share(part, whole)
        },
        percent: done
            .filter(|_| goes_on)
            .map(|(part, whole)| percent(part.min(whole), whole, texts)),
        by: if is_by_itself(job) {
            texts.job.by_itself.to_owned()
        } else {
            actor_name(job.created_by.kind, &job.created_by.name, texts)
        },
        at: second(job.created_date),
        has_ended: job.state.has_ended(),
    }
}

fn kind(kind: JobKind, texts: &Texts) -> &'static str {
    match kind {
        JobKind::Import => texts.job.import,
        JobKind::Export => texts.job.export,
        JobKind::Repair => texts.job.repair,
        JobKind::Revalidate => texts.job.revalidate,
        JobKind::Effects => texts.job.effects,
        JobKind::Undo => texts.job.undo,
        JobKind::Bulk => texts.job.bulk,
    }
}

fn state(job: &JobView, texts: &Texts) -> &'static str {
    match job.state {
        JobState::Queued => texts.job.queued,
        JobState::Running => texts.job.running,
        JobState::Done if job.is_dry_run => texts.job.tried,
        JobState::Done => texts.job.done,
        JobState::Failed => texts.job.failed,
        JobState::Cancelled => texts.job.cancelled,
    }
}

pub(super) async fn list(visit: Visit) -> Result<Response<Body>, Failure> {
    let request = visit.list_page();
    let dataset = visit.parameter("dataset").filter(|id| !id.is_empty());
    let dataset = dataset.map(|id| Place::of(&visit, &id)).transpose()?;
    let dataset = dataset.map(|place| (place.id, place.name));
    let id = dataset.as_ref().map(|(id, _)| id.as_str());
    let found = visit
        .site
        .service
        .glance_at_jobs(&visit.caller, id, &request);
    let found = found.await?;
    let page = JobsPage {
        page: visit.page(Section::Jobs),
        is_live: request.key.is_none() && found.items.iter().any(|job| !job.state.has_ended()),
        jobs: found.items.iter().map(|job| row(&visit, job)).collect(),
        pages: PageLinks::of(&visit, "/jobs", &["dataset"], found.next_page_key),
        may_start: visit.caller.rights().may(Resource::Records, Verb::View),
        dataset,
    };
    if visit.is_part {
        return shown(&page.as_live());
    }
    shown(&page)
}

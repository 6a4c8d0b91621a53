//! By what a job is or was taken back, as its page tells it. That no second undoing begins beside one that has not ended, the
//! store sees to.

use super::shown::{is_visible, read_document};
use crate::{Caller, Refusal, Service};
use std::collections::HashSet;
use store::StoreError;
use store::jobs::{Job, JobFilter, JobKind, JobState};
use wire::manage::{JobView, UndoOptions, UndoResult};

/// Jobs that are read at once.
const AT_ONCE: usize = 100;
/// The newest jobs of a dataset, among which the undoing of one is looked for.
const LOOKED_AT_MAX: usize = 1000;

/// The undoing of a job, as that job tells it.
#[derive(Clone, Debug)]
pub struct Undoing {
    /// Its id, for who may see it.
    pub job_id: Option<String>,
    /// Whether it is done; else it waits or is under way.
    pub is_done: bool,
    /// Whether it left records as they were, so that another one may come to more.
    pub is_partial: bool,
}

/// A job that may be taken back.
#[derive(Clone, Copy)]
struct UndoneJob<'j> {
    tenant: &'j str,
    dataset: &'j str,
    id: &'j str,
}

impl<'j> UndoneJob<'j> {
    fn of(job: &'j Job) -> Self {
        UndoneJob {
            tenant: &job.tenant,
            dataset: &job.dataset,
            id: &job.id,
        }
    }
}

impl Service {
    /// By what a job, as the caller was shown it, is or was taken back; nothing, where that is to begin, failed or was cancelled.
    ///
    /// # Errors
    /// [`Refusal::Unauthenticated`]; the store's.
    pub async fn undoing_of(
        &self,
        by: &Caller,
        shown: &JobView,
    ) -> Result<Option<Undoing>, Refusal> {
        let caller = self.newest(by)?;
        let undone = UndoneJob {
            tenant: caller.tenant(),
            dataset: &shown.data_set_id,
            id: &shown.job_id,
        };
        let Some(job) = self.newest_undoing(undone).await? else {
            return Ok(None);
        };
        let result: Option<UndoResult> = read_document(job.result.as_ref())?;
        let is_seen = is_visible(&job, &caller);
        Ok(Some(Undoing {
            is_done: job.state == JobState::Done,
            is_partial: result.is_some_and(|result| result.left > 0),
            job_id: is_seen.then_some(job.id),
        }))
    }

    /// The newest job that takes this one back, and neither failed nor was cancelled.
    async fn newest_undoing(&self, undone: UndoneJob<'_>) -> Result<Option<Job>, Refusal> {
        self.newer_job(undone, |job| {
            let is_void = matches!(job.state, JobState::Failed | JobState::Cancelled);
            Ok(!is_void && !job.is_emptied && takes_back(job, undone.id)?)
        })
        .await
    }

    /// The ids of all jobs but one that take this one back or took it back, however far they came.
    pub(super) async fn undoings_beside(
        &self,
        undone: &Job,
        own: &str,
    ) -> Result<HashSet<String>, Refusal> {
        let mut found = HashSet::new();
        self.newer_job(UndoneJob::of(undone), |job| {
            if job.id != own && takes_back(job, &undone.id)? {
                found.insert(job.id.clone());
            }
            Ok(false)
        })
        .await?;
        Ok(found)
    }

    /// The newest job of the same dataset that is meant, of those that are newer.
    async fn newer_job(
        &self,
        than: UndoneJob<'_>,
        mut is_meant: impl FnMut(&Job) -> Result<bool, StoreError>,
    ) -> Result<Option<Job>, Refusal> {
        let filter = JobFilter {
            maker: None,
            dataset: Some(than.dataset),
        };
        let mut before = None;
        for _ in 0..LOOKED_AT_MAX / AT_ONCE {
            let jobs = self.store();
            let jobs = jobs.jobs(than.tenant, filter, before, AT_ONCE).await?;
            before = jobs.last().map(|job| job.number);
            let is_last = jobs.len() < AT_ONCE;
            for job in jobs {
                // what undoes a job is newer than it
                if job.id == than.id {
                    return Ok(None);
                }
                if is_meant(&job)? {
                    return Ok(Some(job));
                }
            }
            if is_last {
                break;
            }
        }
        Ok(None)
    }
}

/// Whether a job takes another one back, or did.
fn takes_back(job: &Job, id: &str) -> Result<bool, StoreError> {
    let is_undoing = job.kind == JobKind::Undo;
    let options: Option<UndoOptions> = read_document(is_undoing.then_some(&job.options))?;
    Ok(options.is_some_and(|options| options.job_id == id))
}

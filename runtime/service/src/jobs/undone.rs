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

/// The jobs by which what a job did was taken back or done again, by their ids, however far they came.
#[derive(Debug, Default)]
pub(super) struct Undoings {
    /// Those that take it back: its undoings, and what undoes one that did it again.
    pub(super) back: HashSet<String>,
    /// Those that do it again: what undoes one that took it back.
    pub(super) again: HashSet<String>,
}

impl Undoings {
    /// Sorts jobs, each with the one that it undoes, by what they do to a job. The older ones come first.
    fn of(undone: &str, jobs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut found = Undoings::default();
        for (job, its) in jobs {
            if its == undone || found.again.contains(&its) {
                found.back.insert(job);
            } else if found.back.contains(&its) {
                found.again.insert(job);
            }
        }
        found
    }
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
    /// By what a job, as the caller was shown it, is or was taken back; nothing, where that is to begin, failed or was cancelled,
    /// or was taken back itself.
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
        if self.is_done_again(&job).await? {
            return Ok(None);
        }
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
            let is_its = taken_back(job)?.is_some_and(|id| id == undone.id);
            Ok(!is_void && !job.is_emptied && is_its)
        })
        .await
    }

    /// Whether what an undoing took back was done again since, by the undoing of that.
    async fn is_done_again(&self, undoing: &Job) -> Result<bool, Refusal> {
        let mut is_again = false;
        let mut next = self.newest_undoing(UndoneJob::of(undoing)).await?;
        while let Some(job) = next.filter(|job| job.state == JobState::Done) {
            is_again = !is_again;
            next = self.newest_undoing(UndoneJob::of(&job)).await?;
        }
        Ok(is_again)
    }

    /// All jobs but one by which what this one did is or was taken back or done again.
    pub(super) async fn undoings_beside(
        &self,
        undone: &Job,
        own: &str,
    ) -> Result<Undoings, Refusal> {
        let mut jobs = Vec::new();
        self.newer_job(UndoneJob::of(undone), |job| {
            if job.id != own {
                jobs.extend(taken_back(job)?.map(|its| (job.id.clone(), its)));
            }
            Ok(false)
        })
        .await?;
        // they came the newest first
        Ok(Undoings::of(&undone.id, jobs.into_iter().rev()))
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

/// The job that a job takes back, or did.
fn taken_back(job: &Job) -> Result<Option<String>, StoreError> {
    let is_undoing = job.kind == JobKind::Undo;
    let options: Option<UndoOptions> = read_document(is_undoing.then_some(&job.options))?;
    Ok(options.map(|options| options.job_id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_undoes_an_undoing_does_its_job_again_and_what_undoes_that_takes_it_back() {
        let jobs = [
            ("one", "job"),
            ("of another", "other"),
            ("two", "one"),
            ("beside", "job"),
            ("three", "two"),
            ("four", "three"),
            ("of it", "of another"),
        ];
        let jobs = jobs.map(|(job, its)| (job.to_owned(), its.to_owned()));
        let found = Undoings::of("job", jobs);
        let back = ["one", "beside", "three"].map(str::to_owned);
        let again = ["two", "four"].map(str::to_owned);
        assert_eq!(found.back, HashSet::from(back));
        assert_eq!(found.again, HashSet::from(again));
    }
}

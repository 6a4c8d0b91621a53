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
    /// or where the job was done again since.
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
        let jobs = self.undoings_since(undone).await?;
        let Some((job, result)) = newest_back(undone.id, jobs)? else {
            return Ok(None);
        };
        let is_seen = is_visible(&job, &caller);
        Ok(Some(Undoing {
            is_done: job.state == JobState::Done,
            is_partial: result.left > 0,
            job_id: is_seen.then_some(job.id),
        }))
    }

    /// All jobs but one by which what this one did is or was taken back or done again.
    pub(super) async fn undoings_beside(
        &self,
        undone: &Job,
        own: &str,
    ) -> Result<Undoings, Refusal> {
        let jobs = self.undoings_since(UndoneJob::of(undone)).await?;
        let jobs = jobs.into_iter().map(|(job, its)| (job.id, its));
        let others = jobs.filter(|(job, _)| job != own);
        Ok(Undoings::of(&undone.id, others))
    }

    /// The jobs of the same dataset that are newer and undo any job, each with that one's id. The older ones come first.
    async fn undoings_since(&self, than: UndoneJob<'_>) -> Result<Vec<(Job, String)>, Refusal> {
        let filter = JobFilter {
            maker: None,
            dataset: Some(than.dataset),
        };
        let (mut found, mut before) = (Vec::new(), None);
        'pages: for _ in 0..LOOKED_AT_MAX / AT_ONCE {
            let jobs = self.store();
            let jobs = jobs.jobs(than.tenant, filter, before, AT_ONCE).await?;
            before = jobs.last().map(|job| job.number);
            let is_last = jobs.len() < AT_ONCE;
            for job in jobs {
                // what undoes a job is newer than it
                if job.id == than.id {
                    break 'pages;
                }
                if let Some(its) = taken_back(&job)? {
                    found.push((job, its));
                }
            }
            if is_last {
                break;
            }
        }
        // they came the newest first
        found.reverse();
        Ok(found)
    }
}

/// The newest of these jobs that takes a job back, with what came of it; nothing, where it was done again since. The older ones
/// come first. One that failed or was cancelled does not take all back, though it may have done a part again, and one that is done and
/// counted nothing as taken back changed nothing.
fn newest_back(
    undone: &str,
    jobs: Vec<(Job, String)>,
) -> Result<Option<(Job, UndoResult)>, StoreError> {
    let ids = jobs.iter().map(|(job, its)| (job.id.clone(), its.clone()));
    let undoings = Undoings::of(undone, ids);
    let mut newest = None;
    for (job, _) in jobs.into_iter().rev() {
        let is_back = undoings.back.contains(&job.id);
        let is_void = matches!(job.state, JobState::Failed | JobState::Cancelled);
        let is_of_it = if is_back {
            !is_void && !job.is_emptied
        } else {
            undoings.again.contains(&job.id)
        };
        if !is_of_it {
            continue;
        }
        let result: UndoResult = read_document(job.result.as_ref())?.unwrap_or_default();
        let is_done = job.state == JobState::Done;
        let has_written = result.reverted + result.deleted + result.restored > 0;
        if is_back {
            newest.get_or_insert((job, result));
            if !is_done || has_written {
                break;
            }
        } else if (is_done || is_void) && has_written {
            return Ok(None);
        }
    }
    Ok(newest)
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

//! What jobs leave behind goes: files when their time is over, then the jobs themselves, and whatever a process that
//! was killed left in the folder.

use super::folder::{JobFolder, Part};
use super::import_again::is_dry_run;
use crate::{Caller, Refusal, Service};
use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, SystemTime};
use store::StoreError;
use store::jobs::{Job, JobFilter};
use wire::Timestamp;

/// Jobs whose files are removed at a time.
const AT_ONCE: usize = 100;
/// How old a file is at least that belongs to no job, or that its job does not tell of.
const ORPHAN_AGE: Duration = Duration::from_secs(24 * 3600);

impl Service {
    /// Removes what jobs keep of records that were purged, files of jobs that ended long ago, jobs that ended longer ago, and
    /// files that belong to no job. What keeps a purge from being settled keeps nothing else from being cleaned.
    ///
    /// # Errors
    /// When the store or the disk fails.
    pub async fn clean_jobs(&self) -> Result<(), StoreError> {
        if self.store().is_read_only() {
            return Ok(());
        }
        let settled = self.settle_purges().await;
        settled.and(self.clean_old_jobs().await)
    }

    async fn clean_old_jobs(&self) -> Result<(), StoreError> {
        let Some(folder) = self.job_folder.get() else {
            return Ok(());
        };
        let Some(now) = self.now_for_ages().await? else {
            return Ok(());
        };
        let settings = self.settings().jobs;
        let before = |kept: Duration| {
            let seconds = i64::try_from(kept.as_secs()).unwrap_or(i64::MAX);
            now.plus_seconds(seconds.saturating_neg())
        };
        loop {
            let ended = before(settings.files_kept);
            let jobs = self.store().jobs_with_files(ended, AT_ONCE).await?;
            for job in &jobs {
                for row in &job.files {
                    folder.remove_made(&job.id, row)?;
                }
                self.store().forget_job_files(&job.id).await?;
            }
            if jobs.len() < AT_ONCE {
                break;
            }
        }
        self.store().remove_jobs(before(settings.kept)).await?;
        self.remove_orphans(folder, before(settings.files_kept))
            .await?;
        self.note_job_rooms().await
    }

    /// Removes the files of a job that has ended, before their time: what its maker may download and, of a trial, what was
    /// sent, which is to be sent again then. What the job did stays, and what it tells.
    ///
    /// # Errors
    /// No such job that the caller may see, one that has not ended; the store's, the disk's.
    pub async fn delete_job_files(&self, by: &Caller, id: &str) -> Result<(), Refusal> {
        let job = self.visible_job(&self.newest(by)?, id).await?;
        if self.store().is_read_only() {
            return Err(StoreError::ReadOnly.into());
        }
        if !job.state.has_ended() {
            let text = "the job has not ended; cancel it first, or wait";
            return Err(Refusal::Conflict(text.into()));
        }
        if let Some(folder) = self.job_folder.get() {
            let removed = folder.remove_spent(|found| found.job == job.id);
            removed.map_err(StoreError::from)?;
        }
        Ok(self.store().forget_job_files(&job.id).await?)
    }

    /// Removes what jobs of a dataset that have ended keep of its records: files, samples in what they tell, and what was said
    /// of exports and repairs. That they were done, by whom and with which counts, stays. A job that keeps nothing of them, or was
    /// emptied before, is left as it is; where an entry of the log is named, one that was asked for behind it, too.
    pub(crate) async fn empty_jobs(
        &self,
        (tenant, dataset): (&str, &str),
        asked_before: Option<u64>,
    ) -> Result<(), StoreError> {
        let filter = JobFilter {
            maker: None,
            dataset: Some(dataset),
        };
        let mut before = None;
        loop {
            let jobs = self.store().jobs(tenant, filter, before, AT_ONCE).await?;
            before = jobs.last().map(|job| job.number);
            let is_last = jobs.len() < AT_ONCE;
            let ended = jobs
                .iter()
                .filter(|job| job.state.has_ended() && !job.is_emptied)
                .filter(|job| asked_before.is_none_or(|entry| job.log_after < entry));
            let emptied: Vec<Job> = ended.filter_map(Job::without_records).collect();
            if !emptied.is_empty() {
                if let Some(folder) = self.job_folder.get() {
                    let ids: HashSet<&str> = emptied.iter().map(|job| &*job.id).collect();
                    folder.remove_spent(|found| ids.contains(&*found.job))?;
                }
                self.store().retell_jobs(emptied).await?;
            }
            if is_last {
                return Ok(());
            }
        }
    }

    async fn remove_orphans(
        &self,
        folder: &JobFolder,
        kept_since: Timestamp,
    ) -> Result<(), StoreError> {
        for found in folder.found()? {
            // one that is being sent has no job yet
            if found.part == Part::Upload && !is_old(&found.path) {
                continue;
            }
            let job = self.store().job(&found.job).await?;
            let is_needed = match (found.part, &job) {
                (Part::Upload, _) => false,
                // one that was just sent has none yet either
                (_, None) => !is_old(&found.path),
                (_, Some(job)) if !job.state.has_ended() => true,
                // where servers have folders of their own, another one may have emptied it
                (_, Some(job)) if job.is_emptied => false,
                (Part::Input, Some(job)) => {
                    let is_young = job.ended_at.is_some_and(|at| at >= kept_since);
                    is_dry_run(job) && is_young || !is_old(&found.path)
                }
                (Part::Made(_), Some(job)) => found.is_told_by(job) || !is_old(&found.path),
            };
            if !is_needed {
                found.remove()?;
            }
        }
        Ok(())
    }
}

/// Whether nobody wrote a file for long, by the machine's clock, as files are.
fn is_old(path: &Path) -> bool {
    let written = std::fs::metadata(path).and_then(|it| it.modified());
    let age = written.map(|at| SystemTime::now().duration_since(at).unwrap_or_default());
    age.is_ok_and(|age| age >= ORPHAN_AGE)
}

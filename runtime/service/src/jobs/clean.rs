//! What jobs leave behind goes: files when their time is over, then the jobs themselves, and whatever a process that
//! was killed left in the folder.

use super::folder::{JobFolder, Part};
use crate::Service;
use std::path::Path;
use std::time::{Duration, SystemTime};
use store::StoreError;
use wire::Timestamp;

/// Jobs whose files are removed at a time.
const AT_ONCE: usize = 100;
/// How old a file is at least that belongs to no job: one that was just sent has none yet.
const ORPHAN_AGE: Duration = Duration::from_secs(24 * 3600);

impl Service {
    /// Removes files of jobs that ended long ago, jobs that ended longer ago, and files that belong to no job.
    ///
    /// # Errors
    /// When the store or the disk fails.
    pub async fn clean_jobs(&self) -> Result<(), StoreError> {
        let Some(folder) = self.job_folder.get() else {
            return Ok(());
        };
        if self.store().is_read_only() {
            return Ok(());
        }
        let settings = self.settings().jobs;
        let before = |kept: Duration| {
            let seconds = i64::try_from(kept.as_secs()).unwrap_or(i64::MAX);
            let now: Timestamp = self.now();
            now.plus_seconds(seconds.saturating_neg())
        };
        loop {
            let ended = before(settings.files_kept);
            let jobs = self.store().jobs_with_files(ended, AT_ONCE).await?;
            for job in &jobs {
                for file in &job.files {
                    folder.remove(&job.id, Part::Made(file.file))?;
                }
                self.store().forget_job_files(&job.id).await?;
            }
            if jobs.len() < AT_ONCE {
                break;
            }
        }
        self.store().remove_jobs(before(settings.kept)).await?;
        self.remove_orphans(folder).await
    }

    async fn remove_orphans(&self, folder: &JobFolder) -> Result<(), StoreError> {
        for (id, part, path) in folder.found()? {
            if !is_old(&path) {
                continue;
            }
            let job = self.store().job(&id).await?;
            let is_needed = job.is_some_and(|job| match part {
                Part::Upload => false,
                Part::Input => !job.state.has_ended(),
                Part::Made(file) => {
                    !job.state.has_ended() || job.files.iter().any(|row| row.file == file)
                }
            });
            if !is_needed {
                folder.remove(&id, part)?;
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

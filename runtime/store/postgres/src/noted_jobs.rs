//! Jobs that nobody works on, noted when they have ended, those that have ended told anew, and those under way marked to be
//! emptied at their end. A note is committed with the
//! writes that were asked for behind it, or before them. Where that transaction fails, each of them is tried by itself, notes
//! first (`writer.rs`, `commit_each`): then a write may be there whose note is not, and whoever asked for both is told that the
//! note failed. What becomes of a noted job later is as with all others (`jobs.rs`).

use crate::Inner;
use crate::connection::Values;
use crate::connections::{Transaction, transact};
use crate::error::Failure;
use crate::job_rows::{add, document, job, select_job};
use store::jobs::Job;
use wire::Timestamp;

const NOTE: &str = "UPDATE jobs SET state = $2, ended_at = $3, document = $4 WHERE id = $1";
const RETELL: &str = "UPDATE jobs SET has_files = false, document = $2
   WHERE id = $1 AND ended_at IS NOT NULL";
const RUNNING_OF: &str =
    select_job!("WHERE dataset = $1 AND state = 'running' ORDER BY number FOR UPDATE");
const MARK: &str = "UPDATE jobs SET document = $2 WHERE id = $1";

/// Notes jobs, or tells them anew. To be called behind the locks of writes: who decides has the catalog's version before it puts a
/// job in, too.
pub(crate) async fn note(tx: &Transaction, jobs: &[Job]) -> Result<(), Failure> {
    for job in jobs {
        let (state, document) = (job.state.as_str(), document(job)?);
        let ended_at = job.ended_at.map(Timestamp::millis);
        let told: Values<'_> = &[&job.id, &state, &ended_at, &document];
        if tx.execute(NOTE, told).await? > 0 {
            continue;
        }
        add(tx, job).await?;
    }
    Ok(())
}

impl Inner {
    /// Puts jobs that have ended in place of what is told of them, without files.
    pub(crate) async fn retell_jobs(&self, jobs: &[Job]) -> Result<(), Failure> {
        let documents: Vec<String> = jobs.iter().map(document).collect::<Result<_, _>>()?;
        transact!(&self.connections, tx => {
            for (job, document) in jobs.iter().zip(&documents) {
                tx.execute(RETELL, &[&job.id, document]).await?;
            }
            Ok(())
        })
    }

    /// Has the jobs of a dataset that are under way emptied at their end, those that were asked for before the log had an entry.
    /// A step of one of them is waited for.
    pub(crate) async fn mark_running_jobs(
        &self,
        dataset: &str,
        asked_before: u64,
    ) -> Result<(), Failure> {
        transact!(&self.connections, tx => {
            for row in tx.rows(RUNNING_OF, &[&dataset]).await? {
                let found = job(&row)?;
                if found.log_after < asked_before {
                    let marked = Job {
                        is_to_be_emptied: true,
                        ..found
                    };
                    tx.execute(MARK, &[&marked.id, &document(&marked)?]).await?;
                }
            }
            Ok(())
        })
    }
}

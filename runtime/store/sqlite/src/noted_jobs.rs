//! Jobs that nobody works on, noted when they have ended, those that have ended told anew, and those under way marked to be
//! emptied at their end. What becomes of them later is as with all others (`jobs.rs`).

use super::SqliteStore;
use super::job_rows::{document, job, select_job};
use crate::error::Failure;
use rusqlite::{Connection, params};
use store::StoreFuture;
use store::jobs::Job;
use tracing::debug_span;
use wire::Timestamp;

const NOTE: &str = "INSERT INTO jobs (id, tenant, dataset, maker, state, ended_at, document)
   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
   ON CONFLICT (id) DO UPDATE SET state = ?5, ended_at = ?6, document = ?7";
const DROP: &str = "DELETE FROM jobs WHERE id = ?1 AND ended_at IS NOT NULL";
const RETELL: &str =
    "UPDATE jobs SET has_files = 0, document = ?2 WHERE id = ?1 AND ended_at IS NOT NULL";

const RUNNING_OF: &str = select_job!("WHERE dataset = ?1 AND state = 'running'");
const MARK: &str = "UPDATE jobs SET document = ?2 WHERE id = ?1";

/// Has the jobs of a dataset that are under way emptied at their end, those that were asked for before the log had an entry.
pub(super) fn mark_running(
    connection: &Connection,
    dataset: &str,
    asked_before: u64,
) -> Result<(), Failure> {
    let mut running = connection.prepare_cached(RUNNING_OF)?;
    let running: Vec<Job> = running
        .query_map([dataset], job)?
        .collect::<Result<_, _>>()?;
    let mut mark = connection.prepare_cached(MARK)?;
    for job in running {
        if job.log_after < asked_before {
            let marked = Job {
                is_to_be_emptied: true,
                ..job
            };
            mark.execute(params![marked.id, document(&marked)?])?;
        }
    }
    Ok(())
}

/// Puts jobs that have ended in place of what is told of them, without files.
pub(super) fn retell(connection: &Connection, jobs: &[Job]) -> Result<(), Failure> {
    let mut retell = connection.prepare_cached(RETELL)?;
    for job in jobs {
        retell.execute(params![job.id, document(job)?])?;
    }
    Ok(())
}

impl SqliteStore {
    pub(super) fn note_ended(&self, job: Job) -> StoreFuture<'static, ()> {
        let span = debug_span!("store.note_job", job.id = job.id);
        self.writer.run(span, move |connection, _| {
            connection.prepare_cached(NOTE)?.execute(params![
                job.id,
                job.tenant,
                job.dataset,
                job.maker.id,
                job.state.as_str(),
                job.ended_at.map(Timestamp::millis),
                document(&job)?
            ])?;
            Ok(())
        })
    }

    pub(super) fn drop_noted(&self, id: &str) -> StoreFuture<'static, ()> {
        let span = debug_span!("store.drop_noted_job", job.id = id);
        let id = id.to_owned();
        self.writer.run(span, move |connection, _| {
            connection.prepare_cached(DROP)?.execute([&id])?;
            Ok(())
        })
    }
}

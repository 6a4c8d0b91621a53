//! Jobs that nobody works on, noted when they have ended, and those that have ended told anew. What becomes of them later
//! is as with all others (`jobs.rs`).

use super::SqliteStore;
use super::job_rows::document;
use crate::error::Failure;
use rusqlite::{Connection, params};
use store::StoreFuture;
use store::jobs::Job;
use tracing::debug_span;

const NOTE: &str = "INSERT INTO jobs (id, tenant, dataset, maker, state, ended_at, document)
   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
   ON CONFLICT (id) DO UPDATE SET state = ?5, ended_at = ?6, document = ?7";
const RETELL: &str =
    "UPDATE jobs SET has_files = 0, document = ?2 WHERE id = ?1 AND ended_at IS NOT NULL";

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
                job.ended_at.map(wire::Timestamp::millis),
                document(&job)?
            ])?;
            Ok(())
        })
    }
}

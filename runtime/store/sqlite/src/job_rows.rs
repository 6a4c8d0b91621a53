//! A job as a row: read whole, written whole, noted at its end. Which jobs are read and written, `jobs.rs` says.

use super::noun_rows::malformed;
use crate::error::Failure;
use rusqlite::{Connection, OptionalExtension, Row, params};
use store::StoreError;
use store::jobs::{Job, JobState};
use wire::Timestamp;

/// The columns that [`job`] reads.
macro_rules! select_job {
    ($rest:literal) => {
        concat!(
            "SELECT number, state, is_cancelling, document FROM jobs ",
            $rest
        )
    };
}
pub(crate) use select_job;

const BY_ID: &str = select_job!("WHERE id = ?1");
const END: &str = "UPDATE jobs SET state = ?2, ended_at = ?3, has_files = ?4, is_cancelling = 0,
   lease_holder = NULL, lease_until = 0, document = ?5 WHERE id = ?1";

fn unreadable(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(3, rusqlite::types::Type::Text, error.into())
}

pub(super) fn state(name: &str) -> rusqlite::Result<JobState> {
    JobState::named(name).ok_or_else(|| unreadable("an unknown state"))
}

pub(super) fn job(row: &Row<'_>) -> rusqlite::Result<Job> {
    let document = row.get_ref(3)?.as_str()?;
    let read: Job = serde_json::from_str(document).map_err(unreadable)?;
    Ok(Job {
        number: row.get::<_, i64>(0)?.cast_unsigned(),
        state: state(row.get_ref(1)?.as_str()?)?,
        is_cancelling: row.get(2)?,
        ..read
    })
}

pub(super) fn document(job: &Job) -> Result<String, StoreError> {
    serde_json::to_string(job).map_err(malformed("a job"))
}

pub(super) fn by_id(connection: &Connection, id: &str) -> Result<Option<Job>, Failure> {
    let mut statement = connection.prepare_cached(BY_ID)?;
    Ok(statement.query_row([id], job).optional()?)
}

pub(super) fn put_end(connection: &Connection, job: &Job) -> Result<(), Failure> {
    connection.prepare_cached(END)?.execute(params![
        job.id,
        job.state.as_str(),
        job.ended_at.map(Timestamp::millis),
        !job.files.is_empty(),
        document(job)?
    ])?;
    Ok(())
}

//! A job as a row: put in, read whole, written whole, noted at its end. Which jobs are read and written, `jobs.rs` says.

use crate::connection::Values;
use crate::connections::Transaction;
use crate::error::{Failure, malformed};
use store::StoreError;
use store::jobs::{COMMAND_WAIT_MILLIS, Job, JobState};
use tokio_postgres::Row;
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

const NEXT_NUMBER: &str =
    "UPDATE counters SET value = value + 1 WHERE name = 'jobs' RETURNING value";
const ADD: &str =
    "INSERT INTO jobs (id, number, tenant, dataset, schema, maker, kind, state, is_cancelling,
     lease_until, ended_at, has_files, document)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, false, 0, $9, false, $10)";
const WAITS_FOR_COMMAND: &str = "UPDATE jobs SET
     lease_until = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + $2::bigint
   WHERE id = $1";
const HOLD_BY_ID: &str = select_job!("WHERE id = $1 FOR UPDATE");
const END: &str =
    "UPDATE jobs SET state = $2, ended_at = $3, has_files = $4, is_cancelling = false,
   lease_holder = NULL, lease_until = 0, document = $5 WHERE id = $1";

pub(crate) fn state(name: &str, id: &str) -> Result<JobState, StoreError> {
    let unknown = || StoreError::Damaged(format!("the job {id} has an unknown state"));
    JobState::named(name).ok_or_else(unknown)
}

pub(crate) fn job(row: &Row) -> Result<Job, Failure> {
    let read: Job = serde_json::from_str(row.get(3)).map_err(malformed("a job"))?;
    Ok(Job {
        number: row.get::<_, i64>(0).cast_unsigned(),
        state: state(row.get(1), &read.id)?,
        is_cancelling: row.get(2),
        ..read
    })
}

pub(crate) fn document(job: &Job) -> Result<String, StoreError> {
    serde_json::to_string(job).map_err(malformed("a job"))
}

/// A job, whose row is held from then on.
pub(crate) async fn held(tx: &Transaction, id: &str) -> Result<Option<Job>, Failure> {
    let row = tx.row(HOLD_BY_ID, &[&id]).await?;
    row.as_ref().map(job).transpose()
}

/// Puts in a job as it is, under the next number.
pub(crate) async fn add(tx: &Transaction, job: &Job) -> Result<(), Failure> {
    let number = tx.row(NEXT_NUMBER, &[]).await?;
    let number: i64 = number.map_or(1, |row| row.get(0));
    let given: Values<'_> = &[
        &job.id,
        &number,
        &job.tenant,
        &job.dataset,
        &job.schema,
        &job.maker.id,
        &job.kind.as_str(),
        &job.state.as_str(),
        &job.ended_at.map(Timestamp::millis),
        &document(job)?,
    ];
    tx.execute(ADD, given).await?;
    if job.is_of_command {
        tx.execute(WAITS_FOR_COMMAND, &[&job.id, &COMMAND_WAIT_MILLIS])
            .await?;
    }
    Ok(())
}

/// Notes how a job ended.
pub(crate) async fn put_end(tx: &Transaction, job: &Job) -> Result<(), Failure> {
    let given: Values<'_> = &[
        &job.id,
        &job.state.as_str(),
        &job.ended_at.map(Timestamp::millis),
        &!job.files.is_empty(),
        &document(job)?,
    ];
    tx.execute(END, given).await?;
    Ok(())
}

//! A step of a job, inside the transaction of the writer, behind a savepoint: what it wrote is taken back where one of its
//! writes is not done.

use super::job_rows::{by_id, document, put_end};
use super::queued_job::State;
use super::write;
use crate::error::Failure;
use rusqlite::{Connection, OptionalExtension, params};
use store::jobs::{JobStep, StepVerdict};
use store::records::{RecordPlace, Write, WriteVerdict};

const HELD: &str =
    "SELECT is_cancelling FROM jobs WHERE id = ?1 AND state = 'running' AND lease_holder = ?2";
const HOLD: &str = "UPDATE jobs SET lease_until = ?2 WHERE id = ?1";
const CHANGE: &str = "UPDATE jobs SET document = ?2 WHERE id = ?1";

/// Does a step, if the job is held by who does it.
pub(super) fn step(
    connection: &Connection,
    state: &mut State,
    step: &JobStep,
    changing: &dyn Fn(RecordPlace, Option<&str>),
) -> Result<StepVerdict, Failure> {
    let mut statement = connection.prepare_cached(HELD)?;
    let held = statement.query_row([&step.id, &step.holder], |row| row.get::<_, bool>(0));
    let Some(is_cancelling) = held.optional()? else {
        return Ok(StepVerdict::Lost);
    };
    if is_cancelling && step.end.is_none() {
        return Ok(StepVerdict::Cancelled);
    }
    let verdicts = write_all(connection, state, &step.writes, changing)?;
    let is_done = |verdict: &WriteVerdict| matches!(verdict, WriteVerdict::Done { .. });
    if !verdicts.iter().all(is_done) {
        return Ok(StepVerdict::Refused(verdicts));
    }
    note(connection, step)?;
    Ok(StepVerdict::Done(verdicts))
}

/// Does all the writes, or none.
fn write_all(
    connection: &Connection,
    state: &mut State,
    writes: &[Write],
    changing: &dyn Fn(RecordPlace, Option<&str>),
) -> Result<Vec<WriteVerdict>, Failure> {
    if writes.is_empty() {
        return Ok(Vec::new());
    }
    let counted = state.tally.clone();
    connection.prepare_cached("SAVEPOINT step")?.execute([])?;
    let (mut verdicts, mut is_whole) = (Vec::with_capacity(writes.len()), true);
    for one in writes {
        let verdict = write::apply(connection, &state.catalog, &mut state.tally, one, changing)?;
        is_whole &= matches!(verdict, WriteVerdict::Done { .. });
        if let WriteVerdict::Done { id, .. } = verdict {
            changing(id.place, None);
        }
        verdicts.push(verdict);
        if verdict == WriteVerdict::SchemaChanged {
            break;
        }
    }
    if !is_whole {
        connection.prepare_cached("ROLLBACK TO step")?.execute([])?;
        state.tally = counted;
    }
    connection.prepare_cached("RELEASE step")?.execute([])?;
    Ok(verdicts)
}

/// Writes what a step changes in its job.
fn note(connection: &Connection, step: &JobStep) -> Result<(), Failure> {
    let hold = |connection: &Connection| -> Result<(), Failure> {
        let mut hold = connection.prepare_cached(HOLD)?;
        hold.execute(params![step.id, step.until.millis()])?;
        Ok(())
    };
    if step.only_holds() {
        return hold(connection);
    }
    let Some(mut job) = by_id(connection, &step.id)? else {
        return Ok(());
    };
    job.follow(step);
    if step.end.is_some() {
        return put_end(connection, &job);
    }
    let mut change = connection.prepare_cached(CHANGE)?;
    change.execute(params![step.id, document(&job)?])?;
    hold(connection)
}

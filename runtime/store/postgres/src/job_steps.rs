//! A step of a job, in a transaction that holds the job's row: what it wrote and where to go on are there together, or not at
//! all.

use crate::Inner;
use crate::connection::Values;
use crate::connections::Transaction;
use crate::error::Failure;
use crate::job_rows::{document, held, put_end};
use crate::migrate;
use crate::write::{Together, Written, write_all};
use store::jobs::{JobStep, StepVerdict};
use store::records::WriteVerdict;
use wire::Timestamp;

const HELD: &str = "SELECT is_cancelling FROM jobs
   WHERE id = $1 AND state = 'running' AND lease_holder = $2 FOR UPDATE";
const CATALOG_VERSION: &str = "SELECT value FROM counters WHERE name = 'catalog'";
const HOLD: &str = "UPDATE jobs
   SET lease_until = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + $2::bigint
   WHERE id = $1";
const CHANGE: &str = "UPDATE jobs SET document = $2,
     lease_until = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + $3::bigint
   WHERE id = $1";

/// Does a step, if the job is held by who does it.
pub(crate) async fn step(
    tx: &Transaction,
    inner: &Inner,
    step: &JobStep,
) -> Result<(StepVerdict, Option<Written>), Failure> {
    // no step of the tables is done beside it, so the version says of them what is so until its end; as a lock, which who decides
    // waits for, it comes with the writes
    let steps = tx.prepare(migrate::SHARE).await?;
    let version = tx.prepare(CATALOG_VERSION).await?;
    let (_, version) = tokio::try_join!(
        biased;
        tx.query(&steps, &[]),
        tx.query(&version, &[]),
    )?;
    let version = version.first();
    let version = version.map_or(0, |row| row.get::<_, i64>(0).cast_unsigned());
    inner.cache.require_known_tables(tx, version).await?;
    let Some(row) = tx.row(HELD, &[&step.id, &step.holder]).await? else {
        return Ok((StepVerdict::Lost, None));
    };
    if row.get::<_, bool>(0) && step.end.is_none() {
        return Ok((StepVerdict::Cancelled, None));
    }
    let (mut verdicts, mut written) = (Vec::new(), None);
    if !step.writes.is_empty() {
        let mut done = write_all(tx, inner, &step.writes, Together::AllOrNone).await?;
        verdicts = std::mem::take(&mut done.verdicts)
            .into_iter()
            .collect::<Result<Vec<_>, _>>()?;
        written = Some(done);
    }
    let is_done = |verdict: &WriteVerdict| matches!(verdict, WriteVerdict::Done { .. });
    if !verdicts.iter().all(is_done) {
        return Ok((StepVerdict::Refused(verdicts), None));
    }
    note(tx, step).await?;
    Ok((StepVerdict::Done(verdicts), written))
}

/// Writes what a step changes in its job.
async fn note(tx: &Transaction, step: &JobStep) -> Result<(), Failure> {
    let time = millis_between(step.at, step.until);
    if step.only_holds() {
        tx.execute(HOLD, &[&step.id, &time]).await?;
        return Ok(());
    }
    let Some(mut job) = held(tx, &step.id).await? else {
        return Ok(());
    };
    job.follow(step);
    if step.end.is_some() {
        return put_end(tx, &job).await;
    }
    let changed: Values<'_> = &[&step.id, &document(&job)?, &time];
    tx.execute(CHANGE, changed).await?;
    Ok(())
}

/// For how long a lease is that a server whose clock shows this would end at a moment.
pub(crate) fn millis_between(now: Timestamp, until: Timestamp) -> i64 {
    until.millis().saturating_sub(now.millis())
}

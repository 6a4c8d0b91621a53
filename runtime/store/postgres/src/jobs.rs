//! The rows of jobs. State, lease and what is looked for are columns, the rest is a document. Who takes a job holds the row
//! of their numbers, so that no two servers choose at once; a step holds the row of its job.

use crate::connections::{Transaction, Values, transact};
use crate::error::{Failure, malformed};
use crate::write::{Together, Written, write_all};
use crate::{Inner, PostgresStore, limit_of};
use store::catalog::{Dataset, Revalidation};
use store::jobs::{
    Job, JobChoice, JobFilter, JobKind, JobLease, JobLogLine, JobProgress, JobState, JobStep, Jobs,
    LOG_LINES_MAX, RunningJob, StepVerdict,
};
use store::records::WriteVerdict;
use store::{StoreError, StoreFuture};
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

const NEXT_NUMBER: &str =
    "UPDATE counters SET value = value + 1 WHERE name = 'jobs' RETURNING value";
const TURN: &str = "SELECT value FROM counters WHERE name = 'jobs' FOR UPDATE";
const ADD: &str =
    "INSERT INTO jobs (id, number, tenant, dataset, schema, maker, kind, state, is_cancelling,
     lease_until, has_files, document)
   VALUES ($1, $2, $3, $4, $5, $6, $7, 'queued', false, 0, false, $8)";
// those that nobody asked for take nobody's place
const WAITING: &str = "SELECT count(*) FROM jobs
   WHERE state = 'queued' AND tenant = $1 AND kind <> 'revalidate'";
const REVALIDATES: &str = "SELECT count(*) FROM jobs
   WHERE state = 'queued' AND dataset = $1 AND kind = 'revalidate'";
const BY_ID: &str = select_job!("WHERE id = $1");
const HOLD_BY_ID: &str = select_job!("WHERE id = $1 FOR UPDATE");
const OF_TENANT: &str = select_job!(
    "WHERE tenant = $1 AND number < $2 AND ($3::text IS NULL OR maker = $3)
   AND ($4::text IS NULL OR dataset = $4) ORDER BY number DESC LIMIT $5"
);
const UNDER_WAY: &str = "SELECT id, tenant, state, lease_until FROM jobs
   WHERE state IN ('queued', 'running') ORDER BY number";
const RUNNING: &str = "SELECT dataset, schema FROM jobs WHERE state = 'running'";
const TAKE: &str =
    "UPDATE jobs SET state = 'running', lease_holder = $2, lease_until = $3, document = $4
   WHERE id = $1";
const HELD: &str = "SELECT is_cancelling FROM jobs
   WHERE id = $1 AND state = 'running' AND lease_holder = $2 FOR UPDATE";
pub(crate) const CATALOG_TURN: &str = "SELECT value FROM counters WHERE name = 'catalog' FOR SHARE";
const HOLD: &str = "UPDATE jobs SET lease_until = $2 WHERE id = $1";
const CHANGE: &str = "UPDATE jobs SET document = $2, lease_until = $3 WHERE id = $1";
const END: &str =
    "UPDATE jobs SET state = $2, ended_at = $3, has_files = $4, is_cancelling = false,
   lease_holder = NULL, lease_until = 0, document = $5 WHERE id = $1";
const CANCEL: &str = "UPDATE jobs SET is_cancelling = true WHERE id = $1 AND state = 'running'";
const WITH_FILES: &str =
    select_job!("WHERE has_files AND ended_at < $1 ORDER BY ended_at LIMIT $2");
const FORGET_FILES: &str = "UPDATE jobs SET has_files = false, document = $2 WHERE id = $1";
const RETELL: &str = "UPDATE jobs SET has_files = false, document = $2
   WHERE id = $1 AND ended_at IS NOT NULL";
const REMOVE: &str = "DELETE FROM jobs WHERE NOT has_files AND ended_at < $1";

fn job(row: &Row) -> Result<Job, Failure> {
    let state: &str = row.get(1);
    let read: Job = serde_json::from_str(row.get(3)).map_err(malformed("a job"))?;
    let unknown = || StoreError::Damaged(format!("the job {} has an unknown state", read.id));
    Ok(Job {
        number: row.get::<_, i64>(0).cast_unsigned(),
        state: JobState::named(state).ok_or_else(unknown)?,
        is_cancelling: row.get(2),
        ..read
    })
}

pub(crate) fn document(job: &Job) -> Result<String, StoreError> {
    serde_json::to_string(job).map_err(malformed("a job"))
}

/// A job, whose row is held from then on.
async fn held(tx: &Transaction, id: &str) -> Result<Option<Job>, Failure> {
    let row = tx.row(HOLD_BY_ID, &[&id]).await?;
    row.as_ref().map(job).transpose()
}

/// A choice that outlives who made it.
enum OwnedChoice {
    Next { running_max: u32 },
    One(String),
}

/// The id of the job that is chosen from those under way, if there is one to be had.
fn chosen(rows: &[Row], choice: &OwnedChoice, now: Timestamp) -> Option<String> {
    struct UnderWay<'r> {
        id: &'r str,
        tenant: &'r str,
        is_held: bool,
    }
    let all = rows.iter().map(|row| UnderWay {
        id: row.get(0),
        tenant: row.get(1),
        is_held: row.get::<_, &str>(2) == JobState::Running.as_str()
            && row.get::<_, i64>(3) > now.millis(),
    });
    let all: Vec<UnderWay<'_>> = all.collect();
    let running = |tenant: &str| {
        let held = all.iter().filter(|it| it.is_held && it.tenant == tenant);
        held.count() as u64
    };
    let mut free = all.iter().filter(|it| !it.is_held);
    let found = match choice {
        OwnedChoice::One(id) => free.find(|it| it.id == id),
        // of the tenants that have the fewest at work, so that nobody waits behind all of another's; the oldest of theirs
        OwnedChoice::Next { running_max } => free
            .map(|it| (running(it.tenant), it))
            .filter(|(running, _)| *running < u64::from(*running_max))
            .min_by_key(|(running, _)| *running)
            .map(|(_, it)| it),
    };
    found.map(|it| it.id.to_owned())
}

/// Does a step, if the job is held by who does it.
async fn step(
    tx: &Transaction,
    inner: &Inner,
    step: &JobStep,
) -> Result<(StepVerdict, Option<Written>), Failure> {
    // the locks of writes come first, as everywhere: who decides holds them before it puts a job in
    tx.rows(CATALOG_TURN, &[]).await?;
    let Some(row) = tx.row(HELD, &[&step.id, &step.holder]).await? else {
        return Ok((StepVerdict::Lost, None));
    };
    if row.get::<_, bool>(0) && step.end.is_none() {
        return Ok((StepVerdict::Cancelled, None));
    }
    let (mut verdicts, mut written) = (Vec::new(), None);
    if !step.writes.is_empty() {
        let mut done = write_all(tx, &inner.cache, &step.writes, Together::AllOrNone).await?;
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
    let until = step.until.millis();
    if step.update.is_none() && step.log.is_empty() && step.end.is_none() {
        tx.execute(HOLD, &[&step.id, &until]).await?;
        return Ok(());
    }
    let Some(mut job) = held(tx, &step.id).await? else {
        return Ok(());
    };
    if let Some(update) = &step.update {
        job.cursor.clone_from(&update.cursor);
        job.progress = update.progress;
        job.result.clone_from(&update.result);
    }
    let lines = step.log.iter().map(|text| JobLogLine {
        at: step.at,
        text: text.clone(),
    });
    job.log.extend(lines);
    let surplus = job.log.len().saturating_sub(LOG_LINES_MAX);
    job.log.drain(..surplus);
    let Some(end) = &step.end else {
        tx.execute(CHANGE, &[&step.id, &document(&job)?, &until])
            .await?;
        return Ok(());
    };
    job.failure.clone_from(&end.failure);
    job.files.clone_from(&end.files);
    job.cursor = None;
    put_end(tx, &mut job, end.state, step.at).await
}

async fn put_end(
    tx: &Transaction,
    job: &mut Job,
    state: JobState,
    at: Timestamp,
) -> Result<(), Failure> {
    job.ended_at = Some(at);
    job.state = state;
    job.is_cancelling = false;
    let has_files = !job.files.is_empty();
    let given: Values<'_> = &[
        &job.id,
        &state.as_str(),
        &at.millis(),
        &has_files,
        &document(job)?,
    ];
    tx.execute(END, given).await?;
    Ok(())
}

/// Puts in a job that judges the records of a dataset, if none waits.
pub(crate) async fn add_revalidation(
    tx: &Transaction,
    dataset: &Dataset,
    revalidation: &Revalidation,
    records: i64,
) -> Result<(), Failure> {
    let waiting = tx.row(REVALIDATES, &[&dataset.id]).await?;
    if waiting.is_some_and(|row| row.get::<_, i64>(0) > 0) {
        return Ok(());
    }
    let Revalidation { id, maker, at, .. } = revalidation;
    let job = Job {
        number: 0,
        id: id.clone(),
        tenant: dataset.tenant.clone(),
        area: dataset.area.clone(),
        schema: dataset.schema.clone(),
        dataset: dataset.id.clone(),
        kind: JobKind::Revalidate,
        maker: maker.clone(),
        made_at: *at,
        log_after: 0,
        started_at: None,
        ended_at: None,
        state: JobState::Queued,
        is_cancelling: false,
        options: serde_json::Value::Null,
        cursor: None,
        progress: JobProgress {
            rows_total: u64::try_from(records).ok(),
            ..JobProgress::default()
        },
        result: None,
        failure: None,
        log: Vec::new(),
        files: Vec::new(),
    };
    add(tx, &job).await
}

/// The number of a new job.
pub(crate) async fn next_number(tx: &Transaction) -> Result<i64, Failure> {
    let row = tx.row(NEXT_NUMBER, &[]).await?;
    Ok(row.map_or(1, |row| row.get(0)))
}

async fn add(tx: &Transaction, job: &Job) -> Result<(), Failure> {
    let number = next_number(tx).await?;
    let kind = job.kind.as_str();
    let given: Values<'_> = &[
        &job.id,
        &number,
        &job.tenant,
        &job.dataset,
        &job.schema,
        &job.maker.id,
        &kind,
        &document(job)?,
    ];
    tx.execute(ADD, given).await?;
    Ok(())
}

impl Jobs for PostgresStore {
    fn add_job(&self, job: Job, waiting_max: u32) -> StoreFuture<'_, bool> {
        let inner = self.inner.clone();
        self.see_through(async move {
            transact!(&inner.connections, tx => {
                tx.rows(TURN, &[]).await?;
                let waiting = tx.row(WAITING, &[&job.tenant]).await?;
                let waiting: i64 = waiting.map_or(0, |row| row.get(0));
                if waiting >= i64::from(waiting_max) {
                    tx.keeps_nothing();
                    return Ok(false);
                }
                add(tx, &job).await?;
                Ok(true)
            })
        })
    }

    fn note_job(&self, job: Job) -> StoreFuture<'_, ()> {
        self.writer.note(job)
    }

    fn job(&self, id: &str) -> StoreFuture<'_, Option<Job>> {
        let id = id.to_owned();
        self.read(|inner| async move {
            let row = inner.connections.read_one(BY_ID, &[&id]).await?;
            row.as_ref().map(job).transpose()
        })
    }

    fn jobs(
        &self,
        tenant: &str,
        filter: JobFilter<'_>,
        before: Option<u64>,
        max: usize,
    ) -> StoreFuture<'_, Vec<Job>> {
        let tenant = tenant.to_owned();
        let [maker, dataset] = [filter.maker, filter.dataset].map(|it| it.map(str::to_owned));
        let before = before.map_or(i64::MAX, |before| i64::try_from(before).unwrap_or(i64::MAX));
        self.read(move |inner| async move {
            let given: Values<'_> = &[&tenant, &before, &maker, &dataset, &limit_of(max)];
            let rows = inner.connections.read(OF_TENANT, given).await?;
            rows.iter().map(job).collect()
        })
    }

    fn take_job(
        &self,
        choice: JobChoice<'_>,
        lease: JobLease,
        now: Timestamp,
    ) -> StoreFuture<'_, Option<Job>> {
        let choice = match choice {
            JobChoice::Next { running_max } => OwnedChoice::Next { running_max },
            JobChoice::One(id) => OwnedChoice::One(id.to_owned()),
        };
        let inner = self.inner.clone();
        self.see_through(async move {
            // who looks for work again and again must not lock for it
            let under_way = inner.connections.read(UNDER_WAY, &[]).await?;
            if chosen(&under_way, &choice, now).is_none() {
                return Ok(None);
            }
            transact!(&inner.connections, tx => {
                tx.rows(TURN, &[]).await?;
                let found = chosen(&tx.rows(UNDER_WAY, &[]).await?, &choice, now);
                let job = match &found {
                    Some(id) => held(tx, id).await?,
                    None => None,
                };
                // it may have ended while its row was waited for
                let Some(mut job) = job.filter(|job| job.ended_at.is_none()) else {
                    tx.keeps_nothing();
                    return Ok(None);
                };
                job.state = JobState::Running;
                job.started_at.get_or_insert(now);
                let until = lease.until.millis();
                tx.execute(TAKE, &[&job.id, &lease.holder, &until, &document(&job)?]).await?;
                Ok(Some(job))
            })
        })
    }

    fn step_job(&self, one: JobStep) -> StoreFuture<'_, StepVerdict> {
        let inner = self.inner.clone();
        self.see_through(async move {
            let (verdict, written) = transact!(&inner.connections, tx => {
                let done = step(tx, &inner, &one).await?;
                if !matches!(done.0, StepVerdict::Done(_)) {
                    tx.keeps_nothing();
                }
                Ok(done)
            })?;
            if let Some(written) = &written {
                inner.note_head(written);
            }
            Ok(verdict)
        })
    }

    fn cancel_job(&self, id: &str, at: Timestamp) -> StoreFuture<'_, Option<Job>> {
        let (inner, id) = (self.inner.clone(), id.to_owned());
        self.see_through(async move {
            transact!(&inner.connections, tx => {
                let Some(mut job) = held(tx, &id).await? else {
                    tx.keeps_nothing();
                    return Ok(None);
                };
                match job.state {
                    JobState::Queued => put_end(tx, &mut job, JobState::Cancelled, at).await?,
                    JobState::Running => {
                        tx.execute(CANCEL, &[&id]).await?;
                        job.is_cancelling = true;
                    }
                    JobState::Done | JobState::Failed | JobState::Cancelled => tx.keeps_nothing(),
                }
                Ok(Some(job))
            })
        })
    }

    fn running_jobs(&self) -> StoreFuture<'_, Vec<RunningJob>> {
        self.read(|inner| async move {
            let rows = inner.connections.read(RUNNING, &[]).await?;
            let running = rows.iter().map(|row| RunningJob {
                dataset: row.get(0),
                schema: row.get(1),
            });
            Ok(running.collect())
        })
    }

    fn jobs_with_files(&self, ended_before: Timestamp, max: usize) -> StoreFuture<'_, Vec<Job>> {
        self.read(move |inner| async move {
            let given: Values<'_> = &[&ended_before.millis(), &limit_of(max)];
            let rows = inner.connections.read(WITH_FILES, given).await?;
            rows.iter().map(job).collect()
        })
    }

    fn forget_job_files(&self, id: &str) -> StoreFuture<'_, ()> {
        let (inner, id) = (self.inner.clone(), id.to_owned());
        self.see_through(async move {
            transact!(&inner.connections, tx => {
                if let Some(mut job) = held(tx, &id).await? {
                    job.files.clear();
                    tx.execute(FORGET_FILES, &[&id, &document(&job)?]).await?;
                }
                Ok(())
            })
        })
    }

    fn remove_jobs(&self, ended_before: Timestamp) -> StoreFuture<'_, ()> {
        let inner = self.inner.clone();
        self.see_through(async move {
            inner
                .connections
                .change(REMOVE, &[&ended_before.millis()])
                .await?;
            Ok(())
        })
    }
}

impl Inner {
    /// Puts a job that has ended in place of what is told of it, without files.
    pub(crate) async fn retell_job(&self, job: &Job) -> Result<(), Failure> {
        let document = document(job)?;
        self.connections
            .change(RETELL, &[&job.id, &document])
            .await?;
        Ok(())
    }
}

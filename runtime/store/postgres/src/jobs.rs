//! The jobs of a store: which one is taken, listed, cancelled, forgotten. State, lease and what is looked for are columns, the
//! rest is a document (`job_rows.rs`); what a step does is in `job_steps.rs`. Who takes a job holds the row of their numbers, so
//! that no two servers choose at once; a step holds the row of its job. Who needs both waits for the job's first: while a step is
//! waited for, jobs are put in, by decisions that the step may wait for, too. Leases are by the database's own clock: of what a
//! server says, only how long they are to last.

use crate::connection::Values;
use crate::connections::{Transaction, transact};
use crate::error::Failure;
use crate::job_rows::{add, document, held, job, put_end, select_job, state};
use crate::job_steps::{millis_between, step};
use crate::{PostgresStore, limit_of};
use store::StoreFuture;
use store::catalog::{Dataset, Revalidation};
use store::jobs::{
    AddVerdict, Job, JobChoice, JobFilter, JobKind, JobLease, JobState, JobStep, JobUnderWay, Jobs,
    RunningJob, StepVerdict,
};
use tokio_postgres::Row;
use wire::Timestamp;

const LOG_HEAD: &str = "SELECT value FROM counters WHERE name = 'log'";
const TURN: &str = "SELECT value FROM counters WHERE name = 'jobs' FOR UPDATE";
// those that nobody asked for take nobody's place
const WAITING: &str = "SELECT count(*) FROM jobs
   WHERE state = 'queued' AND tenant = $1 AND kind <> 'revalidate'";
const REVALIDATES: &str = "SELECT count(*) FROM jobs
   WHERE state = 'queued' AND dataset = $1 AND kind = 'revalidate'";
const UNDOINGS: &str =
    select_job!("WHERE dataset = $1 AND kind = 'undo' AND state IN ('queued', 'running')");
const BY_ID: &str = select_job!("WHERE id = $1");
const TENANTS: &str = "SELECT id, tenant FROM jobs WHERE id = ANY ($1::text[])";
const OF_TENANT: &str = select_job!(
    "WHERE tenant = $1 AND number < $2 AND ($3::text IS NULL OR maker = $3)
   AND ($4::text IS NULL OR dataset = $4) ORDER BY number DESC LIMIT $5"
);
// it is the last member of the document; before it stand values that may be anyone's
const UNDER_WAY: &str = "SELECT id, tenant, state, lease_until,
     (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
     document LIKE '%\"is_of_command\":true}' FROM jobs
   WHERE state IN ('queued', 'running') ORDER BY number";
const RUNNING: &str = "SELECT id, dataset, schema FROM jobs WHERE state = 'running'";
const TAKE: &str = "UPDATE jobs SET state = 'running', lease_holder = $2, document = $4,
     lease_until = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + $3::bigint
   WHERE id = $1";
const CANCEL: &str = "UPDATE jobs SET is_cancelling = true WHERE id = $1 AND state = 'running'";
const WITH_FILES: &str =
    select_job!("WHERE has_files AND ended_at < $1 ORDER BY ended_at LIMIT $2");
const FORGET_FILES: &str = "UPDATE jobs SET has_files = false, document = $2 WHERE id = $1";
const DROP: &str = "DELETE FROM jobs WHERE id = $1 AND ended_at IS NOT NULL";
const REMOVE: &str = "DELETE FROM jobs WHERE NOT has_files AND ended_at < $1";

/// The one that is chosen of the jobs under way, as the database has them and its clock.
fn chosen(choice: &JobChoice, rows: &[Row]) -> Result<Option<String>, Failure> {
    let Some(now) = rows.first().map(|row| Timestamp::from_millis(row.get(4))) else {
        return Ok(None);
    };
    let under_way = rows.iter().map(|row| {
        let id: String = row.get(0);
        Ok(JobUnderWay {
            tenant: row.get(1),
            state: state(row.get(2), &id)?,
            held_until: Timestamp::from_millis(row.get(3)),
            is_of_command: row.get(5),
            id,
        })
    });
    let under_way: Vec<JobUnderWay> = under_way.collect::<Result<_, Failure>>()?;
    Ok(choice.among(&under_way, now).map(str::to_owned))
}

/// Puts in a job that judges the records of a dataset, if none waits.
pub(crate) async fn add_revalidation(
    tx: &Transaction,
    dataset: &Dataset,
    revalidation: &Revalidation,
    (records, log_head): (i64, u64),
) -> Result<(), Failure> {
    let waiting = tx.row(REVALIDATES, &[&dataset.id]).await?;
    if waiting.is_some_and(|row| row.get::<_, i64>(0) > 0) {
        return Ok(());
    }
    let job = Job::revalidation(dataset, revalidation, records, log_head);
    add(tx, &job).await
}

/// The newest entry of the change log.
pub(crate) async fn log_head(tx: &Transaction) -> Result<u64, Failure> {
    let head = tx.row(LOG_HEAD, &[]).await?;
    Ok(head.map_or(0, |row| row.get::<_, i64>(0).cast_unsigned()))
}

/// Whether a job is an undoing beside another one of the same job, for who has the turn: until its end nobody puts one in.
async fn is_undone_already(tx: &Transaction, asked: &Job) -> Result<bool, Failure> {
    if asked.kind != JobKind::Undo {
        return Ok(false);
    }
    for row in tx.rows(UNDOINGS, &[&asked.dataset]).await? {
        if asked.is_undoing_beside(&job(&row)?) {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Jobs for PostgresStore {
    fn add_job(&self, job: Job, waiting_max: u32) -> StoreFuture<'_, AddVerdict> {
        let inner = self.inner.clone();
        self.see_through(async move {
            transact!(&inner.connections, tx => {
                tx.rows(TURN, &[]).await?;
                if tx.row(BY_ID, &[&job.id]).await?.is_some() {
                    tx.keeps_nothing();
                    return Ok(AddVerdict::ThereAlready);
                }
                if is_undone_already(tx, &job).await? {
                    tx.keeps_nothing();
                    return Ok(AddVerdict::UndoneAlready);
                }
                let waiting = tx.row(WAITING, &[&job.tenant]).await?;
                let waiting: i64 = waiting.map_or(0, |row| row.get(0));
                if waiting >= i64::from(waiting_max) {
                    tx.keeps_nothing();
                    return Ok(AddVerdict::Full);
                }
                add(tx, &job).await?;
                Ok(AddVerdict::Added)
            })
        })
    }

    fn note_job(&self, job: Job) -> StoreFuture<'_, ()> {
        self.writer.note(job)
    }

    fn drop_noted_job(&self, id: &str) -> StoreFuture<'_, ()> {
        let (inner, id) = (self.inner.clone(), id.to_owned());
        self.see_through(async move {
            inner.connections.change(DROP, &[&id]).await?;
            Ok(())
        })
    }

    fn job(&self, id: &str) -> StoreFuture<'_, Option<Job>> {
        let id = id.to_owned();
        self.read(|inner| async move {
            let row = inner.connections.read_one(BY_ID, &[&id]).await?;
            row.as_ref().map(job).transpose()
        })
    }

    fn job_tenants(&self, ids: Vec<String>) -> StoreFuture<'_, Vec<(String, String)>> {
        self.read(move |inner| async move {
            let rows = inner.connections.read(TENANTS, &[&ids]).await?;
            let tenants = rows.iter();
            let tenants = tenants.map(|row| (row.get::<_, String>(0), row.get::<_, String>(1)));
            Ok(tenants.collect())
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
        choice: JobChoice,
        lease: JobLease,
        now: Timestamp,
    ) -> StoreFuture<'_, Option<Job>> {
        let inner = self.inner.clone();
        self.see_through(async move {
            loop {
                // who looks for work again and again must not lock for it
                let rows = inner.connections.read(UNDER_WAY, &[]).await?;
                let Some(next) = chosen(&choice, &rows)? else {
                    return Ok(None);
                };
                let taken = transact!(&inner.connections, tx => {
                    let job = held(tx, &next).await?;
                    tx.rows(TURN, &[]).await?;
                    let still = chosen(&choice, &tx.rows(UNDER_WAY, &[]).await?)?;
                    let Some(mut job) = job.filter(|job| still.as_ref() == Some(&job.id)) else {
                        tx.keeps_nothing();
                        return Ok(None);
                    };
                    job.begin(now);
                    let time = millis_between(now, lease.until);
                    tx.execute(TAKE, &[&job.id, &lease.holder, &time, &document(&job)?]).await?;
                    Ok(Some(job))
                })?;
                // what became of it while its row was waited for may leave another one to be taken
                if taken.is_some() {
                    return Ok(taken);
                }
            }
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
                    JobState::Queued => {
                        job.end(JobState::Cancelled, at);
                        put_end(tx, &job).await?;
                    }
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
                id: row.get(0),
                dataset: row.get(1),
                schema: row.get(2),
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

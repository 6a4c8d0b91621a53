//! The rows of jobs. State, lease and what is looked for are columns, the rest is a document (`job_rows.rs`); what a step
//! does is in `job_steps.rs`.

use super::SqliteStore;
use super::job_rows::{by_id, document, job, put_end, select_job, state};
use super::job_steps::step;
use super::noun_rows::malformed;
use crate::error::Failure;
use rusqlite::{Connection, params};
use store::catalog::{Dataset, Revalidation};
use store::jobs::{
    AddVerdict, Job, JobChoice, JobFilter, JobKind, JobLease, JobState, JobStep, JobUnderWay, Jobs,
    RunningJob, StepVerdict,
};
use store::{StoreError, StoreFuture};
use tracing::{debug_span, trace_span};
use wire::Timestamp;

const LOG_HEAD: &str = "SELECT coalesce(max(number), 0) FROM change_log";
const ADD: &str = "INSERT INTO jobs (id, tenant, dataset, maker, state, document)
   VALUES (?1, ?2, ?3, ?4, 'queued', ?5)";
// those that nobody asked for take nobody's place
const WAITING: &str = "SELECT count(*) FROM jobs WHERE state = 'queued' AND tenant = ?1
   AND json_extract(document, '$.kind') <> 'revalidate'";
const REVALIDATES: &str = "SELECT count(*) FROM jobs WHERE state = 'queued' AND dataset = ?1
   AND json_extract(document, '$.kind') = 'revalidate'";
const UNDOINGS: &str = select_job!(
    "WHERE state IN ('queued', 'running') AND dataset = ?1 AND json_extract(document, '$.kind') = 'undo'"
);
const TENANTS: &str = "SELECT id, tenant FROM jobs WHERE id IN (SELECT value FROM json_each(?1))";
const OF_TENANT: &str = select_job!(
    "WHERE tenant = ?1 AND number < ?2 AND (?3 IS NULL OR maker = ?3) AND (?4 IS NULL OR dataset = ?4)
   ORDER BY number DESC LIMIT ?5"
);
const UNDER_WAY: &str = "SELECT id, tenant, state, lease_until,
     coalesce(json_extract(document, '$.is_of_command'), 0) FROM jobs
   WHERE state IN ('queued', 'running') ORDER BY number";
const RUNNING: &str =
    "SELECT id, dataset, json_extract(document, '$.schema') FROM jobs WHERE state = 'running'";
const TAKE: &str =
    "UPDATE jobs SET state = 'running', lease_holder = ?2, lease_until = ?3, document = ?4
   WHERE id = ?1";
const CANCEL: &str = "UPDATE jobs SET is_cancelling = 1 WHERE id = ?1 AND state = 'running'";
const WITH_FILES: &str =
    select_job!("WHERE has_files = 1 AND ended_at < ?1 ORDER BY ended_at LIMIT ?2");
const ALL_WITH_FILES: &str = "SELECT id FROM jobs WHERE has_files = 1";
const FORGET_FILES: &str = "UPDATE jobs SET has_files = 0, document = ?2 WHERE id = ?1";
const REMOVE: &str = "DELETE FROM jobs WHERE has_files = 0 AND ended_at < ?1";
const LET_GO: &str = "UPDATE jobs SET lease_until = 0 WHERE state = 'running' AND lease_until <> 0";

/// Ends the leases of whoever had the folder before: it is gone, since this process has the folder alone.
pub(super) fn let_go(connection: &Connection) -> Result<(), Failure> {
    connection.execute(LET_GO, [])?;
    Ok(())
}

/// Notes that the files of a job are gone.
fn forget_files(connection: &Connection, id: &str) -> Result<(), Failure> {
    if let Some(mut job) = by_id(connection, id)? {
        job.files.clear();
        let mut forget = connection.prepare_cached(FORGET_FILES)?;
        forget.execute(params![id, document(&job)?])?;
    }
    Ok(())
}

/// The same of all jobs.
pub(super) fn forget_all_files(connection: &Connection) -> Result<(), Failure> {
    let mut statement = connection.prepare(ALL_WITH_FILES)?;
    let ids = statement.query_map([], |row| row.get(0))?;
    let ids: Vec<String> = ids.collect::<Result<_, _>>()?;
    ids.iter().try_for_each(|id| forget_files(connection, id))
}

/// The id of the job that is chosen, if there is one to be had.
fn chosen(
    connection: &Connection,
    choice: &JobChoice,
    now: Timestamp,
) -> Result<Option<String>, Failure> {
    let mut statement = connection.prepare_cached(UNDER_WAY)?;
    let rows = statement.query_map([], |row| {
        Ok(JobUnderWay {
            id: row.get(0)?,
            tenant: row.get(1)?,
            state: state(row.get_ref(2)?.as_str()?)?,
            held_until: Timestamp::from_millis(row.get(3)?),
            is_of_command: row.get(4)?,
        })
    })?;
    let all: Vec<JobUnderWay> = rows.collect::<Result<_, _>>()?;
    Ok(choice.among(&all, now).map(str::to_owned))
}

fn take(
    connection: &Connection,
    choice: &JobChoice,
    lease: &JobLease,
    now: Timestamp,
) -> Result<Option<Job>, Failure> {
    let Some(id) = chosen(connection, choice, now)? else {
        return Ok(None);
    };
    let Some(mut job) = by_id(connection, &id)? else {
        return Ok(None);
    };
    job.begin(now);
    let given = params![id, lease.holder, lease.until.millis(), document(&job)?];
    connection.prepare_cached(TAKE)?.execute(given)?;
    Ok(Some(job))
}

/// Puts in a job that judges the records of a dataset, if none waits.
pub(super) fn add_revalidation(
    connection: &Connection,
    dataset: &Dataset,
    revalidation: &Revalidation,
    records: i64,
) -> Result<(), Failure> {
    let mut waiting = connection.prepare_cached(REVALIDATES)?;
    let waiting: i64 = waiting.query_row([&dataset.id], |row| row.get(0))?;
    if waiting > 0 {
        return Ok(());
    }
    let mut head = connection.prepare_cached(LOG_HEAD)?;
    let head: i64 = head.query_row([], |row| row.get(0))?;
    let head = head.cast_unsigned();
    add(
        connection,
        &Job::revalidation(dataset, revalidation, records, head),
    )
}

fn add(connection: &Connection, job: &Job) -> Result<(), Failure> {
    let given = params![
        job.id,
        job.tenant,
        job.dataset,
        job.maker.id,
        document(job)?
    ];
    connection.prepare_cached(ADD)?.execute(given)?;
    Ok(())
}

/// Whether a job is an undoing beside another one of the same job.
fn is_undone_already(connection: &Connection, asked: &Job) -> Result<bool, Failure> {
    if asked.kind != JobKind::Undo {
        return Ok(false);
    }
    let mut statement = connection.prepare_cached(UNDOINGS)?;
    let mut rows = statement.query([&asked.dataset])?;
    while let Some(row) = rows.next()? {
        if asked.is_undoing_beside(&job(row)?) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn cancel(connection: &Connection, id: &str, at: Timestamp) -> Result<Option<Job>, Failure> {
    let Some(mut job) = by_id(connection, id)? else {
        return Ok(None);
    };
    match job.state {
        JobState::Queued => {
            job.end(JobState::Cancelled, at);
            put_end(connection, &job)?;
        }
        JobState::Running => {
            connection.prepare_cached(CANCEL)?.execute([id])?;
            job.is_cancelling = true;
        }
        JobState::Done | JobState::Failed | JobState::Cancelled => {}
    }
    Ok(Some(job))
}

impl Jobs for SqliteStore {
    fn add_job(&self, job: Job, waiting_max: u32) -> StoreFuture<'_, AddVerdict> {
        let span = debug_span!("store.add_job", job.id, job.tenant);
        self.writer.run(span, move |connection, _| {
            if by_id(connection, &job.id)?.is_some() {
                return Ok(AddVerdict::ThereAlready);
            }
            if is_undone_already(connection, &job)? {
                return Ok(AddVerdict::UndoneAlready);
            }
            let mut waiting = connection.prepare_cached(WAITING)?;
            let waiting: i64 = waiting.query_row([&job.tenant], |row| row.get(0))?;
            if waiting >= i64::from(waiting_max) {
                return Ok(AddVerdict::Full);
            }
            add(connection, &job)?;
            Ok(AddVerdict::Added)
        })
    }

    fn note_job(&self, job: Job) -> StoreFuture<'_, ()> {
        self.note_ended(job)
    }

    fn drop_noted_job(&self, id: &str) -> StoreFuture<'_, ()> {
        self.drop_noted(id)
    }

    fn job(&self, id: &str) -> StoreFuture<'_, Option<Job>> {
        let _span = trace_span!("store.job", id).entered();
        let found = self.readers.with(|connection| by_id(connection, id));
        Box::pin(std::future::ready(found.map_err(StoreError::from)))
    }

    fn job_tenants(&self, ids: Vec<String>) -> StoreFuture<'_, Vec<(String, String)>> {
        let _span = trace_span!("store.job_tenants", jobs = ids.len()).entered();
        let found = self.readers.with(|connection| {
            let asked = serde_json::to_string(&ids).map_err(malformed("ids of jobs"))?;
            let mut statement = connection.prepare_cached(TENANTS)?;
            let rows = statement.query_map([asked], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        });
        Box::pin(std::future::ready(found.map_err(StoreError::from)))
    }

    fn jobs(
        &self,
        tenant: &str,
        filter: JobFilter<'_>,
        before: Option<u64>,
        max: usize,
    ) -> StoreFuture<'_, Vec<Job>> {
        let _span = trace_span!("store.jobs", tenant).entered();
        let before = before.map_or(i64::MAX, |before| i64::try_from(before).unwrap_or(i64::MAX));
        let max = i64::try_from(max).unwrap_or(i64::MAX);
        let found = self.readers.with(|connection| {
            let mut statement = connection.prepare_cached(OF_TENANT)?;
            let given = params![tenant, before, filter.maker, filter.dataset, max];
            let rows = statement.query_map(given, job)?;
            Ok(rows.collect::<Result<_, _>>()?)
        });
        Box::pin(std::future::ready(found.map_err(StoreError::from)))
    }

    fn take_job(
        &self,
        choice: JobChoice,
        lease: JobLease,
        now: Timestamp,
    ) -> StoreFuture<'_, Option<Job>> {
        // who looks for work again and again must not write for it
        let found = self
            .readers
            .with(|connection| chosen(connection, &choice, now));
        match found {
            Ok(None) => return Box::pin(std::future::ready(Ok(None))),
            Err(error) => return Box::pin(std::future::ready(Err(error.into()))),
            Ok(Some(_)) => {}
        }
        let span = debug_span!("store.take_job");
        self.writer.run(span, move |connection, _| {
            take(connection, &choice, &lease, now)
        })
    }

    fn step_job(&self, one: JobStep) -> StoreFuture<'_, StepVerdict> {
        let span = debug_span!("store.step_job", job.id = one.id, writes = one.writes.len());
        let changing = self.changing();
        self.writer.run(span, move |connection, state| {
            step(connection, state, &one, &changing)
        })
    }

    fn cancel_job(&self, id: &str, at: Timestamp) -> StoreFuture<'_, Option<Job>> {
        let span = debug_span!("store.cancel_job", job.id = id);
        let id = id.to_owned();
        self.writer
            .run(span, move |connection, _| cancel(connection, &id, at))
    }

    fn running_jobs(&self) -> StoreFuture<'_, Vec<RunningJob>> {
        let found = self.readers.with(|connection| {
            let mut statement = connection.prepare_cached(RUNNING)?;
            let rows = statement.query_map([], |row| {
                Ok(RunningJob {
                    id: row.get(0)?,
                    dataset: row.get(1)?,
                    schema: row.get(2)?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        });
        Box::pin(std::future::ready(found.map_err(StoreError::from)))
    }

    fn jobs_with_files(&self, ended_before: Timestamp, max: usize) -> StoreFuture<'_, Vec<Job>> {
        let max = i64::try_from(max).unwrap_or(i64::MAX);
        let found = self.readers.with(|connection| {
            let mut statement = connection.prepare_cached(WITH_FILES)?;
            let rows = statement.query_map(params![ended_before.millis(), max], job)?;
            Ok(rows.collect::<Result<_, _>>()?)
        });
        Box::pin(std::future::ready(found.map_err(StoreError::from)))
    }

    fn forget_job_files(&self, id: &str) -> StoreFuture<'_, ()> {
        let span = debug_span!("store.forget_job_files", job.id = id);
        let id = id.to_owned();
        self.writer
            .run(span, move |connection, _| forget_files(connection, &id))
    }

    fn remove_jobs(&self, ended_before: Timestamp) -> StoreFuture<'_, ()> {
        let span = debug_span!("store.remove_jobs");
        self.writer.run(span, move |connection, _| {
            let mut remove = connection.prepare_cached(REMOVE)?;
            remove.execute([ended_before.millis()])?;
            Ok(())
        })
    }
}

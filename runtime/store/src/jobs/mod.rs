//! The contract of jobs: work that goes on when the request that asked for it was answered. A job is a row; whoever
//! works on it holds its lease, and each step commits what it wrote together with where to go on, so that nothing is
//! done twice or left out, wherever the work is cut off. What a job does is not told here: options, cursor and result
//! are documents of its kind.

mod course;
mod emptied;

pub use course::{COMMAND_WAIT_MILLIS, JobUnderWay};

use super::StoreFuture;
use super::catalog::Actor;
use super::records::{Write, WriteVerdict};
use serde::{Deserialize, Serialize};
use serde_json::Value;
pub use wire::manage::{JobFile, JobKind, JobLogLine, JobProgress, JobState};
use wire::{RawJson, Timestamp};

/// Lines that a job's log keeps; with one more, the oldest goes.
pub const LOG_LINES_MAX: usize = 100;

/// A job.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, and most are kept in its document"
)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Rises with every job of the store, which gives it; 0 before.
    #[serde(skip)]
    pub number: u64,
    /// Its id.
    pub id: String,
    /// Its tenant.
    pub tenant: String,
    /// The id of its dataset's business area.
    pub area: String,
    /// The id of its dataset's schema.
    pub schema: String,
    /// The id of its dataset.
    pub dataset: String,
    /// What kind of work it is.
    pub kind: JobKind,
    /// Who asked for it, and by whose rights it is done.
    pub maker: Actor,
    /// When it was asked for.
    pub made_at: Timestamp,
    /// The newest entry of the change log when it was asked for: what it writes comes behind, and what was deleted or purged by
    /// then it has not read, whatever the clock says.
    pub log_after: u64,
    /// The version of its schema when it was asked for, by whose names its options name fields; 0 of one that names none.
    pub schema_version: i64,
    /// When someone first took it.
    pub started_at: Option<Timestamp>,
    /// How often someone took it since it last got further, and did not give it back: one that is taken again and again ends
    /// whoever works on it.
    pub tries: u32,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// How far it is.
    #[serde(skip, default = "queued")]
    pub state: JobState,
    /// Whether it is to end, and has not yet.
    #[serde(skip)]
    pub is_cancelling: bool,
    /// What was said of it.
    pub options: RawJson,
    /// Where to go on; `None` is the beginning.
    pub cursor: Option<Value>,
    /// How far it is, for people.
    pub progress: JobProgress,
    /// What came of it so far.
    pub result: Option<RawJson>,
    /// Why it failed.
    pub failure: Option<String>,
    /// What happened meanwhile.
    pub log: Vec<JobLogLine>,
    /// What its maker may download.
    pub files: Vec<JobFileRow>,
    /// Whether a record of its dataset was purged while it was under way: then it is emptied at its end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_to_be_emptied: bool,
    /// Whether what it kept of records went because one was purged: then none of its files is needed, wherever one is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_emptied: bool,
    /// Since when nobody took it but who does not have the file that it needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere_since: Option<Timestamp>,
    /// Whether a command asked for it that works on it itself: it ends with the command, and nobody else goes on with it. It
    /// stays the last member: the end of the document tells it, where a database reads no JSON.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_command: bool,
}

fn queued() -> JobState {
    JobState::Queued
}

/// A file of a job. Its content is kept elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobFileRow {
    /// Which one.
    pub file: JobFile,
    /// A name for it.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// What it is put together of, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<JobFilePart>,
}

/// A part of a job's file: what one of those who had the job wrote of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobFilePart {
    /// By which name its writer had the job.
    pub holder: String,
    /// The bytes that it was committed with. More may have been written, which nobody reads.
    pub bytes: u64,
}

/// The right to work on a job, until it is renewed or given back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobLease {
    /// Who has it.
    pub holder: String,
    /// Until when.
    pub until: Timestamp,
}

/// Which job someone takes.
#[derive(Clone, Debug)]
pub enum JobChoice {
    /// The oldest of those that wait, or whose lease ran out, of a tenant that has fewer than so many under way; not one that
    /// a command works on, or worked on until it was killed.
    Next {
        /// Jobs of a tenant that are worked on at a time.
        running_max: u32,
        /// Jobs that are left to others, by their ids.
        left: Vec<String>,
    },
    /// This one, if nobody has it.
    One(String),
    /// The oldest one of a command that is gone: to be ended, since what it would write on may be newer by now.
    LeftByCommand,
}

/// What a step changes in its job.
#[derive(Clone, Debug, Default)]
pub struct JobUpdate {
    /// Where to go on.
    pub cursor: Option<Value>,
    /// How far it is.
    pub progress: JobProgress,
    /// What came of it so far.
    pub result: Option<RawJson>,
}

/// How a job ends.
#[derive(Clone, Debug)]
pub struct JobEnd {
    /// One of the states that are an end.
    pub state: JobState,
    /// Why it failed.
    pub failure: Option<String>,
    /// What its maker may download.
    pub files: Vec<JobFileRow>,
}

/// A step of a job: all of it is committed, or nothing.
#[derive(Clone, Debug)]
pub struct JobStep {
    /// The job.
    pub id: String,
    /// Who works on it.
    pub holder: String,
    /// When.
    pub at: Timestamp,
    /// Until when it is held from now on; a moment that has passed gives it back.
    pub until: Timestamp,
    /// What is written. If one of them is not done, none is.
    pub writes: Vec<Write>,
    /// What changes in the job beside its lease.
    pub update: Option<JobUpdate>,
    /// What is to be remembered.
    pub log: Vec<String>,
    /// Whether the file that it needs is not where it was looked for, and may be in the folder of another server.
    pub is_elsewhere: bool,
    /// Whether it ends the job.
    pub end: Option<JobEnd>,
}

/// What became of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepVerdict {
    /// It was done, with these writes: one verdict each.
    Done(Vec<WriteVerdict>),
    /// Nothing was: these are the verdicts of the writes, and one at least is not done. After
    /// [`WriteVerdict::SchemaChanged`] the others were not asked.
    Refused(Vec<WriteVerdict>),
    /// Nothing was: the job is to end. Told to steps that do not end it.
    Cancelled,
    /// Nothing was: someone else has the job, or it has ended.
    Lost,
}

/// What became of a job that was to be put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddVerdict {
    /// It waits.
    Added,
    /// There is none: its tenant has as many waiting as it may.
    Full,
    /// There is none: it is an undoing, and another one of the same job has not ended.
    UndoneAlready,
    /// There is none: one with its id is there already, however far that is.
    ThereAlready,
}

/// Which jobs a list has.
#[derive(Clone, Copy, Debug, Default)]
pub struct JobFilter<'f> {
    /// Those of this maker alone.
    pub maker: Option<&'f str>,
    /// Those of this dataset alone.
    pub dataset: Option<&'f str>,
}

/// Where a job is under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningJob {
    /// Its id.
    pub id: String,
    /// The id of its dataset.
    pub dataset: String,
    /// The id of its schema.
    pub schema: String,
}

/// The contract of a store of jobs.
pub trait Jobs: Send + Sync {
    /// Puts a job in, which waits from then on. None is put in where its tenant has as many waiting, nor an undoing beside
    /// another one of the same job that has not ended, nor one with the id of another, whichever server asked for that.
    fn add_job(&self, job: Job, waiting_max: u32) -> StoreFuture<'_, AddVerdict>;

    /// Notes a job that has ended, and that nobody ever worked on; one that was noted before is told anew. A store
    /// without it remembers none, so that none can be undone.
    fn note_job(&self, job: Job) -> StoreFuture<'_, ()> {
        let _ = job;
        Box::pin(std::future::ready(Ok(())))
    }

    /// Removes a job that was noted before, since it wrote nothing.
    fn drop_noted_job(&self, id: &str) -> StoreFuture<'_, ()> {
        let _ = id;
        Box::pin(std::future::ready(Ok(())))
    }

    /// A job by its id.
    fn job(&self, id: &str) -> StoreFuture<'_, Option<Job>>;

    /// The tenants of jobs, each by the job's id, in any order; nothing of those that are not there.
    fn job_tenants(&self, ids: Vec<String>) -> StoreFuture<'_, Vec<(String, String)>>;

    /// The newest jobs of a tenant with lower numbers than `before`, newest first, so many at most.
    fn jobs(
        &self,
        tenant: &str,
        filter: JobFilter<'_>,
        before: Option<u64>,
        max: usize,
    ) -> StoreFuture<'_, Vec<Job>>;

    /// Takes a job to work on it. Its lease must not have run out yet. An engine that servers share goes by its own clock, and
    /// of theirs by what lies between two moments alone: how long the lease is to last.
    fn take_job(
        &self,
        choice: JobChoice,
        lease: JobLease,
        now: Timestamp,
    ) -> StoreFuture<'_, Option<Job>>;

    /// Does a step of a job that is held.
    fn step_job(&self, step: JobStep) -> StoreFuture<'_, StepVerdict>;

    /// Says that a job is to end: one that waits ends at once. The job as it is then.
    fn cancel_job(&self, id: &str, at: Timestamp) -> StoreFuture<'_, Option<Job>>;

    /// Where jobs are under way: each that someone took and that has not ended.
    fn running_jobs(&self) -> StoreFuture<'_, Vec<RunningJob>>;

    /// Jobs with files that ended before a moment, so many at most.
    fn jobs_with_files(&self, ended_before: Timestamp, max: usize) -> StoreFuture<'_, Vec<Job>>;

    /// Notes that the files of a job are gone.
    fn forget_job_files(&self, id: &str) -> StoreFuture<'_, ()>;

    /// Removes jobs without files that ended before a moment.
    fn remove_jobs(&self, ended_before: Timestamp) -> StoreFuture<'_, ()>;
}

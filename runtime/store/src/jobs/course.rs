//! The course of a job, from its making to its end, the same on every engine: an engine keeps rows and locks, what stands
//! in them is decided here.

use super::{Job, JobChoice, JobKind, JobLogLine, JobProgress, JobState, JobStep, LOG_LINES_MAX};
use crate::catalog::{Dataset, Revalidation};
use wire::manage::UndoOptions;
use wire::{RawJson, Timestamp};

/// How long a job of a command waits for it at most, in milliseconds: it takes what it asked for at once. An engine that servers
/// share counts from when it was put in.
pub const COMMAND_WAIT_MILLIS: i64 = 60_000;

/// How far ahead a lease may end: they last a minute, so one that ends later than this was taken by a clock that was ahead.
const LEASE_SECONDS_MAX: i64 = 3600;

/// What is looked at of a job that waits or is worked on, to choose one.
#[derive(Clone, Debug)]
pub struct JobUnderWay {
    /// Its id.
    pub id: String,
    /// Its tenant.
    pub tenant: String,
    /// How far it is.
    pub state: JobState,
    /// When the lease of who works on it ends; of one of a command that waits, how long it may.
    pub held_until: Timestamp,
    /// Whether a command asked for it that works on it itself.
    pub is_of_command: bool,
}

impl JobUnderWay {
    fn is_held(&self, now: Timestamp) -> bool {
        self.state == JobState::Running && self.has_lease(now)
    }

    fn has_lease(&self, now: Timestamp) -> bool {
        let believed = now.plus_seconds(LEASE_SECONDS_MAX);
        self.held_until > now && self.held_until <= believed
    }
}

impl JobChoice {
    /// The job that is chosen, if there is one to be had, from all that are under way, oldest first. The next one is of the
    /// tenants that have the fewest at work, so that nobody waits behind all of another's.
    pub fn among<'j>(&self, under_way: &'j [JobUnderWay], now: Timestamp) -> Option<&'j str> {
        let running = |tenant: &str| {
            let held = under_way
                .iter()
                .filter(|it| it.is_held(now) && it.tenant == tenant);
            held.count() as u64
        };
        let mut free = under_way.iter().filter(|it| !it.is_held(now));
        let found = match self {
            Self::One(id) => free.find(|it| it.id == *id),
            Self::LeftByCommand => free.find(|it| it.is_of_command && !it.has_lease(now)),
            Self::Next { running_max, left } => free
                .filter(|it| !it.is_of_command && !left.contains(&it.id))
                .map(|it| (running(&it.tenant), it))
                .filter(|(running, _)| *running < u64::from(*running_max))
                .min_by_key(|(running, _)| *running)
                .map(|(_, it)| it),
        };
        found.map(|it| it.id.as_str())
    }
}

impl Job {
    /// A job that judges the live records of a dataset, so many, by what is in force now, behind an entry of the change log.
    pub fn revalidation(
        dataset: &Dataset,
        asked: &Revalidation,
        records: i64,
        log_after: u64,
    ) -> Self {
        Self {
            number: 0,
            id: asked.id.clone(),
            tenant: dataset.tenant.clone(),
            area: dataset.area.clone(),
            schema: dataset.schema.clone(),
            dataset: dataset.id.clone(),
            kind: JobKind::Revalidate,
            maker: asked.maker.clone(),
            made_at: asked.at,
            log_after,
            schema_version: 0,
            started_at: None,
            tries: 0,
            ended_at: None,
            state: JobState::Queued,
            is_cancelling: false,
            options: RawJson::null(),
            cursor: None,
            progress: JobProgress {
                rows_total: u64::try_from(records).ok(),
                ..JobProgress::default()
            },
            result: None,
            failure: None,
            log: Vec::new(),
            files: Vec::new(),
            is_to_be_emptied: false,
            is_emptied: false,
            elsewhere_since: None,
            is_of_command: false,
        }
    }

    /// The job that it takes back, where it is an undoing.
    fn undone(&self) -> Option<String> {
        if self.kind != JobKind::Undo {
            return None;
        }
        let options: Option<UndoOptions> = serde_json::from_str(self.options.get()).ok();
        options.map(|options| options.job_id)
    }

    /// Whether it takes back the same job as another one, which has not ended.
    pub fn is_undoing_beside(&self, other: &Job) -> bool {
        let undone = self.undone();
        undone.is_some() && !other.state.has_ended() && undone == other.undone()
    }

    /// Someone works on it from now on.
    pub fn begin(&mut self, now: Timestamp) {
        self.state = JobState::Running;
        self.started_at.get_or_insert(now);
        self.tries = self.tries.saturating_add(1);
    }

    /// Takes what a step changes in it, its end too.
    pub fn follow(&mut self, step: &JobStep) {
        if step.gives_back() {
            // it was taken for nothing, and what ended those who took it before may end the next one
            self.tries = self.tries.saturating_sub(1);
        }
        if step.is_elsewhere {
            let since = self.elsewhere_since.unwrap_or(step.at);
            self.elsewhere_since = Some(since.min(step.at));
        }
        if let Some(update) = &step.update {
            // who gets on with it has the file
            self.elsewhere_since = None;
            if self.cursor != update.cursor {
                self.tries = 0;
            }
            self.cursor.clone_from(&update.cursor);
            self.progress = update.progress;
            self.result.clone_from(&update.result);
        }
        let lines = step.log.iter().map(|text| JobLogLine {
            at: step.at,
            text: text.clone(),
        });
        self.log.extend(lines);
        if let Some(end) = &step.end {
            self.failure.clone_from(&end.failure);
            self.files.clone_from(&end.files);
            self.cursor = None;
            self.end(end.state, step.at);
            self.empty_at_end(step.at);
        }
        let surplus = self.log.len().saturating_sub(LOG_LINES_MAX);
        self.log.drain(..surplus);
    }

    /// It has ended.
    pub fn end(&mut self, state: JobState, at: Timestamp) {
        self.ended_at = Some(at);
        self.state = state;
        self.is_cancelling = false;
    }
}

impl JobStep {
    /// Whether it changes nothing in its job but how long it is held.
    pub fn only_holds(&self) -> bool {
        let is_silent = self.update.is_none() && self.log.is_empty() && self.end.is_none();
        is_silent && !self.gives_back()
    }

    /// Whether nobody holds the job behind it: whoever worked on it stopped in order.
    pub fn gives_back(&self) -> bool {
        self.until <= self.at
    }
}

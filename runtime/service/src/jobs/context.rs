//! What the work on a job has at hand: its rights, judged anew whenever they are asked for, and steps, which end the
//! work where someone cancelled it or the service stops. It runs on a thread that may wait, never on one that answers.

use super::folder::{JobFolder, Part};
use crate::{Caller, DatasetPermit, Refusal, Service};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use store::StoreError;
use store::catalog::{Verb, Via};
use store::jobs::{Job, JobFileRow, JobKind, JobStep, JobUpdate, StepVerdict};
use store::records::{Write, WriteVerdict};
use tokio::runtime::Handle;
use wire::Timestamp;

/// How long a job is held by who works on it: after that, others take it.
pub(super) const LEASE_SECONDS: i64 = 60;

/// For how long a file that is missing may be in the folder of another server that comes back, from when it was missed first.
const ELSEWHERE_SECONDS_MAX: i64 = 24 * 3600;

/// Why work on a job ends early.
#[derive(Debug)]
pub(super) enum Halt {
    /// It can't go on; in words for its maker.
    Failed(String),
    /// Someone cancelled it.
    Cancelled,
    /// Someone else has it.
    Lost,
    /// What it needs failed, which may be over soon; in words for its maker, where it is not.
    Interrupted(String),
    /// Its file is in a folder that another server has, which goes on with it.
    Elsewhere,
    /// The service ends; the job goes on when it is there again.
    Stopping,
}

impl From<StoreError> for Halt {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Closed => Halt::Stopping,
            error => {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "the store failed a job"
                );
                let text = "the store failed; the log of the service has the cause".to_owned();
                if may_pass(&error) {
                    Halt::Interrupted(text)
                } else {
                    Halt::Failed(text)
                }
            }
        }
    }
}

/// Whether what failed may succeed when it is done again a little later: the disk was full, or the database away.
fn may_pass(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::Replaced(_)
            | StoreError::Newer { .. }
            | StoreError::Overtaken
            | StoreError::IndexDamaged
            | StoreError::IndexEmptied
            | StoreError::IndexUnmade
            | StoreError::Unreachable(_)
            | StoreError::Refused(_)
            | StoreError::Lacking { .. }
            | StoreError::RolledBack(_)
            | StoreError::Locked(_)
            | StoreError::Unsettled(_)
            | StoreError::Database(_)
            | StoreError::File(_)
    )
}

impl From<Refusal> for Halt {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Store(error) => error.into(),
            // who reads of a job has no answer with a header that says when to come back
            Refusal::NotReady { .. } => Halt::Interrupted(
                "the search index is behind, or files have no place now; the log of the service has the cause".to_owned(),
            ),
            Refusal::TooLong { .. } => Halt::Failed(
                "the search took longer than it may; look for less, or do it again later".to_owned(),
            ),
            refusal => Halt::Failed(refusal.to_string()),
        }
    }
}

/// What of a file of the job could not be written.
pub(super) fn file_failed(what: &str) -> impl FnOnce(io::Error) -> Halt {
    move |error| of_file(&error, format!("{what} can't be written: {error}"))
}

/// The same of one that could not be opened: its folder may be away for a while.
pub(super) fn opening_failed(what: &str) -> impl FnOnce(io::Error) -> Halt {
    move |error| match error.kind() {
        io::ErrorKind::NotFound => Halt::Interrupted(format!("{what} can't be opened: {error}")),
        _ => file_failed(what)(error),
    }
}

/// The same of one that was sent, whose name and remedy are told where it is not there: backups have none.
pub(super) fn sent_failed(
    (what, remedy): (&str, &str),
    failed: impl FnOnce(&io::Error) -> Halt,
) -> impl FnOnce(io::Error) -> Halt {
    move |error| match error.kind() {
        io::ErrorKind::NotFound => Halt::Failed(format!(
            "{what} is not here, as in a store that was restored from a backup; {remedy}"
        )),
        _ => failed(&error),
    }
}

/// What became of work on a file: what the machine has no means for may pass; a file that is not there or not to be used,
/// and what stands in it, do not.
pub(super) fn of_file(error: &io::Error, told: String) -> Halt {
    use io::ErrorKind as Kind;
    let stays = matches!(
        error.kind(),
        Kind::NotFound
            | Kind::PermissionDenied
            | Kind::IsADirectory
            | Kind::NotADirectory
            | Kind::ReadOnlyFilesystem
            | Kind::InvalidInput
    );
    if error.raw_os_error().is_some() && !stays {
        tracing::error!(told, "a file failed a job");
        Halt::Interrupted(told)
    } else {
        Halt::Failed(told)
    }
}

/// What becomes of a job whose work is over.
pub(super) struct Worked {
    /// Whether it came to its end.
    pub(super) ended: Result<(), Halt>,
    /// What its maker may download.
    pub(super) files: Vec<JobFileRow>,
}

impl Worked {
    /// Work that leaves nothing to download.
    pub(super) fn without_files(ended: Result<(), Halt>) -> Self {
        Worked {
            ended,
            files: Vec::new(),
        }
    }

    /// Work that came to no end.
    pub(super) fn halted(halt: Halt) -> Self {
        Worked::without_files(Err(halt))
    }

    /// Whether the work goes on later, from where it was left: its files are to stay as they are.
    pub(super) fn goes_on(&self, context: &JobContext) -> bool {
        match self.ended {
            Err(Halt::Stopping | Halt::Lost | Halt::Elsewhere) => true,
            Err(Halt::Interrupted(_)) => !context.is_last_try,
            Ok(()) | Err(Halt::Failed(_) | Halt::Cancelled) => false,
        }
    }
}

/// A job under way.
pub(super) struct JobContext {
    pub(super) service: Arc<Service>,
    pub(super) job: Job,
    pub(super) holder: String,
    pub(super) stop: Arc<AtomicBool>,
    /// Whether it was heard that someone cancels it; each step hears of it by itself.
    pub(super) is_cancelled: Arc<AtomicBool>,
    /// Whether the job fails by what could be over soon, too: it was tried often enough.
    pub(super) is_last_try: bool,
    pub(super) threads: Handle,
}

impl JobContext {
    /// Where its files are.
    pub(super) fn folder(&self) -> Result<&JobFolder, Halt> {
        let folder = self.service.job_folder.get();
        folder.ok_or_else(|| Halt::Failed("the service has no place for files of jobs".to_owned()))
    }

    /// Requires the file that was sent for it, before anything of it is done.
    ///
    /// # Errors
    /// [`Halt::Elsewhere`] where it is missing, and may be in the folder of another server that shares the store. A day after
    /// it was missed first nobody has it any more, and who reads it tells so.
    pub(super) fn require_input(&self) -> Result<(), Halt> {
        let service = &self.service;
        let now = service.now();
        let may_come = |since: Timestamp| now < since.plus_seconds(ELSEWHERE_SECONDS_MAX);
        let may_be_elsewhere = service.store().shares_limits()
            && !service.is_of_command.load(Ordering::Relaxed)
            && self.job.elsewhere_since.is_none_or(may_come);
        let input = self.folder()?.path(&self.job.id, Part::Input);
        if may_be_elsewhere && matches!(input.try_exists(), Ok(false)) {
            return Err(Halt::Elsewhere);
        }
        Ok(())
    }

    /// Waits for what the store or the service answers.
    pub(super) fn wait<T>(&self, answer: impl Future<Output = T>) -> T {
        self.threads.block_on(answer)
    }

    /// What its maker may do with the records of its dataset, as of now.
    pub(super) fn permit(&self, verbs: &[Verb]) -> Result<DatasetPermit, Halt> {
        let Job {
            maker,
            tenant,
            dataset,
            ..
        } = &self.job;
        let catalog = self.service.store().catalog();
        let judged = Caller::of_job(maker, tenant, catalog, self.service.now()).and_then(|by| {
            let by = match self.job.kind {
                JobKind::Import => by.working_for(Via::Import, &self.job.id),
                JobKind::Repair => by.working_for(Via::Repair, &self.job.id),
                JobKind::Revalidate => by.working_for(Via::Revalidation, &self.job.id),
                JobKind::Undo => by.working_for(Via::Undo, &self.job.id),
                JobKind::Bulk => by.working_for(Via::Bulk, &self.job.id),
                JobKind::Export | JobKind::Effects => by,
            };
            by.permit_managed_records(verbs, dataset)
        });
        judged.map_err(|refusal| self.not_permitted(refusal))
    }

    /// Why it ends when its maker may not do what it does.
    pub(super) fn not_permitted(&self, refusal: Refusal) -> Halt {
        let name = &self.job.maker.name;
        Halt::Failed(match refusal {
            Refusal::Unauthenticated => format!(
                "`{name}`, who asked for it, is revoked, switched off or has ended, so nothing more is done by it"
            ),
            Refusal::Forbidden(why) => {
                format!("`{name}`, who asked for it, may not do this any more; {why}")
            }
            Refusal::NotFound(why) => format!("its dataset is gone: {why}"),
            other => other.to_string(),
        })
    }

    /// Takes room for bytes of a file of the job, before they are written.
    ///
    /// # Errors
    /// [`Halt::Failed`] where the tenant has no room for as many.
    pub(super) fn require_room(&self, bytes: usize) -> Result<(), Halt> {
        let wanted = self
            .service
            .require_job_room(&self.job.tenant, bytes as u64);
        Ok(self.wait(wanted)?)
    }

    /// Whether to go on.
    ///
    /// # Errors
    /// [`Halt::Stopping`], [`Halt::Cancelled`].
    pub(super) fn go_on(&self) -> Result<(), Halt> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Halt::Stopping);
        }
        if self.is_cancelled.load(Ordering::Relaxed) {
            return Err(Halt::Cancelled);
        }
        Ok(())
    }

    /// Commits a step with all of these writes, or nothing; then the verdicts say which of them could not be done.
    pub(super) fn step(
        &self,
        writes: Vec<Write>,
        update: JobUpdate,
        log: Vec<String>,
    ) -> Result<Step, Halt> {
        self.go_on()?;
        let at = self.service.now();
        let count = writes.len() as u64;
        let step = JobStep {
            id: self.job.id.clone(),
            holder: self.holder.clone(),
            at,
            until: lease_end(at),
            writes,
            update: Some(update),
            log,
            is_elsewhere: false,
            end: None,
        };
        let stepped = match self.wait(self.service.store().step_job(step)) {
            // other servers took what was known to fit here: it is planned anew, by what fits now
            Err(StoreError::RecordsFull { .. }) => {
                self.service.forget_record_room(&self.job.tenant);
                return Ok(Step::Refused(Vec::new()));
            }
            stepped => stepped?,
        };
        match stepped {
            StepVerdict::Done(verdicts) => {
                self.wait(self.service.pace_writes(count));
                Ok(Step::Done(verdicts))
            }
            StepVerdict::Refused(verdicts) => Ok(Step::Refused(verdicts)),
            StepVerdict::Cancelled => Err(Halt::Cancelled),
            StepVerdict::Lost => Err(Halt::Lost),
        }
    }
}

/// What became of a step.
pub(super) enum Step {
    /// It is committed.
    Done(Vec<WriteVerdict>),
    /// Nothing of it is; without a verdict where there was no room for its records.
    Refused(Vec<WriteVerdict>),
}

/// Until when a job is held that is taken or renewed now.
pub(super) fn lease_end(now: Timestamp) -> Timestamp {
    now.plus_seconds(LEASE_SECONDS)
}

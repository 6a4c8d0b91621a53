//! Who works jobs off: one task that takes what waits, as many at a time as may be, each on a thread of its own. A job
//! that fails or panics ends alone, and one for which the store failed is tried again from where it came to. It ends with
//! the service: jobs under way stop behind their step, and go on when there is a service again. What a job does is told by
//! its kind's file.

use super::context::{Halt, JobContext, LEASE_SECONDS, Worked, lease_end};
use super::figures::count_end;
use super::folder::Part;
use super::import_again::is_dry_run;
use super::{effects_job, export, import, repair, revalidate, undo};
use crate::{Refusal, Service, ids};
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;
use store::StoreError;
use store::jobs::{Job, JobChoice, JobEnd, JobKind, JobLease, JobState, JobStep, StepVerdict};
use tokio::sync::{Notify, watch};
use tokio::task::{JoinHandle, JoinSet};
use tracing::Instrument as _;

/// How long after one look for jobs the next one is, if nobody told of a new one: a lease may have run out.
const LOOK_PAUSE: Duration = Duration::from_secs(5);
/// How long jobs under way are waited for at the end: a step takes a fraction of a second.
const STOP_TIME_MAX: Duration = Duration::from_secs(10);
/// How often a job is tried again that gets no further because of what may be over soon: some four minutes in all.
const RETRIES_MAX: u32 = 15;
/// How long to wait before the first time.
const RETRY_PAUSE: Duration = Duration::from_secs(1);
/// How often it is looked meanwhile whether the service ends.
const STOP_LOOK_PAUSE: Duration = Duration::from_millis(100);
/// How often a job's lease is renewed while a step takes long.
const RENEW_PAUSE: Duration = Duration::from_secs(LEASE_SECONDS.unsigned_abs() / 3);

/// The runner of a service.
pub(crate) struct JobRunner {
    wake: Arc<Notify>,
    /// Seen by the work between two steps.
    stop: Arc<AtomicBool>,
    stopping: watch::Sender<bool>,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl JobRunner {
    /// Tells it that there is something to do.
    pub(super) fn wake(&self) {
        self.wake.notify_one();
    }
}

impl Drop for JobRunner {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.stopping.send_replace(true);
    }
}

impl Service {
    /// Starts to work jobs off; the first call counts. Needs a tokio runtime around it. [`open`](Self::open) does it
    /// for a service that sees to itself.
    pub fn start_jobs(self: &Arc<Self>) {
        self.job_runner.get_or_init(|| {
            let (wake, stop) = (Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
            let stopping = watch::Sender::new(false);
            let looker = Looker {
                service: Arc::downgrade(self),
                wake: wake.clone(),
                stop: stop.clone(),
                under_way: JoinSet::new(),
            };
            let task = tokio::spawn(looker.run(stopping.subscribe()));
            JobRunner {
                wake,
                stop,
                stopping,
                task: Mutex::new(Some(task)),
            }
        });
    }

    /// Ends the work on jobs behind the steps that are under way, and waits for them.
    pub async fn stop_jobs(&self) {
        let Some(runner) = self.job_runner.get() else {
            return;
        };
        runner.stop.store(true, Ordering::Relaxed);
        runner.stopping.send_replace(true);
        let task = runner.task.lock().take();
        if let Some(task) = task {
            // one that panicked has ended too
            let _ = task.await;
        }
    }

    /// Works one job off here and now, for a command that has the data folder to itself: to its end, or to where it is
    /// given up. Does nothing with one that someone else works on, or that has ended.
    ///
    /// # Errors
    /// The store's.
    pub async fn run_job(self: &Arc<Self>, id: &str) -> Result<(), Refusal> {
        let holder = ids::new_id(self.now(), self.entropy());
        let stop = Arc::new(AtomicBool::new(false));
        let lease = lease(self, &holder);
        let taken = self
            .store()
            .take_job(JobChoice::One(id.to_owned()), lease, self.now())
            .await?;
        if let Some(job) = taken {
            let terms = Terms {
                holder,
                stop,
                // who waits is told at once, and may ask again
                retries_max: 0,
            };
            work_off(self.clone(), job, terms).await;
        }
        Ok(())
    }

    /// Tells the runner of this service, if it has one, that there is something to do.
    pub(crate) fn wake_jobs(&self) {
        if let Some(runner) = self.job_runner.get() {
            runner.wake();
        }
    }
}

fn lease(service: &Service, holder: &str) -> JobLease {
    JobLease {
        holder: holder.to_owned(),
        until: lease_end(service.now()),
    }
}

/// The task that looks for jobs.
struct Looker {
    /// Between looks its owner may drop it.
    service: Weak<Service>,
    wake: Arc<Notify>,
    stop: Arc<AtomicBool>,
    under_way: JoinSet<()>,
}

impl Looker {
    async fn run(mut self, mut stopping: watch::Receiver<bool>) {
        loop {
            let Some(service) = self.service.upgrade() else {
                return;
            };
            if let Err(error) = self.take_all(&service).await {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "looking for jobs failed"
                );
            }
            drop(service);
            tokio::select! {
                () = self.wake.notified() => {}
                Some(_) = self.under_way.join_next(), if !self.under_way.is_empty() => {}
                () = tokio::time::sleep(LOOK_PAUSE) => {}
                // a sender that is gone means the end as well
                _ = stopping.wait_for(|is_stopping| *is_stopping) => break,
            }
        }
        let all = async { while self.under_way.join_next().await.is_some() {} };
        if tokio::time::timeout(STOP_TIME_MAX, all).await.is_err() {
            tracing::warn!("a step of a job takes long, and is left; it is taken back or whole");
        }
    }

    /// Takes as many jobs as may be worked on at a time.
    async fn take_all(&mut self, service: &Arc<Service>) -> Result<(), StoreError> {
        let settings = service.settings().jobs;
        while self.under_way.len() < settings.workers && !self.stop.load(Ordering::Relaxed) {
            let choice = JobChoice::Next {
                running_max: settings.running_max,
            };
            // a name for each taking: one that this service lost by its lease's end is not its own because it takes it again
            let holder = ids::new_id(service.now(), service.entropy());
            let lease = lease(service, &holder);
            let taken = service.store().take_job(choice, lease, service.now());
            let Some(job) = taken.await? else { break };
            let terms = Terms {
                holder,
                stop: self.stop.clone(),
                retries_max: RETRIES_MAX,
            };
            self.under_way.spawn(work_off(service.clone(), job, terms));
        }
        Ok(())
    }
}

/// On what terms a job is worked on.
struct Terms {
    /// By which name the store knows who has it.
    holder: String,
    /// Whether the service ends.
    stop: Arc<AtomicBool>,
    /// How often it is tried again without getting further.
    retries_max: u32,
}

/// Works a job off and notes how it ended.
async fn work_off(service: Arc<Service>, job: Job, terms: Terms) {
    let span = tracing::info_span!("job", job.id, kind = job.kind.as_str());
    async {
        tracing::info!("begun");
        let worked = retried(&service, job.clone(), &terms).await;
        if let Err(error) = note_end(&service, &job, &terms.holder, worked).await {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "how it ended can't be noted, so it is tried again"
            );
        }
    }
    .instrument(span)
    .await;
}

/// Works a job off; where what it needs fails, again and again from where it came to, until it no longer gets further.
async fn retried(service: &Arc<Service>, mut job: Job, terms: &Terms) -> Worked {
    let mut retries = 0;
    loop {
        let is_last_try = retries >= terms.retries_max;
        let worked = worked(JobContext {
            service: service.clone(),
            job: job.clone(),
            holder: terms.holder.clone(),
            stop: terms.stop.clone(),
            is_last_try,
            threads: tokio::runtime::Handle::current(),
        });
        let worked = worked.await;
        let Err(Halt::Interrupted(why)) = &worked.ended else {
            return worked;
        };
        if is_last_try {
            return worked;
        }
        tracing::warn!(why, retries, "interrupted, and tried again");
        let newest = match held_again(service, &job, terms, retries).await {
            Ok(newest) => newest,
            Err(halt) => return Worked::halted(halt),
        };
        retries = if newest.cursor == job.cursor {
            retries + 1
        } else {
            0
        };
        job = newest;
    }
}

/// Waits until the store has a job as this service has it; the job, as it was committed last. As long as the store is away,
/// nothing could be noted of the job either.
///
/// # Errors
/// [`Halt::Lost`] where someone else took it meanwhile, [`Halt::Stopping`].
async fn held_again(
    service: &Service,
    job: &Job,
    terms: &Terms,
    retries: u32,
) -> Result<Job, Halt> {
    for retry in retries.. {
        rest(retry_pause(retry), &terms.stop).await;
        if terms.stop.load(Ordering::Relaxed) {
            break;
        }
        let held = service.store().step_job(hold(service, job, &terms.holder));
        match held.await {
            Ok(StepVerdict::Lost) => return Err(Halt::Lost),
            // one that was cancelled hears of it by its next step, and ends its files
            Ok(_) => {
                if let Ok(found) = service.store().job(&job.id).await {
                    return found.ok_or(Halt::Lost);
                }
            }
            Err(_) => {}
        }
    }
    Err(Halt::Stopping)
}

/// How long to wait before a job is tried again: twice as long each time, and shorter than its lease.
fn retry_pause(retries: u32) -> Duration {
    RETRY_PAUSE
        .saturating_mul(1 << retries.min(20))
        .min(RENEW_PAUSE)
}

/// Waits, unless the service ends meanwhile.
async fn rest(pause: Duration, stop: &AtomicBool) {
    let end = tokio::time::Instant::now() + pause;
    while tokio::time::Instant::now() < end && !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(STOP_LOOK_PAUSE).await;
    }
}

/// Works on a job on a thread of its own, and holds it meanwhile.
async fn worked(context: JobContext) -> Worked {
    let (service, job, holder) = (
        context.service.clone(),
        context.job.clone(),
        context.holder.clone(),
    );
    let inside = tracing::Span::current();
    let mut work = tokio::task::spawn_blocking(move || inside.in_scope(|| work(&context)));
    let mut renewal = tokio::time::interval(RENEW_PAUSE);
    renewal.tick().await;
    let worked = loop {
        tokio::select! {
            worked = &mut work => break worked,
            _ = renewal.tick() => renew(&service, &job, &holder).await,
        }
    };
    worked.unwrap_or_else(|_| {
        Worked::halted(Halt::Failed(
            "work on it broke off by a mistake of the program; the log has the cause".to_owned(),
        ))
    })
}

fn work(context: &JobContext) -> Worked {
    match context.job.kind {
        JobKind::Import => import::run(context),
        JobKind::Export => export::run(context),
        JobKind::Repair => repair::run(context),
        JobKind::Revalidate => revalidate::run(context),
        JobKind::Effects => effects_job::run(context),
        JobKind::Undo => undo::run(context),
        JobKind::Bulk => done_by_its_request(),
    }
}

/// Nobody should take one of these: its writes were the request's own, and nothing is left to do.
fn done_by_its_request() -> Worked {
    let text = "its writes were the request's own, and it ended with that";
    Worked::halted(Halt::Failed(text.to_owned()))
}

/// A step that changes nothing but the lease's end.
fn hold(service: &Service, job: &Job, holder: &str) -> JobStep {
    let at = service.now();
    JobStep {
        id: job.id.clone(),
        holder: holder.to_owned(),
        at,
        until: lease_end(at),
        writes: Vec::new(),
        update: None,
        log: Vec::new(),
        end: None,
    }
}

async fn renew(service: &Service, job: &Job, holder: &str) {
    // a renewal that fails leaves the lease as it is, and the next step tells
    let _ = service.store().step_job(hold(service, job, holder)).await;
}

async fn note_end(
    service: &Service,
    job: &Job,
    holder: &str,
    worked: Worked,
) -> Result<(), StoreError> {
    let step = hold(service, job, holder);
    let (state, failure) = match worked.ended {
        Ok(()) => (JobState::Done, None),
        Err(Halt::Cancelled) => (JobState::Cancelled, None),
        Err(Halt::Failed(why) | Halt::Interrupted(why)) => (JobState::Failed, Some(why)),
        Err(Halt::Lost) => {
            tracing::warn!("someone else has it");
            return Ok(());
        }
        Err(Halt::Stopping) => {
            tracing::info!("it goes on when the service is there again");
            let given_back = JobStep {
                until: step.at,
                ..step
            };
            service.store().step_job(given_back).await?;
            return Ok(());
        }
    };
    tracing::info!(state = state.as_str(), failure, "ended");
    let step = JobStep {
        end: Some(JobEnd {
            state,
            failure,
            files: worked.files,
        }),
        ..step
    };
    service.store().step_job(step).await?;
    count_end(state);
    // what was sent is needed no more, unless it was only tried; what can't be removed now, a later cleaning removes
    if let Some(folder) = service.job_folder.get().filter(|_| !is_dry_run(job)) {
        let _ = folder.remove(&job.id, Part::Input);
    }
    Ok(())
}

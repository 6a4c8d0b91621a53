//! Who takes jobs: one task that takes what waits, as many at a time as may be, each on a thread of its own; how one is
//! worked off, `worker.rs` tells. It ends with the service: jobs under way stop behind their step, and go on when there is
//! a service again. One of a command that has no server ends with the command, also where that was killed.

use super::context::{Halt, lease_end};
use super::folder::JobFolder;
use super::worker::{Prepared, Terms, note_failure, note_halt, prepared, work_off};
use crate::{Refusal, Service, ids};
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;
use store::StoreError;
use store::jobs::{Job, JobChoice, JobLease};
use tokio::sync::{Notify, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::Instant;

/// How long after one look for jobs the next one is, if nobody told of a new one: a lease may have run out.
const LOOK_PAUSE: Duration = Duration::from_secs(5);
/// How long jobs under way are waited for at the end: a step takes a fraction of a second.
const STOP_TIME_MAX: Duration = Duration::from_secs(10);
/// How often a job is taken without getting further: whoever took it ended in the middle each time, and with it all that it
/// did for others.
const TRIES_MAX: u32 = 5;
/// How long a job that was taken before, and got no further, is alone at first: where it ends its process, no other job is at
/// fault.
const ALONE_PAUSE: Duration = Duration::from_secs(5);
/// Why a job failed that needs the search index, and was ended without it.
const WITHOUT_INDEX: &str = "the search index, by which it finds its records, can't be brought up to date; the log has the cause";

/// Why a job failed whose command was killed.
const COMMAND_GONE: &str = "the command that worked on it was killed, and it ended with it; what it wrote until then stays, and can be undone";

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
                alone_until: None,
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
        self.run_job_behind(id, std::future::ready(true)).await
    }

    /// The same for one that finds its records by the search index: it is taken first, and held while `index` brings that up to
    /// date, however long that takes, so that nobody ends it as one that its command left. Where that comes to `false`, it
    /// fails, and nothing of it is done. The cause is the caller's to tell: it names what is on the machine, which is not for all
    /// who may see the job. One that is cancelled meanwhile ends at once.
    ///
    /// # Errors
    /// The store's.
    pub async fn run_job_behind(
        self: &Arc<Self>,
        id: &str,
        index: impl Future<Output = bool>,
    ) -> Result<(), Refusal> {
        if let Some((job, holder)) = self.take_one(id).await? {
            if let Some(why) = why_given_up(&job) {
                note_failure(self, &job, &holder, why).await?;
                return Ok(());
            }
            match prepared(self, &job, &holder, index).await {
                Prepared::Ready => {}
                Prepared::Failed => {
                    note_failure(self, &job, &holder, WITHOUT_INDEX.to_owned()).await?;
                    return Ok(());
                }
                Prepared::Cancelled => {
                    note_halt(self, &job, &holder, Halt::Cancelled).await?;
                    return Ok(());
                }
                Prepared::Lost => return Ok(()),
            }
            let terms = Terms {
                holder,
                stop: Arc::new(AtomicBool::new(false)),
                // who waits is told at once, and may ask again
                retries_max: 0,
            };
            work_off(self.clone(), job, terms).await;
        }
        Ok(())
    }

    /// Ends the jobs that commands left which were killed, as far as the store can be written now.
    pub(crate) async fn end_jobs_of_killed_commands(&self) {
        if self.store().is_read_only() {
            return;
        }
        if let Err(error) = self.end_left_jobs().await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "jobs of commands that were killed can't be ended yet"
            );
        }
    }

    /// Ends jobs of commands that are gone. Each was to end with its command, and what it would go on to write may be older
    /// by now than what is there; what it wrote stays.
    async fn end_left_jobs(&self) -> Result<(), StoreError> {
        loop {
            let holder = ids::new_id(self.now(), self.entropy());
            let lease = lease(self, &holder);
            let choice = JobChoice::LeftByCommand;
            let taken = self.store().take_job(choice, lease, self.now()).await?;
            let Some(job) = taken else { return Ok(()) };
            tracing::warn!(job.id, "its command was killed, so it ends");
            let halt = if job.is_cancelling {
                Halt::Cancelled
            } else {
                Halt::Failed(COMMAND_GONE.to_owned())
            };
            note_halt(self, &job, &holder, halt).await?;
        }
    }

    /// Takes one job, if nobody has it, and by which name.
    async fn take_one(&self, id: &str) -> Result<Option<(Job, String)>, StoreError> {
        let holder = ids::new_id(self.now(), self.entropy());
        let lease = lease(self, &holder);
        let choice = JobChoice::One(id.to_owned());
        let taken = self.store().take_job(choice, lease, self.now()).await?;
        Ok(taken.map(|job| (job, holder)))
    }

    /// Tells the runner of this service, if it has one, that there is something to do.
    pub(crate) fn wake_jobs(&self) {
        if let Some(runner) = self.job_runner.get() {
            runner.wake();
        }
    }
}

/// Why a job is not worked on again, if it is not: it was begun as often as may be, and never came further.
fn why_given_up(job: &Job) -> Option<String> {
    let is_over = job.tries > TRIES_MAX;
    is_over.then(|| {
        format!(
            "the program ended {TRIES_MAX} times while it was at work on this, and it came no further; the log has the cause"
        )
    })
}

/// How long a job is alone that was taken so often: each time four times as long. One that is never further than its beginning
/// until it is done, as an Excel file is, comes to its end before another one ends the process once more.
fn alone_pause(tries: u32) -> Duration {
    let times = 4_u32.saturating_pow(tries.min(TRIES_MAX).saturating_sub(2));
    ALONE_PAUSE.saturating_mul(times)
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
    /// Until when no other job is begun beside those under way.
    alone_until: Option<Instant>,
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
        service.end_left_jobs().await?;
        let settings = service.settings().jobs;
        while self.has_room(settings.workers) && !self.stop.load(Ordering::Relaxed) {
            let folder = service.job_folder.get();
            let tenants = service.store().catalog().tenants.len();
            let choice = JobChoice::Next {
                running_max: settings.running_max_among(tenants),
                left: folder.map(JobFolder::left).unwrap_or_default(),
            };
            // a name for each taking: one that this service lost by its lease's end is not its own because it takes it again
            let holder = ids::new_id(service.now(), service.entropy());
            let lease = lease(service, &holder);
            let taken = service.store().take_job(choice, lease, service.now());
            let Some(job) = taken.await? else { break };
            if let Some(why) = why_given_up(&job) {
                tracing::error!(job.id, why, "given up");
                note_failure(service, &job, &holder, why).await?;
                continue;
            }
            if job.tries > 1 {
                self.alone_until = Some(Instant::now() + alone_pause(job.tries));
            }
            let terms = Terms {
                holder,
                stop: self.stop.clone(),
                retries_max: settings.retries_max,
            };
            self.under_way.spawn(work_off(service.clone(), job, terms));
        }
        Ok(())
    }

    /// Whether one more job may be begun.
    fn has_room(&self, workers: usize) -> bool {
        let is_alone = self.alone_until.is_some_and(|until| Instant::now() < until);
        self.under_way.len() < workers && (!is_alone || self.under_way.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oftener_a_job_was_begun_the_longer_it_is_alone() {
        let seconds: Vec<_> = (2..=TRIES_MAX + 1)
            .map(|tries| alone_pause(tries).as_secs())
            .collect();
        assert_eq!(seconds, [5, 20, 80, 320, 320]);
    }

    #[test]
    fn a_job_that_was_begun_before_is_alone_for_a_while() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .expect("a runtime");
        let _inside = runtime.enter();
        let mut looker = Looker {
            service: Weak::new(),
            wake: Arc::default(),
            stop: Arc::default(),
            under_way: JoinSet::new(),
            alone_until: None,
        };
        assert!(looker.has_room(2) && !looker.has_room(0));
        looker.under_way.spawn(std::future::pending());
        assert!(looker.has_room(2) && !looker.has_room(1));
        looker.alone_until = Some(Instant::now() + ALONE_PAUSE);
        assert!(!looker.has_room(2));
        looker.under_way = JoinSet::new();
        assert!(looker.has_room(2), "it is over");
        looker.under_way.spawn(std::future::pending());
        looker.alone_until = Some(Instant::now());
        assert!(looker.has_room(2), "the while is over");
    }
}

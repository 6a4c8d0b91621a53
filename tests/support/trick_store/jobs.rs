//! What the store does with jobs: steps that wait, and failures around a purge.

use super::{INSIDE, TrickStore, failure, locked};
use runtime::store::jobs::{
    AddVerdict, Job, JobChoice, JobFilter, JobLease, JobStep, Jobs, RunningJob, StepVerdict,
};
use runtime::store::records::RecordPlace;
use runtime::store::retention::{DeletionBound, OldDeletions, UnsettledPurge};
use runtime::store::{Retention, StoreError, StoreFuture};
use runtime::value::Timestamp;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// How often a step that waits looks whether it still has to.
const LOOK_PAUSE: Duration = Duration::from_millis(1);

/// What goes wrong with jobs that have ended.
#[derive(Default)]
pub(super) struct JobTricks {
    ends_behind_purge: AtomicBool,
    /// Whether jobs, and purges to be settled, can't be listed any more.
    has_ended: AtomicBool,
    fails_retelling: AtomicBool,
    /// Jobs that were told anew.
    retold: AtomicUsize,
    /// How often running jobs of a dataset were marked.
    marked: AtomicUsize,
    /// How many purges can't be settled.
    settling_failures: Mutex<usize>,
    /// How many steps are done before one fails.
    steps_before_failure: Mutex<Option<usize>>,
    fails_rejects: AtomicBool,
    /// Whether every second step that writes records fails.
    fails_every_second: AtomicBool,
    /// Whether the next one is such a second one.
    is_second: AtomicBool,
}

impl JobTricks {
    pub(super) fn pass_purge(&self) {
        if self.ends_behind_purge.load(Ordering::SeqCst) {
            self.has_ended.store(true, Ordering::SeqCst);
        }
    }

    /// Whether a purge that is about to be settled can't be.
    fn fails_settling(&self) -> bool {
        let mut left = locked(&self.settling_failures);
        let fails = *left > 0;
        *left = left.saturating_sub(1);
        fails
    }

    /// Whether a step fails that is about to be done.
    fn fails_step(&self) -> bool {
        let mut left = locked(&self.steps_before_failure);
        let fails = *left == Some(0);
        *left = left.and_then(|left| left.checked_sub(1));
        fails
    }

    /// Whether a step that writes records fails because the one before it did not.
    fn fails_as_second(&self, step: &JobStep) -> bool {
        let counts = self.fails_every_second.load(Ordering::SeqCst) && !step.writes.is_empty();
        counts && self.is_second.fetch_xor(true, Ordering::SeqCst)
    }

    /// Whether a step fails because of rows that could not be stored.
    fn fails_rejects(&self, step: &JobStep) -> bool {
        let result = step.update.as_ref().and_then(|it| it.result.as_ref());
        let rejected = result.and_then(|it| it.member("rejected"));
        self.fails_rejects.load(Ordering::SeqCst) && rejected.is_some_and(|it| it.get() != "0")
    }
}

impl Retention for TrickStore {
    fn clock(&self) -> StoreFuture<'_, Option<Timestamp>> {
        self.inner.clock()
    }

    fn kept_before(&self, moment: Timestamp, believed: Timestamp) -> StoreFuture<'_, u64> {
        self.inner.kept_before(moment, believed)
    }

    fn deleted_before(
        &self,
        bound: DeletionBound,
        after: Option<RecordPlace>,
        max: usize,
    ) -> StoreFuture<'_, OldDeletions> {
        self.inner.deleted_before(bound, after, max)
    }

    fn retell_jobs(&self, jobs: Vec<Job>) -> StoreFuture<'_, ()> {
        if self.jobs.fails_retelling.swap(false, Ordering::SeqCst) {
            return failure();
        }
        self.jobs.retold.fetch_add(jobs.len(), Ordering::SeqCst);
        self.inner.retell_jobs(jobs)
    }

    fn unsettled_purges(&self, dataset: Option<u32>) -> StoreFuture<'_, Vec<UnsettledPurge>> {
        if self.jobs.has_ended.load(Ordering::SeqCst) {
            return failure();
        }
        self.inner.unsettled_purges(dataset)
    }

    fn settle_purge(&self, purge: UnsettledPurge) -> StoreFuture<'_, ()> {
        if self.jobs.fails_settling() {
            return failure();
        }
        self.inner.settle_purge(purge)
    }

    fn mark_running_jobs(&self, dataset: &str, asked_before: u64) -> StoreFuture<'_, ()> {
        self.jobs.marked.fetch_add(1, Ordering::SeqCst);
        self.inner.mark_running_jobs(dataset, asked_before)
    }
}

impl TrickStore {
    /// From the next purge on, neither jobs nor purges can be listed: as if the program ended right behind it.
    pub fn end_behind_purge(&self) {
        self.jobs.ends_behind_purge.store(true, Ordering::SeqCst);
    }

    /// The next time that jobs are told anew, nothing is done, and the store fails.
    pub fn fail_retelling(&self) {
        self.jobs.fails_retelling.store(true, Ordering::SeqCst);
    }

    /// So many times that a purge is to be settled, the store fails.
    pub fn fail_settling(&self, times: usize) {
        *locked(&self.jobs.settling_failures) = times;
    }

    /// How often running jobs of a dataset were marked as to be emptied at their end.
    pub fn marked(&self) -> usize {
        self.jobs.marked.load(Ordering::SeqCst)
    }

    /// How many jobs were told anew.
    pub fn retold(&self) -> usize {
        self.jobs.retold.load(Ordering::SeqCst)
    }
}

impl TrickStore {
    /// From now on steps of jobs wait, but those that only renew a lease.
    pub fn hold_steps(&self) {
        self.holds_steps.store(true, Ordering::SeqCst);
    }

    /// Behind so many steps of jobs one fails, as where the database is away for a moment; those that only renew a lease count
    /// for none.
    pub fn fail_step_behind(&self, steps: usize) {
        *locked(&self.jobs.steps_before_failure) = Some(steps);
    }

    /// Whether a step is still to fail.
    pub fn is_step_to_fail(&self) -> bool {
        locked(&self.jobs.steps_before_failure).is_some()
    }

    /// From now on a step of an import fails that has come as far as a row that can't be stored, or not any more.
    pub fn fail_rejects(&self, fails: bool) {
        self.jobs.fails_rejects.store(fails, Ordering::SeqCst);
    }

    /// From now on every second step that writes records fails, the first one not: whoever tries again gets further by one.
    pub fn fail_every_second(&self) {
        self.jobs.fails_every_second.store(true, Ordering::SeqCst);
    }

    /// Whether a step waits.
    pub fn is_step_held(&self) -> bool {
        self.held_steps.load(Ordering::SeqCst) > 0
    }

    /// Steps of jobs wait no longer.
    pub fn let_steps_go(&self) {
        self.holds_steps.store(false, Ordering::SeqCst);
    }

    async fn wait_for_steps(&self) {
        self.held_steps.fetch_add(1, Ordering::SeqCst);
        while self.holds_steps.load(Ordering::SeqCst) {
            tokio::time::sleep(LOOK_PAUSE).await;
        }
        self.held_steps.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Jobs for TrickStore {
    fn add_job(&self, job: Job, waiting_max: u32) -> StoreFuture<'_, AddVerdict> {
        self.inner.add_job(job, waiting_max)
    }

    fn job(&self, id: &str) -> StoreFuture<'_, Option<Job>> {
        self.inner.job(id)
    }

    fn job_tenants(&self, ids: Vec<String>) -> StoreFuture<'_, Vec<(String, String)>> {
        self.inner.job_tenants(ids)
    }

    fn jobs(
        &self,
        tenant: &str,
        filter: JobFilter<'_>,
        before: Option<u64>,
        max: usize,
    ) -> StoreFuture<'_, Vec<Job>> {
        if self.jobs.has_ended.load(Ordering::SeqCst) {
            return failure();
        }
        self.inner.jobs(tenant, filter, before, max)
    }

    fn take_job(
        &self,
        choice: JobChoice,
        lease: JobLease,
        now: Timestamp,
    ) -> StoreFuture<'_, Option<Job>> {
        self.inner.take_job(choice, lease, now)
    }

    fn step_job(&self, step: JobStep) -> StoreFuture<'_, StepVerdict> {
        Box::pin(async move {
            if !step.only_holds() {
                self.wait_for_steps().await;
                let tricks = &self.jobs;
                let fails = tricks.fails_step() || tricks.fails_rejects(&step);
                if fails || tricks.fails_as_second(&step) {
                    return Err(StoreError::Database(INSIDE.into()));
                }
            }
            self.inner.step_job(step).await
        })
    }

    fn cancel_job(&self, id: &str, at: Timestamp) -> StoreFuture<'_, Option<Job>> {
        self.inner.cancel_job(id, at)
    }

    fn running_jobs(&self) -> StoreFuture<'_, Vec<RunningJob>> {
        self.inner.running_jobs()
    }

    fn jobs_with_files(&self, ended_before: Timestamp, max: usize) -> StoreFuture<'_, Vec<Job>> {
        self.inner.jobs_with_files(ended_before, max)
    }

    fn forget_job_files(&self, id: &str) -> StoreFuture<'_, ()> {
        self.inner.forget_job_files(id)
    }

    fn remove_jobs(&self, ended_before: Timestamp) -> StoreFuture<'_, ()> {
        self.inner.remove_jobs(ended_before)
    }
}

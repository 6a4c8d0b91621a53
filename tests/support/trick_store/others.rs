//! What the store does beside records: without tricks but for decisions and steps of jobs.

use super::{TrickStore, locked};
use runtime::store::catalog::{
    AuditEntry, Catalog, CatalogHold, Decision, DecisionError, Issued, IssuedCounts, NounKey,
    Session, Token,
};
use runtime::store::jobs::{
    AddVerdict, Job, JobChoice, JobFilter, JobLease, JobStep, Jobs, RunningJob, StepVerdict,
};
use runtime::store::records::PageLimit;
use runtime::store::{
    Catalogs, Copies, DailyCounts, Leases, Retention, SharedLimits, StoreError, StoreFuture,
};
use runtime::value::Timestamp;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How often a step that waits looks whether it still has to.
const LOOK_PAUSE: Duration = Duration::from_millis(1);

impl Copies for TrickStore {}

impl DailyCounts for TrickStore {}

impl Retention for TrickStore {}

impl SharedLimits for TrickStore {}

impl Leases for TrickStore {}

impl Catalogs for TrickStore {
    fn catalog(&self) -> Arc<Catalog> {
        let held_back = locked(&self.held_back).clone();
        held_back.unwrap_or_else(|| self.inner.catalog())
    }

    fn be_current(&self) -> Option<StoreFuture<'_, ()>> {
        let current = self.inner.be_current();
        if current.is_none() && !self.is_catalog_held_back() {
            return None;
        }
        Some(Box::pin(async move {
            if let Some(current) = current {
                current.await?;
            }
            *locked(&self.held_back) = None;
            Ok(())
        }))
    }

    fn hold_catalog(&self) -> Option<StoreFuture<'_, CatalogHold>> {
        self.inner.hold_catalog()
    }

    fn decide(
        &self,
        decision: Decision<String>,
    ) -> StoreFuture<'_, Result<Arc<Catalog>, DecisionError>> {
        if self.is_read_only_now() {
            return Box::pin(std::future::ready(Err(StoreError::ReadOnly)));
        }
        let before = locked(&self.before_decision).take();
        Box::pin(async move {
            if let Some(write) = before {
                self.inner.write(write).await?;
            }
            self.inner.decide(decision).await
        })
    }

    fn audit(
        &self,
        tenant: &str,
        before: Option<i64>,
        limit: PageLimit,
    ) -> StoreFuture<'_, Vec<(i64, AuditEntry)>> {
        let asked = self.inner.audit(tenant, before, limit);
        Box::pin(async move {
            let found = asked.await?;
            self.audited.fetch_add(found.len(), Ordering::SeqCst);
            Ok(found)
        })
    }
}

impl Issued for TrickStore {
    fn token(&self, hash: &str) -> Option<Arc<Token>> {
        self.inner.token(hash)
    }

    fn session(&self, hash: &str) -> Option<Arc<Session>> {
        self.inner.session(hash)
    }

    fn sessions_of(&self, user: &str) -> Vec<Arc<Session>> {
        self.inner.sessions_of(user)
    }

    fn tokens_run_out(&self, at: Timestamp, max: usize) -> Vec<Arc<Token>> {
        self.inner.tokens_run_out(at, max)
    }

    fn sessions_run_out(
        &self,
        at: Timestamp,
        unused_since: Timestamp,
        max: usize,
    ) -> Vec<Arc<Session>> {
        self.inner.sessions_run_out(at, unused_since, max)
    }

    fn note_proof(&self, hash: &str, at: Timestamp) -> StoreFuture<'_, bool> {
        self.inner.note_proof(hash, at)
    }

    fn issued_counts(&self) -> IssuedCounts {
        self.inner.issued_counts()
    }

    fn note_last_used(&self, used: Vec<(NounKey, Timestamp)>) -> StoreFuture<'_, ()> {
        self.inner.note_last_used(used)
    }
}

impl TrickStore {
    /// From now on steps of jobs wait, but those that only renew a lease.
    pub fn hold_steps(&self) {
        self.holds_steps.store(true, Ordering::SeqCst);
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

    fn jobs(
        &self,
        tenant: &str,
        filter: JobFilter<'_>,
        before: Option<u64>,
        max: usize,
    ) -> StoreFuture<'_, Vec<Job>> {
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

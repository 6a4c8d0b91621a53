//! What the store does beside records and jobs: without tricks but for decisions.

use super::{TrickStore, locked};
use runtime::store::catalog::{
    AuditEntry, Catalog, CatalogHold, Decision, DecisionError, Issued, IssuedCounts, NounKey,
    Session, Token,
};
use runtime::store::records::PageLimit;
use runtime::store::{
    Catalogs, Copies, DailyCounts, Leases, SharedLimits, StoreError, StoreFuture,
};
use runtime::value::Timestamp;
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl TrickStore {
    /// Is away from now on for who asks what is committed, as the database of several servers is that was stopped.
    pub fn go_away(&self) {
        self.is_away.store(true, Ordering::SeqCst);
    }

    /// Is there again.
    pub fn come_back(&self) {
        self.is_away.store(false, Ordering::SeqCst);
    }
}

impl Copies for TrickStore {}

impl DailyCounts for TrickStore {}

impl SharedLimits for TrickStore {}

impl Leases for TrickStore {}

impl Catalogs for TrickStore {
    fn catalog(&self) -> Arc<Catalog> {
        let held_back = locked(&self.held_back).clone();
        held_back.unwrap_or_else(|| self.inner.catalog())
    }

    fn be_current(&self) -> Option<StoreFuture<'_, ()>> {
        if self.is_away.load(Ordering::SeqCst) {
            let away = StoreError::Unreachable("nobody answers".into());
            return Some(Box::pin(std::future::ready(Err(away))));
        }
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

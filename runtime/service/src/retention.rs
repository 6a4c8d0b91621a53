//! What goes by its age: entries of the change log, entries of the trail, records that were deleted. Nothing does unless
//! the operator says so, and nothing that is still to be told: the index, webhooks that are switched on and what jobs that are
//! under way may read come first, by numbers of the log, and where backups are made (`backups.rs`), a backup. Each step is a
//! small transaction.
//! docs/interface.md, "Retention".

use crate::Service;
use crate::manage::Operator;
use crate::webhooks::datasets_of;
use std::collections::BTreeMap;
use std::time::Duration;
use store::StoreError;
use store::catalog::Actor;
use store::deliveries::Delivery;
use store::jobs::JobKind;
use store::leases::CLOCKS_APART_SECONDS_MAX;
use store::records::{Change, PageLimit, RecordId, RecordPlace, Write};
use store::retention::{DeletionBound, OldDeletion};
use wire::Timestamp;

/// By which name the change log remembers who purged.
const ACTOR: &str = "retention";
/// Entries that one transaction looks at: it takes a few milliseconds.
const ENTRIES_AT_ONCE: usize = 500;
/// Records that are looked at, and purged, at a time.
const RECORDS_AT_ONCE: usize = 200;
/// How long others have the writer for themselves between two transactions.
const PAUSE: Duration = Duration::from_millis(2);

/// For how long things are kept; those without a time for ever.
#[derive(Clone, Copy, Debug, Default)]
pub struct RetentionSettings {
    /// Entries of the change log: the history of records, and their changes for those who follow them.
    pub changes: Option<Duration>,
    /// Entries of the trail.
    pub trail: Option<Duration>,
    /// Records that were deleted, from then on.
    pub deleted: Option<Duration>,
    /// Whether nothing goes that no backup has: [`Service::note_backup`] tells of those. Where several servers share a store,
    /// nothing does either while another one makes backups ([`Service::tell_backups`]).
    pub only_backed_up: bool,
}

/// What went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RetentionReport {
    /// Entries of the change log that were looked at, and went but for those that tell of deletions.
    pub changes: usize,
    /// Entries of the trail.
    pub trail: usize,
    /// Records that had been deleted.
    pub deleted: usize,
}

/// What is old.
#[derive(Clone, Copy)]
struct AgeBound {
    /// It was noted before this moment.
    moment: Timestamp,
    /// What is noted behind this moment was noted by a clock that was ahead.
    believed: Timestamp,
}

impl Service {
    /// Removes once what is older at a moment than the settings keep it. [`open`](Self::open) sees to it that it is done every few
    /// hours.
    ///
    /// # Errors
    /// The store's; what went until then is gone.
    pub async fn remove_old(&self, now: Timestamp) -> Result<RetentionReport, StoreError> {
        let mut report = RetentionReport::default();
        if self.store().is_read_only() {
            return Ok(report);
        }
        self.correct_told_backups().await?;
        let retention = self.settings().retention;
        // first the records: each one that goes leaves an entry that those who follow are to see
        if let Some(age) = self.age_bound(now, retention.deleted) {
            let (up_to, _) = self.told_and_old(age).await?;
            let bound = DeletionBound {
                moment: age.moment,
                believed: age.believed,
                up_to,
            };
            report.deleted = self.remove_old_records(bound).await?;
        }
        if let Some(age) = self.age_bound(now, retention.changes) {
            let up_to = self.log_bound(age).await?;
            report.changes = self.cut_log(up_to).await?;
        }
        if let Some(age) = self.age_bound(now, retention.trail) {
            report.trail = self.cut_trail(age).await?;
        }
        if report != RetentionReport::default() {
            tracing::info!(
                changes = report.changes,
                trail = report.trail,
                deleted = report.deleted,
                "what is older than it is kept was removed"
            );
        }
        Ok(report)
    }

    /// How old things are now that are kept so long; `None` where none may go.
    fn age_bound(&self, now: Timestamp, kept: Option<Duration>) -> Option<AgeBound> {
        let seconds = i64::try_from(kept?.as_secs()).unwrap_or(i64::MAX);
        let mut moment = now.plus_seconds(seconds.saturating_neg());
        if self.are_backups_made() {
            moment = moment.min(self.last_backup()?);
        }
        Some(AgeBound {
            moment,
            believed: now.plus_seconds(CLOCKS_APART_SECONDS_MAX),
        })
    }

    async fn cut_log(&self, up_to: u64) -> Result<usize, StoreError> {
        let mut count = 0;
        loop {
            let step = self.store().cut_log(up_to, ENTRIES_AT_ONCE).await?;
            count += step;
            if step < ENTRIES_AT_ONCE {
                return Ok(count);
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn cut_trail(&self, age: AgeBound) -> Result<usize, StoreError> {
        let mut count = 0;
        loop {
            let step = self
                .store()
                .cut_trail(age.moment, age.believed, ENTRIES_AT_ONCE)
                .await?;
            count += step;
            if step < ENTRIES_AT_ONCE {
                return Ok(count);
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Purges records whose deletion is old, by entries of the change log up to a number: a purge takes what the log has of a
    /// record, so all who need that come first. The change log has an entry of each. Jobs go before, once for each dataset,
    /// however many of its records are old.
    async fn remove_old_records(&self, bound: DeletionBound) -> Result<usize, StoreError> {
        if bound.up_to == 0 {
            return Ok(0);
        }
        let (mut newest, mut looking) = (BTreeMap::new(), OldRecords::within(bound));
        while let Some(found) = self.next_old(&mut looking).await? {
            for old in found {
                let known = newest.entry(old.id.place.dataset).or_insert(0);
                *known = old.number.max(*known);
            }
        }
        if newest.is_empty() {
            return Ok(0);
        }
        for (dataset, deletion) in newest {
            self.forget_before(deletion, dataset).await?;
        }
        let (mut count, mut looking) = (0, looking.again());
        while let Some(found) = self.next_old(&mut looking).await? {
            let purged = self.purge_all(&found).await?;
            self.pace_writes(purged as u64).await;
            count += purged;
            tokio::time::sleep(PAUSE).await;
        }
        Ok(count)
    }

    /// The old ones among the deleted records that are looked at next; `None` where all were.
    async fn next_old(
        &self,
        looking: &mut OldRecords,
    ) -> Result<Option<Vec<OldDeletion>>, StoreError> {
        if looking.is_over {
            return Ok(None);
        }
        let bound = looking.bound;
        let found = self
            .store()
            .deleted_before(bound, looking.after, RECORDS_AT_ONCE)
            .await?;
        looking.after = found.next;
        looking.is_over = found.next.is_none();
        let mut records = found.records;
        if records.iter().any(|old| bound.is_ahead(old.at)) {
            let kept_before = match looking.kept_before {
                Some(known) => known,
                None => {
                    self.store()
                        .kept_before(bound.moment, bound.believed)
                        .await?
                }
            };
            looking.kept_before = Some(kept_before);
            records.retain(|old| !bound.is_ahead(old.at) || old.number < kept_before);
        }
        Ok(Some(records))
    }

    /// Purges deleted records; how many went.
    async fn purge_all(&self, old: &[OldDeletion]) -> Result<usize, StoreError> {
        let actor = Operator::of_this_machine(ACTOR).actor().clone();
        // all wait for the writer at once, so they share its transactions
        let purged: Vec<_> = old
            .iter()
            .map(|old| self.purge_old(old.id, &actor))
            .collect();
        let mut count = 0;
        for purged in purged {
            match purged.await {
                Ok(_) => count += 1,
                // the others are old all the same
                Err(error @ StoreError::Rotten(_)) => tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "a deleted record that is older than it is kept can't be removed"
                ),
                Err(error) => return Err(error),
            }
        }
        Ok(count)
    }

    /// Empties the jobs of a dataset that may have read records which were deleted by entries of the log up to one: those that
    /// were asked for before it. They are emptied before the records go, so one that is cut off begins anew.
    async fn forget_before(&self, deletion: u64, dataset: u32) -> Result<(), StoreError> {
        let catalog = self.store().current_catalog().await?;
        let Some(dataset) = catalog.datasets_by_number.get(&dataset) else {
            return Ok(());
        };
        self.forget_in_jobs((&dataset.tenant, &dataset.id), deletion)
            .await
    }

    fn purge_old(
        &self,
        id: RecordId,
        actor: &Actor,
    ) -> store::StoreFuture<'_, store::records::WriteVerdict> {
        self.store().write(Write {
            dataset: id.place.dataset,
            actor: actor.clone(),
            at: self.now(),
            judged_under: None,
            audit: None,
            change: Change::Purge { id },
        })
    }

    /// Up to which entry the log may be cut: those that are old and that nobody needs any more.
    async fn log_bound(&self, age: AgeBound) -> Result<u64, StoreError> {
        let (mut up_to, old) = self.told_and_old(age).await?;
        if let Some(applied) = self.indexed() {
            // the last one tells it that the log is still its own
            up_to = up_to.min(applied.saturating_sub(1));
        }
        Ok(up_to.min(old))
    }

    /// Up to which entry the log has told what it had to, and up to which it is older than a moment; that somebody holds up
    /// what is old, the program's log says.
    async fn told_and_old(&self, age: AgeBound) -> Result<(u64, u64), StoreError> {
        let told = self.told_up_to().await?;
        let old = self.store().log_before(age.moment, age.believed).await?;
        if told < old {
            tracing::warn!(
                up_to = told,
                "what is old stays behind this entry of the change log: the search index, a webhook or a job still needs it"
            );
        }
        Ok((told, old))
    }

    /// Up to which entry the log has told what it had to, to all who follow it: the index has it, all webhooks that are
    /// switched on have delivered it, or given it up, and no job that is under way looks at it. What goes by its age,
    /// entries and deleted records, goes up to there, whatever their moments say: in the log's numbers is the order of its
    /// commits, and a clock that is set back gives a later entry the earlier moment.
    async fn told_up_to(&self) -> Result<u64, StoreError> {
        // what is written from here on has been told to nobody
        let mut up_to = self.store().settled_head().await?;
        up_to = up_to.min(self.unread_by_jobs().await?);
        if let Some(applied) = self.indexed() {
            up_to = up_to.min(applied);
        }
        // one that another server switched on just now is followed, too
        let catalog = self.store().current_catalog().await?;
        for hook in catalog.webhooks.values().filter(|hook| hook.active) {
            let Some(at_work) = self.webhooks_at_work.get() else {
                // how far it came is not known
                return Ok(0);
            };
            let known: Option<Delivery> = at_work.delivery(&hook.id).await?;
            let position = known.map_or(hook.begins_behind, |known| known.position);
            for (dataset, _) in datasets_of(&catalog, hook) {
                let behind = position.max(hook.begins_behind(&dataset.id));
                let next = self
                    .store()
                    .changes(dataset.number, behind, PageLimit::of(1));
                if let Some(entry) = next.await?.entries.first() {
                    up_to = up_to.min(entry.number.saturating_sub(1));
                }
            }
        }
        Ok(up_to)
    }

    /// Up to which entry no job that is under way looks at the log. A job looks at what was written since it was asked for,
    /// and has read no record that was deleted before; one that takes back what another one wrote looks at what records
    /// were before that, however long ago.
    async fn unread_by_jobs(&self) -> Result<u64, StoreError> {
        let mut up_to = u64::MAX;
        for running in self.store().running_jobs().await? {
            // one that is gone has ended
            if let Some(job) = self.store().job(&running.id).await? {
                let is_undoing = job.kind == JobKind::Undo;
                up_to = up_to.min(if is_undoing { 0 } else { job.log_after });
            }
        }
        Ok(up_to)
    }
}

/// A look through all deleted records for those that are old.
struct OldRecords {
    bound: DeletionBound,
    /// Behind which one to go on.
    after: Option<RecordPlace>,
    is_over: bool,
    /// Before which entry a deletion is old that a clock noted which was ahead; not known before one is met.
    kept_before: Option<u64>,
}

impl OldRecords {
    fn within(bound: DeletionBound) -> Self {
        OldRecords {
            bound,
            after: None,
            is_over: false,
            kept_before: None,
        }
    }

    /// The same from the beginning: no more are old then than were.
    fn again(self) -> Self {
        OldRecords {
            after: None,
            is_over: false,
            ..self
        }
    }
}

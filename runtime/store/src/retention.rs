//! The contract of what goes: by its age entries of the change log and of the trail, and records that were deleted; behind a
//! purge what jobs keep. What may go, and when, the service says; nothing goes by itself, and each call is a small transaction.

use super::StoreFuture;
use super::jobs::Job;
use super::records::{RecordId, RecordPlace};
use std::future::ready;
use wire::Timestamp;

/// A deleted record that is old, or was deleted by a clock that was ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OldDeletion {
    /// Which one.
    pub id: RecordId,
    /// The entry of the change log that says that it was deleted.
    pub number: u64,
    /// When, as that says.
    pub at: Timestamp,
}

/// Which deletions are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeletionBound {
    /// They were noted before this moment.
    pub moment: Timestamp,
    /// Or behind this one, by a clock that was ahead: how old they are, entries behind them say
    /// ([`Retention::kept_before`]).
    pub believed: Timestamp,
    /// The last entry of the change log that may tell of one: where the clock was set back, a later one may have the earlier
    /// moment.
    pub up_to: u64,
}

impl DeletionBound {
    /// Whether a deletion by this entry is one of them.
    pub fn is_within(&self, number: u64, at: Timestamp) -> bool {
        number <= self.up_to && (at < self.moment || self.is_ahead(at))
    }

    /// Whether a clock noted this that was ahead.
    pub fn is_ahead(&self, at: Timestamp) -> bool {
        at > self.believed
    }
}

/// Deleted records that were looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OldDeletions {
    /// Those that are within the bound.
    pub records: Vec<OldDeletion>,
    /// Behind which place to go on; `None` where nothing is left to look at.
    pub next: Option<RecordPlace>,
}

/// A purge that somebody asked for, as long as jobs of its dataset may keep what was purged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnsettledPurge {
    /// The number of the dataset.
    pub dataset: u32,
    /// Its entry of the change log, the newest of such purges.
    pub number: u64,
}

/// The contract of a store from which things go by their age. One that keeps all for ever needs none of it.
pub trait Retention: Send + Sync {
    /// What the clock of a database shows, which servers share: ages count by it. None of a store on this machine.
    fn clock(&self) -> StoreFuture<'_, Option<Timestamp>> {
        Box::pin(ready(Ok(None)))
    }

    /// The number of the newest entry of the change log that, like all before it, was written before a moment; 0 where
    /// there is none. Moments behind `believed` were noted by a clock that was ahead: such an entry is as old as those
    /// behind it.
    fn log_before(&self, moment: Timestamp, believed: Timestamp) -> StoreFuture<'_, u64> {
        let _ = (moment, believed);
        Box::pin(ready(Ok(0)))
    }

    /// The same of entries that are still there, those too that tell of deletions behind which the log was cut: what went may
    /// have been kept for less time, so it says of none of them that it is old. Looks through all that is old.
    fn kept_before(&self, moment: Timestamp, believed: Timestamp) -> StoreFuture<'_, u64> {
        let _ = (moment, believed);
        Box::pin(ready(Ok(0)))
    }

    /// Removes the oldest entries of the change log, `max` at most and none above number `up_to`, and notes for who
    /// follows a dataset that they are gone. The newest entry stays, since numbers go on from it, and so does the one
    /// that says when a record was deleted that still is. How many were looked at: 0 when nothing is left to do.
    fn cut_log(&self, up_to: u64, max: usize) -> StoreFuture<'_, usize> {
        let _ = (up_to, max);
        Box::pin(ready(Ok(0)))
    }

    /// Removes the oldest entries of the trail that, like all before them, were written before a moment, `max` at most.
    /// One with a moment behind `believed` was noted by a clock that was ahead: it goes with one that is old and stands behind
    /// it. Each tenant's newest stays, since its numbers go on from it. How many there were.
    fn cut_trail(
        &self,
        before: Timestamp,
        believed: Timestamp,
        max: usize,
    ) -> StoreFuture<'_, usize> {
        let _ = (before, believed, max);
        Box::pin(ready(Ok(0)))
    }

    /// Forgets which transactions were committed a day ago and earlier, where an engine notes that for who lost a connection:
    /// whoever did asks at once.
    fn forget_commits(&self) -> StoreFuture<'_, ()> {
        Box::pin(ready(Ok(())))
    }

    /// Looks at deleted records behind a place, `max` at most: which of them are within a bound.
    fn deleted_before(
        &self,
        bound: DeletionBound,
        after: Option<RecordPlace>,
        max: usize,
    ) -> StoreFuture<'_, OldDeletions> {
        let _ = (bound, after, max);
        Box::pin(ready(Ok(OldDeletions::default())))
    }

    /// Puts jobs that have ended in place of what is told of them, without files: all of them at once.
    fn retell_jobs(&self, jobs: Vec<Job>) -> StoreFuture<'_, ()> {
        let _ = jobs;
        Box::pin(ready(Ok(())))
    }

    /// The purges that are to be settled, the newest of each dataset, or that of one of them, by its number. Each is noted in
    /// the transaction that purges, where the trail remembers who asked for it. That of one dataset is found by its key;
    /// who asks for all of them looks through the states of all datasets, a row of each.
    fn unsettled_purges(&self, dataset: Option<u32>) -> StoreFuture<'_, Vec<UnsettledPurge>> {
        let _ = dataset;
        Box::pin(ready(Ok(Vec::new())))
    }

    /// Notes that no job keeps what was purged; not where the dataset has a newer purge by now.
    fn settle_purge(&self, purge: UnsettledPurge) -> StoreFuture<'_, ()> {
        let _ = purge;
        Box::pin(ready(Ok(())))
    }

    /// Has the jobs of a dataset, by its id, that are under way emptied at their end: those that were asked for before the log
    /// had an entry ([`Job::log_after`]).
    fn mark_running_jobs(&self, dataset: &str, asked_before: u64) -> StoreFuture<'_, ()> {
        let _ = (dataset, asked_before);
        Box::pin(ready(Ok(())))
    }
}

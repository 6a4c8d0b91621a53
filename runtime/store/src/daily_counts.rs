//! The contract of counts that are kept day by day: how many records each dataset had, and how many of them were faulty. They
//! are what the counters of the datasets are, so no record is looked at.

use super::StoreFuture;
use super::records::Counts;
use std::future::ready;
use wire::Day;

/// The counts of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayCounts {
    /// Which day.
    pub day: Day,
    /// What was counted last on it.
    pub counts: Counts,
}

/// The contract of a store that keeps counts of days. One that keeps none needs none of it.
pub trait DailyCounts: Send + Sync {
    /// Keeps what each dataset has now as its count of a day, in place of what was kept of that day before, and forgets the
    /// days before `oldest`. Those behind it stay: which clock was wrong, this one or the one that counted them, nobody knows
    /// here. Any number of servers may do so at once. A count that is the same already is not written.
    fn keep_daily_counts(&self, day: Day, oldest: Day) -> StoreFuture<'_, ()> {
        let _ = (day, oldest);
        Box::pin(ready(Ok(())))
    }

    /// What some datasets had together on each day from `first` on, the oldest day first. A day of which nothing was kept
    /// is left out.
    fn daily_counts(&self, datasets: Vec<u32>, first: Day) -> StoreFuture<'_, Vec<DayCounts>> {
        let _ = (datasets, first);
        Box::pin(ready(Ok(Vec::new())))
    }
}

//! How many records there were day by day, and how many of them were faulty: what housekeeping keeps of the counters, and
//! what the counters say now. A day on which nobody counted has no count. docs/interface.md, "Daily counts".

use crate::overview::Overview;
use crate::{Caller, Refusal, Service};
use store::StoreError;
use store::catalog::{Dataset, Verb};
use store::records::Counts;
use wire::manage::{DailyCount, DailyCounts};
use wire::{Day, Timestamp};

/// How many days are kept, the one that is under way among them: a year, and what it is compared with.
pub const DAYS_KEPT: i64 = 400;
/// How many days are told where nobody asks for more.
pub const DAYS_SHOWN: i64 = 30;
/// What a day takes of memory here, about.
const DAY_BYTES: usize = 128;

impl Service {
    /// Keeps what each dataset has now as its count of today. [`open`](Self::open) sees to it that it is done every few
    /// minutes, [`close`](Self::close) does it at the end.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn keep_daily_counts(&self, now: Timestamp) -> Result<(), StoreError> {
        if self.store().is_read_only() {
            return Ok(());
        }
        let today = Day::of(now);
        let oldest = today.minus(DAYS_KEPT - 1);
        self.store().keep_daily_counts(today, oldest).await
    }

    /// The last days of a dataset, the oldest first; `days` is how many, as it came.
    ///
    /// # Errors
    /// No such dataset, missing rights, a bad number of days; the store's.
    pub async fn dataset_days(
        &self,
        by: &Caller,
        dataset: &str,
        days: Option<&str>,
    ) -> Result<DailyCounts, Refusal> {
        let caller = self.newest(by)?;
        let dataset = caller.sight().find::<Dataset>(dataset, Verb::View)?;
        let days = days.map_or(Ok(DAYS_SHOWN), days_of)?;
        let now = self.store().counts(dataset.number).await?;
        let items = self.days(&caller, vec![dataset.number], now, days).await?;
        Ok(DailyCounts { items })
    }

    /// The last days of all that a caller may look at, together.
    ///
    /// # Errors
    /// [`Refusal::NoRoom`]; the store's.
    pub async fn overview_days(
        &self,
        by: &Caller,
        overview: &Overview,
    ) -> Result<Vec<DailyCount>, Refusal> {
        let (datasets, now) = (overview.datasets.clone(), overview.counts);
        self.days(by, datasets, now, DAYS_SHOWN).await
    }

    /// So many days up to today, whose count is what there is now.
    async fn days(
        &self,
        by: &Caller,
        datasets: Vec<u32>,
        now: Counts,
        days: i64,
    ) -> Result<Vec<DailyCount>, Refusal> {
        let bytes = usize::try_from(days).unwrap_or(usize::MAX) * DAY_BYTES;
        let _room = self.memory().reserve(by.owner(), bytes)?;
        let today = Day::of(self.now());
        let first = today.minus(days - 1);
        let kept = self.store().daily_counts(datasets, first).await?;
        let before = kept.into_iter().filter(|it| it.day < today);
        let mut items: Vec<_> = before.map(|it| count_of(it.day, it.counts)).collect();
        items.push(count_of(today, now));
        Ok(items)
    }
}

fn count_of(day: Day, counts: Counts) -> DailyCount {
    DailyCount {
        day,
        record_count: counts.records,
        errored_records_count: counts.errored,
    }
}

/// How many days somebody asks for.
fn days_of(text: &str) -> Result<i64, Refusal> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let days = digits.then(|| text.parse().ok()).flatten();
    days.filter(|days| (1..=DAYS_KEPT).contains(days))
        .ok_or_else(|| {
            let text = format!("`days` must be a whole number from 1 to {DAYS_KEPT}");
            Refusal::Parameter(text.into()).of_management()
        })
}

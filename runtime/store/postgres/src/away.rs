//! Datasets whose node did not answer a moment ago, where tables are divided over several nodes: writes of them are refused
//! without being tried, so that those of others do not wait for each try.

use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};
use store::StoreError;

/// How long a dataset is left alone.
const AWAY: Duration = Duration::from_secs(5);

/// Since when.
#[derive(Default)]
pub(crate) struct Away(FxHashMap<u32, Instant>);

impl Away {
    /// Notes these.
    pub(crate) fn note(&mut self, datasets: Vec<u32>) {
        self.0.retain(|_, since| since.elapsed() < AWAY);
        let now = Instant::now();
        self.0.extend(datasets.into_iter().map(|it| (it, now)));
    }

    /// Whether a dataset is one.
    pub(crate) fn has(&self, dataset: u32) -> bool {
        let since = self.0.get(&dataset);
        since.is_some_and(|since| since.elapsed() < AWAY)
    }

    /// What a write of one is answered.
    pub(crate) fn error() -> StoreError {
        let words = "the node that has the dataset did not answer a moment ago";
        StoreError::Unreachable(words.into())
    }
}

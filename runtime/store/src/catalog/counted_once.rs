//! A number that takes a while to count. What it counts, it does not know.

use std::sync::OnceLock;

/// A number that is counted when it is first asked for. It is no part of what it counts: a copy, which may be changed, counts
/// again, and all are equal.
#[derive(Debug, Default)]
pub struct CountedOnce(OnceLock<u64>);

impl Clone for CountedOnce {
    fn clone(&self) -> Self {
        CountedOnce::default()
    }
}

impl PartialEq for CountedOnce {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl CountedOnce {
    /// The number, counted now if it was not before.
    pub(super) fn get(&self, count: impl FnOnce() -> u64) -> u64 {
        *self.0.get_or_init(count)
    }
}

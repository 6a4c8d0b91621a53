//! Whether the thread that answers does a search itself that is most often done before another thread would be awake. One
//! that was not can't be interrupted, so it has those that come next handed over, for so long that threads that answer wait
//! for a hundredth of their time at most. No search is done here.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What is no longer quick.
const QUICK_MAX: Duration = Duration::from_millis(1);
/// So many times as long as one took, all others are handed over.
const PAUSES: u32 = 100;
/// The longest that one has the others handed over.
const PAUSE_MAX: Duration = Duration::from_secs(600);

/// What is known of them by the last one that took long.
pub(super) struct QuickLooks {
    begin: Instant,
    /// Until when they are handed over, in microseconds since the beginning.
    until: AtomicU64,
}

impl Default for QuickLooks {
    fn default() -> Self {
        QuickLooks {
            begin: Instant::now(),
            until: AtomicU64::new(0),
        }
    }
}

impl QuickLooks {
    fn micros(&self, at: Instant) -> u64 {
        let since = at.saturating_duration_since(self.begin);
        u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
    }

    /// Whether the thread that answers may look itself.
    pub(super) fn may_be_here(&self, now: Instant) -> bool {
        self.micros(now) >= self.until.load(Ordering::Relaxed)
    }

    /// Notes one that was done by the thread that answers.
    pub(super) fn done(&self, began: Instant, ended: Instant) {
        let took = ended.saturating_duration_since(began);
        if took > QUICK_MAX {
            let until = self.micros(ended + took.saturating_mul(PAUSES).min(PAUSE_MAX));
            self.until.fetch_max(until, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_took_long_hands_over_the_next_for_a_hundred_times_as_long() {
        let looks = QuickLooks::default();
        let at = |millis| looks.begin + Duration::from_millis(millis);
        assert!(looks.may_be_here(at(0)));
        looks.done(at(0), at(1));
        assert!(looks.may_be_here(at(1)), "it was quick");
        looks.done(at(10), at(15));
        assert!(!looks.may_be_here(at(15)) && !looks.may_be_here(at(514)));
        assert!(looks.may_be_here(at(515)));
        // one that began before is no reason to be earlier
        looks.done(at(600), at(700));
        looks.done(at(610), at(612));
        assert!(!looks.may_be_here(at(10_699)));
        assert!(looks.may_be_here(at(10_700)));
    }
}

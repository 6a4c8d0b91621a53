//! Time and chance as the services under test are given them: a clock that stands until a test sets it, and
//! random bytes that are the same in each run.

use runtime::value::{Clock, Entropy, Timestamp};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// A clock that stands until it is set.
pub struct ManualClock(AtomicI64);

impl Default for ManualClock {
    /// A clock that stands at the second of February 2026.
    fn default() -> Self {
        ManualClock(AtomicI64::new(1_770_000_000_000))
    }
}

impl ManualClock {
    /// Sets the clock forward, or back by a negative number.
    pub fn forward(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1000, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        // each look is a millisecond later, so that the order of creation shows
        Timestamp::from_millis(self.0.fetch_add(1, Ordering::SeqCst))
    }

    fn database_now(&self, _shown: Timestamp) -> Timestamp {
        self.now()
    }
}

/// Random bytes that come out the same in each run, and for no two services of a binary alike.
pub struct SeededEntropy(AtomicU64);

impl Default for SeededEntropy {
    /// The next seed.
    fn default() -> Self {
        static SERVICES: AtomicU64 = AtomicU64::new(0);
        let service = SERVICES.fetch_add(1, Ordering::SeqCst);
        SeededEntropy(AtomicU64::new(service << 40))
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        for byte in bytes {
            let mut mixed = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::SeqCst);
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            *byte = mixed.to_be_bytes()[0];
        }
    }
}

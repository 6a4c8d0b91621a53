//! Time and chance as tests have them: a clock that is set, and dice that fall alike each time.

use runtime::value::{Clock, Entropy, Timestamp};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// A clock that stands until it is set.
pub(crate) struct SetClock(AtomicI64);

impl SetClock {
    pub(super) fn new() -> Self {
        SetClock(AtomicI64::new(1_770_000_000_000))
    }

    pub(crate) fn forward(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1000, Ordering::SeqCst);
    }
}

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        // each look is a millisecond later, so that the order of creation shows
        Timestamp::from_millis(self.0.fetch_add(1, Ordering::SeqCst))
    }
}

/// Chance that comes out the same each time, and in no two worlds alike.
pub(super) struct Rolled(AtomicU64);

impl Rolled {
    pub(super) fn new() -> Self {
        static WORLDS: AtomicU64 = AtomicU64::new(0);
        let world = WORLDS.fetch_add(1, Ordering::SeqCst);
        Rolled(AtomicU64::new(world << 40))
    }
}

impl Entropy for Rolled {
    fn fill(&self, bytes: &mut [u8]) {
        for byte in bytes {
            let mut mixed = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::SeqCst);
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            *byte = mixed.to_be_bytes()[0];
        }
    }
}

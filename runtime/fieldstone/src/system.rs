//! Time and chance as the machine gives them: the only place that asks for either.

use runtime::value::{Clock, Entropy, Timestamp};
use std::time::{SystemTime, UNIX_EPOCH};

/// The machine's clock.
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// The operating system's source of chance.
pub(crate) struct SystemEntropy;

impl Entropy for SystemEntropy {
    /// # Panics
    /// When the system has no chance to give: secrets can't be made then.
    fn fill(&self, bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("the operating system gives random bytes");
    }
}

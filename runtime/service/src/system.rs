//! Time and chance, passed in from whoever makes the service: nothing else in the house reads a clock or
//! rolls dice, so that tests fix both. Here are also the machine's own.

use std::time::{SystemTime, UNIX_EPOCH};
use wire::Timestamp;

/// What time it is.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;

    /// Now by the clock of the store's database, which shows this: a test sets that clock, too.
    fn database_now(&self, shown: Timestamp) -> Timestamp {
        shown
    }
}

/// Chance, good enough for secrets.
pub trait Entropy: Send + Sync {
    /// Fills `bytes` with unpredictable ones.
    fn fill(&self, bytes: &mut [u8]);
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// The operating system's chance.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    /// # Panics
    /// When the system gives none: secrets could be guessed then.
    fn fill(&self, bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("the operating system gives random bytes");
    }
}

/// Chance for tests: bytes that count up, so that no two texts are the same.
#[cfg(test)]
#[derive(Default)]
pub(crate) struct CountingEntropy(std::sync::atomic::AtomicU8);

#[cfg(test)]
impl Entropy for CountingEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill_with(|| self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
    }
}

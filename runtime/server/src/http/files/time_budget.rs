//! How long an upload may take.

use crate::http::error::Failure;
use std::time::{Duration, Instant};

/// How slow a client may be in the long run; it may pause as long as a body may take.
const BYTES_PER_SECOND_MIN: u32 = 8 << 10;

/// How long a client is waited for: as long as a body may take, and longer only as bytes come. One that
/// stops is cut, and so is one that sends just enough to be kept.
pub(crate) struct TimeBudget {
    left: Duration,
    most: Duration,
}

impl TimeBudget {
    /// As long as a body may take.
    pub(crate) fn new(most: Duration) -> Self {
        TimeBudget { left: most, most }
    }

    /// Waits for what comes next.
    pub(crate) async fn wait_for<T>(
        &mut self,
        next: impl Future<Output = T>,
    ) -> Result<T, Failure> {
        let start = Instant::now();
        let came = tokio::time::timeout(self.left, next).await;
        self.left = self.left.saturating_sub(start.elapsed());
        came.map_err(|_| Failure::TooSlow)
    }

    /// Gives time for bytes that came.
    pub(crate) fn earn(&mut self, bytes: usize) {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let earned = Duration::from_secs(bytes.into()) / BYTES_PER_SECOND_MIN;
        self.left = self.left.saturating_add(earned).min(self.most);
    }
}

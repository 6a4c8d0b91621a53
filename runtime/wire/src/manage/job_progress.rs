//! How far a job is, how fast it goes and how long it takes still, the same wherever it is shown.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How far a job is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct JobProgress {
    /// Rows or records that are done.
    pub rows: u64,
    /// How many there are, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows_total: Option<u64>,
    /// Bytes of the file as it was sent that are read; of an export, bytes that are written.
    pub bytes: u64,
    /// How many there are, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_total: Option<u64>,
}

impl JobProgress {
    /// How much is done, and of how much: rows where these are counted, else bytes. None where nobody knows how much there
    /// is.
    pub fn part(&self) -> Option<(u64, u64)> {
        let of_rows = self.rows_total.map(|total| (self.rows, total));
        of_rows.or(self.bytes_total.map(|total| (self.bytes, total)))
    }

    /// Rows a second, of a job that began so long ago.
    pub fn rows_per_second(&self, elapsed: Duration) -> u64 {
        self.rows / elapsed.as_secs().max(1)
    }

    /// How long such a job takes still, if it goes on as it did. None where nothing is done yet, or nobody knows how much
    /// there is.
    pub fn time_left(&self, elapsed: Duration) -> Option<Duration> {
        let (done, total) = self.part()?;
        let left = u128::from(total.saturating_sub(done));
        let millis = elapsed.as_millis().checked_mul(left)?;
        let millis = millis.checked_div(u128::from(done))?;
        u64::try_from(millis).ok().map(Duration::from_millis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_is_told_by_rows_where_they_are_counted_and_else_by_bytes() {
        let elapsed = Duration::from_secs(10);
        let by_bytes = JobProgress {
            rows: 50,
            bytes: 100,
            bytes_total: Some(400),
            ..JobProgress::default()
        };
        assert_eq!(by_bytes.time_left(elapsed), Some(Duration::from_secs(30)));
        let by_rows = JobProgress {
            rows_total: Some(100),
            ..by_bytes
        };
        assert_eq!(by_rows.time_left(elapsed), Some(elapsed));
        assert_eq!(by_rows.rows_per_second(elapsed), 5);
        assert_eq!(by_rows.rows_per_second(Duration::ZERO), 50);
        // more than was counted is all of it
        let beyond = JobProgress {
            rows: 101,
            ..by_rows
        };
        assert_eq!(beyond.time_left(elapsed), Some(Duration::ZERO));
    }

    #[test]
    fn no_time_is_told_where_nothing_is_done_or_nobody_knows_how_much_there_is() {
        let elapsed = Duration::from_secs(10);
        for (rows, rows_total) in [(0, Some(100)), (7, None)] {
            let progress = JobProgress {
                rows,
                rows_total,
                ..JobProgress::default()
            };
            assert_eq!(progress.time_left(elapsed), None);
        }
    }
}

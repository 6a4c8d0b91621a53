//! How far this server's clock is from that of the database, which servers share. What goes by its age goes by the database's clock, and
//! a server whose own is off removes nothing. No clock is set here. docs/scale.md, "Several servers".

use crate::Service;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use store::StoreError;
use wire::Timestamp;

/// How far both clocks may be apart.
const APART_MILLIS_MAX: i64 = 60_000;
/// A difference that stays is logged at each of so many looks, once an hour.
const LOOKS_A_LINE: u32 = 60;
/// Of a store on this machine, or before the first look.
const UNKNOWN: i64 = i64::MIN;

/// What the last look found.
pub(crate) struct ClockDifference {
    /// By how much this server's clock is ahead.
    millis_ahead: AtomicI64,
    /// Looks since the last line of the log.
    looks: AtomicU32,
}

impl Default for ClockDifference {
    fn default() -> Self {
        ClockDifference {
            millis_ahead: AtomicI64::new(UNKNOWN),
            looks: AtomicU32::new(0),
        }
    }
}

fn is_off(millis_ahead: i64) -> bool {
    millis_ahead.unsigned_abs() > APART_MILLIS_MAX.unsigned_abs()
}

impl Service {
    /// By how many seconds this server's clock is ahead of its database's, as it was found last; none of a store on this machine.
    pub fn clock_ahead_seconds(&self) -> Option<f64> {
        let millis = self.clock_difference.millis_ahead.load(Ordering::Relaxed);
        #[allow(clippy::cast_precision_loss, reason = "a figure is read by people")]
        let seconds = millis as f64 / 1000.0;
        (millis != UNKNOWN).then_some(seconds)
    }

    /// Compares both clocks, and logs the difference now and then. [`open`](Self::open) sees to it that it is done every minute.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn compare_clocks(&self) -> Result<(), StoreError> {
        let known = &self.clock_difference;
        let before = known.millis_ahead.load(Ordering::Relaxed);
        let Some((_, millis_ahead)) = self.look_at_clocks().await? else {
            return Ok(());
        };
        let is_other = before == UNKNOWN || is_off(before) != is_off(millis_ahead);
        let looks = known.looks.fetch_add(1, Ordering::Relaxed) + 1;
        if !is_other && looks < LOOKS_A_LINE {
            return Ok(());
        }
        known.looks.store(0, Ordering::Relaxed);
        let (seconds, direction) = described(millis_ahead);
        if is_off(millis_ahead) {
            tracing::error!(
                seconds,
                "this server's clock is {seconds} s {direction} the database's; until it is set (NTP), nothing is removed here by its age, \
                 and sessions and tokens may end too early or too late"
            );
        } else {
            tracing::info!(
                seconds,
                "this server's clock is {seconds} s {direction} the database's"
            );
        }
        Ok(())
    }

    /// Now, as ages count: by the database's clock, where there is one. None where this server's own is off.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn now_for_ages(&self) -> Result<Option<Timestamp>, StoreError> {
        let found = self.look_at_clocks().await?;
        let Some((now, millis_ahead)) = found else {
            return Ok(Some(self.now()));
        };
        if is_off(millis_ahead) {
            let (seconds, direction) = described(millis_ahead);
            tracing::debug!(
                "nothing is removed by its age: the clock is {seconds} s {direction} the database's"
            );
            return Ok(None);
        }
        Ok(Some(now))
    }

    /// What the database's clock shows, and by how much this server's is ahead at least; the answer takes a while, which is no
    /// difference.
    async fn look_at_clocks(&self) -> Result<Option<(Timestamp, i64)>, StoreError> {
        let before = self.now();
        let Some(shown) = self.store().clock().await? else {
            return Ok(None);
        };
        let now = self.clock.database_now(shown);
        let after = self.now();
        let [before, at, after] = [before, now, after].map(Timestamp::millis);
        let millis_ahead = if at < before {
            before.saturating_sub(at)
        } else {
            after.saturating_sub(at).min(0)
        };
        let known = &self.clock_difference.millis_ahead;
        known.store(millis_ahead, Ordering::Relaxed);
        Ok(Some((now, millis_ahead)))
    }
}

/// A difference in whole seconds, and its direction.
fn described(millis_ahead: i64) -> (u64, &'static str) {
    let direction = if millis_ahead <= -1000 {
        "behind"
    } else {
        "ahead of"
    };
    (millis_ahead.unsigned_abs() / 1000, direction)
}

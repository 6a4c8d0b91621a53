//! How often one credential may ask: a bucket for each, which fills with time and is emptied by requests. Where servers
//! share a store, the bucket is kept there, and each server takes a few requests from it at a time, to give them out
//! without asking.

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use store::shared_limits::{Allowance, Taken};
use store::{Store, StoreError};
use wire::Timestamp;

/// The buckets. Only credentials that are valid have one, so there are never more than those.
pub(super) struct RateLimit {
    per_second: u32,
    buckets: Mutex<FxHashMap<Box<str>, Bucket>>,
}

/// What is left of a credential's second, in thousandths of a request; of a shared one, what of it is this server's.
struct Bucket {
    left: i64,
    filled_at: Timestamp,
    /// Until when the shared one has nothing.
    empty_until: Timestamp,
    /// Held by the one request that asks for more, for all that wait.
    asking: Arc<tokio::sync::Mutex<()>>,
}

/// Whether a request may be made.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Yes,
    /// After so many seconds.
    Later(u64),
    /// The bucket that servers share is to be asked.
    Ask,
}

/// One request, in the bucket's measure.
const REQUEST: i64 = 1000;
/// Which part of a second's requests a server takes at a time from a shared bucket.
const PART: u32 = 20;
/// A second fills at least one request.
const SECOND: u64 = 1;

impl RateLimit {
    pub(super) fn new(per_second: u32) -> Self {
        RateLimit {
            per_second: per_second.max(1),
            buckets: Mutex::default(),
        }
    }

    /// Takes one request from a caller's bucket.
    pub(super) fn take(&self, caller: &str, now: Timestamp, is_shared: bool) -> Turn {
        self.in_bucket(caller, now, is_shared, |bucket| {
            if is_shared {
                return bucket.take_leased(now);
            }
            let full = i64::from(self.per_second) * REQUEST;
            // requests a second are thousandths a millisecond; a clock that goes back fills nothing
            let passed = (now.millis() - bucket.filled_at.millis()).clamp(0, 1000);
            bucket.left = full.min(bucket.left + passed * i64::from(self.per_second));
            bucket.filled_at = now;
            if bucket.left < REQUEST {
                return Turn::Later(SECOND);
            }
            bucket.left -= REQUEST;
            Turn::Yes
        })
    }

    /// Takes one request from what all servers have left for a caller, and a few more for those that follow.
    ///
    /// # Errors
    /// The store's.
    pub(super) async fn take_shared(
        &self,
        caller: &str,
        store: &dyn Store,
        now: Timestamp,
    ) -> Result<Turn, StoreError> {
        let asking = self.in_bucket(caller, now, true, |bucket| bucket.asking.clone());
        let _held = asking.lock().await;
        // who asked before may have taken enough
        match self.take(caller, now, true) {
            Turn::Ask => {}
            told => return Ok(told),
        }
        let several = i64::from(self.per_second / PART).max(1);
        let mut wait = 0;
        for count in [several, 1] {
            match store
                .take_allowances(vec![self.some(caller, count)])
                .await?
            {
                Ok(()) => {
                    self.in_bucket(caller, now, true, |bucket| {
                        bucket.left += (count - 1) * REQUEST;
                    });
                    return Ok(Turn::Yes);
                }
                Err(micros) => wait = micros,
            }
            if count == 1 {
                break;
            }
        }
        // until then nobody need ask
        let until = Timestamp::from_millis(now.millis() + wait / 1000);
        self.in_bucket(caller, now, true, |bucket| bucket.empty_until = until);
        Ok(Turn::Later(SECOND))
    }

    fn some(&self, caller: &str, count: i64) -> Taken {
        Taken {
            holder: format!("requests {caller}"),
            allowance: Allowance {
                at_once: i64::from(self.per_second),
                each_micros: (1_000_000 / i64::from(self.per_second)).max(1),
            },
            count,
        }
    }

    fn in_bucket<T>(
        &self,
        caller: &str,
        now: Timestamp,
        is_shared: bool,
        work: impl FnOnce(&mut Bucket) -> T,
    ) -> T {
        let mut buckets = self.buckets.lock();
        if let Some(bucket) = buckets.get_mut(caller) {
            return work(bucket);
        }
        let full = i64::from(self.per_second) * REQUEST;
        let bucket = buckets.entry(caller.into()).or_insert(Bucket {
            left: if is_shared { 0 } else { full },
            filled_at: now,
            empty_until: now,
            asking: Arc::default(),
        });
        work(bucket)
    }
}

impl Bucket {
    /// Takes a request that this server has already, if it has one.
    fn take_leased(&mut self, now: Timestamp) -> Turn {
        if self.left >= REQUEST {
            self.left -= REQUEST;
            return Turn::Yes;
        }
        // a clock that went back by more than a second asks anew
        let wait = self.empty_until.millis() - now.millis();
        if (1..=1000).contains(&wait) {
            return Turn::Later(SECOND);
        }
        Turn::Ask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_with_time_and_each_caller_has_its_own() {
        let rate = RateLimit::new(2);
        let take = |caller: &str, now: i64| rate.take(caller, Timestamp::from_millis(now), false);
        let [yes, later] = [|| Turn::Yes, || Turn::Later(1)];
        assert_eq!([1, 1, 1].map(|now| take("a", now)), [yes(), yes(), later()]);
        assert_eq!(take("b", 1), yes());
        assert_eq!(take("a", 400), later());
        assert_eq!(take("a", 501), yes());
        assert_eq!(take("a", 502), later());
        assert_eq!(
            [9000, 9000, 9000].map(|now| take("a", now)),
            [yes(), yes(), later()]
        );
        assert_eq!(take("a", 0), later(), "a clock that went back");
        assert_eq!(take("a", 500), yes());
    }

    #[test]
    fn what_a_server_has_of_a_shared_bucket_is_given_out_without_asking() {
        let rate = RateLimit::new(100);
        let at = Timestamp::from_millis;
        assert_eq!(
            rate.take("a", at(1), true),
            Turn::Ask,
            "it has none at first"
        );
        rate.in_bucket("a", at(1), true, |bucket| bucket.left = 2 * REQUEST);
        let turns = [1, 1, 1].map(|now| rate.take("a", at(now), true));
        assert_eq!(turns, [Turn::Yes, Turn::Yes, Turn::Ask]);
        rate.in_bucket("a", at(1), true, |bucket| bucket.empty_until = at(11));
        assert_eq!(rate.take("a", at(10), true), Turn::Later(1));
        assert_eq!(rate.take("a", at(11), true), Turn::Ask);
    }
}

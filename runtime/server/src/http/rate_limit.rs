//! How often one credential may ask: a bucket for each, which fills with time and is emptied by requests.

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use wire::Timestamp;

/// The buckets. Only credentials that are valid have one, so there are never more than those.
pub(super) struct RateLimit {
    per_second: u32,
    buckets: Mutex<FxHashMap<Box<str>, Bucket>>,
}

/// What is left of a credential's second, in thousandths of a request.
struct Bucket {
    left: i64,
    filled_at: Timestamp,
}

/// One request, in the bucket's measure.
const REQUEST: i64 = 1000;

impl RateLimit {
    pub(super) fn new(per_second: u32) -> Self {
        RateLimit {
            per_second: per_second.max(1),
            buckets: Mutex::default(),
        }
    }

    /// Takes one request from a caller's bucket; `Err` has the seconds after which there is one.
    pub(super) fn take(&self, caller: &str, now: Timestamp) -> Result<(), u64> {
        let full = i64::from(self.per_second) * REQUEST;
        let mut buckets = self.buckets.lock();
        if !buckets.contains_key(caller) {
            let bucket = Bucket {
                left: full,
                filled_at: now,
            };
            buckets.insert(caller.into(), bucket);
        }
        let Some(bucket) = buckets.get_mut(caller) else {
            return Ok(());
        };
        // requests a second are thousandths a millisecond; a clock that goes back fills nothing
        let passed = (now.millis() - bucket.filled_at.millis()).clamp(0, 1000);
        bucket.left = full.min(bucket.left + passed * i64::from(self.per_second));
        bucket.filled_at = now;
        if bucket.left < REQUEST {
            // a second fills at least one request
            return Err(1);
        }
        bucket.left -= REQUEST;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_with_time_and_each_caller_has_its_own() {
        let rate = RateLimit::new(2);
        let at = Timestamp::from_millis;
        assert_eq!(
            [1, 1, 1].map(|now| rate.take("a", at(now))),
            [Ok(()), Ok(()), Err(1)]
        );
        assert_eq!(rate.take("b", at(1)), Ok(()));
        assert_eq!(rate.take("a", at(400)), Err(1));
        assert_eq!(rate.take("a", at(501)), Ok(()));
        assert_eq!(rate.take("a", at(502)), Err(1));
        assert_eq!(
            [9000, 9000, 9000].map(|now| rate.take("a", at(now))),
            [Ok(()), Ok(()), Err(1)]
        );
        assert_eq!(rate.take("a", at(0)), Err(1), "a clock that went back");
        assert_eq!(rate.take("a", at(500)), Ok(()));
    }
}

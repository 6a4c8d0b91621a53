//! Ids of requests: on every answer but 401, and in every line of the log. They come from a few random numbers, so
//! that no request asks for randomness. Behind the mixing they are a counter, which would tell a client how much others
//! ask; so secrets go in between.

use service::Entropy;
use std::sync::atomic::{AtomicU64, Ordering};

/// Hands out ids, no two alike.
pub(super) struct RequestIds {
    next: AtomicU64,
    secrets: [u64; 2],
}

/// The id of one request: 16 hexadecimal digits.
#[derive(Clone, Copy)]
pub(super) struct RequestId([u8; 16]);

impl RequestIds {
    pub(super) fn new(entropy: &dyn Entropy) -> Self {
        let random = || {
            let mut bytes = [0; 8];
            entropy.fill(&mut bytes);
            u64::from_be_bytes(bytes)
        };
        RequestIds {
            next: AtomicU64::new(random()),
            secrets: [random(), random()],
        }
    }

    pub(super) fn next(&self) -> RequestId {
        // an odd step visits every number before one comes again; the rest mixes, one to one
        let counter = self
            .next
            .fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        let [first, second] = self.secrets;
        let mixed = mix(mix(counter) ^ first) ^ second;
        let mut digits = [0; 16];
        for (at, digit) in digits.iter_mut().enumerate() {
            let nibble = (mixed >> (60 - 4 * at)) & 0xf;
            *digit = b"0123456789abcdef"[usize::try_from(nibble).unwrap_or(0)];
        }
        RequestId(digits)
    }
}

/// One of all numbers for each: whoever knows the outcome finds the number.
fn mix(mut number: u64) -> u64 {
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

impl RequestId {
    pub(super) fn as_str(&self) -> &str {
        // INVARIANT: hexadecimal digits are ASCII
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed;

    impl Entropy for Fixed {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(7);
        }
    }

    /// The number whose outcome this is.
    fn unmixed(mut number: u64) -> u64 {
        let inverse = |odd: u64| {
            (0..6).fold(odd, |x, _| {
                x.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(x)))
            })
        };
        number ^= (number >> 31) ^ (number >> 62);
        number = number.wrapping_mul(inverse(0x94d0_49bb_1331_11eb));
        number ^= (number >> 27) ^ (number >> 54);
        number = number.wrapping_mul(inverse(0xbf58_476d_1ce4_e5b9));
        number ^ (number >> 30) ^ (number >> 60)
    }

    #[test]
    fn two_ids_do_not_tell_how_many_requests_came_between() {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        assert_eq!(unmixed(mix(4711)), 4711);
        let ids = RequestIds::new(&Fixed);
        let number = || u64::from_str_radix(ids.next().as_str(), 16).unwrap();
        let [first, second] = [number(), number()].map(unmixed);
        assert_ne!(second.wrapping_sub(first), STEP);
    }

    #[test]
    fn no_two_requests_have_one_id() {
        let ids = RequestIds::new(&Fixed);
        let mut seen = std::collections::HashSet::new();
        for _ in 0..10_000 {
            let id = ids.next();
            assert!(id.as_str().bytes().all(|digit| digit.is_ascii_hexdigit()));
            assert!(seen.insert(id.as_str().to_owned()));
        }
    }
}

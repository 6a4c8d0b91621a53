//! Ids of requests: on every answer but 401, and in every line of the log. They come from one random
//! number, so that no request asks for randomness.

use service::Entropy;
use std::sync::atomic::{AtomicU64, Ordering};

/// Hands out ids, no two alike.
pub(super) struct RequestIds {
    next: AtomicU64,
}

/// The id of one request: 16 hexadecimal digits.
#[derive(Clone, Copy)]
pub(super) struct RequestId([u8; 16]);

impl RequestIds {
    pub(super) fn new(entropy: &dyn Entropy) -> Self {
        let mut start = [0; 8];
        entropy.fill(&mut start);
        RequestIds {
            next: AtomicU64::new(u64::from_be_bytes(start)),
        }
    }

    pub(super) fn next(&self) -> RequestId {
        // an odd step visits every number before one comes again; the rest mixes, one to one
        let mut mixed = self
            .next
            .fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let mut digits = [0; 16];
        for (at, digit) in digits.iter_mut().enumerate() {
            let nibble = (mixed >> (60 - 4 * at)) & 0xf;
            *digit = b"0123456789abcdef"[usize::try_from(nibble).unwrap_or(0)];
        }
        RequestId(digits)
    }
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

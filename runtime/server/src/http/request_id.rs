//! Ids of requests: on every answer but 401, and in every line of the log. A client's own is kept when it is one that
//! may stand there, so that it finds its request in both logs. Ours come from a few random numbers, so that no request
//! asks for randomness. Behind the mixing they are a counter, which would tell a client how much others ask; so secrets
//! go in between.
//!
//! `tower-http` can't stand in for it: its `SetRequestId` keeps whatever was sent, of any length and twice, and its
//! `PropagateRequestId` puts it on every answer, on 401 too. A layer before them and one behind would be needed; choosing
//! and making of ids would stay here, and what is refused for its frame comes before any layer. Around a service that does
//! nothing its two layers cost a request 300 ns, these lines 65.

use super::header::single;
use axum::http::header::{HeaderMap, HeaderName, HeaderValue};
use service::Entropy;
use std::sync::atomic::{AtomicU64, Ordering};

/// Hands out ids, no two alike.
pub(super) struct RequestIds {
    next: AtomicU64,
    secrets: [u64; 2],
}

/// The header with a request's id.
pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// How long a client's own id may be.
const SENT_MAX: usize = 128;

/// The id of one request.
#[derive(Clone)]
pub(super) enum RequestId {
    /// 16 hexadecimal digits.
    Made([u8; 16]),
    /// The client's own.
    Sent(HeaderValue),
}

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

    /// The id of a request: the one it came with, if it may stand in a log and is sent once, or a new one.
    pub(super) fn of(&self, headers: &HeaderMap) -> RequestId {
        match single(headers, &REQUEST_ID) {
            Some(sent) if may_be_id(sent) => RequestId::Sent(sent.clone()),
            _ => self.next(),
        }
    }

    fn next(&self) -> RequestId {
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
        RequestId::Made(digits)
    }
}

/// Letters, digits and `.`, `_`, `-`: nothing that ends a line or a field of any log.
fn may_be_id(sent: &HeaderValue) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let bytes = sent.as_bytes();
    (1..=SENT_MAX).contains(&bytes.len()) && bytes.iter().all(is_plain)
}

/// One of all numbers for each: whoever knows the outcome finds the number.
fn mix(mut number: u64) -> u64 {
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

impl RequestId {
    pub(super) fn as_str(&self) -> &str {
        // INVARIANT: both are ASCII
        match self {
            RequestId::Made(digits) => std::str::from_utf8(digits).unwrap_or_default(),
            RequestId::Sent(sent) => sent.to_str().unwrap_or_default(),
        }
    }

    /// As it stands in an answer.
    pub(super) fn header(&self) -> Option<HeaderValue> {
        match self {
            RequestId::Made(digits) => HeaderValue::from_bytes(digits).ok(),
            RequestId::Sent(sent) => Some(sent.clone()),
        }
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
    fn a_clients_own_id_is_kept_when_it_may_stand_in_a_log() {
        let ids = RequestIds::new(&Fixed);
        let id_of = |sent: &[&[u8]]| {
            let mut headers = HeaderMap::new();
            for value in sent {
                headers.append(REQUEST_ID, HeaderValue::from_bytes(value).unwrap());
            }
            ids.of(&headers).as_str().to_owned()
        };
        let long = "x".repeat(128);
        for own in ["a", "7f9c-1.b_2", "4711", &long] {
            assert_eq!(id_of(&[own.as_bytes()]), own);
        }
        let too_long = "x".repeat(129);
        for other in [
            b"".as_slice(),
            b"a b",
            b"a\tb",
            b"a\"b",
            b"a=b",
            b"a/b",
            b"\xc3\xa9",
            too_long.as_bytes(),
        ] {
            let id = id_of(&[other]);
            assert_eq!(id.len(), 16, "{other:?}");
        }
        assert_eq!(id_of(&[b"a", b"a"]).len(), 16);
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

//! Which trace of a distributed system a request is part of, as its caller says in `traceparent` (W3C Trace Context,
//! level 1): the log's line has the trace's id. Nothing else is made of it, and none is made up.

use super::header::single;
use axum::http::header::{HeaderMap, HeaderName};

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
/// Digits of a trace's id, of its parent's and of both with version and flags.
const TRACE: usize = 32;
const PARENT: usize = 16;
const WHOLE: usize = 55;

/// The id of a trace: 32 hexadecimal digits in lower case, not all of them zero.
#[derive(Clone, Copy)]
pub(super) struct TraceId([u8; TRACE]);

impl TraceId {
    /// The one that a request names. A header that can't be read or stands twice names none.
    pub(super) fn of(headers: &HeaderMap) -> Option<Self> {
        let value = single(headers, &TRACEPARENT)?.to_str().ok()?;
        let (whole, more) = value.split_at_checked(WHOLE)?;
        let mut parts = whole.split('-');
        let mut part = |digits: usize| {
            let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
            let part = parts.next()?;
            (part.len() == digits && part.bytes().all(is_digit)).then_some(part)
        };
        let (version, trace, parent, _flags) = (part(2)?, part(TRACE)?, part(PARENT)?, part(2)?);
        // a later version may have more behind a dash
        let is_whole = more.is_empty() || version != "00" && more.starts_with('-');
        let is_zero = |part: &str| part.bytes().all(|byte| byte == b'0');
        if !is_whole || version == "ff" || is_zero(trace) || is_zero(parent) {
            return None;
        }
        trace.as_bytes().try_into().ok().map(TraceId)
    }

    pub(super) fn as_str(&self) -> &str {
        // INVARIANT: hexadecimal digits are ASCII
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    const TRACE_ID: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    fn read(values: &[&str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for value in values {
            let value = HeaderValue::from_str(value).expect("a value");
            headers.append(TRACEPARENT, value);
        }
        TraceId::of(&headers).map(|id| id.as_str().to_owned())
    }

    #[test]
    fn a_trace_is_named_by_a_whole_header_that_stands_once() {
        let good = format!("00-{TRACE_ID}-00f067aa0ba902b7-01");
        assert_eq!(read(&[&good]).as_deref(), Some(TRACE_ID));
        let later = format!("cc-{TRACE_ID}-00f067aa0ba902b7-01");
        assert_eq!(read(&[&later]).as_deref(), Some(TRACE_ID));
        let more = format!("{later}-what-is-to-come");
        assert_eq!(read(&[&more]).as_deref(), Some(TRACE_ID));
        assert_eq!(read(&[]), None);
        assert_eq!(read(&[&good, &good]), None);
    }

    #[test]
    fn what_is_not_as_the_standard_writes_it_names_none() {
        let good = format!("00-{TRACE_ID}-00f067aa0ba902b7-01");
        for wrong in [
            String::new(),
            good[1..].to_owned(),
            format!("{good}-more"),
            format!("{good}0"),
            format!("cc{}0", &good[2..]),
            good.replace("00-4", "ff-4"),
            good.to_uppercase(),
            good.replace('-', "_"),
            good.replace(TRACE_ID, &"0".repeat(32)),
            good.replace("00f067aa0ba902b7", &"0".repeat(16)),
            good.replace(TRACE_ID, "4bf92f3577b34da6a3ce929d0e0e473-"),
            good.replace(TRACE_ID, "4bf92f3577b34da6a3ce929d0e0e473g"),
        ] {
            assert_eq!(read(&[&wrong]), None, "{wrong:?}");
        }
    }
}

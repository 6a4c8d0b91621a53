//! What a client takes as an answer: the media types that `Accept` names, each with how well it is liked. RFC 9110,
//! section 12.5.1. Ranges such as `*/*` name nothing, and what has no quality that can be read is liked fully.

use crate::openapi::{EVENTS, JSON};
use axum::http::header::{ACCEPT, HeaderMap};

/// Whether a request asks for events: it names them, and does not name JSON that it likes as well.
pub(super) fn wants_events(headers: &HeaderMap) -> bool {
    let (events, json) = (quality(headers, EVENTS), quality(headers, JSON));
    events > 0 && events > json
}

/// How well a media type is liked that is named, in thousandths; one that is not, not at all.
fn quality(headers: &HeaderMap, media_type: &str) -> u16 {
    let lines = headers.get_all(ACCEPT).iter();
    let ranges = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','));
    let named = ranges.filter_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let is_named = parts.next()?.eq_ignore_ascii_case(media_type);
        is_named.then(|| parts.find_map(weight).unwrap_or(1000))
    });
    named.max().unwrap_or_default()
}

/// What a parameter says of quality, if it is one of it.
fn weight(parameter: &str) -> Option<u16> {
    let (name, value) = parameter.split_once('=')?;
    if !name.trim().eq_ignore_ascii_case("q") {
        return None;
    }
    let value = value.trim();
    let (whole, part) = value.split_once('.').unwrap_or((value, ""));
    let is_digits = part.len() <= 3 && part.bytes().all(|byte| byte.is_ascii_digit());
    match whole {
        "0" if is_digits => format!("{part:0<3}").parse().ok(),
        _ => Some(1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn wants(lines: &[&'static str]) -> bool {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(ACCEPT, HeaderValue::from_static(line));
        }
        wants_events(&headers)
    }

    #[test]
    fn events_come_to_who_names_them_and_does_not_name_json_as_highly() {
        for line in [
            "text/event-stream",
            "Text/Event-Stream",
            "text/event-stream, */*",
            "*/*, text/event-stream;q=0.1",
            "text/event-stream; charset=utf-8",
            "text/event-stream;q=0.001",
            "text/event-stream ; Q = 0.9, application/json;q=0.8",
            "application/json;q=0, text/event-stream;q=0.5",
            "text/event-stream;q=1.000, application/json;q=0.999",
            "text/event-stream;q=x",
        ] {
            assert!(wants(&[line]), "{line}");
        }
        for line in [
            "",
            "*/*",
            "text/*",
            "application/json",
            "text/event-streams",
            "text/event-stream-like, x/text/event-stream",
            "application/json;profile=text/event-stream",
            "text/event-stream;q=0",
            "text/event-stream; q=0.000, */*",
            "text/event-stream, application/json",
            "application/json;q=0.5, text/event-stream;q=0.5",
            "application/json, text/event-stream;q=0.9",
        ] {
            assert!(!wants(&[line]), "{line}");
        }
        assert!(!wants(&[]));
        assert!(wants(&["application/json;q=0.1", "text/event-stream"]));
        assert!(!wants(&["text/event-stream;q=0.1", "application/json"]));
    }
}

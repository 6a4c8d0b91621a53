//! What a client takes as an answer: the lists of `Accept`, `Accept-Encoding` and `Accept-Language`, each entry with how well
//! it is liked. RFC 9110, section 12.4.2. What has no weight that can be read is liked fully, and what has weight 0 is refused.

use crate::openapi::JSON;
use axum::http::header::{ACCEPT, ACCEPT_ENCODING, HeaderMap, HeaderName};

/// The weight of what is liked fully.
const FULLY: u16 = 1000;

/// The entries of a list, each with how well it is liked, in thousandths.
pub(crate) fn weighted(list: &str) -> impl Iterator<Item = (&str, u16)> {
    let entries = list.split(',').map(|entry| {
        let mut parts = entry.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        (name, parts.find_map(weight).unwrap_or(FULLY))
    });
    entries.filter(|(name, _)| !name.is_empty())
}

/// Whether a request asks for a media type rather than for JSON: it names it, and does not name JSON that it likes as well,
/// which clients that were generated name beside everything else that they are told of. Ranges such as `*/*` name nothing.
pub(crate) fn prefers(headers: &HeaderMap, media_type: &str) -> bool {
    let weight = |name| weight_of(headers, ACCEPT, &[name]).unwrap_or_default();
    weight(media_type) > weight(JSON)
}

/// Whether a request takes gzip: by its name, or by `*` where that is not said, and no less than what is not compressed. One
/// that says nothing of codings takes all of them, and asks for none.
pub(crate) fn takes_gzip(headers: &HeaderMap) -> bool {
    if !headers.contains_key(ACCEPT_ENCODING) {
        return false;
    }
    let weight = |names: &[&str]| weight_of(headers, ACCEPT_ENCODING, names);
    let named = weight(&["gzip", "x-gzip"]);
    let gzip = named.or_else(|| weight(&["*"])).unwrap_or_default();
    gzip > 0 && weight(&["identity"]).is_none_or(|plain| plain <= gzip)
}

/// How well entries of these names are liked, at best; none where no entry of the header has one of them.
fn weight_of(headers: &HeaderMap, header: HeaderName, names: &[&str]) -> Option<u16> {
    let lines = headers.get_all(header).iter();
    let lines = lines.filter_map(|line| line.to_str().ok());
    let is_named = |own: &str| names.iter().any(|name| own.eq_ignore_ascii_case(name));
    let named = lines.flat_map(weighted).filter(|(own, _)| is_named(own));
    named.map(|(_, weight)| weight).max()
}

/// What a parameter says of the weight, if it is one of it.
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
        _ => Some(FULLY),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openapi::EVENTS;
    use axum::http::HeaderValue;

    fn headers(name: &HeaderName, lines: &[&'static str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(name, HeaderValue::from_static(line));
        }
        headers
    }

    fn wants(lines: &[&'static str]) -> bool {
        prefers(&headers(&ACCEPT, lines), EVENTS)
    }

    fn takes(lines: &[&'static str]) -> bool {
        takes_gzip(&headers(&ACCEPT_ENCODING, lines))
    }

    #[test]
    fn a_list_is_read_with_how_well_each_entry_is_liked() {
        let list =
            weighted(" a , B;q=0.25,,c;x=1; Q = 0.5 ;q=0, *;q=0.001,d;q=,e;q=7,f;q=0.1234,;q=1");
        let expected = [
            ("a", 1000),
            ("B", 250),
            ("c", 500),
            ("*", 1),
            ("d", 1000),
            ("e", 1000),
            ("f", 1000),
        ];
        assert_eq!(list.collect::<Vec<_>>(), expected);
        assert_eq!(weighted("").next(), None);
    }

    #[test]
    fn gzip_is_for_who_names_it_or_takes_anything_and_likes_it_no_less_than_plain() {
        for line in [
            "gzip",
            "GZip",
            "x-gzip",
            "br, gzip;q=0.5",
            "gzip;q=0.001",
            "*",
            "br;q=1, *;q=0.1",
            "identity, gzip",
            "identity;q=0.5, gzip;q=0.8",
            "identity;q=0, *",
        ] {
            assert!(takes(&[line]), "{line}");
        }
        for line in [
            "",
            "identity",
            "br",
            "gzip;q=0",
            "gzip; Q=0.000",
            "gzip;q=0, *",
            "*;q=0",
            "identity;q=1, gzip;q=0.5",
            "gzipped",
            "br;x=gzip",
        ] {
            assert!(!takes(&[line]), "{line}");
        }
        assert!(!takes(&[]));
        assert!(takes(&["br", "gzip"]));
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

//! Downloads by signed link, whole or in part.

use crate::http::call::PublicCall;
use crate::http::error::Failure;
use crate::http::incident;
use axum::body::Body;
use axum::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue, IF_RANGE,
    RANGE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse as _;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use service::files::{Download, Link};
use service::ids::FILES_PATH;
use service::{About, Refusal};
use std::ops::Range;
use store::files::StoredFile;
use url::form_urlencoded;

pub(in crate::http) async fn download(call: PublicCall) -> Result<Response<Body>, Failure> {
    let (uri, headers) = (call.sent_uri(), &call.parts().headers);
    let mut link = Link {
        id: uri
            .path()
            .strip_prefix(FILES_PATH)
            .unwrap_or_default()
            .to_owned(),
        ..Link::default()
    };
    for (name, value) in form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()) {
        link.set(&name, &value);
    }
    let found = call
        .service
        .download(&link, |file| asked_range(headers, file));
    let found = found.await;
    match found {
        Ok(download) => Ok(answer(download)),
        Err(Refusal::NotFound(_)) => Err(Failure::UnknownRoute),
        // the dataset that it names may tell whose watch it is
        Err(refusal @ Refusal::LinkRefused) => {
            let response = Failure::from(refusal).into_response();
            Ok(incident::about(response, About::Dataset(link.dataset)))
        }
        Err(refusal) => Err(refusal.into()),
    }
}

/// The bytes that a request asks for, if what it has of the file already is of this file.
fn asked_range(headers: &HeaderMap, file: &StoredFile) -> Option<Range<u64>> {
    let text = |name| headers.get(name).map(HeaderValue::to_str);
    if text(IF_RANGE).is_some_and(|has| has.ok() != Some(&etag(file))) {
        return None;
    }
    range_of(text(RANGE)?.ok()?, file.size)
}

/// What tells a content from all others.
fn etag(file: &StoredFile) -> String {
    format!("\"{}\"", file.sha256)
}

/// The bytes that a `Range` header asks for. One that asks for several ranges, or for what is not there,
/// gets the whole.
fn range_of(header: &str, size: u64) -> Option<Range<u64>> {
    let (first, last) = header.strip_prefix("bytes=")?.split_once('-')?;
    let range = match (first.trim(), last.trim()) {
        ("", tail) => size.saturating_sub(tail.parse().ok()?)..size,
        (first, "") => first.parse().ok()?..size,
        (first, last) => first.parse().ok()?..last.parse::<u64>().ok()?.saturating_add(1).min(size),
    };
    (range.start < range.end).then_some(range)
}

fn answer(download: Download) -> Response<Body> {
    let Download {
        file,
        range,
        seconds_left,
        content,
    } = download;
    let mut response = Response::new(Body::from_stream(content));
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &str| {
        // INVARIANT: numbers, media types and encoded names are safe in a header
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    let media_type = match file.media_type.as_str() {
        "text/plain" => "text/plain; charset=utf-8",
        media_type => media_type,
    };
    set(CONTENT_TYPE, media_type);
    set(CONTENT_LENGTH, &(range.end - range.start).to_string());
    set(CONTENT_DISPOSITION, &disposition(&file));
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox");
    set(CACHE_CONTROL, &format!("private, max-age={seconds_left}"));
    set(ETAG, &etag(&file));
    set(ACCEPT_RANGES, "bytes");
    if range != (0..file.size) {
        let (first, last) = (range.start, range.end - 1);
        set(
            CONTENT_RANGE,
            &format!("bytes {first}-{last}/{}", file.size),
        );
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    }
    response
}

/// What may stand in an extended header parameter.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Pictures, sound and films are shown where they stand; everything else is a file to keep.
fn disposition(file: &StoredFile) -> String {
    let is_seen = ["image/", "video/", "audio/"]
        .iter()
        .any(|kind| file.media_type.starts_with(kind));
    let kind = if is_seen { "inline" } else { "attachment" };
    let ascii = |c: char| {
        if c.is_ascii_alphanumeric() || "-._ ()".contains(c) {
            c
        } else {
            '_'
        }
    };
    let plain: String = file.name.chars().map(ascii).collect();
    let full = utf8_percent_encode(&file.name, PLAIN);
    format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''{full}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_one_that_the_file_has_or_the_whole() {
        for (header, expected) in [
            ("bytes=0-3", Some(0..4)),
            ("bytes=2-", Some(2..10)),
            ("bytes=-3", Some(7..10)),
            ("bytes=-99", Some(0..10)),
            ("bytes=5-99", Some(5..10)),
            ("bytes=10-", None),
            ("bytes=4-2", None),
            ("bytes=-0", None),
            ("bytes=0-1,3-4", None),
            ("bytes=18446744073709551615-18446744073709551615", None),
            ("rows=0-1", None),
            ("bytes=a-b", None),
        ] {
            assert_eq!(range_of(header, 10), expected, "{header}");
        }
    }

    #[test]
    fn a_name_is_told_in_a_way_that_every_browser_reads() {
        let file = StoredFile {
            id: String::new(),
            dataset: String::new(),
            name: "Grüße \"x\".pdf".to_owned(),
            media_type: "application/pdf".to_owned(),
            size: 0,
            width: None,
            height: None,
            sha256: String::new(),
            created_at: wire::Timestamp::from_millis(0),
        };
        assert_eq!(
            disposition(&file),
            "attachment; filename=\"Gr__e _x_.pdf\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%22x%22.pdf"
        );
    }
}

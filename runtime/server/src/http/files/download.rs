//! Downloads by signed link, whole or in part.

use crate::http::call::PublicCall;
use crate::http::error::{Failure, Unsent};
use crate::http::incident;
use axum::body::Body;
use axum::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue, IF_MATCH,
    IF_NONE_MATCH, IF_RANGE, RANGE,
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
        .download(&link, |file, seconds| wanted(headers, file, seconds));
    let found = found.await;
    match found {
        Ok(download) => Ok(answer(download)),
        Err(Failure::Refused(Refusal::NotFound(_))) => Err(Failure::UnknownRoute),
        // the dataset that it names may tell whose watch it is
        Err(failure @ Failure::Refused(Refusal::LinkRefused)) => {
            let response = failure.into_response();
            Ok(incident::about(response, About::Dataset(link.dataset)))
        }
        Err(failure) => Err(failure),
    }
}

/// What a request asks for of a file whose link works for so many seconds, as [`asked_range`] tells, if it is to get any of
/// it. RFC 9110, section 13.2.2.
fn wanted(
    headers: &HeaderMap,
    file: &StoredFile,
    seconds: i64,
) -> Result<Option<Range<u64>>, Failure> {
    let etag = etag(file);
    if is_named(headers, IF_MATCH, |tag| tag == etag) == Some(false) {
        return Err(Failure::Unsent(Unsent::OtherContent));
    }
    let is_same = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag) == etag;
    if is_named(headers, IF_NONE_MATCH, is_same) == Some(true) {
        return Err(Failure::Unsent(Unsent::SameContent {
            etag,
            cache_control: cache_control(seconds),
        }));
    }
    asked_range(headers, file)
}

/// Whether a header names a content, or every one that there is; none where it was not sent.
fn is_named(headers: &HeaderMap, name: HeaderName, is_own: impl Fn(&str) -> bool) -> Option<bool> {
    let mut lines = headers.get_all(name).iter().peekable();
    lines.peek()?;
    let lines = lines.filter_map(|line| line.to_str().ok());
    let mut tags = lines.flat_map(|line| line.split(',')).map(str::trim);
    Some(tags.any(|tag| tag == "*" || is_own(tag)))
}

/// The bytes that a request asks for, if what it has of the file already is of this file; none where it asks for all.
fn asked_range(headers: &HeaderMap, file: &StoredFile) -> Result<Option<Range<u64>>, Failure> {
    let text = |name| headers.get(name).map(HeaderValue::to_str);
    if text(IF_RANGE).is_some_and(|has| has.ok() != Some(&etag(file))) {
        return Ok(None);
    }
    let asked = text(RANGE).and_then(Result::ok);
    let range = asked.and_then(|asked| range_of(asked, file.size));
    range
        .transpose()
        .map_err(|Unsatisfiable| Failure::Unsent(Unsent::NoSuchRange { size: file.size }))
}

/// A range of bytes of which a file has none.
#[derive(Debug, PartialEq, Eq)]
struct Unsatisfiable;

/// What tells a content from all others.
fn etag(file: &StoredFile) -> String {
    format!("\"{}\"", file.sha256)
}

/// The bytes that a `Range` header asks for. One that asks for several ranges, or that is none of
/// bytes, gets the whole. RFC 9110, section 14.
fn range_of(header: &str, size: u64) -> Option<Result<Range<u64>, Unsatisfiable>> {
    let (unit, range) = header.split_once('=')?;
    let (first, last) = range.split_once('-')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return None;
    }
    let range = match (first.trim(), last.trim()) {
        ("", count) => size.saturating_sub(number(count)?)..size,
        (first, "") => number(first)?.min(size)..size,
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            if last < first {
                return None;
            }
            first.min(size)..last.saturating_add(1).min(size)
        }
    };
    Some(if range.is_empty() {
        Err(Unsatisfiable)
    } else {
        Ok(range)
    })
}

/// A number of a range; one that is too large for ours is behind every file.
fn number(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

/// How long an answer is good: as long as its link works.
fn cache_control(seconds: i64) -> String {
    format!("private, max-age={seconds}")
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
    let shown = FileDisposition::of(&file);
    set(CONTENT_TYPE, &shown.media_type);
    let bytes = range.clone().unwrap_or(0..file.size);
    set(CONTENT_LENGTH, &(bytes.end - bytes.start).to_string());
    set(CONTENT_DISPOSITION, &disposition(&file, shown.is_in_place));
    set(CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox");
    set(CACHE_CONTROL, &cache_control(seconds_left));
    set(ETAG, &etag(&file));
    set(ACCEPT_RANGES, "bytes");
    if let Some(Range { start, end }) = range {
        let (last, size) = (end - 1, file.size);
        set(CONTENT_RANGE, &format!("bytes {start}-{last}/{size}"));
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

/// The media type that a file is given out under.
#[cfg(feature = "pages")]
pub(crate) fn media_type_of(file: &StoredFile) -> String {
    FileDisposition::of(file).media_type
}

/// How a browser is to take a file.
#[derive(Debug, PartialEq, Eq)]
struct FileDisposition {
    media_type: String,
    is_in_place: bool,
}

impl FileDisposition {
    /// Pictures, sound and films are shown where they stand; everything else is a file to keep. One whose content is
    /// of another kind than its name says is bytes and nothing else: one of the two deceives.
    fn of(file: &StoredFile) -> Self {
        let found = file.media_type.as_str();
        let is_in_place = is_for_the_senses(found);
        let named = mime_guess::from_path(&file.name).first_raw();
        let deceives = named.is_some_and(|named| {
            // beyond these, a name may know better what a text or an archive is for
            let matters = is_in_place || is_for_the_senses(named) && named != "image/svg+xml";
            matters && kind(named) != kind(found)
        });
        if deceives {
            return FileDisposition {
                media_type: "application/octet-stream".to_owned(),
                is_in_place: false,
            };
        }
        let media_type = match kind(found) {
            "text" => format!("{found}; charset=utf-8"),
            _ => found.to_owned(),
        };
        FileDisposition {
            media_type,
            is_in_place,
        }
    }
}

/// What stands before the slash of a media type.
fn kind(media_type: &str) -> &str {
    media_type.split('/').next().unwrap_or(media_type)
}

/// Whether it is something to be seen or heard.
fn is_for_the_senses(media_type: &str) -> bool {
    matches!(kind(media_type), "image" | "video" | "audio")
}

fn disposition(file: &StoredFile, is_in_place: bool) -> String {
    let kind = if is_in_place { "inline" } else { "attachment" };
    named(kind, &file.name)
}

/// How a browser is to keep a file that has a name.
pub(crate) fn attachment(name: &str) -> String {
    named("attachment", name)
}

fn named(kind: &str, name: &str) -> String {
    let ascii = |c: char| {
        if c.is_ascii_alphanumeric() || "-._ ()".contains(c) {
            c
        } else {
            '_'
        }
    };
    let plain: String = name.chars().map(ascii).collect();
    let full = utf8_percent_encode(name, PLAIN);
    format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''{full}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_of_bytes_that_the_file_has_or_of_none_or_it_is_no_range() {
        let part = |range| Some(Ok(range));
        let nothing = || Some(Err(Unsatisfiable));
        for (header, expected) in [
            ("bytes=0-3", part(0..4)),
            ("bytes=2-", part(2..10)),
            ("bytes=-3", part(7..10)),
            ("bytes=-99", part(0..10)),
            ("bytes=5-99", part(5..10)),
            ("bytes=0-", part(0..10)),
            ("bytes=0-9", part(0..10)),
            ("bytes=0-19", part(0..10)),
            ("bytes=-10", part(0..10)),
            ("BYTES=0-3", part(0..4)),
            ("bytes=10-", nothing()),
            ("bytes=11-12", nothing()),
            ("bytes=-0", nothing()),
            ("bytes=18446744073709551615-18446744073709551615", nothing()),
            ("bytes=0-99999999999999999999", part(0..10)),
            ("bytes=99999999999999999999-", nothing()),
            ("bytes=4-2", None),
            ("bytes=0-1,3-4", None),
            ("bytes=-", None),
            ("bytes=+1-3", None),
            ("bytes", None),
            ("rows=0-1", None),
            ("bytes=a-b", None),
        ] {
            assert_eq!(range_of(header, 10), expected, "{header}");
        }
        assert_eq!(range_of("bytes=0-", 0), nothing());
    }

    fn file(name: &str, media_type: &str) -> StoredFile {
        StoredFile {
            id: String::new(),
            dataset: String::new(),
            name: name.to_owned(),
            media_type: media_type.to_owned(),
            size: 0,
            width: None,
            height: None,
            sha256: String::new(),
            created_at: wire::Timestamp::from_millis(0),
        }
    }

    #[test]
    fn a_file_whose_name_and_content_disagree_is_bytes_and_nothing_else() {
        let check = |name: &str, found: &str, media_type: &str, is_in_place: bool| {
            let shown = FileDisposition::of(&file(name, found));
            assert_eq!(
                (&*shown.media_type, shown.is_in_place),
                (media_type, is_in_place),
                "{name}"
            );
        };
        let bytes = "application/octet-stream";
        check("a.gif", "image/gif", "image/gif", true);
        check("a", "image/gif", "image/gif", true);
        check("a.JPG", "image/png", "image/png", true);
        check("a.webm", "video/webm", "video/webm", true);
        check("p.html", "image/gif", bytes, false);
        check("p.js", "image/gif", bytes, false);
        check("p.gif.html", "image/gif", bytes, false);
        check("a.png", "text/html", bytes, false);
        check("a.mp4", "application/pdf", bytes, false);
        check("a.txt", "text/plain", "text/plain; charset=utf-8", false);
        check("a.html", "text/html", "text/html; charset=utf-8", false);
        check("a.xml", "text/xml", "text/xml; charset=utf-8", false);
        check("a.svg", "text/xml", "text/xml; charset=utf-8", false);
        check("a.json", "text/plain", "text/plain; charset=utf-8", false);
        check("a.docx", "application/zip", "application/zip", false);
    }

    #[test]
    fn a_name_is_told_in_a_way_that_every_browser_reads() {
        let file = file("Grüße \"x\".pdf", "application/pdf");
        assert_eq!(
            disposition(&file, false),
            "attachment; filename=\"Gr__e _x_.pdf\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%22x%22.pdf"
        );
    }
}

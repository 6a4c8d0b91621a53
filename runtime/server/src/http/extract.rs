//! What is read from a request: ids of the path, the page, the body.
//! Ids are read from the path as it was sent, each segment decoded once: the framework's own decoding
//! refuses a whole path for one bad segment, and before the credential's rights are judged.

use super::error::Failure;
use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::{FromRequest, OriginalUri, Request};
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Uri};
use percent_encoding::percent_decode_str;
use service::{PageRequest, Settings};
use std::borrow::Cow;
use std::convert::Infallible;
use std::ops::Range;
use url::form_urlencoded;

/// Segments of the longest path that has ids.
const SEGMENTS_MAX: usize = 11;

/// The ids of a path, as they were sent.
pub(crate) struct PathIds {
    own: Uri,
    sent: Uri,
    // found in one walk: a path with a record's id is read from the start five times otherwise
    segments: [Range<u32>; SEGMENTS_MAX],
}

/// Where the segments of a path stand; empty where there is none.
fn segments(path: &str) -> [Range<u32>; SEGMENTS_MAX] {
    let mut found = [const { 0..0 }; SEGMENTS_MAX];
    let mut start = 0;
    let mut index = 0;
    // an address is shorter than 64 KiB
    for (at, byte) in (0..).zip(path.bytes()) {
        if byte == b'/' {
            if index < SEGMENTS_MAX {
                found[index] = start..at;
            }
            index += 1;
            start = at + 1;
        }
    }
    if index < SEGMENTS_MAX {
        found[index] = start..u32::try_from(path.len()).unwrap_or(start);
    }
    found
}

impl PathIds {
    /// The ids of a request's path.
    pub(super) fn of(parts: &Parts) -> Self {
        let sent = parts.extensions.get::<OriginalUri>();
        PathIds {
            own: parts.uri.clone(),
            sent: sent.map_or_else(|| parts.uri.clone(), |sent| sent.0.clone()),
            segments: segments(parts.uri.path()),
        }
    }

    /// `/v1/businessareas/{area}` …
    pub(crate) fn area(&self) -> Cow<'_, str> {
        self.id(3)
    }

    /// … `/schemas/{schema}` …
    pub(crate) fn schema(&self) -> Cow<'_, str> {
        self.id(5)
    }

    /// … `/datasets/{dataset}` …
    pub(crate) fn dataset(&self) -> Cow<'_, str> {
        self.id(7)
    }

    /// … `/dataobjects/{record}`
    pub(crate) fn record(&self) -> Cow<'_, str> {
        self.id(9)
    }

    /// … `/dataobjects/by-pk/{key}`; `None` when it is not UTF-8.
    pub(crate) fn primary_key(&self) -> Option<Cow<'_, str>> {
        percent_decode_str(self.segment(10)).decode_utf8().ok()
    }

    /// The whole path, as it was sent.
    pub(crate) fn as_sent(&self) -> &str {
        self.sent.path()
    }

    /// Bytes that are not UTF-8 become a character that no id has.
    fn id(&self, index: usize) -> Cow<'_, str> {
        percent_decode_str(self.segment(index)).decode_utf8_lossy()
    }

    fn segment(&self, index: usize) -> &str {
        let Range { start, end } = self.segments[index];
        let (start, end) = (start as usize, end as usize);
        self.own.path().get(start..end).unwrap_or_default()
    }
}

/// The page that a query asks for. Here nothing is refused: that is the service's, after role and path.
pub(super) fn page_request(query: &str) -> PageRequest {
    let mut page = PageRequest::default();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "pageKey" => add(&mut page.key, &value),
            "pageSize" => add(&mut page.size, &value),
            _ => {}
        }
    }
    page
}

/// A parameter that stands twice is neither of both: together they are no key and no number.
fn add(slot: &mut Option<String>, value: &str) {
    match slot {
        None => *slot = Some(value.to_owned()),
        Some(first) => {
            first.push('&');
            first.push_str(value);
        }
    }
}

/// A body that was not read yet, and what is said of it.
pub(crate) struct Incoming {
    headers: HeaderMap,
    body: Body,
}

impl<S: Sync> FromRequest<S> for Incoming {
    type Rejection = Infallible;

    async fn from_request(request: Request, _: &S) -> Result<Self, Infallible> {
        let (parts, body) = request.into_parts();
        Ok(Incoming::new(parts.headers, body))
    }
}

const JSON: &str = "application/json";
pub(crate) const FORM: &str = "application/x-www-form-urlencoded";

impl Incoming {
    /// A body, and what is said of it.
    pub(crate) fn new(headers: HeaderMap, body: Body) -> Self {
        Incoming { headers, body }
    }

    /// The bytes of a JSON body.
    pub(crate) async fn json(self, settings: &Settings) -> Result<Bytes, Failure> {
        if self.media_type().as_deref() != Some(JSON) {
            return Err(Failure::MediaType(
                "the body must be JSON; send it with `Content-Type: application/json`",
            ));
        }
        self.bytes(settings).await
    }

    /// The body piece by piece, for who has a limit of its own.
    pub(crate) fn stream(self) -> BodyDataStream {
        self.body.into_data_stream()
    }

    /// What is said of the body.
    pub(crate) fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// The one media type it is announced as, in lower case and without parameters.
    pub(crate) fn media_type(&self) -> Option<String> {
        let value = single(&self.headers, &CONTENT_TYPE)?.to_str().ok()?;
        let essence = value.split(';').next().unwrap_or(value);
        Some(essence.trim().to_ascii_lowercase())
    }

    /// The bytes of the body, no more than the limit and no longer than the time for it.
    pub(crate) async fn bytes(self, settings: &Settings) -> Result<Bytes, Failure> {
        let plain = |coding: &HeaderValue| coding.as_bytes().eq_ignore_ascii_case(b"identity");
        if !self.headers.get_all(CONTENT_ENCODING).iter().all(plain) {
            return Err(Failure::MediaType(
                "the body must not be compressed; send it without `Content-Encoding`",
            ));
        }
        let too_large = Failure::TooLarge {
            bytes_max: settings.body_bytes_max as u64,
        };
        // a body that says it is too large is not read at all
        let announced = self.headers.get(CONTENT_LENGTH);
        let announced = announced.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        if announced.is_some_and(|length| length > settings.body_bytes_max as u64) {
            return Err(too_large);
        }
        let read = axum::body::to_bytes(self.body, settings.body_bytes_max);
        match tokio::time::timeout(settings.body_time_max, read).await {
            Err(_) => Err(Failure::TooSlow),
            Ok(Ok(bytes)) => Ok(bytes),
            Ok(Err(error)) if is_too_large(&error) => Err(too_large),
            Ok(Err(_)) => Err(Failure::Broken),
        }
    }
}

fn is_too_large(error: &axum::Error) -> bool {
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        if error.is::<http_body_util::LengthLimitError>() {
            return true;
        }
        source = error.source();
    }
    false
}

/// The value of a header that stands once.
pub(crate) fn single<'h>(
    headers: &'h HeaderMap,
    name: &axum::http::HeaderName,
) -> Option<&'h HeaderValue> {
    let mut all = headers.get_all(name).iter();
    let first = all.next();
    first.filter(|_| all.next().is_none())
}

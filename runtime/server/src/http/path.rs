//! Ids of the path, as handlers of the data interface and of management are given them.
//!
//! Those of the data interface are read from the path as it was sent, each segment decoded once: the framework's
//! own decoding refuses a whole path for one bad segment, and before the credential's rights are judged.

use super::error::Failure;
use axum::extract::{FromRequestParts as _, OriginalUri, Path};
use axum::http::Uri;
use axum::http::request::Parts;
use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::ops::Range;

/// Ids that are read from a path.
pub(crate) trait FromPath: Sized + Send {
    /// The ids of a request's path.
    fn from_path(parts: &mut Parts) -> impl Future<Output = Result<Self, Failure>> + Send;
}

impl FromPath for () {
    async fn from_path(_: &mut Parts) -> Result<Self, Failure> {
        Ok(())
    }
}

impl FromPath for PathIds {
    async fn from_path(parts: &mut Parts) -> Result<Self, Failure> {
        Ok(PathIds::of(parts))
    }
}

impl FromPath for String {
    async fn from_path(parts: &mut Parts) -> Result<Self, Failure> {
        matched(parts).await
    }
}

impl FromPath for (String, String) {
    async fn from_path(parts: &mut Parts) -> Result<Self, Failure> {
        matched(parts).await
    }
}

impl FromPath for (String, String, String) {
    async fn from_path(parts: &mut Parts) -> Result<Self, Failure> {
        matched(parts).await
    }
}

/// What the route's pattern matched. An id that is no text names nothing.
async fn matched<T: DeserializeOwned + Send>(parts: &mut Parts) -> Result<T, Failure> {
    let ids = Path::<T>::from_request_parts(parts, &()).await;
    ids.map(|Path(ids)| ids).map_err(|_| Failure::UnknownRoute)
}

/// The request's address as it was sent, whatever it is nested in.
pub(crate) fn sent_uri(parts: &Parts) -> &Uri {
    let sent = parts.extensions.get::<OriginalUri>();
    sent.map_or(&parts.uri, |sent| &sent.0)
}

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
    fn of(parts: &Parts) -> Self {
        PathIds {
            own: parts.uri.clone(),
            sent: sent_uri(parts).clone(),
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

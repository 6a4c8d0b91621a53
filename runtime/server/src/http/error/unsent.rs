//! The answers to who asks for a file and is sent nothing of it. `docs/interface.md`, "Files".

use super::{empty, plain};
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_RANGE, ETAG, HeaderValue};
use axum::http::{Response, StatusCode};

/// Why nothing of a file is sent.
#[derive(Debug)]
pub(crate) enum Unsent {
    /// It has none of the bytes that a range asks for.
    NoSuchRange {
        /// How many it has.
        size: u64,
    },
    /// Its content is none of those that the asker goes on with.
    OtherContent,
    /// The asker has its content.
    SameContent {
        /// What tells the content from all others.
        etag: String,
        /// How long the answer is good.
        cache_control: String,
    },
}

impl Unsent {
    pub(super) fn answer(self) -> Response<Body> {
        match self {
            Unsent::NoSuchRange { size } => missing(size),
            Unsent::OtherContent => {
                let message =
                    "the file has none of the contents that `If-Match` names; ask without it";
                plain(StatusCode::PRECONDITION_FAILED, message)
            }
            Unsent::SameContent {
                etag,
                cache_control,
            } => {
                let mut response = empty(StatusCode::NOT_MODIFIED);
                for (name, value) in [(ETAG, etag), (CACHE_CONTROL, cache_control)] {
                    // INVARIANT: hashes in hex and numbers are safe in a header
                    if let Ok(value) = HeaderValue::from_str(&value) {
                        response.headers_mut().insert(name, value);
                    }
                }
                response
            }
        }
    }
}

/// It tells how many bytes there are.
fn missing(size: u64) -> Response<Body> {
    let message =
        format!("the file has {size} bytes, and none of the range; ask for bytes that it has");
    let mut response = plain(StatusCode::RANGE_NOT_SATISFIABLE, &message);
    // INVARIANT: a number is safe in a header
    if let Ok(size) = HeaderValue::from_str(&format!("bytes */{size}")) {
        response.headers_mut().insert(CONTENT_RANGE, size);
    }
    response
}

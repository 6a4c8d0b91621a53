//! The answer to a range of which a file has nothing. `docs/interface.md`, "Files".

use super::plain;
use axum::body::Body;
use axum::http::header::{CONTENT_RANGE, HeaderValue};
use axum::http::{Response, StatusCode};

/// It tells how many bytes there are.
pub(super) fn missing(size: u64) -> Response<Body> {
    let message =
        format!("the file has {size} bytes, and none of the range; ask for bytes that it has");
    let mut response = plain(StatusCode::RANGE_NOT_SATISFIABLE, &message);
    // INVARIANT: a number is safe in a header
    if let Ok(size) = HeaderValue::from_str(&format!("bytes */{size}")) {
        response.headers_mut().insert(CONTENT_RANGE, size);
    }
    response
}

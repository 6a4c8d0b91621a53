//! Answers that say yes.

use super::compression::{self, Compressible};
use super::error::Failure;
use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use axum::http::{Response, StatusCode};
use futures_util::stream::Stream;
use service::Refusal;
use std::convert::Infallible;
use store::StoreError;

/// By which a proxy that gathers what it passes on, as nginx does, is asked not to.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// JSON text, as it is.
pub(crate) fn json(body: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(body.into());
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// JSON text without any secret: a large one is sent compressed to who takes it so.
pub(crate) fn open_json(text: impl Into<Bytes>) -> Response<Body> {
    let text = text.into();
    let is_large = text.len() >= compression::BYTES_MIN;
    let mut response = json(text);
    if is_large {
        response.extensions_mut().insert(Compressible);
    }
    response
}

/// A value without any secret as JSON, as [`open_json`].
pub(crate) fn open_value(value: &impl serde::Serialize) -> Result<Response<Body>, Failure> {
    Ok(open_json(text(value)?))
}

/// A value as JSON.
pub(crate) fn value(value: &impl serde::Serialize) -> Result<Response<Body>, Failure> {
    Ok(json(text(value)?))
}

/// JSON text without any secret that takes its time to make, made beside the threads that answer.
pub(crate) async fn beside(
    text: impl FnOnce() -> Result<String, Failure> + Send + 'static,
) -> Result<Response<Body>, Failure> {
    let span = tracing::Span::current();
    let made = tokio::task::spawn_blocking(move || span.in_scope(text)).await;
    let panicked = || Failure::Refused(Refusal::Store(StoreError::Panicked));
    Ok(open_json(made.unwrap_or_else(|_| Err(panicked()))?))
}

/// The text of a value that is answered.
pub(crate) fn text(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|source| {
        let what = "an answer".to_owned();
        Failure::Refused(Refusal::Store(StoreError::Document { what, source }))
    })
}

/// Pieces that are sent as they come about, also through a proxy that would gather them.
pub(crate) fn pieces(
    pieces: impl Stream<Item = Result<Bytes, Infallible>> + Send + 'static,
    kind: &'static str,
) -> Response<Body> {
    let mut response = Response::new(Body::from_stream(pieces));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(X_ACCEL_BUFFERING, HeaderValue::from_static("no"));
    response
}

/// Something that was made, and where it is.
pub(crate) fn created(location: &str, body: String) -> Response<Body> {
    let mut response = json(body);
    *response.status_mut() = StatusCode::CREATED;
    // INVARIANT: the path came as part of an address, and ids are safe in one
    if let Ok(location) = HeaderValue::from_str(location) {
        response.headers_mut().insert(LOCATION, location);
    }
    response
}

/// Sends a browser to another page; one that asked for a part of a page leaves that page.
pub(crate) fn see_page(place: &str, asked: &HeaderMap) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    // INVARIANT: places are made of paths and of what is encoded
    let Ok(place) = HeaderValue::from_str(place) else {
        return response;
    };
    if asked.contains_key(PART_OF_PAGE) {
        response.headers_mut().insert("hx-redirect", place);
    } else {
        *response.status_mut() = StatusCode::SEE_OTHER;
        response.headers_mut().insert(LOCATION, place);
    }
    response
}

/// The header of a request for a part of a page.
pub(crate) const PART_OF_PAGE: &str = "hx-request";

/// A page, or a part of one.
#[cfg(feature = "pages")]
pub(crate) fn html(status: StatusCode, text: String) -> Response<Body> {
    let is_large = text.len() >= compression::BYTES_MIN;
    let mut response = Response::new(text.into());
    *response.status_mut() = status;
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, html);
    if is_large {
        response.extensions_mut().insert(Compressible);
    }
    response
}

/// Done, and nothing to say.
pub(crate) fn no_content() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response
}

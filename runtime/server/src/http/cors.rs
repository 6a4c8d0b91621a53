//! Pages of other origins: only those that a setting names. Credentials travel in a header that scripts
//! set, never in cookies, so none are allowed. `docs/interface.md`, "Requests and answers".
//!
//! `tower-http` can't stand in for it: its `Cors` takes every `OPTIONS` for a preflight and answers it itself,
//! with 200 and whoever asks. Here one that is none, or of another origin, is judged like any request, and a
//! preflight's answer is 204. A layer that tells them apart first would be as long as this file.

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD,
    HeaderValue, ORIGIN, VARY,
};
use axum::http::{Method, Response};

/// The origins whose pages may ask.
#[derive(Default)]
pub(super) struct Cors {
    origins: Vec<String>,
}

impl Cors {
    pub(super) fn new(origins: &[String]) -> Self {
        Cors {
            origins: origins.to_vec(),
        }
    }

    /// The origin of a request, if it is one of those named.
    pub(super) fn origin_of(&self, request: &Request) -> Option<HeaderValue> {
        if self.origins.is_empty() {
            return None;
        }
        let origin = request.headers().get(ORIGIN)?;
        let is_named = self
            .origins
            .iter()
            .any(|named| named.as_bytes() == origin.as_bytes());
        is_named.then(|| origin.clone())
    }
}

/// Whether a browser asks what it may ask.
pub(super) fn is_preflight(request: &Request) -> bool {
    request.method() == Method::OPTIONS
        && request
            .headers()
            .contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// What a browser may ask.
pub(super) fn allow(mut response: Response<Body>) -> Response<Body> {
    let headers = response.headers_mut();
    let methods = HeaderValue::from_static("GET, HEAD, POST, PUT, DELETE");
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
    let sent = HeaderValue::from_static("Authorization, Content-Type");
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, sent);
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    response
}

/// Lets pages of the origin read an answer.
pub(super) fn share(response: &mut Response<Body>, origin: HeaderValue) {
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.append(VARY, HeaderValue::from_static("Origin"));
    let read = HeaderValue::from_static("Location, Retry-After, X-Request-Id");
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, read);
}

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

/// What pages may send beside what every page may: the credential, the type of a body, where events go on, conditions and parts
/// of files, and what the log tells of a request by.
const SENT: &str = "Authorization, Content-Type, If-Match, If-None-Match, If-Range, Last-Event-ID, Range, traceparent, tracestate, X-Request-Id";

/// What pages may read beside what every page may.
const READ: &str =
    "Accept-Ranges, Content-Disposition, Content-Range, ETag, Location, Retry-After, X-Request-Id";

/// The origins whose pages may ask.
#[derive(Default)]
pub(super) struct Cors {
    origins: Vec<String>,
}

/// Whose page a request is of.
pub(super) enum Origin {
    /// Nobody looks: no origin may ask.
    Unjudged,
    /// None that may ask, or no page's.
    Other,
    /// One that may ask.
    Named(HeaderValue),
}

impl Cors {
    pub(super) fn new(origins: &[String]) -> Self {
        Cors {
            origins: origins.to_vec(),
        }
    }

    /// Whose page a request is of.
    pub(super) fn origin_of(&self, request: &Request) -> Origin {
        if self.origins.is_empty() {
            return Origin::Unjudged;
        }
        let Some(origin) = request.headers().get(ORIGIN) else {
            return Origin::Other;
        };
        let is_named = self
            .origins
            .iter()
            .any(|named| named.as_bytes() == origin.as_bytes());
        if is_named {
            Origin::Named(origin.clone())
        } else {
            Origin::Other
        }
    }
}

impl Origin {
    /// Whether a browser asks what a page that may ask may send.
    pub(super) fn is_preflight(&self, request: &Request) -> bool {
        matches!(self, Origin::Named(_))
            && request.method() == Method::OPTIONS
            && request
                .headers()
                .contains_key(ACCESS_CONTROL_REQUEST_METHOD)
    }

    /// Lets pages of an origin that may ask read an answer. All others are told that the answer is another for another origin: a
    /// browser that kept one, of a picture that a page shows, would else give it to the script that asks for the same address.
    pub(super) fn share(self, response: &mut Response<Body>) {
        let headers = response.headers_mut();
        if matches!(self, Origin::Unjudged) {
            return;
        }
        headers.append(VARY, HeaderValue::from_static("Origin"));
        if let Origin::Named(origin) = self {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            let read = HeaderValue::from_static(READ);
            headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, read);
        }
    }
}

/// What a browser may ask.
pub(super) fn allow(mut response: Response<Body>) -> Response<Body> {
    let headers = response.headers_mut();
    let methods = HeaderValue::from_static("GET, HEAD, POST, PUT, DELETE");
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(SENT));
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    response
}

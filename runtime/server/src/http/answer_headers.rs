//! What stands in the head of every answer, whichever handler gave it: what a browser is to make of it, and who may
//! keep it. It looks at no body. `docs/interface.md`, "Heads of answers".
//!
//! `tower-http`'s `SetResponseHeader` would do for half of it, in a layer for each header: 170 ns a request for the four
//! that most answers have, 110 here, measured around a service that does nothing. What depends on the request (who calls,
//! by which host) and where a thing is, it can't tell, and answers that are given before any layer need the same heads, so
//! all of this would stay.

use super::settings::DoorSettings;
use axum::body::Body;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderMap, HeaderValue, LOCATION,
    REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Response, StatusCode};
use service::Settings;
use std::net::IpAddr;

/// Nothing of an answer is a page: it loads nothing and stands in no frame.
const POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
const NO_SNIFFING: HeaderValue = HeaderValue::from_static("nosniff");
const NO_REFERRER: HeaderValue = HeaderValue::from_static("no-referrer");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
/// For a year, this host is asked by HTTPS alone.
const HTTPS_ALONE: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// What an interface adds to its answers.
pub(super) struct AnswerHeaders {
    public_url: Option<String>,
    is_https: bool,
}

/// What of a request its answer's head depends on.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    is_by_https: bool,
}

impl AnswerHeaders {
    /// Those of a door.
    pub(super) fn new(settings: &Settings, door: &DoorSettings) -> Self {
        AnswerHeaders {
            public_url: door.public_url.clone(),
            is_https: settings.is_https(),
        }
    }

    /// What is to be known of a request before it goes its way.
    pub(super) fn asked(&self, headers: &HeaderMap) -> Asked {
        let host = || headers.get(HOST)?.to_str().ok();
        Asked {
            // who tries the program on their own machine has other programs there, which speak HTTP
            is_by_https: self.is_https && !host().is_some_and(is_this_machine),
        }
    }

    /// Adds them to an answer; `is_private` is one that a credential opened.
    pub(super) fn complete(&self, response: &mut Response<Body>, asked: Asked, is_private: bool) {
        // every answer to a credential that is none has the same head, whatever the cause
        let is_private = is_private || response.status() == StatusCode::UNAUTHORIZED;
        guard(response);
        let headers = response.headers_mut();
        if is_private {
            headers.entry(CACHE_CONTROL).or_insert(NO_STORE);
        }
        if asked.is_by_https {
            headers.insert(STRICT_TRANSPORT_SECURITY, HTTPS_ALONE);
        }
        if let Some(public_url) = &self.public_url {
            place(response, public_url);
        }
    }
}

/// Says of an answer that it is no page, whoever gives it.
fn guard(response: &mut Response<Body>) {
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, NO_SNIFFING);
    headers.entry(REFERRER_POLICY).or_insert(NO_REFERRER);
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(POLICY);
}

/// Whether a `Host` is this machine, seen from itself.
fn is_this_machine(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.trim_start_matches('[').trim_end_matches([']', '.']);
    let address: Option<IpAddr> = name.parse().ok();
    address.is_some_and(|address| address.to_canonical().is_loopback())
        || name.eq_ignore_ascii_case("localhost")
        || name.to_ascii_lowercase().ends_with(".localhost")
}

/// Where something that was made is, as clients reach it: handlers know the path alone. A page that leads to another one
/// names its place as browsers reach it already.
fn place(response: &mut Response<Body>, public_url: &str) {
    if response.status() != StatusCode::CREATED {
        return;
    }
    let headers = response.headers_mut();
    let path = headers.get(LOCATION).and_then(|place| place.to_str().ok());
    let Some(path) = path.filter(|path| path.starts_with('/')) else {
        return;
    };
    // INVARIANT: the setting was judged as an address, and the path came in a header
    if let Ok(place) = HeaderValue::from_str(&format!("{public_url}{path}")) {
        headers.insert(LOCATION, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_known_under_all_its_names() {
        for own in [
            "localhost",
            "LOCALHOST:8443",
            "app.localhost:1",
            "localhost.",
            "127.0.0.1:8443",
            "127.9.9.9",
            "[::1]:8443",
            "[::1]",
        ] {
            assert!(is_this_machine(own), "{own}");
        }
        for other in [
            "data.example.org",
            "localhost.example.org",
            "10.0.0.1:80",
            "[2001:db8::1]:1",
            "",
        ] {
            assert!(!is_this_machine(other), "{other}");
        }
    }
}

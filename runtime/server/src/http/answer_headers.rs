//! What stands in the head of every answer, whichever handler gave it. It looks at no body.

use super::settings::DoorSettings;
use axum::body::Body;
use axum::http::Response;
use axum::http::header::{HeaderValue, LOCATION};

/// What an interface adds to its answers.
pub(super) struct AnswerHeaders {
    public_url: Option<String>,
}

impl AnswerHeaders {
    /// Those of a door.
    pub(super) fn new(settings: &DoorSettings) -> Self {
        AnswerHeaders {
            public_url: settings.public_url.clone(),
        }
    }

    /// Adds them to an answer.
    pub(super) fn complete(&self, response: &mut Response<Body>) {
        if let Some(public_url) = &self.public_url {
            place(response, public_url);
        }
    }
}

/// Where something that was made is, as clients reach it: handlers know the path alone.
fn place(response: &mut Response<Body>, public_url: &str) {
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

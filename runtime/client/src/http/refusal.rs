//! What the service said no with: the status, the body and the headers of an answer, as the client's error.

use crate::{Cause, ServiceRefusal};
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, LOCATION, RETRY_AFTER};
use serde::Deserialize;
use std::time::Duration;
use wire::{ErrorCode, FieldError};

/// The header that names an answer to the service's operator.
const REQUEST_ID: &str = "x-request-id";

/// The body of an error, as far as it is one.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ErrorBody {
    code: Option<String>,
    message: String,
    fields: Vec<FieldError>,
}

/// The refusal that an answer tells; its message may be the status alone.
pub(super) fn refusal(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> ServiceRefusal {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let body: ErrorBody = serde_json::from_slice(body).unwrap_or_default();
    ServiceRefusal {
        cause: cause(status, body.code.as_deref()),
        status: Some(status.as_u16()),
        message: match body.message.as_str() {
            "" => unsaid(status, header(LOCATION.as_str())),
            _ => body.message,
        },
        code: body.code,
        fields: body.fields,
        request_id: header(REQUEST_ID).map(str::to_owned),
        retry_after: header(RETRY_AFTER.as_str())
            .and_then(|seconds| seconds.parse().ok())
            .map(Duration::from_secs),
    }
}

/// What a status says by itself. Of where it leads no more is told than who is asked there: a path may hold a primary key.
fn unsaid(status: StatusCode, location: Option<&str>) -> String {
    let reason = status.canonical_reason().unwrap_or_default().to_lowercase();
    if !status.is_redirection() {
        return reason;
    }
    let to = location.and_then(|to| url::Url::parse(to).ok());
    let to = to.map_or_else(String::new, |to| {
        format!(" to {}", to.origin().ascii_serialization())
    });
    format!("{reason}{to}; name the address it leads to, a credential is not sent elsewhere")
}

fn cause(status: StatusCode, code: Option<&str>) -> Cause {
    if let Some(code) = code.and_then(ErrorCode::parse) {
        return Cause::from(code);
    }
    match status.as_u16() {
        401 => Cause::Unauthenticated,
        403 => Cause::Forbidden,
        404 => Cause::NotFound,
        410 => Cause::Gone,
        413 => Cause::TooLarge,
        429 => Cause::TooMany,
        500..=599 => Cause::Service,
        _ => Cause::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;

    #[test]
    fn a_redirect_tells_who_is_asked_there_and_no_path() {
        let told = |location: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(LOCATION, HeaderValue::from_static(location));
            refusal(StatusCode::MOVED_PERMANENTLY, &headers, b"").message
        };
        let help = "; name the address it leads to, a credential is not sent elsewhere";
        assert_eq!(
            told("https://data.example.org/v1/dataobjects/by-pk/C1"),
            format!("moved permanently to https://data.example.org{help}")
        );
        assert_eq!(told("/app/sign-in"), format!("moved permanently{help}"));
        let gone = refusal(StatusCode::BAD_GATEWAY, &HeaderMap::new(), b"<html>");
        assert_eq!(gone.message, "bad gateway");
    }
}

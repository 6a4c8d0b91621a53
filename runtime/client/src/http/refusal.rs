//! What the service said no with: the status, the body and the headers of an answer, as the client's error.

use crate::{Cause, ServiceRefusal};
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde::Deserialize;
use std::time::Duration;
use wire::FieldError;

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
            "" => status.canonical_reason().unwrap_or_default().to_lowercase(),
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

fn cause(status: StatusCode, code: Option<&str>) -> Cause {
    match (status.as_u16(), code) {
        (_, Some("DATA_OBJECT_NOT_FOUND")) => Cause::RecordNotFound,
        (_, Some("INVALID_REQUEST_BODY")) => Cause::InvalidBody,
        (_, Some("PRIMARY_KEY_REQUIRED")) => Cause::PrimaryKeyRequired,
        (_, Some("DUPLICATE_PRIMARY_KEY")) => Cause::DuplicateKey,
        (_, Some("DATA_OBJECT_VERSION_CONFLICT")) => Cause::VersionConflict,
        (_, Some("DATA_OBJECT_CONCURRENT_MODIFICATION")) => Cause::Concurrent,
        (401, _) => Cause::Unauthenticated,
        (403, _) => Cause::Forbidden,
        (404, _) => Cause::NotFound,
        (413, _) => Cause::TooLarge,
        (429, _) => Cause::TooMany,
        (500..=599, _) => Cause::Service,
        _ => Cause::Other,
    }
}

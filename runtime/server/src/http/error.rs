//! Every answer that says no, and the only home of status codes. Interface, "Errors"; decisions section 1.

use axum::body::Body;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse;
use service::Refusal;
use std::sync::Arc;
use store::StoreError;
use wire::manage::Problem;
use wire::{CodedError, FieldError, PlainError};

/// Why a request is not answered as it wished.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The service refused.
    Refused(Refusal),
    /// No address of the interface.
    UnknownRoute,
    /// An address of the interface, and a method it does not have.
    WrongMethod,
    /// The body is announced as something else than what is read here.
    MediaType(&'static str),
    /// The body is larger than the limit.
    TooLarge {
        /// The limit in bytes.
        bytes_max: u64,
    },
    /// The body did not arrive in time.
    TooSlow,
    /// The body broke off.
    Broken,
    /// A request for a token that lacks something.
    Token(&'static str),
    /// No record has the primary key.
    NoSuchKey,
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Failure::Refused(refusal)
    }
}

/// What failed inside: the door puts it into the log and the request's id into the answer.
#[derive(Clone, Debug)]
pub(crate) struct Cause(pub(super) Arc<StoreError>);

/// The one answer to every credential that is none: the same bytes whatever the cause.
const UNAUTHENTICATED: &str = r#"{"message":"the credential in `Authorization` is missing or not valid; send an API key or an access token, without a prefix"}"#;

impl IntoResponse for Failure {
    fn into_response(self) -> Response<Body> {
        match self {
            Failure::Refused(refusal) => refused(refusal),
            Failure::UnknownRoute => {
                plain(StatusCode::NOT_FOUND, "there is nothing at this address")
            }
            Failure::WrongMethod => plain(
                StatusCode::METHOD_NOT_ALLOWED,
                "this address does not have this method; the header `Allow` names those it has",
            ),
            Failure::MediaType(message) => plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, message),
            Failure::TooLarge { bytes_max } => too_large(bytes_max),
            Failure::TooSlow => plain(
                StatusCode::REQUEST_TIMEOUT,
                "the body did not arrive in time; send it faster",
            ),
            Failure::Broken => plain(
                StatusCode::BAD_REQUEST,
                "the body broke off or was framed wrongly; send it whole",
            ),
            Failure::Token(message) => plain(StatusCode::BAD_REQUEST, message),
            Failure::NoSuchKey => empty(StatusCode::NOT_FOUND),
        }
    }
}

fn refused(refusal: Refusal) -> Response<Body> {
    use StatusCode as S;
    let message = refusal.to_string();
    match refusal {
        Refusal::Unauthenticated => unauthenticated(),
        Refusal::Forbidden(_) | Refusal::LinkRefused => plain(S::FORBIDDEN, &message),
        Refusal::NotFound(_) => plain(S::NOT_FOUND, &message),
        Refusal::RecordNotFound => {
            coded(S::NOT_FOUND, "DATA_OBJECT_NOT_FOUND", &message, Vec::new())
        }
        Refusal::Parameter(_) => plain(S::BAD_REQUEST, &message),
        Refusal::Invalid(problems) => {
            #[derive(serde::Serialize)]
            struct Body {
                message: String,
                problems: Vec<Problem>,
            }
            shaped(S::BAD_REQUEST, &Body { message, problems })
        }
        Refusal::InvalidBody { fields, .. } => {
            coded(S::BAD_REQUEST, "INVALID_REQUEST_BODY", &message, fields)
        }
        Refusal::PrimaryKeyRequired { field } => about(field, "PRIMARY_KEY_REQUIRED", &message),
        Refusal::DuplicateKey { field } => about(field, "DUPLICATE_PRIMARY_KEY", &message),
        Refusal::VersionConflict { .. } => {
            let field = "_version".to_owned();
            about(field, "DATA_OBJECT_VERSION_CONFLICT", &message)
        }
        Refusal::Concurrent => coded(
            S::CONFLICT,
            "DATA_OBJECT_CONCURRENT_MODIFICATION",
            &message,
            Vec::new(),
        ),
        Refusal::Conflict(_) => plain(S::CONFLICT, &message),
        Refusal::TooOften { seconds } => wait(S::TOO_MANY_REQUESTS, &message, seconds),
        Refusal::NotReady { seconds } => wait(S::SERVICE_UNAVAILABLE, &message, seconds),
        Refusal::TooLarge { bytes_max } => too_large(bytes_max),
        Refusal::Store(error) => {
            let mut response = internal("");
            response.extensions_mut().insert(Cause(Arc::new(error)));
            response
        }
    }
}

/// The answer to a credential that is none. Its headers stand in one order, whoever sends it.
pub(crate) fn unauthenticated() -> Response<Body> {
    let mut response = json(StatusCode::UNAUTHORIZED, UNAUTHENTICATED);
    response
        .headers_mut()
        .insert(CONTENT_LENGTH, HeaderValue::from(UNAUTHENTICATED.len()));
    response
}

/// The answer to a credential that asks too often.
pub(crate) fn too_many(seconds: u64) -> Response<Body> {
    let message =
        "too many requests with this credential; try again after the seconds in `Retry-After`";
    wait(StatusCode::TOO_MANY_REQUESTS, message, seconds)
}

/// The answer to a failure inside; the log has the rest under the request's id.
pub(crate) fn internal(request_id: &str) -> Response<Body> {
    let message =
        format!("the service failed; the request's id is {request_id}, by which the log tells why");
    plain(StatusCode::INTERNAL_SERVER_ERROR, &message)
}

fn too_large(bytes_max: u64) -> Response<Body> {
    plain(
        StatusCode::PAYLOAD_TOO_LARGE,
        &format!("the body is larger than {bytes_max} bytes; send less"),
    )
}

/// An answer that says when to come again.
fn wait(status: StatusCode, message: &str, seconds: u64) -> Response<Body> {
    let mut response = plain(status, message);
    response
        .headers_mut()
        .insert(RETRY_AFTER, HeaderValue::from(seconds));
    response
}

/// A coded error about one field, whose entry says the same.
fn about(field: String, code: &str, message: &str) -> Response<Body> {
    let fields = vec![FieldError {
        name: field,
        errors: message.to_owned(),
    }];
    coded(StatusCode::BAD_REQUEST, code, message, fields)
}

fn coded(status: StatusCode, code: &str, message: &str, fields: Vec<FieldError>) -> Response<Body> {
    let body = CodedError {
        code: code.to_owned(),
        message: message.to_owned(),
        fields,
    };
    shaped(status, &body)
}

fn plain(status: StatusCode, message: &str) -> Response<Body> {
    let message = message.to_owned();
    shaped(status, &PlainError { message })
}

fn shaped(status: StatusCode, body: &impl serde::Serialize) -> Response<Body> {
    // INVARIANT: texts and lists of texts always have a JSON form
    json(status, serde_json::to_string(body).unwrap_or_default())
}

fn json(status: StatusCode, body: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

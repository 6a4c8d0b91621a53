//! Every answer that says no, and the only home of status codes. `docs/interface.md`, "Statuses" and "Coded
//! errors".

use axum::body::Body;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse;
use service::Refusal;
use service::manage::{Denied, Problem};
use std::sync::Arc;
use store::StoreError;
use wire::{CodedError, ErrorCode, FieldError, PlainError};

/// Why a request is not answered as it wished.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The service refused.
    Refused(Refusal),
    /// Management refused.
    Denied(Denied),
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
    /// The credential asks too often.
    TooManyRequests {
        /// How long to wait.
        seconds: u64,
    },
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Failure::Refused(refusal)
    }
}

impl From<Denied> for Failure {
    fn from(denied: Denied) -> Self {
        Failure::Denied(denied)
    }
}

/// What failed inside: the request layer puts it into the log and the request's id into the answer.
#[derive(Clone, Debug)]
pub(crate) struct Cause(pub(super) Arc<StoreError>);

/// The one answer to every credential that is none: the same bytes whatever the cause.
const UNAUTHENTICATED: &str = r#"{"message":"the credential in `Authorization` is missing or not valid; send an API key or an access token, without a prefix"}"#;

impl IntoResponse for Failure {
    fn into_response(self) -> Response<Body> {
        match self {
            Failure::Refused(refusal) => refused(refusal),
            Failure::Denied(denied) => self::denied(denied),
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
            Failure::TooManyRequests { seconds } => too_many_requests(seconds),
        }
    }
}

fn refused(refusal: Refusal) -> Response<Body> {
    use StatusCode as S;
    match refusal {
        Refusal::Unauthenticated => unauthenticated(),
        Refusal::Forbidden => plain(
            S::FORBIDDEN,
            "the credential does not allow this; its roles and its business areas both must",
        ),
        Refusal::NotFound => plain(
            S::NOT_FOUND,
            "a business area, schema or dataset of this path does not exist",
        ),
        Refusal::RecordNotFound => coded(
            S::NOT_FOUND,
            ErrorCode::DataObjectNotFound,
            "the dataset has no data object of this id; it may have been deleted",
            Vec::new(),
        ),
        Refusal::Parameter(message) => plain(S::BAD_REQUEST, &message),
        Refusal::InvalidBody { message, fields } => coded(
            S::BAD_REQUEST,
            ErrorCode::InvalidRequestBody,
            &message,
            fields,
        ),
        Refusal::PrimaryKeyRequired { field } => about(
            field,
            ErrorCode::PrimaryKeyRequired,
            "the primary key has no value; send one",
        ),
        Refusal::DuplicateKey { field } => about(
            field,
            ErrorCode::DuplicatePrimaryKey,
            "another data object of the dataset has this primary key; send another value",
        ),
        Refusal::VersionConflict { sent, stored } => about(
            "_version".to_owned(),
            ErrorCode::DataObjectVersionConflict,
            &format!(
                "the version sent is {sent} and the stored one {stored}; read the data object again and repeat the change on it"
            ),
        ),
        Refusal::Concurrent => coded(
            S::CONFLICT,
            ErrorCode::DataObjectConcurrentModification,
            "another request changed the data object at the same moment; nothing was deleted, so try again",
            Vec::new(),
        ),
        Refusal::NotReady { seconds } => not_ready(seconds),
        Refusal::TooLarge { bytes_max } => too_large(bytes_max),
        Refusal::LinkRefused => plain(
            S::FORBIDDEN,
            "the link has run out or is not one of this service; read the data object again for a new one",
        ),
        Refusal::Conflict(message) => plain(S::CONFLICT, &message),
        Refusal::Store(error) => {
            let mut response = internal("");
            response.extensions_mut().insert(Cause(Arc::new(error)));
            response
        }
    }
}

/// What management refuses: like the data interface, and for what was sent the list of all problems.
fn denied(denied: Denied) -> Response<Body> {
    let message = denied.to_string();
    match denied {
        Denied::Unauthenticated => unauthenticated(),
        Denied::Forbidden(_) => plain(StatusCode::FORBIDDEN, &message),
        Denied::NotFound(_) => plain(StatusCode::NOT_FOUND, &message),
        Denied::Conflict(_) => plain(StatusCode::CONFLICT, &message),
        Denied::Invalid(problems) => {
            #[derive(serde::Serialize)]
            struct Body {
                message: String,
                problems: Vec<Problem>,
            }
            json_of(StatusCode::BAD_REQUEST, &Body { message, problems })
        }
        Denied::TooOften { seconds } => wait(StatusCode::TOO_MANY_REQUESTS, &message, seconds),
        Denied::Refused(refusal) => refused(refusal),
        Denied::Store(error) => refused(Refusal::Store(error)),
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

fn too_many_requests(seconds: u64) -> Response<Body> {
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

fn not_ready(seconds: u64) -> Response<Body> {
    let message = "the service is not ready for this; try again after the seconds in `Retry-After`";
    wait(StatusCode::SERVICE_UNAVAILABLE, message, seconds)
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
fn about(field: String, code: ErrorCode, message: &str) -> Response<Body> {
    let fields = vec![FieldError {
        name: field,
        errors: message.to_owned(),
    }];
    coded(StatusCode::BAD_REQUEST, code, message, fields)
}

fn coded(
    status: StatusCode,
    code: ErrorCode,
    message: &str,
    fields: Vec<FieldError>,
) -> Response<Body> {
    let body = CodedError {
        code: code.as_str().to_owned(),
        message: message.to_owned(),
        fields,
    };
    json_of(status, &body)
}

fn plain(status: StatusCode, message: &str) -> Response<Body> {
    let message = message.to_owned();
    json_of(status, &PlainError { message })
}

fn json_of(status: StatusCode, body: &impl serde::Serialize) -> Response<Body> {
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

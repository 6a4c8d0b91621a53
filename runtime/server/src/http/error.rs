//! Every answer that says no, and the only home of status codes. `docs/interface.md`, "Statuses" and "Coded
//! errors".

mod store_failed;
mod store_failure_log;
mod token;
mod unsent;

pub(super) use token::of_token;
pub(super) use unsent::Unsent;

use self::store_failed::of_store;
use super::incident::mark;
use axum::body::Body;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse;
use futures_util::FutureExt as _;
use serde_json::value::RawValue;
use service::manage::Problem;
use service::{About, Refusal};
use std::borrow::Cow;
use std::sync::Arc;
use store::StoreError;
use store::catalog::AuditAction;
use wire::{CodedError, ErrorCode, FieldError, PlainError, TokenErrorCode};

/// Why a request is not answered as it wished.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The service refused.
    Refused(Refusal),
    /// The service refused, and more is known of where.
    Explained(Refusal, String),
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
    /// Nothing is sent of the file that is asked for.
    Unsent(Unsent),
    /// The body did not arrive in time.
    TooSlow,
    /// The body broke off.
    Broken,
    /// A request for a token that lacks something.
    Token(TokenErrorCode, &'static str),
    /// No record has the primary key.
    NoSuchKey,
    /// A change by cookie came without the session's token, which this header has.
    NoSessionToken(&'static str),
    /// A form came without a session, and by its `Origin` from a page of an address that is none of ours.
    #[cfg_attr(
        not(feature = "pages"),
        expect(dead_code, reason = "only forms come without a session")
    )]
    OtherOrigin,
    /// The credential asks too often.
    TooManyRequests {
        /// How long to wait.
        seconds: u64,
    },
    /// The message could be read in two ways.
    Framing(&'static str),
    /// There is no room for it now.
    Busy {
        /// What there is no room for.
        message: &'static str,
        /// How long to wait.
        seconds: u64,
    },
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Failure::Refused(refusal)
    }
}

impl Failure {
    /// What was refused, with words that say where.
    pub(crate) fn explained(refusal: Refusal, message: String) -> Self {
        Failure::Explained(refusal, message)
    }
}

/// What failed inside: the request layer puts it into the log and the request's id into the answer.
#[derive(Clone, Debug)]
pub(crate) struct Cause(pub(super) Arc<StoreError>);

/// The one answer to every credential that is none: the same bytes whatever the cause.
const UNAUTHENTICATED: &str = r#"{"message":"the credential in `Authorization` is missing or not valid; send an API key or an access token, without a prefix"}"#;

/// The same at a door that accepts the prefix of stock OAuth clients.
const UNAUTHENTICATED_WITH_BEARER: &str = r#"{"message":"the credential in `Authorization` is missing or not valid; send an API key or an access token, alone or behind `Bearer`"}"#;

/// The answer to a sign-in that is none: the same bytes whatever the cause.
const WRONG_SIGN_IN: &str = "the user name, the password or the code is not right, or the user is switched off; where there are several tenants, name the `tenant`";

/// How a failure is told.
enum Reply {
    /// By a status and a text.
    Plainly(StatusCode, Cow<'static, str>),
    /// By more than that.
    Whole(Response<Body>),
}

impl Failure {
    fn told(self) -> Reply {
        use StatusCode as S;
        let (status, text) = match self {
            Failure::UnknownRoute => (S::NOT_FOUND, "there is nothing at this address"),
            Failure::WrongMethod => (
                S::METHOD_NOT_ALLOWED,
                "this address does not have this method; the header `Allow` names those it has",
            ),
            Failure::MediaType(text) => (S::UNSUPPORTED_MEDIA_TYPE, text),
            Failure::TooLarge { bytes_max } => {
                let text = format!("the body is larger than {bytes_max} bytes; send less");
                return Reply::Plainly(S::PAYLOAD_TOO_LARGE, text.into());
            }
            Failure::Unsent(why) => return Reply::Whole(why.answer()),
            Failure::TooSlow => (
                S::REQUEST_TIMEOUT,
                "the body did not arrive in time; send it faster",
            ),
            Failure::Broken => (
                S::BAD_REQUEST,
                "the body broke off or was framed wrongly; send it whole",
            ),
            Failure::Token(_, text) | Failure::Framing(text) => (S::BAD_REQUEST, text),
            Failure::Refused(Refusal::Store(StoreError::ReadOnly)) => (
                S::FORBIDDEN,
                "the service is read only for now, so nothing was changed; its operator can tell until when",
            ),
            Failure::Refused(refusal) => return Reply::Whole(refused(refusal)),
            Failure::Explained(refusal, message) => {
                return Reply::Whole(explained(refusal, &message));
            }
            Failure::NoSuchKey => return Reply::Whole(empty(S::NOT_FOUND)),
            Failure::NoSessionToken(header) => {
                let text = format!(
                    "a change by cookie needs the session's token in the header `{header}`"
                );
                let response = plain(S::FORBIDDEN, &text);
                return Reply::Whole(mark(response, AuditAction::CsrfRefused, About::Caller));
            }
            Failure::OtherOrigin => {
                let text = "the browser tells by `Origin` that another site sent this; where a proxy stands between, it must pass on `Host`, or the service be told its address (`--public-url`)";
                let response = plain(S::FORBIDDEN, text);
                return Reply::Whole(mark(response, AuditAction::CsrfRefused, About::Caller));
            }
            Failure::TooManyRequests { seconds } => {
                let response = too_many_requests(seconds);
                return Reply::Whole(mark(response, AuditAction::TooManyRequests, About::Caller));
            }
            Failure::Busy { message, seconds } => {
                return Reply::Whole(wait(S::SERVICE_UNAVAILABLE, message, seconds));
            }
        };
        Reply::Plainly(status, text.into())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response<Body> {
        match self.told() {
            Reply::Plainly(status, text) => plain(status, &text),
            Reply::Whole(response) => response,
        }
    }
}

/// A refusal as one of many verdicts in an answer: the status and the body that it would have alone.
pub(crate) fn verdict(refusal: Refusal) -> (u16, Box<RawValue>) {
    let (status, text) = match Failure::from(refusal).told() {
        Reply::Plainly(status, text) => {
            let message = text.into_owned();
            (
                status,
                serde_json::value::to_raw_value(&PlainError { message }).ok(),
            )
        }
        Reply::Whole(response) => {
            let cause = response.extensions().get::<Cause>();
            if let Some(Cause(cause)) = cause {
                let error = &**cause as &dyn std::error::Error;
                tracing::error!(error, "one of many writes failed");
            }
            let status = response.status();
            // INVARIANT: such bodies are texts of JSON that are in memory
            let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).now_or_never();
            let bytes = bytes.and_then(Result::ok).unwrap_or_default();
            (status, serde_json::from_slice(&bytes).ok())
        }
    };
    (
        status.as_u16(),
        text.unwrap_or_else(|| RawValue::NULL.to_owned()),
    )
}

/// The same answer with another message; what has a code, or a time to come back, keeps its own.
fn explained(refusal: Refusal, message: &str) -> Response<Body> {
    let has_more = refusal.code().is_some() || matches!(refusal, Refusal::Store(_));
    let response = refused(refusal);
    if has_more || response.headers().contains_key(RETRY_AFTER) {
        return response;
    }
    plain(response.status(), message)
}

fn refused(refusal: Refusal) -> Response<Body> {
    use StatusCode as S;
    let message = refusal.to_string();
    if let Some(code) = refusal.code() {
        return coded(code, message, refusal);
    }
    match refusal {
        Refusal::Unauthenticated => unauthenticated(),
        Refusal::Forbidden(_)
        | Refusal::PasswordChangeRequired
        | Refusal::ProofRequired
        | Refusal::SecondFactorRequired
        | Refusal::SecondFactorSetupRequired
        | Refusal::QuotaExceeded { .. } => plain(S::FORBIDDEN, &message),
        Refusal::LinkRefused => mark(
            plain(S::FORBIDDEN, &message),
            AuditAction::LinkRefused,
            About::Caller,
        ),
        Refusal::NotFound(_) => plain(S::NOT_FOUND, &message),
        Refusal::Conflict(_) => plain(S::CONFLICT, &message),
        Refusal::PositionLost | Refusal::PositionOfOtherEpoch => plain(S::GONE, &message),
        Refusal::Invalid(problems) => {
            #[derive(serde::Serialize)]
            struct Body {
                message: String,
                problems: Vec<Problem>,
            }
            json_of(S::BAD_REQUEST, &Body { message, problems })
        }
        Refusal::TooOften { seconds } => mark(
            wait(S::TOO_MANY_REQUESTS, &message, seconds),
            AuditAction::TooManyRequests,
            About::Caller,
        ),
        Refusal::NotReady { seconds }
        | Refusal::Unready { seconds, .. }
        | Refusal::TooLong { seconds }
        | Refusal::NoRoom { seconds } => wait(S::SERVICE_UNAVAILABLE, &message, seconds),
        Refusal::TooLarge { .. } => plain(S::PAYLOAD_TOO_LARGE, &message),
        Refusal::Store(error) => of_store(error),
        Refusal::Parameter(_)
        | Refusal::RecordNotFound
        | Refusal::InvalidBody { .. }
        | Refusal::PrimaryKeyRequired { .. }
        | Refusal::DuplicateKey { .. }
        | Refusal::VersionConflict { .. }
        | Refusal::Concurrent => plain(S::BAD_REQUEST, &message),
    }
}

/// A refusal with a code. What is about one field has an entry that says the same.
fn coded(code: ErrorCode, message: String, refusal: Refusal) -> Response<Body> {
    let status = match code {
        ErrorCode::DataObjectNotFound => StatusCode::NOT_FOUND,
        ErrorCode::DataObjectConcurrentModification => StatusCode::CONFLICT,
        ErrorCode::PasswordChangeRequired
        | ErrorCode::ProofRequired
        | ErrorCode::SecondFactorRequired
        | ErrorCode::SecondFactorSetupRequired
        | ErrorCode::QuotaExceeded => StatusCode::FORBIDDEN,
        ErrorCode::InvalidRequestBody
        | ErrorCode::PrimaryKeyRequired
        | ErrorCode::DuplicatePrimaryKey
        | ErrorCode::DataObjectVersionConflict => StatusCode::BAD_REQUEST,
    };
    let about = refusal.field().map(|field| FieldError {
        name: field.to_owned(),
        errors: message.clone(),
    });
    let fields = match refusal {
        Refusal::InvalidBody { fields, .. } => fields,
        _ => about.into_iter().collect(),
    };
    let code = code.as_str().to_owned();
    json_of(
        status,
        &CodedError {
            code,
            message,
            fields,
        },
    )
}

/// The answer to a credential that is none. Its headers stand in one order, whoever sends it.
pub(crate) fn unauthenticated() -> Response<Body> {
    nobody(UNAUTHENTICATED)
}

/// The same at a door that accepts the prefix of stock OAuth clients.
pub(super) fn unauthenticated_with_bearer() -> Response<Body> {
    nobody(UNAUTHENTICATED_WITH_BEARER)
}

fn nobody(text: &'static str) -> Response<Body> {
    let mut response = json(StatusCode::UNAUTHORIZED, text);
    response
        .headers_mut()
        .insert(CONTENT_LENGTH, HeaderValue::from(text.len()));
    response
}

/// The answer to a sign-in that failed: nothing was sent in `Authorization`.
pub(crate) fn wrong_sign_in() -> Response<Body> {
    plain(StatusCode::UNAUTHORIZED, WRONG_SIGN_IN)
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

/// An answer that says when to come again.
fn wait(status: StatusCode, message: &str, seconds: u64) -> Response<Body> {
    let mut response = plain(status, message);
    response
        .headers_mut()
        .insert(RETRY_AFTER, HeaderValue::from(seconds));
    response
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

//! Answers of endpoint 1 that say no: what the interface says, and beside it what OAuth clients understand.

use super::{Failure, Reply, json_of};
use axum::body::Body;
use axum::http::header::{HeaderValue, WWW_AUTHENTICATE};
use axum::http::{Response, StatusCode};
use service::Refusal;
use wire::{TokenError, TokenErrorCode};

/// The answer to a client that is none, at endpoint 1: the same bytes whatever the cause.
const WRONG_CLIENT: &str =
    "the client's id or secret is not right, or the client is switched off; check both";

/// A failure as endpoint 1 tells it, so that OAuth clients understand it, too: RFC 6749, section 5.2. A client that
/// showed itself by Basic is told the scheme again.
pub(in crate::http) fn of_token(failure: Failure, is_basic: bool) -> Response<Body> {
    use TokenErrorCode as Code;
    let code = match &failure {
        Failure::Token(code, _) => *code,
        Failure::Refused(Refusal::Store(_)) => Code::TemporarilyUnavailable,
        Failure::Refused(Refusal::Unauthenticated) => {
            let mut response =
                token_error(StatusCode::UNAUTHORIZED, WRONG_CLIENT, Code::InvalidClient);
            if is_basic {
                let scheme =
                    HeaderValue::from_static(r#"Basic realm="fieldstone", charset="UTF-8""#);
                response.headers_mut().insert(WWW_AUTHENTICATE, scheme);
            }
            return response;
        }
        _ => Code::InvalidRequest,
    };
    match failure.told() {
        Reply::Plainly(status, text) => token_error(status, &text, code),
        Reply::Whole(response) => response,
    }
}

fn token_error(status: StatusCode, message: &str, error: TokenErrorCode) -> Response<Body> {
    let message = message.to_owned();
    json_of(
        status,
        &TokenError {
            error_description: message.clone(),
            message,
            error,
        },
    )
}

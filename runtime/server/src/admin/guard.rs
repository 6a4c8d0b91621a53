//! Who comes in: a credential in `Authorization`, or a session's cookie, which for anything but reading
//! needs the session's token in a header as well. A page of another site can make a browser send the
//! cookie, but neither header.

use crate::http::error::{Failure, unauthenticated};
use crate::http::extract::single;
use crate::http::note::Note;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE, HeaderMap};
use axum::http::{HeaderName, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use service::Refusal;
use service::{Service, secrets};
use std::sync::Arc;

/// The cookie of a session.
pub(super) const SESSION_COOKIE: &str = "fieldstone_session";
/// The header with the session's token.
pub(super) const CSRF_HEADER: HeaderName = HeaderName::from_static("x-csrf-token");

/// The session that a caller came in with.
#[derive(Clone)]
pub(super) struct SessionSecret(pub(super) String);

/// Lets in whoever shows a credential, and no one else: also not to learn which addresses there are.
pub(super) async fn ask(
    State(service): State<Arc<Service>>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some((credential, is_cookie)) = shown(request.headers()) else {
        return unauthenticated();
    };
    let Ok(caller) = service.authenticate(&credential) else {
        return unauthenticated();
    };
    if is_cookie && !is_safe(request.method()) && !has_token(&service, &credential, &request) {
        return Failure::from(Refusal::Forbidden(
            format!("a change by cookie needs the session's token in the header `{CSRF_HEADER}`")
                .into(),
        ))
        .into_response();
    }
    let Some(note) = Note::of(&request) else {
        return unauthenticated();
    };
    note.admit(caller);
    if credential.starts_with(secrets::SESSION_PREFIX) {
        request.extensions_mut().insert(SessionSecret(credential));
    }
    next.run(request).await
}

/// The credential of a request, and whether it is a cookie. A header that is there counts alone.
fn shown(headers: &HeaderMap) -> Option<(String, bool)> {
    if headers.contains_key(AUTHORIZATION) {
        let credential = single(headers, &AUTHORIZATION)?.to_str().ok()?;
        return Some((credential.to_owned(), false));
    }
    // nothing but a session comes in by cookie
    let session = cookie(headers, SESSION_COOKIE)?;
    let is_one = session.starts_with(secrets::SESSION_PREFIX);
    is_one.then(|| (session.to_owned(), true))
}

/// The value of a cookie; two of a name are none.
pub(super) fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let pairs = headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'));
    let mut own = pairs.filter_map(|pair| {
        let (own, value) = pair.trim().split_once('=')?;
        (own == name).then_some(value)
    });
    let value = own.next()?;
    own.next().is_none().then_some(value)
}

fn is_safe(method: &Method) -> bool {
    method == Method::GET || method == Method::HEAD
}

fn has_token(service: &Service, session: &str, request: &Request) -> bool {
    let token = single(request.headers(), &CSRF_HEADER).and_then(|token| token.to_str().ok());
    token.is_some_and(|token| service.is_csrf_token(session, token))
}

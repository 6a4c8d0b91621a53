//! Forms of sessions that have ended: whoever sends one signs in without losing it.

use super::kept::{Kept, is_own};
use super::sign_in;
use super::visit::{Site, Visit, is_sent_by_page, read_pairs, see};
use crate::http::call::{Anonymous, Call};
use crate::http::cookies::Cookies;
use crate::http::header::cookie;
use axum::body::Body;
use axum::extract::{FromRequest as _, Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::http::{Method, Response};
use axum::middleware::Next;
use axum::response::IntoResponse;
use std::sync::Arc;

/// Makes a page take the place of another one, of which a part was asked for.
fn in_place_of_page(mut response: Response<Body>) -> Response<Body> {
    let headers = response.headers_mut();
    headers.insert("hx-retarget", HeaderValue::from_static("body"));
    headers.insert("hx-reswap", HeaderValue::from_static("innerHTML"));
    response
}

/// Has whoever sends a form of a session that has ended sign in without losing it.
pub(super) async fn through_sign_in(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response<Body> {
    if !is_form_of_ended(&site, &request) {
        return next.run(request).await;
    }
    let uri = request.uri();
    let to = uri
        .path_and_query()
        .map_or("/", |it| it.as_str())
        .to_owned();
    let call = Call::<(), Anonymous>::from_request(request, &site.service).await;
    let (visit, body) = match call {
        Ok(call) => Visit::of(call, &site),
        Err(response) => return response,
    };
    let sent = body.form(site.service.settings()).await;
    let pairs = sent.map(|sent| read_pairs(&sent)).unwrap_or_default();
    let kept = Kept::of(&to, &pairs);
    if !is_own(&to) || !kept.is_ours(visit.headers(), &site) {
        return see(&site, sign_in::PATH, visit.is_part);
    }
    let page = sign_in::show_with(&visit, kept);
    let page = page.unwrap_or_else(IntoResponse::into_response);
    if visit.is_part {
        in_place_of_page(page)
    } else {
        page
    }
}

fn is_form_of_ended(site: &Site, request: &Request) -> bool {
    let headers = request.headers();
    let kind = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    let is_form = kind.is_some_and(|it| it.starts_with(b"application/x-www-form-urlencoded"));
    let cookies = Cookies::of(site.service.settings());
    let has_ended = match cookie(headers, cookies.session()) {
        Some(session) => site.service.authenticate(session).is_err(),
        None => is_sent_by_page(headers),
    };
    request.method() == Method::POST && is_form && has_ended
}

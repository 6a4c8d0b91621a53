//! Refusals and failures as pages: whatever a handler is refused with becomes a page that says so, with the request's id.
//! It knows no causes: what management answers is what is shown.

use super::filled_in::FilledIn;
use super::kept::{HeldUpBy, Kept, in_place_of_page, is_own, send_again};
use super::texts::Texts;
use super::visit::{self, Page, Site, shown_as};
use super::{proof, sign_in};
use crate::http::context::RequestContext;
use crate::http::request_layer::is_failed_inside;
use crate::http::response::PART_OF_PAGE;
use askama::Template;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use axum::http::{Response, StatusCode};
use axum::middleware::Next;
use serde::Deserialize;
use std::sync::Arc;
use wire::ErrorCode;

/// Bytes of a refusal at most.
const BYTES_MAX: usize = 1 << 20;

#[derive(Template)]
#[template(path = "failure.html", blocks = ["message"])]
struct FailurePage {
    page: Page,
    status: u16,
    title: &'static str,
    message: String,
    problems: Vec<Told>,
}

impl FailurePage {
    fn of(page: Page, status: StatusCode, told: Refused) -> Self {
        let texts = page.t;
        let message = if told.problems.len() == 1 {
            // it stands below, with where it is
            String::new()
        } else {
            texts.said(&told.message)
        };
        let problems = told.problems.into_iter();
        FailurePage {
            page,
            status: status.as_u16(),
            title: title(status, texts),
            message,
            problems: problems.map(|it| it.translated(texts)).collect(),
        }
    }
}

/// What management says of a refusal.
#[derive(Default, Deserialize)]
struct Refused {
    #[serde(default)]
    code: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    problems: Vec<Told>,
}

#[derive(Deserialize)]
struct Told {
    path: String,
    message: String,
    #[serde(default)]
    code: String,
    #[serde(default)]
    values: Vec<String>,
}

impl Told {
    /// In the words of the reader's language.
    fn translated(self, texts: &Texts) -> Self {
        let own = texts.contradiction(&self.code, &self.values);
        let message = own.unwrap_or_else(|| texts.said(&self.message));
        Told { message, ..self }
    }
}

/// Answers a request, refusals as pages.
pub(super) async fn as_page(
    State(site): State<Arc<Site>>,
    mut request: Request,
    next: Next,
) -> Response<Body> {
    let filled_in = FilledIn::default();
    request.extensions_mut().insert(filled_in.clone());
    let to = request.uri().path_and_query();
    let to = to.map_or("/", |it| it.as_str()).to_owned();
    let texts = visit::texts_for(request.headers());
    let is_part = request.headers().contains_key(PART_OF_PAGE);
    let context = request.extensions().get::<Arc<RequestContext>>().cloned();
    let response = next.run(request).await;
    let kind = response.headers().get(CONTENT_TYPE);
    let is_page = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let is_told = response.status().is_client_error() || response.status().is_server_error();
    let Some(context) = context.filter(|_| is_told && !is_page) else {
        return response;
    };
    let mut response = response;
    let is_inside = is_failed_inside(&mut response, context.request_id());
    let (parts, body) = response.into_parts();
    let bytes = axum::body::to_bytes(body, BYTES_MAX)
        .await
        .unwrap_or_default();
    let told: Refused = serde_json::from_slice(&bytes).unwrap_or_default();
    if told.code == ErrorCode::PasswordChangeRequired.as_str() {
        return visit::see(&site, "/password", is_part);
    }
    let page = Page::of_request(&site, texts, &context);
    if let Some(page) = going_on(&told, parts.status, &filled_in, &to, page) {
        let mut page = if is_part {
            in_place_of_page(page)
        } else {
            page
        };
        page.extensions_mut().extend(parts.extensions);
        return page;
    }
    if parts.status == StatusCode::UNAUTHORIZED {
        return visit::see(&site, sign_in::PATH, is_part);
    }
    let page = Page::of_request(&site, texts, &context);
    let mut failure = FailurePage::of(page, parts.status, told);
    if is_inside {
        texts.failed_inside.clone_into(&mut failure.message);
    }
    let made = if is_part {
        shown_as(parts.status, &failure.as_message())
    } else {
        shown_as(parts.status, &failure)
    };
    let Ok(mut made) = made else {
        return Response::from_parts(parts, Body::from(bytes));
    };
    if is_part {
        // whatever the part was for, what is on the page stays
        let headers = made.headers_mut();
        headers.insert("hx-retarget", HeaderValue::from_static("#failure"));
        headers.insert("hx-reswap", HeaderValue::from_static("innerHTML"));
    }
    if let Some(seconds) = parts.headers.get(RETRY_AFTER) {
        made.headers_mut().insert(RETRY_AFTER, seconds.clone());
    }
    made.extensions_mut().extend(parts.extensions);
    made
}

/// The page from where a form goes on that was refused only for when it came: its user has to show the password anew, or
/// it is of another session.
fn going_on(
    told: &Refused,
    status: StatusCode,
    filled_in: &FilledIn,
    to: &str,
    page: Page,
) -> Option<Response<Body>> {
    if !is_own(to) {
        return None;
    }
    if told.code == ErrorCode::ProofRequired.as_str() {
        let kept = Kept::of(to, filled_in.taken()?);
        return proof::asked(page, kept).ok();
    }
    let stale = filled_in.stale();
    let kept = Kept::of(to, stale.filter(|_| status == StatusCode::FORBIDDEN)?);
    let mut page = send_again(page, kept, HeldUpBy::OtherSession).ok()?;
    *page.status_mut() = status;
    Some(page)
}

fn title(status: StatusCode, texts: &Texts) -> &'static str {
    match status {
        StatusCode::FORBIDDEN => texts.not_allowed,
        StatusCode::NOT_FOUND => texts.not_found,
        StatusCode::CONFLICT => texts.in_conflict,
        status if status.is_server_error() => texts.not_now,
        _ => texts.not_understood,
    }
}

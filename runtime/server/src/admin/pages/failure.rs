//! Refusals and failures as pages: whatever a handler is refused with becomes a page that says so, with the request's id.
//! It knows no causes: what management answers is what is shown.

use super::filled_in::FilledIn;
use super::kept::{Kept, in_place_of_page, is_own};
use super::lent::Lent;
use super::pagination::first_page_of;
use super::sent_again::{HeldUpBy, SentAgain, send_again};
use super::texts::{Texts, alone};
use super::visit::{self, Page, Site, shown_as};
use super::{proof, sign_in};
use crate::http::context::RequestContext;
use crate::http::request_layer::{caught, log_cause};
use crate::http::response::PART_OF_PAGE;
use crate::http::room;
use askama::Template;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use axum::http::response::Parts;
use axum::http::{Method, Response, StatusCode};
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
    /// The first page of the list of which a page was asked for that is none.
    first: Option<String>,
    /// What is told of the form that was refused; empty where there was none.
    of_form: &'static str,
    /// That form, to be sent again.
    again: Option<SentAgain>,
}

impl FailurePage {
    fn of(page: Page, status: StatusCode, told: Refused) -> Self {
        let texts = page.t;
        let message = if told.problems.len() == 1 {
            // it stands below, with where it is
            String::new()
        } else {
            alone(&texts.said(&told.message))
        };
        let problems = told.problems.into_iter();
        FailurePage {
            page,
            status: status.as_u16(),
            title: title(status, texts),
            message,
            problems: problems.map(|it| it.translated(texts)).collect(),
            first: None,
            of_form: "",
            again: None,
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
    request: Request,
    next: Next,
) -> Response<Body> {
    let (mut request, lent) = Lent::of(request);
    let asked = AskedFor::of(&request);
    request.extensions_mut().insert(asked.filled_in.clone());
    let Some(context) = request.extensions().get::<Arc<RequestContext>>().cloned() else {
        return next.run(request).await;
    };
    let response = caught(next.run(request), context.request_id()).await;
    let response = room::held_inside(site.service.memory(), &context, response);
    if !is_bare_refusal(&response) {
        return response;
    }
    if response.status().is_server_error()
        && let Some(lent) = lent
    {
        lent.note(&site, &asked.to, &asked.filled_in).await;
    }
    asked.refused(&site, &context, response).await
}

/// Whether an answer refuses and is no page yet.
fn is_bare_refusal(response: &Response<Body>) -> bool {
    let kind = response.headers().get(CONTENT_TYPE);
    let is_page = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let status = response.status();
    !is_page && (status.is_client_error() || status.is_server_error())
}

/// What a request asked for, which is remembered while it is answered.
struct AskedFor {
    /// What its form was filled in with, once it was read.
    filled_in: FilledIn,
    to: String,
    texts: &'static Texts,
    /// Whether it asked for a part of a page.
    is_part: bool,
    /// Whether it sent a form.
    is_form: bool,
}

impl AskedFor {
    fn of(request: &Request) -> Self {
        let to = request.uri().path_and_query();
        AskedFor {
            filled_in: FilledIn::default(),
            to: to.map_or("/", |it| it.as_str()).to_owned(),
            texts: visit::texts_for(request.headers()),
            is_part: request.headers().contains_key(PART_OF_PAGE),
            is_form: request.method() == Method::POST,
        }
    }

    /// The page for a refusal.
    async fn refused(
        &self,
        site: &Site,
        context: &RequestContext,
        mut response: Response<Body>,
    ) -> Response<Body> {
        log_cause(&mut response, context.request_id());
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, BYTES_MAX)
            .await
            .unwrap_or_default();
        let told: Refused = serde_json::from_slice(&bytes).unwrap_or_default();
        if told.code == ErrorCode::PasswordChangeRequired.as_str() {
            return visit::see(site, "/password", self.is_part);
        }
        let memory = site.service.memory();
        if let Some(page) = self.going_on((site, context), &told, parts.status) {
            let mut page = room::held_inside(memory, context, page);
            page.extensions_mut().extend(parts.extensions);
            return page;
        }
        let again = self.again((site, context), parts.status);
        if parts.status == StatusCode::UNAUTHORIZED && again.is_none() {
            return visit::see(site, sign_in::PATH, self.is_part);
        }
        let page = Page::of_request(site, self.texts, context);
        let mut failure = FailurePage::of(page, parts.status, told);
        failure.of_form = self.told_of_form(again.is_some(), parts.status);
        failure.again = again;
        if parts.status == StatusCode::BAD_REQUEST {
            failure.first = first_page_of(&self.to);
        }
        if parts.status == StatusCode::INTERNAL_SERVER_ERROR {
            self.texts.failed_inside.clone_into(&mut failure.message);
        }
        let Some(made) = self.told(&failure, &parts) else {
            return Response::from_parts(parts, Body::from(bytes));
        };
        let mut made = room::held_inside(memory, context, made);
        made.extensions_mut().extend(parts.extensions);
        made
    }

    /// The page from where a form goes on that was refused only for when it came: its user has to show the password anew,
    /// or it is of another session.
    fn going_on(
        &self,
        (site, context): (&Site, &RequestContext),
        told: &Refused,
        status: StatusCode,
    ) -> Option<Response<Body>> {
        if !is_own(&self.to) {
            return None;
        }
        let page = Page::of_request(site, self.texts, context);
        let page = if told.code == ErrorCode::ProofRequired.as_str() {
            let kept = Kept::of(&self.to, self.filled_in.taken()?);
            proof::asked(page, kept).ok()?
        } else {
            if status != StatusCode::FORBIDDEN {
                return None;
            }
            let kept = Kept::of(&self.to, self.filled_in.stale()?);
            let kept = match context.caller() {
                Some(caller) => kept.named_for(caller),
                None => kept,
            };
            let mut page = send_again(site, page, kept, HeldUpBy::OtherSession).ok()?;
            *page.status_mut() = status;
            page
        };
        Some(if self.is_part {
            in_place_of_page(page)
        } else {
            page
        })
    }

    /// The form that was refused, to be sent again from the page that tells so; none where its page is there still, and where
    /// there was nothing to fill in and nothing to wait for.
    fn again(
        &self,
        (site, context): (&Site, &RequestContext),
        status: StatusCode,
    ) -> Option<SentAgain> {
        // of who had no session and is refused for it, no page takes the form again
        let is_of_nobody = status == StatusCode::UNAUTHORIZED && context.session().is_none();
        if self.is_part || is_of_nobody || !is_own(&self.to) {
            return None;
        }
        let kept = Kept::of(&self.to, self.filled_in.taken()?);
        let kept = match context.caller() {
            Some(caller) => kept.named_for(caller),
            None => kept,
        };
        if status == StatusCode::PAYLOAD_TOO_LARGE {
            return Some(SentAgain::to_be_shortened(site, kept, self.texts));
        }
        let again = SentAgain::of(site, kept, self.texts);
        (status.is_server_error() || again.has_work()).then_some(again)
    }

    /// What is told of the form that was refused: whether it is there still.
    fn told_of_form(&self, is_there: bool, status: StatusCode) -> &'static str {
        let own = &self.texts.access;
        let is_too_large = status == StatusCode::PAYLOAD_TOO_LARGE;
        if is_there {
            return if is_too_large {
                own.kept_to_shorten
            } else {
                own.kept_refused
            };
        }
        let is_cut_off = is_too_large || status == StatusCode::REQUEST_TIMEOUT;
        let is_unread = self.is_form && !self.is_part && !self.filled_in.is_taken();
        if is_unread && (is_cut_off || status.is_server_error()) {
            own.kept_unread
        } else {
            ""
        }
    }

    /// What is told of a refusal, as a page or as the part of one; nothing, where that can't be written.
    fn told(&self, failure: &FailurePage, parts: &Parts) -> Option<Response<Body>> {
        let made = if self.is_part {
            shown_as(parts.status, &failure.as_message())
        } else {
            shown_as(parts.status, failure)
        };
        let mut made = made.ok()?;
        let headers = made.headers_mut();
        if self.is_part {
            // whatever the part was for, what is on the page stays
            headers.insert("hx-retarget", HeaderValue::from_static("#failure"));
            headers.insert("hx-reswap", HeaderValue::from_static("innerHTML"));
        }
        if let Some(seconds) = parts.headers.get(RETRY_AFTER) {
            headers.insert(RETRY_AFTER, seconds.clone());
        }
        Some(made)
    }
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

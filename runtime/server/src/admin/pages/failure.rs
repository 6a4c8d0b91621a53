//! Refusals and failures as pages: whatever a handler is refused with becomes a page that says so, with the request's id.
//! It knows no causes: what management answers is what is shown.

use super::filled_in::FilledIn;
use super::kept::{Kept, in_place_of_page, is_own};
use super::lent::Lent;
use super::page_bytes::page_bytes;
use super::pagination::first_page_of;
use super::sent_again::{HeldUpBy, SentAgain, send_again};
use super::texts::{Texts, alone};
use super::visit::{self, Page, Site, shown_as};
use super::{proof, sign_in};
use crate::admin::response::no_store;
use crate::http::context::RequestContext;
use crate::http::request_layer::{caught, log_cause};
use crate::http::request_log::IsRefusal;
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
use service::Reservation;
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

/// What becomes of a form that was refused.
#[derive(Default)]
struct RefusedForm {
    /// What is told of it; empty, where there was none and where nothing of it is lost.
    told: &'static str,
    /// It, to be sent again.
    again: Option<SentAgain>,
    /// The room of the page that it stands on.
    _room: Option<Reservation>,
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
    /// Whether that brought a file.
    has_file: bool,
}

impl AskedFor {
    fn of(request: &Request) -> Self {
        let to = request.uri().path_and_query();
        let kind = request.headers().get(CONTENT_TYPE);
        AskedFor {
            filled_in: FilledIn::default(),
            to: to.map_or("/", |it| it.as_str()).to_owned(),
            texts: visit::texts_for(request.headers()),
            is_part: request.headers().contains_key(PART_OF_PAGE),
            is_form: request.method() == Method::POST,
            has_file: kind.is_some_and(|it| it.as_bytes().starts_with(b"multipart/form-data")),
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
            return self.led_to("/password", site, parts);
        }
        if told.code == ErrorCode::SecondFactorSetupRequired.as_str() {
            return self.led_to("/profile", site, parts);
        }
        let memory = site.service.memory();
        if let Some(page) = self.going_on((site, context), &told, parts.status) {
            let mut page = room::held_inside(memory, context, page);
            page.extensions_mut().extend(parts.extensions);
            return page;
        }
        let form = self.form_refused((site, context), parts.status);
        if parts.status == StatusCode::UNAUTHORIZED && form.again.is_none() {
            return self.led_to(sign_in::PATH, site, parts);
        }
        let page = Page::of_request(site, self.texts, context);
        let mut failure = FailurePage::of(page, parts.status, told);
        failure.of_form = form.told;
        failure.again = form.again;
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

    /// The answer that leads from a refusal to another page; the log and the trail are told of a refusal further on.
    fn led_to(&self, path: &str, site: &Site, refused: Parts) -> Response<Body> {
        let mut response = visit::see(site, path, self.is_part);
        let extensions = response.extensions_mut();
        extensions.extend(refused.extensions);
        extensions.insert(IsRefusal);
        response
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
            let kept = self.kept(context)?.behind_proof();
            let kept = Some(kept).filter(|it| !it.lost_secret)?;
            let _page = room_for((site, context), &kept)?;
            proof::asked(site, page, kept, context.caller()?).ok()?
        } else {
            if status != StatusCode::FORBIDDEN {
                return None;
            }
            let kept = Kept {
                takes_file: self.filled_in.has_file(),
                ..Kept::of(&self.to, self.filled_in.stale()?)
            };
            let kept = Some(named(kept, context)).filter(|it| !it.lost_secret)?;
            let _page = room_for((site, context), &kept)?;
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

    /// What becomes of the form that was refused. Where its page is there still, and where there was nothing to fill in and
    /// nothing to wait for, nothing is told of it.
    fn form_refused(
        &self,
        (site, context): (&Site, &RequestContext),
        status: StatusCode,
    ) -> RefusedForm {
        let own = &self.texts.access;
        // of who had no session and is refused for it, no page takes the form again
        let is_of_nobody = status == StatusCode::UNAUTHORIZED && context.session().is_none();
        if self.is_part || !self.is_form || is_of_nobody {
            return RefusedForm::default();
        }
        let lost = RefusedForm {
            told: own.kept_elsewhere,
            ..RefusedForm::default()
        };
        let is_too_large = status == StatusCode::PAYLOAD_TOO_LARGE;
        let is_cut_off = is_too_large || status == StatusCode::REQUEST_TIMEOUT;
        // for a stranger no page is made of more than anyone may send
        let bytes_max = site.service.settings().body_bytes_max;
        let is_of_stranger = context.session().is_none() && self.filled_in.bytes() > bytes_max;
        let kept = if is_of_stranger || !is_own(&self.to) {
            None
        } else {
            self.kept(context)
        };
        let Some(kept) = kept else {
            let is_held_up = self.has_file || self.filled_in.is_stale();
            let is_lost = is_cut_off || is_held_up || is_of_stranger;
            return if is_lost || status.is_server_error() {
                lost
            } else {
                RefusedForm::default()
            };
        };
        let room = room_for((site, context), &kept);
        if kept.lost_secret || room.is_none() {
            return lost;
        }
        let again = if is_too_large && !kept.takes_file {
            SentAgain::to_be_shortened(site, kept, self.texts)
        } else if status.is_client_error() {
            // it may be refused again, as where what it is about is gone
            SentAgain::to_be_copied(site, kept, self.texts)
        } else {
            SentAgain::of(site, kept, self.texts)
        };
        if !(is_too_large || status.is_server_error() || again.has_work()) {
            return RefusedForm::default();
        }
        RefusedForm {
            told: told_of(&again, self.texts),
            again: Some(again),
            _room: room,
        }
    }

    /// What was filled in with the session's token.
    fn kept(&self, context: &RequestContext) -> Option<Kept> {
        let kept = Kept {
            takes_file: self.filled_in.has_file(),
            ..Kept::of(&self.to, self.filled_in.taken()?)
        };
        Some(named(kept, context))
    }

    /// What is told of a refusal, as a page or as the part of one; nothing, where that can't be written.
    fn told(&self, failure: &FailurePage, parts: &Parts) -> Option<Response<Body>> {
        let made = if self.is_part {
            shown_as(parts.status, &failure.as_message())
        } else {
            shown_as(parts.status, failure)
        };
        let mut made = made.ok()?;
        if failure.again.is_some() {
            made = no_store(made);
        }
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

/// A form with the names of what it holds by ids, as far as who asks sees it.
fn named(kept: Kept, context: &RequestContext) -> Kept {
    match context.caller() {
        Some(caller) => kept.named_for(caller),
        None => kept,
    }
}

/// Room for a page with a form.
fn room_for((site, context): (&Site, &RequestContext), kept: &Kept) -> Option<Reservation> {
    room::for_page(site.service.memory(), context, page_bytes(&kept.fields)).ok()
}

/// What is told of a form that stands on the page to be sent again.
fn told_of(again: &SentAgain, texts: &Texts) -> &'static str {
    let own = &texts.access;
    if again.is_too_long {
        own.kept_to_shorten
    } else if again.kept.lacks_file() {
        own.kept_but_file
    } else if again.has_work() {
        own.kept_refused
    } else {
        own.kept_again
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

//! The page that asks for the code of a second factor, and for nothing else: the password was right before. That it was is
//! held for a few minutes by the page and the browser together, so that neither does without the other, and no session.

use super::kept::Kept;
use super::numbers::grouped;
use super::texts::{Texts, filled};
use super::visit::{Form, Page, Section, Visit, shown_as};
use crate::admin::response::no_store;
use crate::http::call::Anonymous;
use crate::http::cookies::Cookies;
use crate::http::error::Failure;
use crate::http::header::cookie;
use askama::Template;
use axum::body::Body;
use axum::http::header::HeaderValue;
use axum::http::{Response, StatusCode};
use service::manage::{PendingSignIn, SettingUnit};

/// The input with what says whose password was right.
pub(super) const PENDING: &str = "pending";

#[derive(Template)]
#[template(path = "sign_in_code.html", blocks = ["card"])]
pub(super) struct CodePage {
    page: Page,
    /// What says whose password was right.
    pending: String,
    username: String,
    next: String,
    /// A form that was sent when its session had ended.
    kept: Option<Kept>,
    message: Option<String>,
}

impl CodePage {
    /// The one behind a form, with what says whose password was right, and the name of that user.
    pub(super) fn of(
        visit: &Visit<(), Anonymous>,
        form: &Form,
        (pending, username): (&str, &str),
        message: Option<String>,
    ) -> Self {
        CodePage {
            page: visit.page(Section::Own),
            pending: pending.to_owned(),
            username: username.to_owned(),
            next: form.text("next").to_owned(),
            kept: kept(visit, form),
            message,
        }
    }

    /// The same once more, which says why.
    pub(super) fn again(
        visit: &Visit<(), Anonymous>,
        form: &Form,
        pending: &PendingSignIn,
        message: String,
    ) -> Self {
        let own = (form.text(PENDING), pending.name().username);
        CodePage::of(visit, form, own, Some(message))
    }

    /// As an answer: where a script asks, in place of the form that it sent.
    ///
    /// # Errors
    /// A page that can't be written.
    pub(super) fn shown(
        &self,
        is_part: bool,
        status: StatusCode,
    ) -> Result<Response<Body>, Failure> {
        let response = if is_part {
            shown_as(status, &self.as_card()).map(in_place_of_card)
        } else {
            shown_as(status, self)
        };
        response.map(no_store)
    }
}

/// The sign-in that this browser began, as its page says.
pub(super) fn pending_of(visit: &Visit<(), Anonymous>, token: &str) -> Option<PendingSignIn> {
    let service = &visit.site.service;
    let cookies = Cookies::of(service.settings());
    let kept_here = cookie(visit.headers(), cookies.sign_in()).unwrap_or_default();
    service.pending_sign_in(token, kept_here)
}

/// The form that a sign-in carries along, if it is one of ours.
pub(super) fn kept(visit: &Visit<(), Anonymous>, form: &Form) -> Option<Kept> {
    Kept::carried(form).filter(|kept| kept.is_ours(visit.headers(), &visit.site))
}

/// What is told of too many tries: when to come back.
pub(super) fn too_often(texts: &Texts, seconds: u64) -> String {
    let count = grouped(seconds, texts);
    let unit = texts.settings.of_unit(SettingUnit::Seconds, &count);
    filled(texts.access.sign_in_wait, &[&format!("{count} {unit}")])
}

/// Makes a card take the place of the one with the form that was sent.
pub(super) fn in_place_of_card(mut response: Response<Body>) -> Response<Body> {
    let headers = response.headers_mut();
    headers.insert("hx-retarget", HeaderValue::from_static("closest section"));
    headers.insert("hx-reswap", HeaderValue::from_static("outerHTML"));
    response
}

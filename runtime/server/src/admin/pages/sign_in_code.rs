//! The page that asks for the code of a second factor, and for nothing else: the password was right before. That it was is
//! held for a few minutes by the page and the browser together, so that neither does without the other, and no session.

use super::kept::Kept;
use super::numbers::grouped;
use super::texts::Texts;
use super::texts::schemas::filled;
use super::visit::{Page, shown_as};
use crate::admin::response::no_store;
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::header::HeaderValue;
use axum::http::{Response, StatusCode};
use service::manage::SettingUnit;

/// The input with what says whose password was right.
pub(super) const PENDING: &str = "pending";

#[derive(Template)]
#[template(path = "sign_in_code.html", blocks = ["card"])]
pub(super) struct CodePage {
    pub(super) page: Page,
    /// What says whose password was right.
    pub(super) pending: String,
    pub(super) username: String,
    pub(super) next: String,
    /// A form that was sent when its session had ended.
    pub(super) kept: Option<Kept>,
    pub(super) message: Option<String>,
}

impl CodePage {
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

//! One's own password, which who was given one by someone else chooses anew before anything else.

use super::visit::{Page, Section, Submission, Visit, shown, shown_as};
use crate::http::call::Own;
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use service::Refusal;
use service::manage::Password;

#[derive(Template)]
#[template(path = "own_password.html")]
struct OwnPasswordPage {
    page: Page,
    must_change: bool,
    message: Option<String>,
}

pub(super) async fn show(visit: Visit<(), Own>) -> Result<Response<Body>, Failure> {
    shown(&OwnPasswordPage {
        page: visit.page(Section::Own),
        must_change: visit.caller.0.must_change_password(),
        message: None,
    })
}

pub(super) async fn change(sent: Submission<(), Own>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let Own(caller) = &visit.caller;
    let password = Password::new(form.text("password"));
    let new_password = Password::new(form.text("new-password"));
    let service = &visit.site.service;
    let changed = service.change_own_password(caller, &password, &new_password);
    match changed.await {
        // all sessions end with it
        Ok(()) => Ok(visit.see(super::sign_in::PATH)),
        Err(Refusal::Invalid(problems)) => {
            let page = OwnPasswordPage {
                page: visit.page(Section::Own),
                must_change: caller.must_change_password(),
                message: Some(visit.texts.problems(&problems)),
            };
            shown_as(StatusCode::BAD_REQUEST, &page)
        }
        Err(refusal) => Err(refusal.into()),
    }
}

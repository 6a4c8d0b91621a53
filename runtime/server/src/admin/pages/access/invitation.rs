//! What an invited user sees: the code of the link is sent first, then a password is chosen, once and in time. Only the name is
//! shown to who sends the code, which no address has.

use super::parts::Input;
use crate::admin::pages::sign_in;
use crate::admin::pages::visit::{Form, Page, Section, Submission, Visit, shown_as};
use crate::admin::response::no_store;
use crate::http::call::Anonymous;
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use service::Refusal;
use service::manage::Password;

#[derive(Template)]
#[template(path = "invitation.html")]
struct InvitationPage {
    page: Page,
    /// The input for the code, before one was sent.
    asked: Option<Input>,
    code: String,
    /// Who is invited; nobody by a code that is none any more.
    name: Option<String>,
    username: String,
    message: Option<String>,
}

pub(in crate::admin::pages) async fn show(
    visit: Visit<(), Anonymous>,
) -> Result<Response<Body>, Failure> {
    page_of(&visit, String::new(), StatusCode::OK, None)
}

/// The page again, for who sent its form without the cookie that it gave.
pub(in crate::admin::pages) fn again(
    visit: &Visit<(), Anonymous>,
    form: &Form,
) -> Result<Response<Body>, Failure> {
    let code = form.text("code").trim().to_owned();
    let message = visit.texts.access.form_unproven.to_owned();
    page_of(visit, code, StatusCode::FORBIDDEN, Some(message))
}

fn page_of(
    visit: &Visit<(), Anonymous>,
    code: String,
    status: StatusCode,
    message: Option<String>,
) -> Result<Response<Body>, Failure> {
    let own = &visit.texts.access;
    let asked = code.is_empty().then(|| {
        let input = Input::line("code", own.set_up_code, "").about(own.invitation_code_what);
        // it is a secret, and nobody types it
        input.required().of_kind("password")
    });
    let invited = visit.site.service.invited_by(&code).ok();
    let status = if invited.is_some() || asked.is_some() {
        status
    } else {
        StatusCode::NOT_FOUND
    };
    let page = InvitationPage {
        page: visit.page(Section::Own),
        asked,
        name: invited.as_ref().map(|user| user.full_name.clone()),
        username: invited.map_or_else(String::new, |user| user.username.clone()),
        code,
        message,
    };
    shown_as(status, &page).map(no_store)
}

pub(in crate::admin::pages) async fn accept(
    sent: Submission<(), Anonymous>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let code = form.text("code").trim().to_owned();
    let Some(password) = form.get("password").map(Password::new) else {
        return page_of(&visit, code, StatusCode::OK, None);
    };
    let service = &visit.site.service;
    match service.accept_invitation(&code, &password).await {
        Ok(_) => Ok(visit.see(&format!("{}?chosen=1", sign_in::PATH))),
        Err(Refusal::Invalid(problems)) => {
            let message = visit.texts.problems(&problems);
            page_of(&visit, code, StatusCode::BAD_REQUEST, Some(message))
        }
        Err(Refusal::NotFound(_)) => page_of(&visit, code, StatusCode::NOT_FOUND, None),
        Err(refusal) => Err(refusal.into()),
    }
}

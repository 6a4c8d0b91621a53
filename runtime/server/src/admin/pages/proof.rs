//! The password once more, and a code with it of who has a second factor, for changes of who may do what: asked for when it was
//! shown too long ago, with the form that was on its way.

use super::kept::Kept;
use super::sent_again::{HeldUpBy, send_again};
use super::sign_in::marked;
use super::sign_in_code::too_often;
use super::visit::{Page, Section, Site, Submission, Visit, shown_as};
use crate::admin::response::no_store;
use crate::http::call::Enrolling;
use crate::http::error::Failure;
use crate::http::incident::mark;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse as _;
use service::catalog::AuditAction;
use service::manage::Password;
use service::{About, Caller, Refusal};

#[derive(Template)]
#[template(path = "proof.html")]
struct ProofPage {
    page: Page,
    /// What the form does that is on its way, in short, and what it is about.
    does: Option<String>,
    about: Vec<(String, String)>,
    kept: Kept,
    asks_code: bool,
    message: Option<String>,
}

impl ProofPage {
    fn of(site: &Site, page: Page, kept: Kept, asks_code: bool) -> Self {
        ProofPage {
            does: (site.does_at)(&kept.to, page.t),
            about: kept.about(page.t),
            page,
            kept,
            asks_code,
            message: None,
        }
    }
}

/// The page that asks, for a form that was refused for the lack of it: for a code, too, where there is a second factor.
pub(super) fn asked(
    site: &Site,
    page: Page,
    kept: Kept,
    by: &Caller,
) -> Result<Response<Body>, Failure> {
    let page = ProofPage::of(site, page, kept, by.has_second_factor());
    shown_as(StatusCode::FORBIDDEN, &page).map(no_store)
}

pub(super) async fn prove(sent: Submission<(), Enrolling>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let Enrolling(caller) = &visit.caller;
    let Some(kept) = Kept::carried(&form) else {
        return Ok(visit.see("/"));
    };
    let password = Password::new(form.text("password"));
    let code = Some(form.text("proof-code").trim()).filter(|code| !code.is_empty());
    let service = &visit.site.service;
    let texts = visit.texts;
    let asks_code = caller.has_second_factor();
    match service.prove_session(caller, &password, code).await {
        Ok(()) => {
            let kept = kept.named_for(caller);
            send_again(&visit.site, visit.page(Section::Own), kept, HeldUpBy::Proof)
        }
        Err(Refusal::SecondFactorRequired) => {
            let message = texts.access.proof_code_missing;
            again(&visit, kept, true, message, StatusCode::FORBIDDEN)
        }
        Err(refusal @ Refusal::TooOften { seconds }) => {
            let message = too_often(texts, seconds);
            let status = StatusCode::TOO_MANY_REQUESTS;
            let page = again(&visit, kept, asks_code, &message, status)?;
            Ok(marked(page, Failure::from(refusal).into_response()))
        }
        Err(Refusal::Invalid(_)) => {
            let message = texts.access.proof_wrong;
            let status = StatusCode::BAD_REQUEST;
            let page = again(&visit, kept, asks_code, message, status)?;
            Ok(mark(page, AuditAction::SignInFailed, About::Caller))
        }
        Err(refusal) => Err(refusal.into()),
    }
}

fn again(
    visit: &Visit<(), Enrolling>,
    kept: Kept,
    asks_code: bool,
    message: &str,
    status: StatusCode,
) -> Result<Response<Body>, Failure> {
    let kept = kept.named_for(&visit.caller.0);
    let page = ProofPage {
        message: Some(message.to_owned()),
        ..ProofPage::of(&visit.site, visit.page(Section::Own), kept, asks_code)
    };
    shown_as(status, &page).map(no_store)
}

//! What everybody changes of itself: e-mail address, second factor, and sessions. A secret and recovery codes are shown by
//! the page that makes them, and never again.

use super::browser_name::browser_name;
use super::code_picture::CodePicture;
use super::failed_tries;
use super::parts::Input;
use super::told::Told;
use crate::admin::pages::numbers::moment;
use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::{Page, Section, Submission, Visit, Visitor, shown, shown_as};
use crate::admin::response::no_store;
use crate::http::call::Enrolling;
use crate::http::error::Failure;
use crate::http::incident::mark;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use service::catalog::AuditAction;
use service::manage::{Password, SessionView};
use service::{About, Caller, Refusal};

#[derive(Template)]
#[template(path = "profile.html")]
struct ProfilePage {
    page: Page,
    full_name: String,
    username: String,
    inputs: Vec<Input>,
    has_factor: bool,
    /// Whether a second factor is required; without one there is nothing else on the page.
    is_factor_required: bool,
    /// A second factor that waits for its first code.
    setup: Option<Setup>,
    /// Recovery codes that were made just now.
    codes: Vec<String>,
    sessions: Vec<SessionRow>,
    message: Option<String>,
    is_saved: bool,
}

struct Setup {
    secret: String,
    otpauth: String,
    /// The same for a camera.
    picture: Option<CodePicture>,
    told: String,
}

struct SessionRow {
    id: String,
    is_current: bool,
    begun: String,
    used: String,
    address: Option<String>,
    /// What it was begun by, in short.
    browser: Option<String>,
}

impl SessionRow {
    fn of(session: SessionView, texts: &Texts) -> Self {
        SessionRow {
            id: session.session_id,
            is_current: session.current,
            begun: moment(session.created_date),
            used: moment(session.last_used_at),
            address: session.address,
            browser: session
                .user_agent
                .map(|user_agent| browser_name(&user_agent, texts)),
        }
    }
}

impl ProfilePage {
    /// Whether its user has to set up a second factor first.
    fn must_set_up(&self) -> bool {
        self.is_factor_required && !self.has_factor
    }
}

pub(in crate::admin::pages) async fn show(
    visit: Visit<(), Enrolling>,
) -> Result<Response<Body>, Failure> {
    shown(&ProfilePage {
        is_saved: visit.parameter("saved").is_some(),
        message: failed_tries::shown(&visit, visit.caller.0.id()).await?,
        ..page_of(&visit, &visit.caller.0, (None, None))?
    })
}

fn page_of<P, C: Visitor>(
    visit: &Visit<P, C>,
    caller: &Caller,
    (email, told): (Option<&str>, Option<&Told>),
) -> Result<ProfilePage, Failure> {
    let texts = visit.texts;
    let service = &visit.site.service;
    let caller = service.newest(caller)?;
    let sessions = service.own_sessions(&caller)?.items.into_iter();
    let actor = caller.actor();
    let own = actor.email.as_deref().unwrap_or_default();
    let inputs = vec![
        Input::line("email", texts.access.email, email.unwrap_or(own))
            .of_kind("email")
            .required()
            .told(told, "$.email"),
        Input::line("password", texts.password_now, "")
            .of_kind("password")
            .about(texts.access.email_proof)
            .required()
            .told(told, "$.password"),
    ];
    Ok(ProfilePage {
        page: visit.page(Section::Own),
        full_name: actor.full_name.clone().unwrap_or_default(),
        username: actor.name.clone(),
        inputs,
        has_factor: caller.has_second_factor(),
        is_factor_required: caller.is_second_factor_required(),
        setup: None,
        codes: Vec::new(),
        sessions: sessions
            .map(|session| SessionRow::of(session, texts))
            .collect(),
        message: told
            .map(|told| told.above(&["$.email", "$.password"]))
            .filter(|message| !message.is_empty()),
        is_saved: false,
    })
}

pub(in crate::admin::pages) async fn change_email(
    sent: Submission,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let (email, password) = (form.text("email").trim(), form.text("password"));
    let password = Password::new(password);
    let service = &visit.site.service;
    let changed = service.change_own_email(&visit.caller, &password, email);
    let Err(refusal) = changed.await else {
        return Ok(visit.see("/profile?saved=1"));
    };
    let told = Told::of(refusal, visit.texts)?;
    let page = page_of(&visit, &visit.caller, (Some(email), Some(&told)))?;
    let response = shown_as(told.status, &page)?;
    if told.at("$.password").is_empty() {
        return Ok(response);
    }
    Ok(mark(response, AuditAction::SignInFailed, About::Caller))
}

pub(in crate::admin::pages) async fn begin_factor(
    sent: Submission<(), Enrolling>,
) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let service = &visit.site.service;
    let begun = service.begin_second_factor(&visit.caller.0).await?;
    let setup = Setup {
        secret: begun.secret,
        picture: CodePicture::of(&begun.otpauth_url),
        otpauth: begun.otpauth_url,
        told: String::new(),
    };
    with_setup(&visit, StatusCode::OK, setup)
}

fn with_setup(
    visit: &Visit<(), Enrolling>,
    status: StatusCode,
    setup: Setup,
) -> Result<Response<Body>, Failure> {
    let page = ProfilePage {
        setup: Some(setup),
        ..page_of(visit, &visit.caller.0, (None, None))?
    };
    shown_as(status, &page).map(no_store)
}

pub(in crate::admin::pages) async fn confirm_factor(
    sent: Submission<(), Enrolling>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let Enrolling(caller) = &visit.caller;
    let service = &visit.site.service;
    let code = form.text("code").trim();
    let seen = form.get("setup-secret");
    let confirmed = service.confirm_second_factor_seen(caller, code, seen);
    match confirmed.await {
        Ok(made) => {
            let page = ProfilePage {
                codes: made.recovery_codes,
                ..page_of(&visit, caller, (None, None))?
            };
            shown(&page).map(no_store)
        }
        Err(Refusal::Invalid(_)) => {
            // no address that whoever changed the form chose
            let otpauth = Some(form.text("setup-url"));
            let otpauth = otpauth.filter(|url| url.starts_with("otpauth://"));
            let otpauth = otpauth.unwrap_or_default().to_owned();
            let setup = Setup {
                secret: form.text("setup-secret").to_owned(),
                picture: CodePicture::of(&otpauth),
                otpauth,
                told: visit.texts.access.factor_code_wrong.to_owned(),
            };
            let page = with_setup(&visit, StatusCode::BAD_REQUEST, setup)?;
            Ok(mark(page, AuditAction::SignInFailed, About::Caller))
        }
        // what this page shows was overtaken by another one
        Err(refusal) => {
            let told = Told::of(refusal, visit.texts)?;
            shown_as(told.status, &page_of(&visit, caller, (None, Some(&told)))?)
        }
    }
}

pub(in crate::admin::pages) async fn remove_factor(
    sent: Submission,
) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let service = &visit.site.service;
    service.remove_own_second_factor(&visit.caller).await?;
    Ok(visit.see("/profile?saved=1"))
}

pub(in crate::admin::pages) async fn end_session(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let service = &visit.site.service;
    let ended = service.end_own_session(&visit.caller, &visit.ids);
    ended.await?;
    Ok(visit.see("/profile"))
}

pub(in crate::admin::pages) async fn end_others(
    sent: Submission,
) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let service = &visit.site.service;
    service.end_other_sessions(&visit.caller).await?;
    Ok(visit.see("/profile"))
}

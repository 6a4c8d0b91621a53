//! Signing in and out. Who sends a password is told no more than management tells. The code of a second factor is asked for by
//! a page of its own (`sign_in_code.rs`), behind a right password.

use super::form_token;
use super::kept::{Kept, is_held_in};
use super::language::own_path;
use super::nobody_yet::NobodyYet;
use super::seen::seen_by;
use super::sent_again::{HeldUpBy, send_again};
use super::sign_in_code::{self, CodePage, kept, pending_of};
use super::visit::{Form, Page, Section, Submission, Visit, see, shown, shown_as};
use crate::admin::response::no_store;
use crate::http::call::{Anonymous, Own};
use crate::http::cookies::Cookies;
use crate::http::error::{Failure, wrong_sign_in};
use crate::http::incident::{self, mark};
use askama::Template;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, HeaderValue, RETRY_AFTER, SET_COOKIE};
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse as _;
use service::catalog::AuditAction;
use service::manage::{CodeRequest, NewSession, Password, PendingSignIn, SignInName, SignInStep};
use service::{About, Refusal};
use url::form_urlencoded::byte_serialize;

/// Where it stands among the pages.
pub(super) const PATH: &str = "/sign-in";
/// Seconds for which a browser is known.
const YEAR: u32 = 365 * 24 * 3600;

#[derive(Template)]
#[template(path = "sign_in.html", blocks = ["card", "more"])]
struct SignInPage {
    page: Page,
    next: String,
    tenant: String,
    username: String,
    asks_tenant: bool,
    message: Option<String>,
    /// Whether a password was chosen just now.
    is_chosen: bool,
    /// What is told where nobody could sign in yet.
    nobody: Option<NobodyYet>,
    /// A form that was sent when its session had ended.
    kept: Option<Kept>,
}

impl SignInPage {
    fn new(visit: &Visit<(), Anonymous>, next: String) -> Self {
        SignInPage {
            page: visit.page(Section::Own),
            next,
            tenant: String::new(),
            username: String::new(),
            asks_tenant: false,
            message: None,
            is_chosen: false,
            nobody: NobodyYet::of(&visit.site.service, visit.texts),
            kept: None,
        }
    }

    /// Whether there is a tenant at which one may sign in.
    fn is_set_up(&self) -> bool {
        self.nobody.as_ref().is_none_or(|it| it.is_set_up)
    }

    fn title(&self) -> &'static str {
        if self.is_set_up() {
            self.page.t.sign_in
        } else {
            self.page.t.access.set_up_not_yet
        }
    }

    /// As an answer that takes the place of the form that was sent.
    fn in_place(&self, is_part: bool, status: StatusCode) -> Result<Response<Body>, Failure> {
        if is_part {
            shown_as(status, &self.as_card()).map(sign_in_code::in_place_of_card)
        } else {
            shown_as(status, self)
        }
    }

    /// What is told of a form with a file, to which one comes with what was filled in.
    fn told_of_form(&self) -> Option<&'static str> {
        let own = &self.page.t.access;
        is_held_in(&self.next).then_some(own.sign_in_kept_but_file)
    }

    /// Its own address, with where someone wanted to go.
    fn here(&self) -> String {
        let next: String = byte_serialize(self.next.as_bytes()).collect();
        self.page.at(&format!("{PATH}?next={next}"))
    }
}

pub(super) async fn show(visit: Visit<(), Anonymous>) -> Result<Response<Body>, Failure> {
    let next = visit.parameter("next").unwrap_or_default();
    shown(&SignInPage {
        is_chosen: visit.parameter("chosen").is_some(),
        ..SignInPage::new(&visit, next)
    })
    .map(no_store)
}

/// The page again, with what was typed but the password or the code, for who sent its form without the cookie that it gave.
pub(super) fn again(visit: &Visit<(), Anonymous>, form: &Form) -> Result<Response<Body>, Failure> {
    let (status, message) = (
        StatusCode::FORBIDDEN,
        visit.texts.access.form_unproven.to_owned(),
    );
    let pending = form.get(sign_in_code::PENDING);
    if let Some(pending) = pending.and_then(|token| pending_of(visit, token)) {
        let page = CodePage::again(visit, form, &pending, message);
        return page.shown(visit.is_part, status);
    }
    let page = SignInPage {
        tenant: form.text("tenant").trim().to_owned(),
        username: form.text("username").trim().to_owned(),
        asks_tenant: form.get("tenant").is_some(),
        message: Some(message),
        kept: kept(visit, form),
        ..SignInPage::new(visit, form.text("next").to_owned())
    };
    page.in_place(visit.is_part, status).map(no_store)
}

/// The page for who sent a form of a session that has ended: with the form.
pub(super) fn show_with(
    visit: &Visit<(), Anonymous>,
    kept: Kept,
) -> Result<Response<Body>, Failure> {
    let page = SignInPage {
        kept: Some(kept),
        ..SignInPage::new(visit, String::new())
    };
    shown_as(status_of(visit), &page).map(no_store)
}

/// The page for who sent a form with a file: it leads to where the form was, which is an address among the pages.
pub(super) fn show_before(
    visit: &Visit<(), Anonymous>,
    next: &str,
) -> Result<Response<Body>, Failure> {
    let page = SignInPage::new(visit, visit.site.address(next));
    shown_as(status_of(visit), &page).map(no_store)
}

/// A part of a page is put in place by a success alone.
fn status_of(visit: &Visit<(), Anonymous>) -> StatusCode {
    if visit.is_part {
        StatusCode::OK
    } else {
        StatusCode::UNAUTHORIZED
    }
}

pub(super) async fn sign_in(sent: Submission<(), Anonymous>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    match form.get(sign_in_code::PENDING) {
        Some(token) => with_code(&visit, &form, token).await,
        None => with_password(&visit, &form).await,
    }
}

async fn with_password(
    visit: &Visit<(), Anonymous>,
    form: &Form,
) -> Result<Response<Body>, Failure> {
    let tenant = form.text("tenant").trim();
    let tenant = (!tenant.is_empty()).then_some(tenant);
    let username = form.text("username").trim();
    let password = Password::new(form.text("password"));
    let name = SignInName { tenant, username };
    let (service, origin) = (&visit.site.service, visit.origin());
    match service.begin_sign_in(name, &password, &origin).await {
        Ok(SignInStep::Session(session)) => entered(visit, form, &session).await,
        Ok(SignInStep::CodeRequired(request)) => code_asked(visit, form, &request),
        Err(refusal) => refused(visit, form, refusal, about(name)),
    }
}

async fn with_code(
    visit: &Visit<(), Anonymous>,
    form: &Form,
    token: &str,
) -> Result<Response<Body>, Failure> {
    let service = &visit.site.service;
    let cookies = Cookies::of(service.settings());
    let Some(pending) = pending_of(visit, token) else {
        return begin_again(visit, form);
    };
    let (code, origin) = (form.text("code").trim(), visit.origin());
    match service.finish_sign_in(&pending, code, &origin).await {
        Ok(Some(session)) => {
            let mut response = entered(visit, form, &session).await?;
            if let Some(cookie) = cookies.set(cookies.sign_in(), "", Some(0)) {
                response.headers_mut().append(SET_COOKIE, cookie);
            }
            Ok(response)
        }
        Ok(None) => begin_again(visit, form),
        Err(refusal) => code_refused(visit, form, &pending, refusal),
    }
}

/// The page that asks for the code; what proves that the password was right lies in part with the page and in part with
/// the browser.
fn code_asked(
    visit: &Visit<(), Anonymous>,
    form: &Form,
    request: &CodeRequest,
) -> Result<Response<Body>, Failure> {
    let own = (&*request.token, form.text("username").trim());
    let page = CodePage::of(visit, form, own, None);
    let mut response = page.shown(visit.is_part, StatusCode::FORBIDDEN)?;
    let cookies = Cookies::of(visit.site.service.settings());
    let seconds = Some(request.seconds);
    if let Some(cookie) = cookies.set(cookies.sign_in(), &request.browser_secret, seconds) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    Ok(response)
}

/// The page that asks for the code once more.
fn code_refused(
    visit: &Visit<(), Anonymous>,
    form: &Form,
    pending: &PendingSignIn,
    refusal: Refusal,
) -> Result<Response<Body>, Failure> {
    let texts = visit.texts;
    let about = about(pending.name());
    let (message, status) = match &refusal {
        Refusal::Unauthenticated => {
            let message = texts.access.sign_in_code_wrong.to_owned();
            (message, StatusCode::UNAUTHORIZED)
        }
        Refusal::TooOften { seconds } => {
            let message = sign_in_code::too_often(texts, *seconds);
            (message, StatusCode::TOO_MANY_REQUESTS)
        }
        _ => return Ok(told(refusal, about)),
    };
    let page = CodePage::again(visit, form, pending, message);
    Ok(marked(
        page.shown(visit.is_part, status)?,
        told(refusal, about),
    ))
}

/// The page that asks for the password, where the one that was shown is good for no code any more.
fn begin_again(visit: &Visit<(), Anonymous>, form: &Form) -> Result<Response<Body>, Failure> {
    let page = SignInPage {
        message: Some(visit.texts.access.sign_in_again.to_owned()),
        kept: kept(visit, form),
        ..SignInPage::new(visit, form.text("next").to_owned())
    };
    page.in_place(visit.is_part, StatusCode::UNAUTHORIZED)
}

/// A session that began, and where its user goes.
async fn entered(
    visit: &Visit<(), Anonymous>,
    form: &Form,
    signed_in: &NewSession,
) -> Result<Response<Body>, Failure> {
    let mut response = going_on(visit, form, signed_in).await?;
    let cookies = Cookies::of(visit.site.service.settings());
    let session = cookies.set(cookies.session(), &signed_in.secret, None);
    let browser = cookies.set(cookies.browser(), &signed_in.browser, Some(YEAR));
    let headers = response.headers_mut();
    for cookie in [session, browser].into_iter().flatten() {
        headers.append(SET_COOKIE, cookie);
    }
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Where someone who signed in goes: on with the form that was sent before, else to the page that was wanted, and in place of home
/// to the profile where that shows that somebody may be guessing the password.
async fn going_on(
    visit: &Visit<(), Anonymous>,
    form: &Form,
    signed_in: &NewSession,
) -> Result<Response<Body>, Failure> {
    let kept = kept(visit, form);
    let Some(kept) = kept else {
        let mut place = wanted(visit, form.text("next"));
        let user = &signed_in.user.user_id;
        if place == "/" && visit.site.service.failed_tries(user).await?.is_some() {
            "/profile".clone_into(&mut place);
        }
        return Ok(see(&visit.site, &place, visit.is_part));
    };
    let mut page = visit.page(Section::Own);
    let kept = match visit.site.service.authenticate(&signed_in.secret) {
        Ok(caller) => {
            page.seen = seen_by(&caller);
            kept.named_for(&caller)
        }
        Err(_) => kept,
    };
    let entropy = visit.site.service.entropy();
    page.token = form_token::masked(&signed_in.csrf_token, entropy);
    page.who = Some(signed_in.user.full_name.clone());
    send_again(&visit.site, page, kept, HeldUpBy::EndedSession)
}

/// The page again, with what is missing or wrong.
fn refused(
    visit: &Visit<(), Anonymous>,
    form: &Form,
    refusal: Refusal,
    about: About,
) -> Result<Response<Body>, Failure> {
    let texts = visit.texts;
    let asks_tenant = matches!(&refusal, Refusal::Invalid(problems)
        if problems.iter().any(|problem| problem.path == "$.tenant"));
    let (message, status) = match &refusal {
        Refusal::Unauthenticated => (texts.sign_in_wrong.to_owned(), StatusCode::UNAUTHORIZED),
        Refusal::Invalid(_) if asks_tenant => {
            let message = texts.sign_in_tenant_missing.to_owned();
            (message, StatusCode::BAD_REQUEST)
        }
        Refusal::TooOften { seconds } => {
            let message = sign_in_code::too_often(texts, *seconds);
            (message, StatusCode::TOO_MANY_REQUESTS)
        }
        _ => return Ok(told(refusal, about)),
    };
    let (tenant, username) = match &about {
        About::Username { tenant, username } => (tenant.clone(), username.clone()),
        _ => Default::default(),
    };
    let filled = SignInPage {
        asks_tenant: asks_tenant || tenant.is_some(),
        tenant: tenant.unwrap_or_default(),
        username,
        message: Some(message),
        kept: kept(visit, form),
        ..SignInPage::new(visit, form.text("next").to_owned())
    };
    let response = if visit.is_part {
        shown_as(status, &filled.as_more())?
    } else {
        shown_as(status, &filled)?
    };
    Ok(marked(response, told(refusal, about)))
}

/// Whose account a sign-in is at.
fn about(name: SignInName<'_>) -> About {
    About::Username {
        tenant: name.tenant.map(str::to_owned),
        username: name.username.to_owned(),
    }
}

/// What is told of a refusal where no page tells it, marked for the trail.
fn told(refusal: Refusal, about: About) -> Response<Body> {
    match refusal {
        Refusal::Unauthenticated => mark(wrong_sign_in(), AuditAction::SignInFailed, about),
        refusal => incident::about(Failure::from(refusal).into_response(), about),
    }
}

/// A page with the mark of what it stands for, and when to come back.
pub(super) fn marked(page: Response<Body>, told: Response<Body>) -> Response<Body> {
    let (mut parts, body) = page.into_parts();
    let (told, _) = told.into_parts();
    parts.extensions.extend(told.extensions);
    if let Some(seconds) = told.headers.get(RETRY_AFTER) {
        parts.headers.insert(RETRY_AFTER, seconds.clone());
    }
    Response::from_parts(parts, body)
}

/// Where a visitor wanted to go; home, if that is no address of this site.
fn wanted(visit: &Visit<(), Anonymous>, next: &str) -> String {
    let path = own_path(&visit.site, next);
    let path = path.filter(|path| !path.starts_with(PATH));
    path.unwrap_or("/").to_owned()
}

pub(super) async fn sign_out(sent: Submission<(), Own>) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let service = &visit.site.service;
    if let Some(session) = visit.session() {
        service.sign_out(session).await?;
    }
    let mut response = visit.see(PATH);
    let cookies = Cookies::of(service.settings());
    cookies.end_session(response.headers_mut());
    Ok(response)
}

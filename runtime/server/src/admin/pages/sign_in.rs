//! Signing in and out. Who sends a password is told no more than management tells.

use super::form_token;
use super::kept::{HeldInAddress, HeldUpBy, Kept, send_again};
use super::language::own_path;
use super::visit::{Form, Page, Section, Submission, Visit, see, shown, shown_as};
use crate::admin::response::no_store;
use crate::http::call::{Anonymous, Own};
use crate::http::cookies::Cookies;
use crate::http::error::{Failure, wrong_sign_in};
use crate::http::incident::{self, mark};
use askama::Template;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, HeaderValue, SET_COOKIE};
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse as _;
use service::manage::{NewSession, Password, SignInName};
use service::{About, Refusal};
use store::catalog::AuditAction;
use url::form_urlencoded::byte_serialize;

/// Where it stands among the pages.
pub(super) const PATH: &str = "/sign-in";
/// Seconds for which a browser is known.
const YEAR: u32 = 365 * 24 * 3600;

#[derive(Template)]
#[template(path = "sign_in.html", blocks = ["more"])]
struct SignInPage {
    page: Page,
    next: String,
    tenant: String,
    username: String,
    asks_tenant: bool,
    asks_code: bool,
    message: Option<String>,
    /// Whether a password was chosen just now.
    is_chosen: bool,
    /// Whether there is anybody who could sign in.
    has_tenants: bool,
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
            asks_code: false,
            message: None,
            is_chosen: false,
            has_tenants: visit.site.service.has_tenants(),
            kept: None,
        }
    }

    /// What is told of a form with a file, to which one comes with what was filled in.
    fn told_of_form(&self) -> Option<&'static str> {
        let own = &self.page.t.access;
        HeldInAddress::of(&self.next).map(|held| match held {
            HeldInAddress::AllButFile => own.sign_in_kept_but_file,
            HeldInAddress::Part => own.sign_in_kept_some,
        })
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
    let service = &visit.site.service;
    let filled = |name: &str| {
        let text = form.text(name).trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    let (tenant, code) = (filled("tenant"), filled("code"));
    let username = form.text("username").trim().to_owned();
    let mut origin = visit.origin();
    origin.code = code;
    let name = SignInName {
        tenant: tenant.as_deref(),
        username: &username,
    };
    let password = Password::new(form.text("password"));
    let refusal = match service.sign_in(name, &password, &origin).await {
        Ok(signed_in) => {
            let mut response = entered(&visit, &form, &signed_in)?;
            let cookies = Cookies::of(service.settings());
            let session = cookies.set(cookies.session(), &signed_in.secret, None);
            let browser = cookies.set(cookies.browser(), &signed_in.browser, Some(YEAR));
            let headers = response.headers_mut();
            for cookie in [session, browser].into_iter().flatten() {
                headers.append(SET_COOKIE, cookie);
            }
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
            return Ok(response);
        }
        Err(refusal) => refusal,
    };
    let about = About::Username {
        tenant: tenant.clone(),
        username: username.clone(),
    };
    refused(&visit, &form, refusal, about)
}

/// Where someone who signed in goes: on with the form that was sent before, else to the page that was wanted.
fn entered(
    visit: &Visit<(), Anonymous>,
    form: &Form,
    signed_in: &NewSession,
) -> Result<Response<Body>, Failure> {
    let kept = kept(visit, form);
    let Some(kept) = kept else {
        let place = wanted(visit, form.text("next"));
        return Ok(see(&visit.site, &place, visit.is_part));
    };
    let entropy = visit.site.service.entropy();
    let mut page = visit.page(Section::Own);
    page.token = form_token::masked(&signed_in.csrf_token, entropy);
    page.who = Some(signed_in.user.full_name.clone());
    send_again(page, kept, HeldUpBy::EndedSession)
}

/// The form that is carried along, if it is one of ours.
fn kept(visit: &Visit<(), Anonymous>, form: &Form) -> Option<Kept> {
    Kept::carried(form).filter(|kept| kept.is_ours(visit.headers(), &visit.site))
}

/// The page again, with what is missing or wrong.
fn refused(
    visit: &Visit<(), Anonymous>,
    form: &Form,
    refusal: Refusal,
    about: About,
) -> Result<Response<Body>, Failure> {
    let texts = visit.texts;
    // who sent a code may send another one, whatever was wrong: the input tells nothing
    let sent_code = !form.text("code").trim().is_empty();
    let asks_code = sent_code || matches!(refusal, Refusal::SecondFactorRequired);
    let asks_tenant = matches!(&refusal, Refusal::Invalid(problems)
        if problems.iter().any(|problem| problem.path == "$.tenant"));
    let (message, status) = match &refusal {
        Refusal::Unauthenticated => (texts.sign_in_wrong, StatusCode::UNAUTHORIZED),
        Refusal::SecondFactorRequired => (texts.sign_in_code_missing, StatusCode::FORBIDDEN),
        Refusal::Invalid(_) if asks_tenant => {
            (texts.sign_in_tenant_missing, StatusCode::BAD_REQUEST)
        }
        Refusal::TooOften { .. } => (texts.sign_in_too_often, StatusCode::TOO_MANY_REQUESTS),
        _ => {
            return Ok(incident::about(
                Failure::from(refusal).into_response(),
                about,
            ));
        }
    };
    let (tenant, username) = match &about {
        About::Username { tenant, username } => (tenant.clone(), username.clone()),
        _ => Default::default(),
    };
    let filled = SignInPage {
        asks_tenant: asks_tenant || tenant.is_some(),
        tenant: tenant.unwrap_or_default(),
        username,
        asks_code,
        message: Some(message.to_owned()),
        kept: kept(visit, form),
        ..SignInPage::new(visit, form.text("next").to_owned())
    };
    let response = if visit.is_part {
        shown_as(status, &filled.as_more())?
    } else {
        shown_as(status, &filled)?
    };
    let told = match refusal {
        Refusal::Unauthenticated => mark(wrong_sign_in(), AuditAction::SignInFailed, about),
        refusal => incident::about(Failure::from(refusal).into_response(), about),
    };
    let (mut parts, body) = response.into_parts();
    parts.extensions.extend(told.into_parts().0.extensions);
    Ok(Response::from_parts(parts, body))
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
    if let Some(cookie) = cookies.set(cookies.session(), "", Some(0)) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    Ok(response)
}

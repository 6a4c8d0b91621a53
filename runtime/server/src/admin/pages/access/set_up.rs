//! What whoever starts a service with a store of its first day sees: the first tenant and its administrator are made here,
//! with the code that the program showed. Once there is a tenant, it says no more than that.

use super::parts::Input;
use super::told::Told;
use crate::admin::pages::sign_in;
use crate::admin::pages::visit::{Form, Page, Section, Submission, Visit, shown_as};
use crate::admin::response::no_store;
use crate::http::call::Anonymous;
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use service::Refusal;
use service::manage::{FirstTenant, Password};

/// Where inputs of this page have what is told of them.
const PATHS: [&str; 5] = [
    "$.tenant",
    "$.fullName",
    "$.username",
    "$.email",
    "$.password",
];

#[derive(Template)]
#[template(path = "set_up.html")]
struct SetUpPage {
    page: Page,
    title: &'static str,
    what: &'static str,
    /// Whether it is offered, and there is no tenant yet.
    is_offered: bool,
    inputs: Vec<Input>,
    message: String,
}

pub(in crate::admin::pages) async fn show(
    visit: Visit<(), Anonymous>,
) -> Result<Response<Body>, Failure> {
    page_of(&visit, "", &Form::empty(), None).shown(StatusCode::OK)
}

/// The page again, with what was typed, for who sent its form without the cookie that it gave.
pub(in crate::admin::pages) fn again(
    visit: &Visit<(), Anonymous>,
    form: &Form,
) -> Result<Response<Body>, Failure> {
    let page = SetUpPage {
        message: visit.texts.access.form_unproven.to_owned(),
        ..page_of(visit, form.text("code").trim(), form, None)
    };
    page.shown(StatusCode::FORBIDDEN)
}

impl SetUpPage {
    /// As an answer; where nothing is offered, there is nothing.
    fn shown(&self, status: StatusCode) -> Result<Response<Body>, Failure> {
        let status = if self.is_offered {
            status
        } else {
            StatusCode::NOT_FOUND
        };
        shown_as(status, self).map(no_store)
    }
}

fn page_of(
    visit: &Visit<(), Anonymous>,
    code: &str,
    form: &Form,
    told: Option<&Told>,
) -> SetUpPage {
    let is_offered = visit.site.service.offers_set_up();
    let own = &visit.texts.access;
    let (title, what) = match (is_offered, visit.site.service.has_tenants()) {
        (true, _) => (own.set_up, own.set_up_what),
        (false, true) => (own.set_up_before, own.set_up_over),
        (false, false) => (own.set_up_not_yet, own.set_up_expired),
    };
    SetUpPage {
        page: visit.page(Section::Own),
        title,
        what,
        is_offered,
        inputs: inputs(visit, code, form, told),
        message: told.map_or_else(String::new, |told| told.above(&PATHS)),
    }
}

fn inputs(
    visit: &Visit<(), Anonymous>,
    code: &str,
    form: &Form,
    told: Option<&Told>,
) -> Vec<Input> {
    let (texts, own) = (visit.texts, &visit.texts.access);
    let line = |name, label, path| {
        Input::line(name, label, form.text(name))
            .required()
            .told(told, path)
    };
    let code = Input::line("code", own.set_up_code, code)
        .about(own.set_up_code_what)
        .required();
    let password = Input::line("password", texts.password_new, "")
        .of_kind("password")
        .required()
        .told(told, "$.password");
    // what is wrong with one says what is asked of it
    let password = if password.told.is_empty() {
        password.about(own.password_rules)
    } else {
        password
    };
    vec![
        // it is a secret, and nobody types it
        code.of_kind("password"),
        line("tenant", texts.tenant, "$.tenant").about(own.set_up_tenant),
        line("full-name", own.full_name, "$.fullName"),
        line("username", texts.username, "$.username"),
        line("email", own.email, "$.email").of_kind("email"),
        Input {
            autocomplete: "new-password",
            ..password
        },
    ]
}

pub(in crate::admin::pages) async fn set_up(
    sent: Submission<(), Anonymous>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let text = |name: &str| form.text(name).trim().to_owned();
    let first = FirstTenant {
        tenant: text("tenant"),
        username: text("username"),
        full_name: text("full-name"),
        email: text("email"),
        password: Password::new(form.text("password")),
    };
    let (code, origin) = (text("code"), visit.origin());
    match visit.site.service.set_up(&code, first, &origin).await {
        Ok(_) => Ok(visit.see(&format!("{}?chosen=1", sign_in::PATH))),
        // there is nothing left to be filled in
        Err(Refusal::NotFound(_)) => page_of(&visit, "", &form, None).shown(StatusCode::OK),
        Err(refusal) => {
            let told = Told::of(refusal, visit.texts)?;
            page_of(&visit, &code, &form, Some(&told)).shown(told.status)
        }
    }
}

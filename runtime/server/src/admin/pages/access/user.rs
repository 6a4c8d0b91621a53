//! One user: invited by a link that is shown once, changed, switched off, signed out and deleted.

use super::parts::{Input, given, given_over};
use super::ticks::{Access, Facts, Looked, is_look};
use super::told::Told;
use super::user_status::{if_active, status};
use super::{failed_tries, stale};
use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::{Form, Page, Section, Submission, Visit, shown, shown_as};
use crate::admin::response::no_store;
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use service::Refusal;
use service::catalog::{Grant, Resource, Verb};
use service::manage::{Invitee, NewInvitation, UserContent, UserView, mark};

/// Where what is told of an input comes from.
const PATHS: [&str; 3] = ["$.fullName", "$.username", "$.email"];

#[derive(Template)]
#[template(path = "user.html")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a fact or a right of its own, as the template asks for it"
)]
struct UserPage {
    page: Page,
    /// Empty for a new one.
    id: String,
    /// The mark of what its form is made from.
    seen: String,
    title: String,
    status: &'static str,
    /// What it is called in the form that it may sign in.
    status_if_active: &'static str,
    inputs: Vec<Input>,
    access: Access,
    /// What is ticked, where the visitor may only look at it.
    facts: Option<Facts>,
    /// The invitation that was made just now.
    link: Option<String>,
    message: Option<String>,
    is_active: bool,
    has_factor: bool,
    is_factor_required: bool,
    /// Whether one of its roles requires a second factor in any case.
    is_factor_required_by_role: bool,
    is_saved: bool,
    may_save: bool,
    may_delete: bool,
}

impl UserPage {
    /// Its own address.
    fn path(&self) -> String {
        let id: &str = if self.id.is_empty() { "new" } else { &self.id };
        format!("/users/{id}")
    }

    /// What is to be known of requiring a second factor of it.
    fn factor_what(&self) -> &'static str {
        let own = &self.page.t.access;
        if self.is_factor_required_by_role {
            own.factor_required_by_role
        } else {
            own.factor_required_of_user
        }
    }
}

/// What is shown of a user, whether it is stored or was typed.
#[derive(Default)]
struct Shown {
    id: String,
    seen: String,
    full_name: String,
    username: String,
    email: String,
    status: &'static str,
    status_if_active: &'static str,
    is_active: bool,
    has_factor: bool,
    is_factor_required: bool,
    roles: Vec<String>,
    grants: Vec<Grant>,
    looked: Looked,
}

impl Shown {
    fn of(user: UserView, texts: &Texts) -> Self {
        Shown {
            seen: mark(&user),
            status: status(&user, texts),
            status_if_active: if_active(&user, texts),
            id: user.user_id,
            full_name: user.full_name,
            username: user.username,
            email: user.email,
            is_active: user.active,
            has_factor: user.second_factor,
            is_factor_required: user.second_factor_required,
            roles: user.roles,
            grants: user.grants,
            looked: Looked::default(),
        }
    }
}

pub(in crate::admin::pages) async fn show_new(visit: Visit) -> Result<Response<Body>, Failure> {
    let rights = visit.caller.rights();
    rights.require(Resource::Users, Verb::Add)?;
    shown(&page_of(&visit, Shown::default(), None)?)
}

pub(in crate::admin::pages) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let user = visit.site.service.users().show(&visit.caller, &visit.ids)?;
    shown(&UserPage {
        is_saved: visit.parameter("saved").is_some(),
        message: failed_tries::shown(&visit, &visit.ids).await?,
        ..page_of(&visit, Shown::of(user, visit.texts), None)?
    })
}

fn page_of<P>(visit: &Visit<P>, user: Shown, told: Option<&Told>) -> Result<UserPage, Failure> {
    let texts = visit.texts;
    let may = |verb| visit.caller.rights().may(Resource::Users, verb);
    let is_new = user.id.is_empty();
    let inputs = vec![
        Input::line("full-name", texts.access.full_name, &user.full_name)
            .required()
            .told(told, "$.fullName"),
        Input::line("username", texts.username, &user.username)
            .required()
            .told(told, "$.username"),
        Input::line("email", texts.access.email, &user.email)
            .of_kind("email")
            .required()
            .told(told, "$.email"),
    ];
    let may_save = may(if is_new { Verb::Add } else { Verb::Edit });
    let ticked = (&*user.roles, &*user.grants);
    Ok(UserPage {
        page: visit.page(Section::Access),
        title: if is_new {
            texts.access.user_new.to_owned()
        } else {
            user.full_name
        },
        access: Access::of(visit, ticked, &user.looked)?,
        facts: (!may_save).then(|| Facts::of(visit, ticked)).transpose()?,
        message: told
            .map(|told| told.above(&PATHS))
            .filter(|message| !message.is_empty()),
        id: user.id,
        seen: user.seen,
        status_if_active: user.status_if_active,
        status: user.status,
        inputs,
        link: None,
        is_active: user.is_active,
        has_factor: user.has_factor,
        is_factor_required: user.is_factor_required,
        is_factor_required_by_role: visit.caller.is_factor_required_by(&user.roles),
        is_saved: false,
        may_save,
        may_delete: !is_new && may(Verb::Delete),
    })
}

/// What was filled in, with the roles and grants that go with it; what no input has, of a user that is there, as it is stored.
fn typed(
    (stored, form): (Option<UserView>, &Form),
    (roles, grants): (Vec<String>, Vec<Grant>),
    texts: &Texts,
) -> Shown {
    let stored = stored.map(|user| Shown::of(user, texts));
    Shown {
        seen: stale::sent(form).unwrap_or_default(),
        full_name: form.text("full-name").to_owned(),
        username: form.text("username").to_owned(),
        email: form.text("email").to_owned(),
        is_active: form.text("active") != "false",
        is_factor_required: requires_factor(form),
        roles,
        grants,
        looked: Looked::of(form),
        ..stored.unwrap_or_default()
    }
}

/// The page again, with what was filled in and why it was refused.
fn again<P>(
    visit: &Visit<P>,
    filled: (Option<UserView>, &Form),
    access: (Vec<String>, Vec<Grant>),
    refusal: Refusal,
) -> Result<Response<Body>, Failure> {
    let told = Told::of(refusal, visit.texts)?;
    let user = typed(filled, access, visit.texts);
    shown_as(told.status, &page_of(visit, user, Some(&told))?)
}

/// The page with the texts that were filled in and all else as it is stored, where someone else changed it meanwhile.
fn overtaken(
    visit: &Visit<String>,
    form: &Form,
    stored: UserView,
    refusal: Refusal,
) -> Result<Response<Body>, Failure> {
    let told = Told::of(refusal, visit.texts)?;
    let own = [&*stored.full_name, &stored.username, &stored.email];
    let message = stale::told(visit.texts, &own);
    let user = Shown {
        full_name: form.text("full-name").to_owned(),
        username: form.text("username").to_owned(),
        email: form.text("email").to_owned(),
        ..Shown::of(stored, visit.texts)
    };
    let page = UserPage {
        message: Some(message),
        ..page_of(visit, user, Some(&told))?
    };
    shown_as(told.status, &page)
}

/// Whether a form requires a second factor.
pub(super) fn requires_factor(form: &Form) -> bool {
    form.text("second-factor") == "required"
}

/// A text that was filled in.
fn filled(form: &Form, name: &str) -> String {
    form.text(name).trim().to_owned()
}

pub(in crate::admin::pages) async fn invite(sent: Submission) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    if is_look(&form) {
        let user = typed((None, &form), given(&form), visit.texts);
        return shown(&page_of(&visit, user, None)?);
    }
    let (roles, grants) = given(&form);
    let invitee = Invitee {
        username: filled(&form, "username"),
        full_name: filled(&form, "full-name"),
        email: filled(&form, "email"),
        second_factor_required: requires_factor(&form),
        roles,
        grants,
    };
    let users = visit.site.service.users();
    match users.invite(&visit.caller, invitee).await {
        Ok(made) => once(&visit, &made),
        Err(refusal @ Refusal::Conflict(_)) => match invited_already(&visit, &form) {
            Some(user) => told_of_invitation(&visit, user),
            None => again(&visit, (None, &form), given(&form), refusal),
        },
        Err(refusal) => again(&visit, (None, &form), given(&form), refusal),
    }
}

/// Who was invited by just this form, sent twice, and has not chosen a password yet.
fn invited_already(visit: &Visit, form: &Form) -> Option<UserView> {
    let caller = visit.site.service.newest(&visit.caller).ok()?;
    let named = caller
        .catalog()
        .user_named(caller.tenant(), &filled(form, "username"))?;
    let user = visit.site.service.users().show(&caller, &named.id).ok()?;
    let (roles, grants) = given(form);
    let is_same = user.full_name == filled(form, "full-name")
        && user.email == filled(form, "email")
        && in_order(&user.roles, &user.grants) == in_order(&roles, &grants);
    (is_same && user.invitation_ends_at.is_some()).then_some(user)
}

/// Roles and grants in an order of their own, so that the same ones are equal.
fn in_order<'a>(roles: &'a [String], grants: &'a [Grant]) -> (Vec<&'a String>, Vec<&'a Grant>) {
    let mut roles: Vec<_> = roles.iter().collect();
    let mut grants: Vec<_> = grants.iter().collect();
    roles.sort();
    grants.sort_by(|one, other| one.area.cmp(&other.area));
    (roles, grants)
}

/// The page of who was invited already, with what to do for another link.
fn told_of_invitation(visit: &Visit, user: UserView) -> Result<Response<Body>, Failure> {
    let page = UserPage {
        message: Some(visit.texts.access.invited_already.to_owned()),
        ..page_of(visit, Shown::of(user, visit.texts), None)?
    };
    shown_as(StatusCode::CONFLICT, &page)
}

pub(in crate::admin::pages) async fn invite_again(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let users = visit.site.service.users();
    match users.invite_again(&visit.caller, &visit.ids).await {
        Ok(made) => once(&visit, &made),
        Err(refusal) => refused(&visit, refusal),
    }
}

/// The page of a user with its invitation, which nobody keeps.
fn once<P>(visit: &Visit<P>, made: &NewInvitation) -> Result<Response<Body>, Failure> {
    let user = visit
        .site
        .service
        .users()
        .show(&visit.caller, &made.user.id)?;
    let link = visit
        .site
        .public_address(&format!("/invitation#{}", made.code));
    let page = UserPage {
        link: Some(link),
        ..page_of(visit, Shown::of(user, visit.texts), None)?
    };
    shown(&page).map(no_store)
}

/// The page of a user with why what was asked for was refused.
fn refused(visit: &Visit<String>, refusal: Refusal) -> Result<Response<Body>, Failure> {
    let told = Told::of(refusal, visit.texts)?;
    let user = visit.site.service.users().show(&visit.caller, &visit.ids)?;
    let page = page_of(visit, Shown::of(user, visit.texts), Some(&told))?;
    shown_as(told.status, &page)
}

pub(in crate::admin::pages) async fn update(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let users = visit.site.service.users();
    let stored = users.show(&visit.caller, &visit.ids)?;
    let (roles, grants) = given_over(&visit, &form, (&stored.roles, &stored.grants))?;
    if is_look(&form) {
        let user = typed((Some(stored), &form), (roles, grants), visit.texts);
        return shown(&page_of(&visit, user, None)?);
    }
    let content = UserContent {
        username: filled(&form, "username"),
        full_name: filled(&form, "full-name"),
        email: filled(&form, "email"),
        password: None,
        second_factor_required: Some(requires_factor(&form)),
        active: form.text("active") != "false",
        roles: roles.clone(),
        grants: grants.clone(),
    };
    let users = visit.site.service.users();
    let changed = users.change_seen(&visit.caller, &visit.ids, content, stale::sent(&form));
    match changed.await {
        Ok(user) => Ok(visit.see(&format!("/users/{}?saved=1", user.id))),
        Err(refusal) => {
            let stored = visit.site.service.users().show(&visit.caller, &visit.ids)?;
            if stale::is_stale(&form, &stored) {
                return overtaken(&visit, &form, stored, refusal);
            }
            again(&visit, (Some(stored), &form), (roles, grants), refusal)
        }
    }
}

pub(in crate::admin::pages) async fn sign_out(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let users = visit.site.service.users();
    match users.end_sessions(&visit.caller, &visit.ids).await {
        Ok(()) => Ok(visit.see(&format!("/users/{}?saved=1", visit.ids))),
        Err(refusal) => refused(&visit, refusal),
    }
}

pub(in crate::admin::pages) async fn remove_factor(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let users = visit.site.service.users();
    match users.remove_second_factor(&visit.caller, &visit.ids).await {
        Ok(_) => Ok(visit.see(&format!("/users/{}?saved=1", visit.ids))),
        Err(refusal) => refused(&visit, refusal),
    }
}

pub(in crate::admin::pages) async fn delete(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let users = visit.site.service.users();
    match users.delete(&visit.caller, &visit.ids).await {
        Ok(()) => Ok(visit.see("/users")),
        Err(refusal) => refused(&visit, refusal),
    }
}

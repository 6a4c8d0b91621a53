//! API keys: listed masked, made, switched, rotated and deleted. A key is seen in whole by the page that answers its
//! making, and never again.

use super::first_steps::{Lacking, lacking};
use super::parts::{
    Input, NamesById, all_roles, description, given, given_areas, idle, in_line, names_of_areas,
    names_of_roles,
};
use super::stale;
use super::ticks::{Access, Looked, is_look};
use super::told::Told;
use crate::admin::pages::numbers::moment;
use crate::admin::pages::pagination::PageLinks;
use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::{Form, Page, Section, Submission, Visit, shown, shown_as};
use crate::admin::response::no_store;
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::Refusal;
use service::catalog::{Resource, Shelf, Verb};
use service::manage::{ApiKeyView, KeyRotation, NewApiKey, Problem, mark};
use wire::Timestamp;

/// Seconds for which the old secret of a rotated key still works.
const GRACE_SECONDS: i64 = 24 * 3600;

/// Where what is told of an input comes from.
const PATHS: [&str; 3] = ["$.name", "$.description", EXPIRES];
pub(super) const EXPIRES: &str = "$.expiresAt";

#[derive(Template)]
#[template(path = "keys.html")]
struct KeysPage {
    page: Page,
    keys: Vec<KeyRow>,
    pages: PageLinks,
    /// What lacks before a new one could reach anything.
    lacking: Option<Lacking>,
    /// What a new one is asked for.
    inputs: Vec<Input>,
    access: Access,
    /// The key that was made just now, by its name and in whole.
    made: Option<(String, String)>,
    message: Option<String>,
    may_add: bool,
    may_edit: bool,
    may_delete: bool,
}

struct KeyRow {
    id: String,
    /// The mark of it as it is shown, by which a new secret is asked for once.
    seen: String,
    name: String,
    description: String,
    masked: String,
    status: &'static str,
    is_active: bool,
    /// That it can do nothing.
    idle: Option<&'static str>,
    roles: String,
    areas: String,
    last_used: Option<String>,
    expires: Option<String>,
    earlier_until: Option<String>,
}

pub(in crate::admin::pages) async fn list(visit: Visit) -> Result<Response<Body>, Failure> {
    shown(&page_of(&visit, &Form::empty(), None)?)
}

/// The page, with what was filled in of a new key.
fn page_of<P>(visit: &Visit<P>, form: &Form, told: Option<&Told>) -> Result<KeysPage, Failure> {
    let texts = visit.texts;
    let keys = visit.site.service.api_keys();
    let found = keys.list(&visit.caller, "", Shelf::Live, &visit.list_page())?;
    let (roles, areas) = (all_roles(visit)?, given_areas(visit)?);
    let (roles, areas) = (NamesById::of(&roles), NamesById::of(&areas));
    let rows = found.items.into_iter();
    let rows = rows.map(|key| row(visit, key, &roles, &areas));
    let may = |verb| visit.caller.rights().may(Resource::ApiKeys, verb);
    let (given_roles, given_grants) = given(form);
    let lacking = if may(Verb::Add) {
        lacking(visit, "/keys#new")?
    } else {
        None
    };
    let mut access = Access::of(visit, (&given_roles, &given_grants), &Looked::of(form))?;
    if lacking.is_some() {
        // the way to it stands above the form
        access.make_area = None;
    }
    Ok(KeysPage {
        keys: rows.collect(),
        lacking,
        access,
        pages: PageLinks::of(visit, "/keys", &[], found.next_page_key),
        page: visit.page(Section::Access),
        inputs: vec![
            Input::line("name", texts.name, form.text("name"))
                .required()
                .told(told, PATHS[0]),
            Input::description(texts.description, form.text("description")).told(told, PATHS[1]),
            Input::line("expires", texts.key_expires, form.text("expires"))
                .of_kind("date")
                .about(texts.key_expires_what)
                .told(told, EXPIRES),
        ],
        made: None,
        message: told
            .map(|told| told.above(&PATHS))
            .filter(|message| !message.is_empty()),
        may_add: may(Verb::Add),
        may_edit: may(Verb::Edit),
        may_delete: may(Verb::Delete),
    })
}

fn row<P>(
    visit: &Visit<P>,
    key: ApiKeyView,
    roles: &NamesById<'_>,
    areas: &NamesById<'_>,
) -> KeyRow {
    let texts = visit.texts;
    KeyRow {
        seen: mark(&key),
        status: match key.status(visit.site.service.now()) {
            "Active" => texts.key_active,
            "Expired" => texts.key_expired,
            _ => texts.key_inactive,
        },
        id: key.api_key_id,
        name: key.name,
        description: in_line(&key.description, texts),
        masked: key.masked_key,
        is_active: key.active,
        idle: idle(&key.roles, &key.grants, texts),
        roles: names_of_roles(roles, &key.roles, texts),
        areas: names_of_areas(areas, &key.grants, texts),
        last_used: key.last_used_at.map(moment),
        expires: key.expires_at.map(moment),
        earlier_until: key.earlier_secret_until.map(moment),
    }
}

/// When a key ends that works on a day for the last time; no day is no end.
pub(super) fn end_of(day: &str, texts: &Texts) -> Result<Option<Timestamp>, Refusal> {
    let day = day.trim();
    if day.is_empty() {
        return Ok(None);
    }
    let unreadable = texts.access.key_expires_unreadable;
    let wrong = |_| Refusal::Invalid(vec![Problem::new(EXPIRES, unreadable)]);
    let end = format!("{day}T23:59:59Z").parse::<Timestamp>();
    end.map(Some).map_err(wrong)
}

/// The key that was filled in.
fn new_key(form: &Form, texts: &Texts) -> Result<NewApiKey, Refusal> {
    let (roles, grants) = given(form);
    let expires_at = end_of(form.text("expires"), texts)?;
    Ok(NewApiKey {
        name: form.text("name").trim().to_owned(),
        description: description(form),
        expires_at,
        ends_with_maker: false,
        active: true,
        roles,
        grants,
    })
}

pub(in crate::admin::pages) async fn create(sent: Submission) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    if is_look(&form) {
        return shown(&page_of(&visit, &form, None)?);
    }
    let keys = visit.site.service.api_keys();
    let made = match new_key(&form, visit.texts) {
        Ok(new) => {
            let name = new.name.clone();
            let made = keys.mint(&visit.caller, new).await;
            made.map(|made| (name, made.secret))
        }
        Err(refusal) => Err(refusal),
    };
    match made {
        Ok((name, secret)) => once(&visit, name, secret),
        Err(refusal) => {
            let told = Told::of(refusal, visit.texts)?;
            shown_as(told.status, &page_of(&visit, &form, Some(&told))?)
        }
    }
}

pub(in crate::admin::pages) async fn rotate(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let rotation = KeyRotation {
        grace_seconds: GRACE_SECONDS,
    };
    let keys = visit.site.service.api_keys();
    let seen = stale::sent(&form);
    let made = keys.rotate_seen(&visit.caller, &visit.ids, rotation, seen);
    match made.await {
        Ok(made) => once(&visit, made.noun.name.clone(), made.secret),
        Err(refusal) => {
            let told = Told::of(refusal, visit.texts)?;
            shown_as(told.status, &page_of(&visit, &Form::empty(), Some(&told))?)
        }
    }
}

/// The page with a key in whole, which nobody keeps.
fn once<P>(visit: &Visit<P>, name: String, secret: String) -> Result<Response<Body>, Failure> {
    let page = KeysPage {
        made: Some((name, secret)),
        ..page_of(visit, &Form::empty(), None)?
    };
    shown(&page).map(no_store)
}

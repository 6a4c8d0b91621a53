//! API keys: listed masked, made, switched, rotated and deleted. A key is seen in whole by the page that answers its
//! making, and never again.

use super::numbers::moment;
use super::visit::{Form, Page, Section, Submission, Visit, shown, shown_as};
use crate::admin::response::no_store;
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use serde_json::{Value, json};
use service::manage::{ApiKeyView, KeyRotation, NewApiKey};
use service::{PageRequest, Refusal};
use std::collections::BTreeMap;
use store::records::Shelf;

/// Seconds for which the old secret of a rotated key still works.
const GRACE_SECONDS: i64 = 24 * 3600;

#[derive(Template)]
#[template(path = "keys.html")]
struct KeysPage {
    page: Page,
    keys: Vec<KeyRow>,
    next: Option<String>,
    roles: Vec<Choice>,
    areas: Vec<Choice>,
    /// The key that was made just now, by its name and in whole.
    made: Option<(String, String)>,
    message: Option<String>,
}

struct KeyRow {
    id: String,
    name: String,
    description: String,
    masked: String,
    status: &'static str,
    is_active: bool,
    roles: String,
    areas: String,
    last_used: Option<String>,
    expires: Option<String>,
    earlier_until: Option<String>,
}

/// Something that can be given to a key.
struct Choice {
    id: String,
    name: String,
    description: String,
}

pub(super) async fn list(visit: Visit) -> Result<Response<Body>, Failure> {
    shown(&page_of(&visit)?)
}

fn page_of<P>(visit: &Visit<P>) -> Result<KeysPage, Failure> {
    let service = &visit.site.service;
    let request = visit.list_page();
    let found = service
        .api_keys()
        .list(&visit.caller, "", Shelf::Live, &request)?;
    let roles = roles(visit)?;
    let areas = areas(visit)?;
    let names: BTreeMap<&str, &str> = roles
        .iter()
        .chain(&areas)
        .map(|it| (&*it.id, &*it.name))
        .collect();
    let rows = found.items.iter().map(|key| row(visit, key, &names));
    Ok(KeysPage {
        keys: rows.collect(),
        next: found.next_page_key,
        page: visit.page(Section::Access),
        roles,
        areas,
        made: None,
        message: None,
    })
}

fn row<P>(visit: &Visit<P>, key: &ApiKeyView, names: &BTreeMap<&str, &str>) -> KeyRow {
    let texts = visit.texts;
    let named = |id: &str| names.get(id).copied().unwrap_or("…").to_owned();
    let roles = key.roles.iter().map(|id| named(id));
    let areas = key.grants.iter().map(|grant| named(&grant.area));
    KeyRow {
        id: key.api_key_id.clone(),
        name: key.name.clone(),
        description: key.description.clone(),
        masked: key.masked_key.clone(),
        status: match key.status(visit.site.service.now()) {
            "Active" => texts.key_active,
            "Expired" => texts.key_expired,
            _ => texts.key_inactive,
        },
        is_active: key.active,
        roles: roles.collect::<Vec<_>>().join(", "),
        areas: areas.collect::<Vec<_>>().join(", "),
        last_used: key.last_used_at.map(moment),
        expires: key.expires_at.map(moment),
        earlier_until: key.earlier_secret_until.map(moment),
    }
}

/// What a visitor that may not see it is not offered.
fn allowed<T: Default>(found: Result<T, Refusal>) -> Result<T, Refusal> {
    match found {
        Err(Refusal::Forbidden(_)) => Ok(T::default()),
        found => found,
    }
}

fn roles<P>(visit: &Visit<P>) -> Result<Vec<Choice>, Refusal> {
    let all = PageRequest::default();
    let service = &visit.site.service;
    let found = service.roles().list(&visit.caller, "", Shelf::Live, &all);
    let roles = allowed(found.map(|page| page.items))?.into_iter();
    let choice = roles.map(|role| Choice {
        id: role.role_id,
        name: role.name,
        description: role.description,
    });
    Ok(choice.collect())
}

fn areas<P>(visit: &Visit<P>) -> Result<Vec<Choice>, Refusal> {
    let all = PageRequest::default();
    let service = &visit.site.service;
    let found = service.areas().list(&visit.caller, "", Shelf::Live, &all);
    let areas = allowed(found.map(|page| page.items))?.into_iter();
    let choice = areas.map(|area| Choice {
        id: area.item.business_area_id,
        name: area.item.name,
        description: area.item.description,
    });
    Ok(choice.collect())
}

/// The key that was filled in, as management takes it.
fn new_key(form: &Form, areas: &[Choice]) -> Result<NewApiKey, String> {
    let grants = areas.iter().filter_map(|area| {
        let verbs: &[&str] = match form.text(&format!("area-{}", area.id)) {
            "view" => &["view"],
            "edit" => &["view", "add", "edit"],
            "all" => &["view", "add", "edit", "delete"],
            _ => return None,
        };
        Some(json!({"area": area.id, "verbs": verbs}))
    });
    let expires = match form.text("expires") {
        "" => Value::Null,
        day => format!("{day}T23:59:59Z").into(),
    };
    let new = json!({
        "name": form.text("name").trim(),
        "description": form.text("description").trim(),
        "expiresAt": expires,
        "roles": form.all("role").collect::<Vec<_>>(),
        "grants": grants.collect::<Vec<_>>(),
    });
    serde_json::from_value(new).map_err(|error| error.to_string())
}

pub(super) async fn create(sent: Submission) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let new = match new_key(&form, &areas(&visit)?) {
        Ok(new) => new,
        Err(message) => return again(&visit, message),
    };
    let name = new.name.clone();
    let keys = visit.site.service.api_keys();
    match keys.mint(&visit.caller, new).await {
        Ok(made) => once(&visit, name, made.secret),
        Err(Refusal::Invalid(problems)) => {
            let all = problems.iter();
            let all = all.map(|it| format!("{}: {}", it.path, visit.texts.problem(it)));
            again(&visit, all.collect::<Vec<_>>().join("; "))
        }
        Err(Refusal::Conflict(message)) => again(&visit, visit.texts.said(&message)),
        Err(refusal) => Err(refusal.into()),
    }
}

pub(super) async fn rotate(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let rotation = KeyRotation {
        grace_seconds: GRACE_SECONDS,
    };
    let keys = visit.site.service.api_keys();
    let made = keys.rotate(&visit.caller, &visit.ids, rotation).await?;
    once(&visit, made.noun.name.clone(), made.secret)
}

/// The page with a key in whole, which nobody keeps.
fn once<P>(visit: &Visit<P>, name: String, secret: String) -> Result<Response<Body>, Failure> {
    let page = KeysPage {
        made: Some((name, secret)),
        ..page_of(visit)?
    };
    shown(&page).map(no_store)
}

fn again<P>(visit: &Visit<P>, message: String) -> Result<Response<Body>, Failure> {
    let page = KeysPage {
        message: Some(message),
        ..page_of(visit)?
    };
    shown_as(StatusCode::BAD_REQUEST, &page)
}

pub(super) async fn enable(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    switch(sent, true).await
}

pub(super) async fn disable(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    switch(sent, false).await
}

async fn switch(sent: Submission<String>, active: bool) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let keys = visit.site.service.api_keys();
    keys.set_active(&visit.caller, &visit.ids, active).await?;
    Ok(visit.see("/keys"))
}

pub(super) async fn delete(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let keys = visit.site.service.api_keys();
    keys.delete(&visit.caller, &visit.ids).await?;
    Ok(visit.see("/keys"))
}

//! Application clients: what each can do; made, changed, switched and deleted; a secret is seen by the page that answers its making, and never
//! again.

use super::first_steps::{Lacking, lacking};
use super::parts::{
    Input, NamesById, all_roles, description, given, given_areas, given_over, idle, in_line,
    names_of_areas, names_of_roles,
};
use super::reach::Reach;
use super::stale;
use super::ticks::{Access, Facts, Looked, is_look};
use super::told::Told;
use crate::admin::pages::numbers::moment;
use crate::admin::pages::pagination::PageLinks;
use crate::admin::pages::visit::{Form, Page, Section, Submission, Visit, shown, shown_as};
use crate::admin::response::no_store;
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::Refusal;
use service::catalog::{Grant, Resource, Shelf, Verb};
use service::manage::{AppContent, AppView, mark};

const PATHS: [&str; 3] = ["$.name", "$.description", "$.tokenSeconds"];

#[derive(Template)]
#[template(path = "clients.html")]
struct ClientsPage {
    page: Page,
    clients: Vec<ClientRow>,
    pages: PageLinks,
    /// What lacks where there is none yet.
    lacking: Option<Lacking>,
    may_add: bool,
}

struct ClientRow {
    id: String,
    name: String,
    description: String,
    status: &'static str,
    /// That it can do nothing.
    idle: Option<&'static str>,
    roles: String,
    areas: String,
    last_used: Option<String>,
}

#[derive(Template)]
#[template(path = "client.html")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a fact or a right of its own, as the template asks for it"
)]
struct ClientPage {
    page: Page,
    /// Empty for a new one.
    id: String,
    /// The mark of what its form is made from.
    seen: String,
    title: String,
    inputs: Vec<Input>,
    access: Access,
    /// What is ticked, where the visitor may only look at it.
    facts: Option<Facts>,
    /// What it can do, of one that is looked at.
    reach: Option<Reach>,
    /// The secret that was made just now.
    secret: Option<String>,
    message: Option<String>,
    is_active: bool,
    is_saved: bool,
    may_save: bool,
    may_delete: bool,
}

impl ClientPage {
    /// Its own address.
    fn path(&self) -> String {
        let id: &str = if self.id.is_empty() { "new" } else { &self.id };
        format!("/clients/{id}")
    }
}

/// What is shown of a client, whether it is stored or was typed.
struct Shown {
    id: String,
    seen: String,
    name: String,
    description: String,
    token_seconds: String,
    is_active: bool,
    roles: Vec<String>,
    grants: Vec<Grant>,
    looked: Looked,
}

impl From<AppView> for Shown {
    fn from(app: AppView) -> Self {
        Shown {
            seen: mark(&app),
            id: app.client_id,
            name: app.name,
            description: app.description,
            token_seconds: app.token_seconds.to_string(),
            is_active: app.active,
            roles: app.roles,
            grants: app.grants,
            looked: Looked::default(),
        }
    }
}

pub(in crate::admin::pages) async fn list(visit: Visit) -> Result<Response<Body>, Failure> {
    let apps = visit.site.service.apps();
    let found = apps.list(&visit.caller, "", Shelf::Live, &visit.list_page())?;
    let (roles, areas) = (all_roles(&visit)?, given_areas(&visit)?);
    let (roles, areas) = (NamesById::of(&roles), NamesById::of(&areas));
    let texts = visit.texts;
    let rows = found.items.into_iter().map(|app| ClientRow {
        status: if app.active {
            texts.key_active
        } else {
            texts.key_inactive
        },
        id: app.client_id,
        name: app.name,
        description: in_line(&app.description, texts),
        idle: idle(&app.roles, &app.grants, texts),
        roles: names_of_roles(&roles, &app.roles, texts),
        areas: names_of_areas(&areas, &app.grants, texts),
        last_used: app.last_used_at.map(moment),
    });
    let clients: Vec<ClientRow> = rows.collect();
    let may_add = visit.caller.rights().may(Resource::Apps, Verb::Add);
    let lacking = if clients.is_empty() && may_add {
        lacking(&visit, "/clients/new")?
    } else {
        None
    };
    shown(&ClientsPage {
        clients,
        pages: PageLinks::of(&visit, "/clients", &[], found.next_page_key),
        lacking,
        may_add,
        page: visit.page(Section::Access),
    })
}

pub(in crate::admin::pages) async fn show_new(visit: Visit) -> Result<Response<Body>, Failure> {
    let rights = visit.caller.rights();
    rights.require(Resource::Apps, Verb::Add)?;
    let client = Shown {
        id: String::new(),
        seen: String::new(),
        name: String::new(),
        description: String::new(),
        token_seconds: "3600".to_owned(),
        is_active: true,
        roles: Vec::new(),
        grants: Vec::new(),
        looked: Looked::default(),
    };
    shown(&page_of(&visit, client, None)?)
}

pub(in crate::admin::pages) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let client = visit.site.service.apps().show(&visit.caller, &visit.ids)?;
    let path = format!("/clients/{}", client.client_id);
    let reach = Reach::of(&visit, path, (&client.roles, &client.grants))?;
    shown(&ClientPage {
        is_saved: visit.parameter("saved").is_some(),
        reach: Some(reach),
        ..page_of(&visit, client.into(), None)?
    })
}

fn page_of<P>(visit: &Visit<P>, client: Shown, told: Option<&Told>) -> Result<ClientPage, Failure> {
    let texts = visit.texts;
    let may = |verb| visit.caller.rights().may(Resource::Apps, verb);
    let is_new = client.id.is_empty();
    let seconds = Input::line(
        "token-seconds",
        texts.access.client_seconds,
        client.token_seconds,
    );
    let inputs = vec![
        Input::line("name", texts.name, &client.name)
            .required()
            .told(told, "$.name"),
        Input::description(texts.description, client.description).told(told, "$.description"),
        seconds.of_kind("number").told(told, "$.tokenSeconds"),
    ];
    let may_save = may(if is_new { Verb::Add } else { Verb::Edit });
    let ticked = (&*client.roles, &*client.grants);
    Ok(ClientPage {
        page: visit.page(Section::Access),
        title: if is_new {
            texts.access.client_new.to_owned()
        } else {
            client.name
        },
        access: Access::of(visit, ticked, &client.looked)?,
        facts: (!may_save).then(|| Facts::of(visit, ticked)).transpose()?,
        message: told
            .map(|told| told.above(&PATHS))
            .filter(|message| !message.is_empty()),
        id: client.id,
        seen: client.seen,
        inputs,
        reach: None,
        secret: None,
        is_active: client.is_active,
        is_saved: false,
        may_save,
        may_delete: !is_new && may(Verb::Delete),
    })
}

/// What was filled in, with the roles and grants that go with it.
fn filled(form: &Form, (roles, grants): (Vec<String>, Vec<Grant>)) -> AppContent {
    AppContent {
        name: form.text("name").trim().to_owned(),
        description: description(form),
        active: form.text("active") != "false",
        token_seconds: form.text("token-seconds").trim().parse().unwrap_or(0),
        roles,
        grants,
    }
}

/// What was filled in, as its page shows it.
fn typed((id, form): (String, &Form), content: AppContent) -> Shown {
    Shown {
        id,
        seen: stale::sent(form).unwrap_or_default(),
        name: content.name,
        description: content.description,
        token_seconds: form.text("token-seconds").to_owned(),
        is_active: content.active,
        roles: content.roles,
        grants: content.grants,
        looked: Looked::of(form),
    }
}

fn again<P>(
    visit: &Visit<P>,
    filled: (String, &Form),
    content: AppContent,
    refusal: Refusal,
) -> Result<Response<Body>, Failure> {
    let told = Told::of(refusal, visit.texts)?;
    let client = typed(filled, content);
    shown_as(told.status, &page_of(visit, client, Some(&told))?)
}

/// The page with the texts that were filled in and all else as it is stored, where someone else changed it meanwhile.
fn overtaken(
    visit: &Visit<String>,
    form: &Form,
    stored: AppView,
    refusal: Refusal,
) -> Result<Response<Body>, Failure> {
    let told = Told::of(refusal, visit.texts)?;
    let seconds = stored.token_seconds.to_string();
    let own = [&*stored.name, &stored.description, &seconds];
    let message = stale::told(visit.texts, &own);
    let client = Shown {
        name: form.text("name").to_owned(),
        description: form.text("description").to_owned(),
        token_seconds: form.text("token-seconds").to_owned(),
        ..stored.into()
    };
    let page = ClientPage {
        message: Some(message),
        ..page_of(visit, client, Some(&told))?
    };
    shown_as(told.status, &page)
}

/// The page of a client with its secret, which nobody keeps.
fn once<P>(visit: &Visit<P>, id: &str, secret: String) -> Result<Response<Body>, Failure> {
    let client = visit.site.service.apps().show(&visit.caller, id)?;
    let page = ClientPage {
        secret: Some(secret),
        ..page_of(visit, client.into(), None)?
    };
    shown(&page).map(no_store)
}

pub(in crate::admin::pages) async fn create(sent: Submission) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let apps = visit.site.service.apps();
    let content = filled(&form, given(&form));
    if is_look(&form) {
        let client = typed((String::new(), &form), content);
        return shown(&page_of(&visit, client, None)?);
    }
    match apps.mint(&visit.caller, content.clone().into()).await {
        Ok(made) => once(&visit, &made.noun.id, made.secret.clone()),
        Err(refusal) => again(&visit, (String::new(), &form), content, refusal),
    }
}

pub(in crate::admin::pages) async fn renew(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let apps = visit.site.service.apps();
    let made = apps.renew_secret(&visit.caller, &visit.ids).await?;
    once(&visit, &made.noun.id, made.secret.clone())
}

pub(in crate::admin::pages) async fn update(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let apps = visit.site.service.apps();
    let stored = apps.show(&visit.caller, &visit.ids)?;
    let access = given_over(&visit, &form, (&stored.roles, &stored.grants))?;
    let content = filled(&form, access);
    if is_look(&form) {
        let client = typed((visit.ids.clone(), &form), content);
        return shown(&page_of(&visit, client, None)?);
    }
    let apps = visit.site.service.apps();
    let seen = stale::sent(&form);
    let changed = apps.update_seen(&visit.caller, &visit.ids, content.clone(), seen);
    match changed.await {
        Ok(app) => Ok(visit.see(&format!("/clients/{}?saved=1", app.id))),
        Err(refusal) => {
            let stored = visit.site.service.apps().show(&visit.caller, &visit.ids)?;
            if stale::is_stale(&form, &stored) {
                return overtaken(&visit, &form, stored, refusal);
            }
            again(&visit, (visit.ids.clone(), &form), content, refusal)
        }
    }
}

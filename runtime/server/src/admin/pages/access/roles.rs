//! Roles: each a table of what may be done to which resource. Built-in ones are shown and copied, never changed.

use super::parts::{Input, description, in_line, shown_description};
use super::stale;
use super::told::Told;
use super::user::requires_factor;
use super::verbs::{self, Column, Tick};
use crate::admin::pages::pagination::PageLinks;
use crate::admin::pages::visit::{Form, Page, Section, Submission, Visit, shown, shown_as};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use service::Refusal;
use service::catalog::{Permission, Resource, Shelf, Verb, Verbs};
use service::manage::{RoleContent, RoleView, mark};

#[derive(Template)]
#[template(path = "roles.html")]
struct RolesPage {
    page: Page,
    roles: Vec<RoleRow>,
    pages: PageLinks,
    may_add: bool,
}

struct RoleRow {
    id: String,
    name: String,
    description: String,
    is_built_in: bool,
    /// Whether it allows nothing at all.
    is_empty: bool,
}

#[derive(Template)]
#[template(path = "role.html")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a right of its own, as the template asks for it"
)]
struct RolePage {
    page: Page,
    /// Empty for a new one.
    id: String,
    /// The mark of what its form is made from.
    seen: String,
    title: String,
    inputs: Vec<Input>,
    verbs: Vec<Column>,
    rows: Vec<ResourceRow>,
    message: Option<String>,
    is_built_in: bool,
    /// Whether users who have it must have a second factor.
    requires_factor: bool,
    /// Whether it is there and allows nothing at all.
    is_empty: bool,
    is_saved: bool,
    may_add: bool,
    may_edit: bool,
    /// Whether the visitor may say of a built-in one that it requires a second factor.
    may_require_factor: bool,
    may_delete: bool,
}

struct ResourceRow {
    name: String,
    label: String,
    /// What is to be known of it, where its name does not say it.
    about: &'static str,
    ticks: Vec<Tick>,
}

/// What is shown of a role, whether it is stored or was typed.
struct Shown {
    id: String,
    seen: String,
    name: String,
    description: String,
    permissions: Vec<Permission>,
    requires_factor: bool,
    is_built_in: bool,
}

impl From<RoleView> for Shown {
    fn from(role: RoleView) -> Self {
        Shown {
            seen: mark(&role),
            id: role.role_id,
            name: role.name,
            description: role.description,
            permissions: role.permissions,
            requires_factor: role.second_factor_required,
            is_built_in: role.built_in,
        }
    }
}

pub(in crate::admin::pages) async fn list(visit: Visit) -> Result<Response<Body>, Failure> {
    let roles = visit.site.service.roles();
    let found = roles.list(&visit.caller, "", Shelf::Live, &visit.list_page())?;
    let rows = found.items.into_iter().map(|role| RoleRow {
        description: in_line(&shown_description(&role, visit.texts), visit.texts),
        is_empty: allows_nothing(&role.permissions),
        id: role.role_id,
        name: role.name,
        is_built_in: role.built_in,
    });
    shown(&RolesPage {
        roles: rows.collect(),
        pages: PageLinks::of(&visit, "/roles", &[], found.next_page_key),
        may_add: visit.caller.rights().may(Resource::Roles, Verb::Add),
        page: visit.page(Section::Access),
    })
}

/// A new one, maybe as another one is.
pub(in crate::admin::pages) async fn show_new(visit: Visit) -> Result<Response<Body>, Failure> {
    let rights = visit.caller.rights();
    rights.require(Resource::Roles, Verb::Add)?;
    let mut role = Shown {
        id: String::new(),
        seen: String::new(),
        name: String::new(),
        description: String::new(),
        permissions: Vec::new(),
        requires_factor: false,
        is_built_in: false,
    };
    if let Some(like) = visit.parameter("like") {
        let like = visit.site.service.roles().show(&visit.caller, &like)?;
        role.permissions = like.permissions;
        role.requires_factor = like.second_factor_required;
    }
    shown(&page_of(&visit, role, None))
}

pub(in crate::admin::pages) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let role = visit.site.service.roles().show(&visit.caller, &visit.ids)?;
    let is_saved = visit.parameter("saved").is_some();
    shown(&RolePage {
        is_saved,
        ..page_of(&visit, role.into(), None)
    })
}

fn page_of<P>(visit: &Visit<P>, role: Shown, told: Option<&Told>) -> RolePage {
    let texts = visit.texts;
    let may = |verb| visit.caller.rights().may(Resource::Roles, verb);
    let of = |resource: Resource| {
        let own = role.permissions.iter().filter(|it| it.resource == resource);
        own.fold(Verbs::NONE, |set, it| set.and(it.verbs))
    };
    let rows = Resource::ALL.into_iter().map(|resource| {
        let name = resource.name();
        ResourceRow {
            label: texts.access.resource_label(&name),
            ticks: verbs::ticks_of(resource, of(resource), texts),
            about: match resource {
                Resource::PersonalData => texts.access.resource_personal_what,
                _ => "",
            },
            name,
        }
    });
    let is_new = role.id.is_empty();
    let text = if role.is_built_in {
        texts.said(&role.description)
    } else {
        role.description
    };
    let inputs = vec![
        Input::line("name", texts.name, &role.name)
            .required()
            .told(told, "$.name"),
        Input::description(texts.description, text).told(told, "$.description"),
    ];
    RolePage {
        page: visit.page(Section::Access),
        title: match &*role.name {
            _ if is_new => texts.access.role_new.to_owned(),
            name => name.to_owned(),
        },
        rows: rows.collect(),
        verbs: verbs::columns(texts),
        message: told
            .map(|told| told.above(&["$.name", "$.description"]))
            .filter(|message| !message.is_empty()),
        is_built_in: role.is_built_in,
        requires_factor: role.requires_factor,
        is_empty: !is_new && allows_nothing(&role.permissions),
        is_saved: false,
        may_add: may(Verb::Add),
        may_edit: !role.is_built_in && may(if is_new { Verb::Add } else { Verb::Edit }),
        may_require_factor: role.is_built_in && may(Verb::Edit),
        may_delete: !role.is_built_in && !is_new && may(Verb::Delete),
        id: role.id,
        seen: role.seen,
        inputs,
    }
}

fn allows_nothing(permissions: &[Permission]) -> bool {
    permissions.iter().all(|it| it.verbs == Verbs::NONE)
}

/// The role as it was filled in; of a built-in one, only whether it requires a second factor.
fn filled(form: &Form, stored: Option<&RoleView>) -> RoleContent {
    let second_factor_required = Some(requires_factor(form));
    if let Some(role) = stored.filter(|role| role.built_in) {
        let role = role.clone();
        return RoleContent {
            name: role.name,
            description: role.description,
            permissions: role.permissions,
            second_factor_required,
        };
    }
    let permissions = Resource::ALL.into_iter().map(|resource| Permission {
        resource,
        verbs: verbs::ticked(&resource.name(), form.all("allow")),
    });
    RoleContent {
        name: form.text("name").trim().to_owned(),
        description: description(form),
        permissions: permissions.filter(|it| it.verbs != Verbs::NONE).collect(),
        second_factor_required,
    }
}

/// The page again, with what was filled in and why it was refused.
fn again<P>(
    visit: &Visit<P>,
    (id, seen): (String, Option<String>),
    content: RoleContent,
    refusal: Refusal,
) -> Result<Response<Body>, Failure> {
    let told = Told::of(refusal, visit.texts)?;
    let role = Shown {
        id,
        seen: seen.unwrap_or_default(),
        name: content.name,
        description: content.description,
        permissions: content.permissions,
        requires_factor: content.second_factor_required.unwrap_or_default(),
        is_built_in: false,
    };
    shown_as(told.status, &page_of(visit, role, Some(&told)))
}

/// The page with the texts that were filled in and what the role allows by now, where someone else changed it meanwhile.
fn overtaken(
    visit: &Visit<String>,
    content: RoleContent,
    stored: RoleView,
    refusal: Refusal,
) -> Result<Response<Body>, Failure> {
    let told = Told::of(refusal, visit.texts)?;
    let message = stale::told(visit.texts, &[&stored.name, &stored.description]);
    let role = Shown {
        name: content.name,
        description: content.description,
        ..stored.into()
    };
    let page = RolePage {
        message: Some(message),
        ..page_of(visit, role, Some(&told))
    };
    shown_as(told.status, &page)
}

pub(in crate::admin::pages) async fn create(sent: Submission) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let content = filled(&form, None);
    let roles = visit.site.service.roles();
    match roles.create(&visit.caller, "", content.clone()).await {
        Ok(role) => Ok(visit.see(&format!("/roles/{}?saved=1", role.id))),
        Err(refusal) => again(&visit, (String::new(), None), content, refusal),
    }
}

pub(in crate::admin::pages) async fn update(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let stored = visit.site.service.roles().show(&visit.caller, &visit.ids)?;
    let content = filled(&form, Some(&stored));
    let roles = visit.site.service.roles();
    let seen = stale::sent(&form);
    let changed = roles.update_seen(&visit.caller, &visit.ids, content.clone(), seen.clone());
    match changed.await {
        Ok(role) => Ok(visit.see(&format!("/roles/{}?saved=1", role.id))),
        Err(refusal) => {
            let stored = visit.site.service.roles().show(&visit.caller, &visit.ids)?;
            if stale::is_stale(&form, &stored) {
                return overtaken(&visit, content, stored, refusal);
            }
            again(&visit, (visit.ids.clone(), seen), content, refusal)
        }
    }
}

pub(in crate::admin::pages) async fn delete(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let roles = visit.site.service.roles();
    match roles.delete(&visit.caller, &visit.ids).await {
        Ok(()) => Ok(visit.see("/roles")),
        // someone has it
        Err(Refusal::Conflict(message)) => {
            let role = visit.site.service.roles().show(&visit.caller, &visit.ids)?;
            let message = Some(visit.texts.said(&message));
            let page = RolePage {
                message,
                ..page_of(&visit, role.into(), None)
            };
            shown_as(StatusCode::CONFLICT, &page)
        }
        Err(refusal) => Err(refusal.into()),
    }
}

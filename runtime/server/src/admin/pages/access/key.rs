//! One API key: what it can do, dataset by dataset, as its roles and areas give it together; and both to be changed.

use super::datasets;
use super::keys::{EXPIRES, end_of};
use super::parts::{Access, Input, description, given_over};
use super::stale;
use super::told::Told;
use super::verbs::{self, Column, Tick};
use crate::admin::pages::numbers::moment;
use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::{Form, Page, Section, Submission, Visit, shown, shown_as};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::catalog::{Permission, Resource, Shelf, Verb, Verbs};
use service::manage::{ApiKeyContent, ApiKeyView, KeyExpiry, mark};
use service::{PageRequest, Refusal};
use std::collections::BTreeMap;
use wire::Timestamp;

#[derive(Template)]
#[template(path = "key.html")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a fact or a right of its own, as the template asks for it"
)]
struct KeyPage {
    page: Page,
    id: String,
    /// The mark of what its form is made from.
    seen: String,
    name: String,
    masked: String,
    status: &'static str,
    last_used: Option<String>,
    expires: Option<String>,
    /// The day on which it stops working, as its form began with.
    last_day: String,
    made: String,
    verbs: Vec<Column>,
    datasets: Vec<DatasetRights>,
    resources: Vec<ResourceRights>,
    inputs: Vec<Input>,
    access: Access,
    message: Option<String>,
    is_usable: bool,
    /// Whether the visitor sees what the key's roles allow.
    are_roles_seen: bool,
    is_saved: bool,
    may_save: bool,
}

struct DatasetRights {
    name: String,
    place: String,
    /// The verbs, and searching.
    cells: Vec<Cell>,
}

struct Cell {
    may: bool,
}

struct ResourceRights {
    label: String,
    ticks: Vec<Tick>,
}

pub(in crate::admin::pages) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let key = visit
        .site
        .service
        .api_keys()
        .show(&visit.caller, &visit.ids)?;
    shown(&KeyPage {
        is_saved: visit.parameter("saved").is_some(),
        ..page_of(&visit, key, None).await?
    })
}

/// The day on which a key stops working; empty where it never does.
fn last_day(end: Option<Timestamp>) -> String {
    let end = end.map(|end| end.to_string()).unwrap_or_default();
    end.split('T').next().unwrap_or_default().to_owned()
}

/// What becomes of when a key stops working: whoever left its day as it was means the very moment.
fn expiry(form: &Form, texts: &Texts) -> Result<KeyExpiry, Refusal> {
    let day = form.text("expires").trim();
    if form.get("expires").is_none() || day == form.text("w-expires") {
        return Ok(KeyExpiry::Unchanged);
    }
    let end = end_of(day, texts)?;
    Ok(end.map_or(KeyExpiry::Never, KeyExpiry::At))
}

/// What each role that the visitor sees allows.
fn permissions(visit: &Visit<String>) -> Result<BTreeMap<String, Vec<Permission>>, Refusal> {
    let mut all = BTreeMap::new();
    let mut request = PageRequest::default();
    loop {
        let roles = visit.site.service.roles();
        let found = match roles.list(&visit.caller, "", Shelf::Live, &request) {
            Err(Refusal::Forbidden(_)) => return Ok(all),
            found => found?,
        };
        let roles = found.items.into_iter();
        all.extend(roles.map(|role| (role.role_id, role.permissions)));
        request.key = found.next_page_key;
        if request.key.is_none() {
            return Ok(all);
        }
    }
}

async fn page_of(
    visit: &Visit<String>,
    key: ApiKeyView,
    told: Option<&Told>,
) -> Result<KeyPage, Failure> {
    let texts = visit.texts;
    let known = permissions(visit)?;
    let are_roles_seen = key.roles.iter().all(|id| known.contains_key(id));
    let own = key.roles.iter().filter_map(|id| known.get(id)).flatten();
    let own: Vec<&Permission> = own.collect();
    let allowed = |resource: Resource| {
        let own = own.iter().filter(|it| it.resource == resource);
        own.fold(Verbs::NONE, |set, it| set.and(it.verbs))
    };
    let status = key.status(visit.site.service.now());
    let inputs = vec![
        Input::line("name", texts.name, &key.name)
            .required()
            .told(told, "$.name"),
        Input::description(texts.description, &key.description).told(told, "$.description"),
        Input::line("expires", texts.key_expires, last_day(key.expires_at))
            .of_kind("date")
            .about(texts.key_expires_what)
            .told(told, EXPIRES),
    ];
    Ok(KeyPage {
        seen: mark(&key),
        page: visit.page(Section::Access),
        datasets: rights_by_dataset(visit, &key, allowed).await?,
        resources: Resource::ALL
            .into_iter()
            .filter(|it| !matches!(it, Resource::Records | Resource::Search))
            .filter(|resource| allowed(*resource) != Verbs::NONE)
            .map(|resource| {
                let name = verbs::name(resource);
                ResourceRights {
                    ticks: verbs::ticks(&name, allowed(resource), texts),
                    label: texts.access.resource_label(&name),
                }
            })
            .collect(),
        access: Access::of(visit, &key.roles, &key.grants)?,
        verbs: verbs::columns(texts),
        status: match status {
            "Active" => texts.key_active,
            "Expired" => texts.key_expired,
            _ => texts.key_inactive,
        },
        message: told
            .map(|told| told.above(&["$.name", "$.description", EXPIRES]))
            .filter(|message| !message.is_empty()),
        is_usable: status == "Active",
        last_used: key.last_used_at.map(moment),
        expires: key.expires_at.map(moment),
        last_day: last_day(key.expires_at),
        made: moment(key.stamp.created_date),
        id: key.api_key_id,
        name: key.name,
        masked: key.masked_key,
        inputs,
        are_roles_seen,
        is_saved: false,
        may_save: visit.caller.rights().may(Resource::ApiKeys, Verb::Edit),
    })
}

/// What a key may do to the records of each dataset that it reaches: what its roles allow where its areas let it.
async fn rights_by_dataset(
    visit: &Visit<String>,
    key: &ApiKeyView,
    allowed: impl Fn(Resource) -> Verbs,
) -> Result<Vec<DatasetRights>, Refusal> {
    let (records, search) = (allowed(Resource::Records), allowed(Resource::Search));
    let mut rows = Vec::new();
    for dataset in datasets::all(visit).await? {
        let grants = key.grants.iter().filter(|it| it.area == dataset.area_id);
        let granted = grants.fold(Verbs::NONE, |set, it| set.and(it.verbs));
        let may = |verb| records.has(verb) && granted.has(verb);
        let cells = [
            may(Verb::View),
            may(Verb::Add),
            may(Verb::Edit),
            may(Verb::Delete),
            may(Verb::View) && search.has(Verb::View),
        ];
        if cells.contains(&true) {
            rows.push(DatasetRights {
                name: dataset.name,
                place: format!("{} · {}", dataset.area, dataset.schema),
                cells: cells.map(|may| Cell { may }).into(),
            });
        }
    }
    Ok(rows)
}

pub(in crate::admin::pages) async fn update(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let stored = visit.site.service.api_keys();
    let stored = stored.show(&visit.caller, &visit.ids)?;
    let (roles, grants) = given_over(&visit, &form, (&stored.roles, &stored.grants))?;
    let mut content = ApiKeyContent {
        name: form.text("name").trim().to_owned(),
        description: description(&form),
        expires_at: KeyExpiry::Unchanged,
        active: stored.active,
        roles,
        grants,
    };
    let changed = match expiry(&form, visit.texts) {
        Ok(expires_at) => {
            content.expires_at = expires_at;
            let keys = visit.site.service.api_keys();
            let changed = keys.update_seen(
                &visit.caller,
                &visit.ids,
                content.clone(),
                stale::sent(&form),
            );
            changed.await
        }
        Err(refusal) => Err(refusal),
    };
    let Err(refusal) = changed else {
        return Ok(visit.see(&format!("/keys/{}?saved=1", visit.ids)));
    };
    let told = Told::of(refusal, visit.texts)?;
    let key = visit
        .site
        .service
        .api_keys()
        .show(&visit.caller, &visit.ids)?;
    let overtaken = stale::is_stale(&form, &key)
        .then(|| stale::told(visit.texts, &[&key.name, &key.description]));
    let mut page = page_of(&visit, key, Some(&told)).await?;
    page.inputs[0].value = content.name;
    page.inputs[1].value = content.description;
    // a day that was left as it was is the stored one, whatever that is by now
    if form.text("expires").trim() != form.text("w-expires") {
        form.text("expires").clone_into(&mut page.inputs[2].value);
    }
    if overtaken.is_some() {
        page.message = overtaken;
    } else {
        page.access = Access::of(&visit, &content.roles, &content.grants)?;
        page.seen = stale::sent(&form).unwrap_or_default();
    }
    shown_as(told.status, &page)
}

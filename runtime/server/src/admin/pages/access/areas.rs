//! Business areas: listed, made, and taken back when they were deleted. Whoever made one on the way to something else goes on there.

use super::parts::{Input, description, every, in_line};
use super::told::Told;
use crate::admin::pages::language::own_path;
use crate::admin::pages::list_part::{ENTRIES_MAX, ListPart, Wanted};
use crate::admin::pages::pagination::PageLinks;
use crate::admin::pages::texts::Texts;
use crate::admin::pages::unseen::{self, Nothing};
use crate::admin::pages::visit::{Form, Page, Section, Submission, Visit, shown, shown_as};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::PageRequest;
use service::catalog::{Resource, Shelf, Verb};
use service::manage::{AreaContent, AreaView};

/// Where what is told of an input comes from.
pub(super) const PATHS: [&str; 2] = ["$.name", "$.description"];

#[derive(Template)]
#[template(path = "areas.html")]
struct AreasPage {
    page: Page,
    areas: Vec<AreaRow>,
    pages: PageLinks,
    deleted: Vec<DeletedArea>,
    /// What is told of those that are deleted, where they are not all.
    deleted_part: Option<ListPart>,
    inputs: Vec<Input>,
    /// Where one goes on behind a new one, if that is not its page; `{}` stands for its id.
    next: String,
    message: Option<String>,
    may_add: bool,
    /// What is said where there are areas, and the visitor sees none.
    unseen: Option<Nothing>,
}

struct AreaRow {
    id: String,
    name: String,
    description: String,
    is_active: bool,
}

impl AreaRow {
    fn of(area: AreaView, texts: &Texts) -> Self {
        AreaRow {
            id: area.item.business_area_id,
            name: area.item.name,
            description: in_line(&area.item.description, texts),
            is_active: area.item.active,
        }
    }
}

struct DeletedArea {
    id: String,
    name: String,
    may_restore: bool,
}

pub(in crate::admin::pages) async fn list(visit: Visit) -> Result<Response<Body>, Failure> {
    shown(&page_of(&visit, &Form::empty(), None)?)
}

fn page_of(visit: &Visit, form: &Form, told: Option<&Told>) -> Result<AreasPage, Failure> {
    let areas = |shelf, request: &PageRequest| {
        let service = &visit.site.service;
        service.areas().list(&visit.caller, "", shelf, request)
    };
    let found = areas(Shelf::Live, &visit.list_page())?;
    let mut deleted = every(|request| {
        let found = areas(Shelf::Deleted, request)?;
        Ok((found.items, found.next_page_key))
    })?;
    let wanted = Wanted::of(visit);
    deleted.retain(|area| wanted.finds(&[&area.item.name]));
    let sizes: Vec<usize> = deleted.iter().map(|area| area.item.name.len()).collect();
    let led_to = visit.parameter("of");
    let is_led_to = |area: &AreaView| led_to.as_deref() == Some(&*area.item.business_area_id);
    let line = deleted.iter().position(is_led_to);
    let wanted = wanted.led_to(ENTRIES_MAX, &sizes, line);
    let (range, deleted_part) = ListPart::of(&sizes, &wanted, visit.texts);
    let deleted: Vec<AreaView> = deleted.drain(range).collect();
    let rights = visit.caller.rights();
    let deleted = deleted.into_iter().map(|area| DeletedArea {
        may_restore: rights.may(Resource::Areas, Verb::Delete)
            && rights.manages(&area.item.business_area_id, Verb::Delete),
        id: area.item.business_area_id,
        name: area.item.name,
    });
    let pages = PageLinks::of(
        visit,
        "/areas",
        &["find", "part", "of", "next"],
        found.next_page_key,
    );
    let unseen = if found.items.is_empty() && pages.first.is_none() {
        unseen::areas(visit)?
    } else {
        None
    };
    Ok(AreasPage {
        unseen,
        page: visit.page(Section::Areas),
        areas: found
            .items
            .into_iter()
            .map(|area| AreaRow::of(area, visit.texts))
            .collect(),
        pages,
        deleted: deleted.collect(),
        deleted_part,
        inputs: inputs(visit, [form.text("name"), form.text("description")], told),
        next: next_of(visit, form),
        message: told
            .map(|told| told.above(&PATHS))
            .filter(|message| !message.is_empty()),
        may_add: rights.may(Resource::Areas, Verb::Add),
    })
}

/// Where one goes on behind what a form makes, as the form or the address of its page says; empty, where neither does.
pub(super) fn next_of<P>(visit: &Visit<P>, form: &Form) -> String {
    let next = form.get("next").map(str::to_owned);
    let next = next.or_else(|| visit.parameter("next")).unwrap_or_default();
    if own_path(&visit.site, &next).is_some() {
        next
    } else {
        String::new()
    }
}

/// Sends whoever made something on the way to something else on there; whoever did not, to `otherwise`.
pub(super) fn go_on<P>(
    visit: &Visit<P>,
    form: &Form,
    (id, otherwise): (&str, &str),
) -> Response<Body> {
    let next = next_of(visit, form);
    let next = own_path(&visit.site, &next).map(|path| path.replace("{}", id));
    visit.see(next.as_deref().unwrap_or(otherwise))
}

/// What an area is asked for: its name and what is in it.
pub(super) fn inputs<P>(
    visit: &Visit<P>,
    [name, description]: [&str; 2],
    told: Option<&Told>,
) -> Vec<Input> {
    let texts = visit.texts;
    vec![
        Input::line("name", texts.name, name)
            .required()
            .told(told, PATHS[0]),
        Input::description(texts.description, description).told(told, PATHS[1]),
    ]
}

/// What was filled in of an area.
pub(super) fn filled(form: &Form) -> AreaContent {
    AreaContent {
        name: form.text("name").trim().to_owned(),
        description: description(form),
        active: form.text("active") != "false",
        version: form.text("version").parse().ok(),
    }
}

pub(in crate::admin::pages) async fn create(sent: Submission) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let areas = visit.site.service.areas();
    match areas.create(&visit.caller, "", filled(&form)).await {
        Ok(made) => {
            let own = format!("/areas/{}", made.id);
            Ok(go_on(&visit, &form, (&made.id, &own)))
        }
        Err(refusal) => {
            let told = Told::of(refusal, visit.texts)?;
            shown_as(told.status, &page_of(&visit, &form, Some(&told))?)
        }
    }
}

pub(in crate::admin::pages) async fn restore(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let areas = visit.site.service.areas();
    let area = areas.restore(&visit.caller, &visit.ids).await?;
    Ok(visit.see(&format!("/areas/{}", area.id)))
}

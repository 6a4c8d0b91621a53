//! All schemas that a visitor may see, area by area; of many a part, or those that a filter finds.

use super::head::{may, state_named};
use crate::admin::pages::list_part::{Counted, ListPart, Wanted, part_with};
use crate::admin::pages::numbers::grouped;
use crate::admin::pages::unseen::{self, Nothing};
use crate::admin::pages::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::catalog::{Resource, Shelf, Verb};
use service::{PageRequest, Refusal};
use wire::SchemaItem;

#[derive(Template)]
#[template(path = "schemas.html")]
struct SchemasPage {
    page: Page,
    areas: Vec<AreaSchemas>,
    /// What is told of them, where they are not all.
    part: Option<ListPart>,
    /// What is said where there are areas, and the visitor sees none.
    unseen: Option<Nothing>,
    /// Whether the visitor may make an area, and schemas in it.
    may_begin: bool,
}

struct AreaSchemas {
    id: String,
    name: String,
    may_add: bool,
    schemas: Vec<SchemaRow>,
    deleted: Vec<SchemaRow>,
    /// Whether it has no schema at all, shown or not.
    is_empty: bool,
}

struct SchemaRow {
    id: String,
    name: String,
    description: String,
    state: &'static str,
    version: i64,
    fields: String,
    datasets: String,
}

pub(crate) async fn list(visit: Visit) -> Result<Response<Body>, Failure> {
    let service = &visit.site.service;
    let caller = service.newest(&visit.caller)?;
    let rights = caller.rights();
    let mut areas = Vec::new();
    let mut request = PageRequest::default();
    loop {
        let found = service.areas().list(&caller, "", Shelf::Live, &request)?;
        for area in found.items {
            let id = area.item.business_area_id;
            if !rights.manages(&id, Verb::View) {
                continue;
            }
            let schemas = rows(&visit, &id, Shelf::Live)?;
            let deleted = rows(&visit, &id, Shelf::Deleted)?;
            areas.push(AreaSchemas {
                is_empty: schemas.is_empty() && deleted.is_empty(),
                schemas,
                deleted,
                may_add: may(&caller, &id, Verb::Add),
                name: area.item.name,
                id,
            });
        }
        request.key = found.next_page_key;
        if request.key.is_none() {
            break;
        }
    }
    let unseen = if areas.is_empty() {
        unseen::areas(&visit)?
    } else {
        None
    };
    let mut wanted = Wanted::of(&visit);
    let lines = lines(&areas, &wanted);
    let sizes: Vec<usize> = lines.iter().map(|(_, size)| *size).collect();
    let led_to = visit.parameter("of");
    let is_led_to = |(own, _): &(&str, usize)| led_to.as_deref() == Some(*own);
    if let Some(line) = lines.iter().position(is_led_to) {
        wanted.part = part_with(&sizes, line);
    }
    let (range, part) = ListPart::of(&sizes, &wanted, visit.texts);
    let areas = of_part(areas, &wanted, Counted::of(range));
    shown(&SchemasPage {
        part,
        page: visit.page(Section::Schemas),
        areas,
        unseen,
        may_begin: [Resource::Areas, Resource::Schemas]
            .into_iter()
            .all(|it| rights.may(it, Verb::Add)),
    })
}

/// The lines that are sought, by the id of what they are of and the characters that they have: an area, and behind it its schemas.
/// Who finds an area finds all of them.
fn lines<'a>(all: &'a [AreaSchemas], wanted: &Wanted) -> Vec<(&'a str, usize)> {
    let mut lines = Vec::new();
    for area in all {
        let is_found = wanted.finds(&[&area.name]);
        lines.extend(is_found.then_some((&*area.id, area.name.len())));
        let rows = area.schemas.iter().chain(&area.deleted);
        let rows = rows.filter(|own| is_found || wanted.finds(&[&own.name]));
        lines.extend(rows.map(|own| (&*own.id, own.name.len() + own.description.len())));
    }
    lines
}

/// The areas with the lines of a part, in the order of `lines`; an area also stands above those of its schemas alone.
fn of_part(all: Vec<AreaSchemas>, wanted: &Wanted, mut counted: Counted) -> Vec<AreaSchemas> {
    let mut areas = Vec::new();
    for mut area in all {
        let is_found = wanted.finds(&[&area.name]);
        let has_own = counted.is_shown(is_found);
        let is_sought = |own: &SchemaRow| is_found || wanted.finds(&[&own.name]);
        for rows in [&mut area.schemas, &mut area.deleted] {
            rows.retain(|own| counted.is_shown(is_sought(own)));
        }
        if has_own || !area.schemas.is_empty() || !area.deleted.is_empty() {
            areas.push(area);
        }
    }
    areas
}

fn rows(visit: &Visit, area: &str, shelf: Shelf) -> Result<Vec<SchemaRow>, Refusal> {
    let found = items(visit, area, shelf)?;
    let rows = found.into_iter().map(|schema| SchemaRow {
        id: schema.schema_id,
        name: schema.name,
        description: schema.description,
        state: state_named(&schema.state, visit.texts),
        version: schema.version,
        fields: grouped(schema.fields_count, visit.texts),
        datasets: grouped(schema.data_set_count, visit.texts),
    });
    Ok(rows.collect())
}

/// The schemas of an area, all pages of them, without the jobs under way of each.
pub(super) fn items<P>(
    visit: &Visit<P>,
    area: &str,
    shelf: Shelf,
) -> Result<Vec<SchemaItem>, Refusal> {
    let mut items = Vec::new();
    let mut request = PageRequest::default();
    loop {
        let found = visit.site.service.schemas();
        let found = found.list_uncounted(&visit.caller, area, shelf, &request)?;
        items.extend(found.items);
        request.key = found.next_page_key;
        if request.key.is_none() {
            return Ok(items);
        }
    }
}

//! All schemas that a visitor may see, area by area; of many a part, or those that a filter finds.

use super::head::{may, state_named};
use crate::admin::pages::list_levels::{Above, Entry, part_of};
use crate::admin::pages::list_part::{ListPart, Wanted};
use crate::admin::pages::numbers::grouped;
use crate::admin::pages::texts::filled;
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
    /// What is said where there is none, and whether the visitor may make one, and schemas in it.
    told_none: &'static str,
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
    /// Its active fields, and how many others there are, in words.
    fields: String,
    inactive: Option<String>,
    datasets: String,
}

impl Entry for AreaSchemas {
    fn id(&self) -> &str {
        &self.id
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn size(&self) -> usize {
        self.name.len()
    }
}

impl Above for AreaSchemas {
    type Below = SchemaRow;

    fn below(&mut self) -> [&mut Vec<SchemaRow>; 2] {
        [&mut self.schemas, &mut self.deleted]
    }
}

impl Entry for SchemaRow {
    fn id(&self) -> &str {
        &self.id
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn size(&self) -> usize {
        self.name.len() + self.description.len()
    }
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
    let may = [Resource::Areas, Resource::Schemas].map(|it| rights.may(it, Verb::Add));
    let own = &visit.texts.schemas;
    let unseen = if areas.is_empty() {
        unseen::areas(&visit)?
    } else {
        None
    };
    let led_to = visit.parameter("of");
    let wanted = (Wanted::of(&visit), led_to.as_deref());
    let (areas, part) = part_of(areas, wanted, visit.texts);
    shown(&SchemasPage {
        part,
        page: visit.page(Section::Schemas),
        areas,
        unseen,
        told_none: match may {
            [true, true] => own.none_what,
            [false, true] => own.none_ask,
            _ => visit.texts.access.not_yours_to_add,
        },
        may_begin: may == [true, true],
    })
}

fn rows(visit: &Visit, area: &str, shelf: Shelf) -> Result<Vec<SchemaRow>, Refusal> {
    let (found, texts) = (items(visit, area, shelf)?, visit.texts);
    let catalog = visit.caller.catalog();
    let rows = found.into_iter().map(|schema| {
        let entry = catalog.schemas.get(&schema.schema_id);
        let active = entry.map(|it| it.current().schema.active_fields().count() as u64);
        let active = active.unwrap_or(schema.fields_count);
        let inactive = schema.fields_count.saturating_sub(active);
        let told = || filled(texts.schemas.fields_inactive, &[&grouped(inactive, texts)]);
        SchemaRow {
            id: schema.schema_id,
            name: schema.name,
            description: schema.description,
            state: state_named(&schema.state, texts),
            version: schema.version,
            fields: grouped(active, texts),
            inactive: (inactive > 0).then(told),
            datasets: grouped(schema.data_set_count, texts),
        }
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

//! Home: every dataset that one may see with its records and its faulty ones, the jobs that run, and what changed lately.

use super::access::first_steps::{self, Step};
use super::jobs::{JobRow, running};
use super::numbers::{grouped, moment, share};
use super::recent::{self, Change};
use super::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::manage::SearchHealth;
use service::{Caller, PageRequest, Refusal, Service};
use store::catalog::{Resource, Verb};
use wire::DatasetItem;

/// Datasets that are shown at most; more are found by the search of home.
const TILES_MAX: usize = 200;

#[derive(Template)]
#[template(path = "home.html", blocks = ["live"])]
struct HomePage {
    page: Page,
    areas: Vec<AreaTiles>,
    jobs: Vec<JobRow>,
    records: String,
    faulty: String,
    has_faults: bool,
    is_cut: bool,
    /// What is to be done where there is no dataset yet.
    steps: Vec<Step>,
    /// What changed lately, of those who may see the trail.
    changes: Vec<Change>,
    /// How the service is, for administrators.
    health: Option<Health>,
}

/// How the service is, in words.
struct Health {
    is_ready: bool,
    /// What there is to say of the search index; empty where it is current.
    search: &'static str,
    backup: Option<String>,
}

struct AreaTiles {
    name: String,
    description: String,
    tiles: Vec<Tile>,
}

struct Tile {
    id: String,
    name: String,
    schema: String,
    records: String,
    faulty: String,
    has_faults: bool,
    share: String,
    jobs: u64,
}

pub(super) async fn show(visit: Visit) -> Result<Response<Body>, Failure> {
    let service = &visit.site.service;
    let caller = &visit.caller;
    let found = datasets(service, caller).await?;
    let mut is_cut = false;
    let mut areas: Vec<AreaTiles> = Vec::new();
    let (mut records, mut faulty, mut count) = (0, 0, 0);
    for (area, description, items) in found {
        let mut tiles = Vec::new();
        for item in items {
            records += item.record_count;
            faulty += item.errored_records_count;
            count += 1;
            if count > TILES_MAX {
                is_cut = true;
                continue;
            }
            tiles.push(Tile {
                id: item.data_set_id,
                name: item.data_set_name,
                schema: item.schema_name,
                records: grouped(item.record_count, visit.texts),
                faulty: grouped(item.errored_records_count, visit.texts),
                has_faults: item.errored_records_count > 0,
                share: share(item.errored_records_count, item.record_count),
                jobs: item.running_jobs_count,
            });
        }
        if !tiles.is_empty() {
            areas.push(AreaTiles {
                name: area,
                description,
                tiles,
            });
        }
    }
    let jobs = running(&visit).await?;
    let steps = if areas.is_empty() {
        first_steps::of(&visit).await?
    } else {
        Vec::new()
    };
    // it stands outside of the part that is asked for again and again
    let changes = if visit.is_part {
        Vec::new()
    } else {
        recent::of(&visit).await?
    };
    let health = if visit.is_part {
        None
    } else {
        health(&visit).await?
    };
    let home = HomePage {
        page: visit.page(Section::Home),
        areas,
        jobs,
        records: grouped(records, visit.texts),
        faulty: grouped(faulty, visit.texts),
        has_faults: faulty > 0,
        is_cut,
        steps,
        changes,
        health,
    };
    if visit.is_part {
        return shown(&home.as_live());
    }
    shown(&home)
}

/// How the service is; nothing for who is no administrator.
async fn health(visit: &Visit) -> Result<Option<Health>, Failure> {
    let texts = visit.texts;
    match visit.site.service.health(&visit.caller).await {
        Ok(found) => Ok(Some(Health {
            is_ready: found.is_ready,
            search: match found.search {
                SearchHealth::Current => "",
                SearchHealth::CatchingUp => texts.health_search_behind,
                SearchHealth::Failed => texts.health_search_failed,
                SearchHealth::Absent => texts.health_search_absent,
            },
            backup: found.last_backup_date.map(moment),
        })),
        Err(Refusal::Forbidden(_)) => Ok(None),
        Err(refusal) => Err(refusal.into()),
    }
}

/// An area's name, what it is for, and its datasets.
type AreaDatasets = (String, String, Vec<DatasetItem>);

/// The datasets that a caller may see, by area. What it may not see is left out.
pub(super) async fn datasets(
    service: &Service,
    caller: &Caller,
) -> Result<Vec<AreaDatasets>, Refusal> {
    let caller = service.newest(caller)?;
    let rights = caller.rights();
    let may = |resource| rights.may(resource, Verb::View);
    if ![Resource::Areas, Resource::Schemas, Resource::Datasets]
        .into_iter()
        .all(may)
    {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    let mut areas = PageRequest::default();
    loop {
        let page = service.list_areas(&caller, &areas)?;
        for area in page.items {
            let id = &area.business_area_id;
            let permit = caller
                .clone()
                .permit_area(Resource::Schemas, Verb::View, id)?;
            let mut items = Vec::new();
            let mut schemas = PageRequest::default();
            loop {
                let page = service.list_schemas(&permit, &schemas).await?;
                for schema in page.items {
                    items.extend(of_schema(service, &caller, id, &schema.schema_id).await?);
                }
                schemas.key = page.next_page_key;
                if schemas.key.is_none() {
                    break;
                }
            }
            found.push((area.name, area.description, items));
        }
        areas.key = page.next_page_key;
        if areas.key.is_none() {
            return Ok(found);
        }
    }
}

async fn of_schema(
    service: &Service,
    caller: &Caller,
    area: &str,
    schema: &str,
) -> Result<Vec<DatasetItem>, Refusal> {
    let caller = caller.clone();
    let permit = caller.permit_schema(Resource::Datasets, Verb::View, area, schema)?;
    let mut items = Vec::new();
    let mut request = PageRequest::default();
    loop {
        let page = service.list_datasets(&permit, &request).await?;
        items.extend(page.items);
        request.key = page.next_page_key;
        if request.key.is_none() {
            return Ok(items);
        }
    }
}

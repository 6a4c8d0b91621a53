//! Business areas and what is below them: made, renamed, switched off, deleted and taken back.

use super::numbers::grouped;
use super::visit::{Form, Page, Section, Submission, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::manage::{AreaContent, AreaView, DatasetContent};
use service::{PageRequest, Refusal};
use store::records::Shelf;

#[derive(Template)]
#[template(path = "areas.html")]
struct AreasPage {
    page: Page,
    areas: Vec<AreaRow>,
    next: Option<String>,
    deleted: Vec<AreaRow>,
}

struct AreaRow {
    id: String,
    name: String,
    description: String,
    is_active: bool,
}

impl From<AreaView> for AreaRow {
    fn from(area: AreaView) -> Self {
        AreaRow {
            id: area.item.business_area_id,
            name: area.item.name,
            description: area.item.description,
            is_active: area.item.active,
        }
    }
}

#[derive(Template)]
#[template(path = "area.html")]
struct AreaPage {
    page: Page,
    area: AreaRow,
    version: i64,
    schemas: Vec<SchemaDatasets>,
}

/// A schema with its datasets.
struct SchemaDatasets {
    id: String,
    name: String,
    datasets: Vec<DatasetRow>,
    deleted: Vec<DatasetRow>,
}

struct DatasetRow {
    id: String,
    name: String,
    description: String,
    records: String,
    version: i64,
}

pub(super) async fn list(visit: Visit) -> Result<Response<Body>, Failure> {
    let areas = |shelf, request: &PageRequest| {
        let service = &visit.site.service;
        service.areas().list(&visit.caller, "", shelf, request)
    };
    let found = areas(Shelf::Live, &visit.list_page())?;
    let deleted = areas(Shelf::Deleted, &PageRequest::default())?;
    shown(&AreasPage {
        page: visit.page(Section::Areas),
        areas: found.items.into_iter().map(AreaRow::from).collect(),
        next: found.next_page_key,
        deleted: deleted.items.into_iter().map(AreaRow::from).collect(),
    })
}

pub(super) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let service = &visit.site.service;
    let area = service.areas().show(&visit.caller, &visit.ids)?;
    let mut schemas = Vec::new();
    let mut request = PageRequest::default();
    loop {
        let found = service.schemas();
        let found = found.list_items(&visit.caller, &visit.ids, Shelf::Live, &request);
        let found = found.await?;
        for schema in found.items {
            let id = schema.schema_id;
            schemas.push(SchemaDatasets {
                datasets: datasets(&visit, &id, Shelf::Live).await?,
                deleted: datasets(&visit, &id, Shelf::Deleted).await?,
                name: schema.name,
                id,
            });
        }
        request.key = found.next_page_key;
        if request.key.is_none() {
            break;
        }
    }
    shown(&AreaPage {
        page: visit.page(Section::Areas),
        version: area.item.version,
        area: area.into(),
        schemas,
    })
}

async fn datasets(
    visit: &Visit<String>,
    schema: &str,
    shelf: Shelf,
) -> Result<Vec<DatasetRow>, Refusal> {
    let mut rows = Vec::new();
    let mut request = PageRequest::default();
    loop {
        let found = visit.site.service.datasets();
        let found = found.list_counted(&visit.caller, schema, shelf, &request);
        let found = found.await?;
        rows.extend(found.items.into_iter().map(|dataset| DatasetRow {
            id: dataset.data_set_id,
            name: dataset.data_set_name,
            description: dataset.data_set_description,
            records: grouped(dataset.record_count.unwrap_or_default(), visit.texts),
            version: dataset.version,
        }));
        request.key = found.next_page_key;
        if request.key.is_none() {
            return Ok(rows);
        }
    }
}

/// The version that a form was made from.
fn version(form: &Form) -> Option<i64> {
    form.text("version").parse().ok()
}

fn area(form: &Form) -> AreaContent {
    AreaContent {
        name: form.text("name").trim().to_owned(),
        description: form.text("description").trim().to_owned(),
        active: form.text("active") != "false",
        version: version(form),
    }
}

fn dataset(form: &Form) -> DatasetContent {
    DatasetContent {
        name: form.text("name").trim().to_owned(),
        description: form.text("description").trim().to_owned(),
        version: version(form),
    }
}

pub(super) async fn create(sent: Submission) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let areas = visit.site.service.areas();
    let made = areas.create(&visit.caller, "", area(&form)).await?;
    Ok(visit.see(&format!("/areas/{}", made.id)))
}

pub(super) async fn update(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let areas = visit.site.service.areas();
    areas.update(&visit.caller, &visit.ids, area(&form)).await?;
    Ok(visit.see(&format!("/areas/{}", visit.ids)))
}

pub(super) async fn delete(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let areas = visit.site.service.areas();
    areas.delete(&visit.caller, &visit.ids).await?;
    Ok(visit.see("/areas"))
}

pub(super) async fn restore(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let areas = visit.site.service.areas();
    let area = areas.restore(&visit.caller, &visit.ids).await?;
    Ok(visit.see(&format!("/areas/{}", area.id)))
}

/// A dataset of the schema of the path.
pub(super) async fn create_dataset(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let datasets = visit.site.service.datasets();
    let made = datasets.create(&visit.caller, &visit.ids, dataset(&form));
    let made = made.await?;
    Ok(visit.see(&format!("/areas/{}", made.area)))
}

pub(super) async fn update_dataset(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let datasets = visit.site.service.datasets();
    let changed = datasets.update(&visit.caller, &visit.ids, dataset(&form));
    let changed = changed.await?;
    Ok(visit.see(&format!("/areas/{}", changed.area)))
}

pub(super) async fn delete_dataset(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let service = &visit.site.service;
    let old = service.datasets().get(&visit.caller, &visit.ids)?;
    let deleted = service.datasets().delete(&visit.caller, &visit.ids);
    deleted.await?;
    Ok(visit.see(&format!("/areas/{}", old.area)))
}

pub(super) async fn restore_dataset(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let datasets = visit.site.service.datasets();
    let restored = datasets.restore(&visit.caller, &visit.ids).await?;
    Ok(visit.see(&format!("/areas/{}", restored.area)))
}

//! The deleted records of a dataset, when and by whom each was deleted, the way back for each, and the way out for good.

use super::actor_names::actor_name;
use super::cut_text::{CutText, Room};
use super::grid::called;
use super::numbers::moment;
use super::pagination::PageLinks;
use super::places::Place;
use super::texts::alone;
use super::values::{ShownRecord, is_number};
use super::visit::{Page, Section, Submission, Visit, shown, shown_as};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use schema::Field;
use serde_json::value::RawValue;
use service::Refusal;

/// Columns beside the key.
const COLUMNS: usize = 6;

#[derive(Template)]
#[template(path = "deleted.html")]
struct DeletedPage {
    page: Page,
    place: Place,
    columns: Vec<DeletedColumn>,
    rows: Vec<DeletedRow>,
    pages: PageLinks,
    message: Option<String>,
    /// The record that has the key of one that did not come back, by its id.
    holder: Option<String>,
}

struct DeletedColumn {
    name: String,
    is_number: bool,
}

struct DeletedRow {
    id: String,
    cells: Vec<DeletedCell>,
    /// When, and by whom; empty where that can't be read any more.
    at: String,
    by: String,
}

impl DeletedRow {
    /// What tells it from the others of the page: its key, or its id where the visitor sees no key.
    fn called(&self) -> &str {
        let key = self.cells.first();
        called(key.map(|cell| (&cell.text, cell.is_masked)), &self.id)
    }
}

struct DeletedCell {
    /// The name of its field.
    column: String,
    text: CutText,
    is_masked: bool,
    is_number: bool,
}

pub(super) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    shown(&page_of(&visit, &visit.ids, None).await?)
}

/// The page, with what is said of a record that did not come back.
async fn page_of<P>(
    visit: &Visit<P>,
    dataset: &str,
    message: Option<String>,
) -> Result<DeletedPage, Failure> {
    let place = Place::of(visit, dataset)?;
    let service = &visit.site.service;
    let request = visit.list_page();
    let found = service.deleted_records(&visit.caller, dataset, &request);
    let found = found.await?;
    let active = place.version().schema.active_fields();
    let mut fields: Vec<&Field> = active.filter(|field| !field.data_type.is_file()).collect();
    // the key stands first, as in the list of what is there
    fields.sort_by_key(|field| !field.primary_key);
    fields.truncate(COLUMNS);
    let masked = place.ever_masked();
    let cells = |values: Option<&str>| {
        let record: Option<ShownRecord<'_>> =
            values.and_then(|values| serde_json::from_str(values).ok());
        let line = |field: &&Field| record.as_ref().map(|record| record.line(field));
        let lines = fields.iter().map(|field| line(field).unwrap_or_default());
        let lines: Vec<_> = lines.collect();
        let values = lines.iter().map(String::as_str);
        let room = Room::of_row(values, found.items.len(), visit.texts);
        let cells = fields.iter().zip(&lines).map(|(field, text)| DeletedCell {
            column: field.name.clone(),
            is_masked: masked.contains(&*field.name) && !text.is_empty(),
            is_number: is_number(field),
            text: room.cut(text),
        });
        cells.collect()
    };
    let rows = found.items.iter().map(|item| DeletedRow {
        id: item.data_object_id.clone(),
        at: item.deleted_at.map(moment).unwrap_or_default(),
        by: item
            .deleted_by
            .as_ref()
            .map(|actor| actor_name(actor.kind, &actor.name, visit.texts))
            .unwrap_or_default(),
        cells: cells(item.values.as_deref().map(RawValue::get)),
    });
    let columns = fields.iter().map(|field| DeletedColumn {
        name: field.name.clone(),
        is_number: is_number(field),
    });
    Ok(DeletedPage {
        page: visit.page(Section::Home),
        rows: rows.collect(),
        columns: columns.collect(),
        pages: PageLinks::of(
            visit,
            &format!("/datasets/{dataset}/deleted"),
            &[],
            found.into_page().next_page_key,
        ),
        message,
        holder: None,
        place,
    })
}

pub(super) async fn restore(sent: Submission<(String, String)>) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let (dataset, record) = &visit.ids;
    let service = &visit.site.service;
    match service.restore_record(&visit.caller, dataset, record).await {
        Ok(()) => Ok(visit.see(&format!("/datasets/{dataset}/records/{record}"))),
        Err(Refusal::Conflict(message)) => {
            let holder = service.holder_of_key(&visit.caller, dataset, record);
            let holder = holder.await?;
            let message = alone(&visit.texts.said(&message));
            let page = DeletedPage {
                holder,
                ..page_of(&visit, dataset, Some(message)).await?
            };
            shown_as(StatusCode::CONFLICT, &page)
        }
        Err(refusal) => Err(refusal.into()),
    }
}

pub(super) async fn purge(sent: Submission<(String, String)>) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let (dataset, record) = &visit.ids;
    let service = &visit.site.service;
    service.purge_record(&visit.caller, dataset, record).await?;
    Ok(visit.see(&format!("/datasets/{dataset}/deleted")))
}

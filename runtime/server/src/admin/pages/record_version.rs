//! A record as it was in a version, whole, under today's names; and the way back to it, where it is not that already.

use super::conflict::parsed;
use super::history::told_action;
use super::numbers::moment;
use super::places::Place;
use super::read_only::{ReadOnlyField, read_only_fields};
use super::record_files::{FileField, file_fields, tell_files, with_players};
use super::record_title::RecordTitle;
use super::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;

#[derive(Template)]
#[template(path = "record_version.html")]
struct RecordVersionPage {
    page: Page,
    place: Place,
    record: String,
    title: RecordTitle,
    version: i64,
    /// What made it, when, and by whom.
    action: &'static str,
    at: String,
    by: String,
    fields: Vec<ReadOnlyField>,
    files: Vec<FileField>,
    faults: usize,
    is_deleted: bool,
    is_newest: bool,
    /// The version in force, where the visitor may bring this one back.
    over: Option<i64>,
}

pub(super) async fn show(
    visit: Visit<(String, String, String)>,
) -> Result<Response<Body>, Failure> {
    let (dataset, id, version) = &visit.ids;
    let place = Place::of(&visit, dataset)?;
    let service = &visit.site.service;
    let found = service.record_version(&visit.caller, dataset, id, version);
    let found = found.await?;
    let past = parsed(&found.json)?;
    let version = past.version();
    let text_now = service.seen_record(&place.permit, id).await?;
    let now = text_now.as_deref().map(parsed).transpose()?;
    let now = now.map(|record| record.version());
    let masked = place.ever_masked();
    let mut fields = read_only_fields(&visit, &place, &past);
    for field in &mut fields {
        // what was personal once is masked in what was written then
        field.is_masked |= masked.contains(&*field.label) && !field.values.is_empty();
    }
    let mut files = file_fields(&visit, &place, &past);
    for field in &mut files {
        field.is_masked |= masked.contains(&*field.label) && !field.files.is_empty();
    }
    tell_files(&visit, &place, &mut files).await?;
    let page = RecordVersionPage {
        page: visit.page(Section::Home),
        record: id.clone(),
        title: RecordTitle::of_past(&past, &place),
        version,
        action: told_action(found.action, visit.texts),
        at: moment(found.at),
        by: found.actor.name,
        fields,
        files,
        faults: past.faults().len(),
        is_deleted: now.is_none(),
        is_newest: now == Some(version),
        over: now.filter(|now| place.may_edit && *now != version),
        place,
    };
    Ok(with_players(&page.files, shown(&page)?))
}

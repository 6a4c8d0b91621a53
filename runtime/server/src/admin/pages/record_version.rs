//! A record as it was in a version, whole, under today's names; and the way back to it, where it is not that already.

use super::actor_names::actor_name;
use super::conflict::parsed;
use super::cut_text::Room;
use super::history::told_action;
use super::numbers::{moment, named_first};
use super::places::Place;
use super::read_only::{ReadOnlyField, read_only_fields};
use super::record_files::{FileField, file_fields, tell_files, with_players};
use super::record_title::RecordTitle;
use super::texts::Texts;
use super::values::ShownRecord;
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
    /// The fields that hold something else now, where there are any.
    differing: Option<String>,
    fields: Vec<ReadOnlyField>,
    files: Vec<FileField>,
    /// How many of its fields are faulty, where any is.
    faults: Option<String>,
    is_deleted: bool,
    is_newest: bool,
    /// The version in force, where the visitor may bring this one back.
    over: Option<i64>,
}

/// Fields that are named of those that hold something else now, at most.
const NAMED_MAX: usize = 10;

/// Says of each field what the record holds in it now, where that is something else.
fn tell_now(fields: &mut [ReadOnlyField], now: Vec<ReadOnlyField>, texts: &Texts) {
    for (field, now) in fields.iter_mut().zip(now) {
        // of what one does not see, one does not see either whether it is another
        if !field.is_masked && !now.is_masked && field.values != now.values {
            let text = now.values.join(", ");
            field.now = Some(Room::of_value(texts).cut(&text).told());
        }
    }
}

/// The names of the fields that hold something else now.
fn differing(fields: &[ReadOnlyField], texts: &Texts) -> Option<String> {
    let differing = fields.iter().filter(|field| field.now.is_some());
    let names: Vec<_> = differing.map(|field| &*field.label).collect();
    (!names.is_empty()).then(|| named_first(&names, NAMED_MAX, texts))
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
    let record_now = text_now.as_deref().map(parsed).transpose()?;
    let now = record_now.as_ref().map(ShownRecord::version);
    let masked = place.ever_masked();
    let mut fields = read_only_fields(&visit, &place, &past);
    for field in &mut fields {
        // what was personal once is masked in what was written then
        field.is_masked |= masked.contains(&*field.label) && !field.values.is_empty();
    }
    if let Some(record) = &record_now {
        let fields_now = read_only_fields(&visit, &place, record);
        tell_now(&mut fields, fields_now, visit.texts);
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
        by: actor_name(found.actor.kind, &found.actor.name, visit.texts),
        differing: differing(&fields, visit.texts),
        fields,
        files,
        faults: past.faulty_fields(),
        is_deleted: now.is_none(),
        is_newest: now == Some(version),
        over: now.filter(|now| place.may_edit && *now != version),
        place,
    };
    Ok(with_players(&page.files, shown(&page)?))
}

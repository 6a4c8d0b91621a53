//! One value of a record as a form in the grid, and its row when it was changed. Whoever comes here without a grid around it,
//! as from a sign-in, is led to the record's form, which takes the same.

use super::asked::{MARKED, marked};
use super::conflict::{
    self, Unwritten, body, parsed, read, told_outdated, with_mine, write_merged,
};
use super::grid::{self, Row};
use super::input::{Input, input_of};
use super::original::{mark_of, plain};
use super::places::{Place, permit};
use super::record;
use super::reformatted::FormSchema;
use super::values::{ShownRecord, value_of};
use super::visit::{Form, Page, Section, Submission, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use axum::http::header::HeaderValue;
use schema::Field;
use service::catalog::Verb;
use service::{Refusal, proposals};
use std::collections::HashMap;

#[derive(Template)]
#[template(path = "cell.html", blocks = ["editor", "row_block"])]
struct CellPart {
    page: Page,
    place: Place,
    row: Row,
    input: Input,
    version: i64,
    columns: String,
    message: Option<String>,
}

/// Whole values of a record of which the grid shows a part, for who copies them.
#[derive(Template)]
#[template(path = "whole_values.html")]
struct WholeValues {
    /// The fields' ids, each with the value as it is filled in.
    values: Vec<(String, String)>,
}

/// The field of an id.
pub(super) fn field<'p>(place: &'p Place, id: &str) -> Result<&'p Field, Failure> {
    let mut active = place.version().schema.active_fields();
    let found =
        active.find(|field| field.id == id && !field.data_type.is_file() && !place.masks(field));
    Ok(found.ok_or_else(|| Refusal::no_such("field"))?)
}

/// The fields of these columns, each once, in the order in which they are named first: however often one is named, its value is
/// shown and copied once.
fn fields_of<'p>(place: &'p Place, columns: &str) -> Vec<&'p Field> {
    let mut nth_of: HashMap<&str, usize> = HashMap::new();
    for id in columns.split(' ') {
        let nth = nth_of.len();
        nth_of.entry(id).or_insert(nth);
    }
    let active = place.version().schema.active_fields();
    let is_marked = columns.contains(MARKED);
    let by_mark = |field: &Field| {
        let nth = is_marked.then(|| nth_of.get(&*marked(&field.id)).copied());
        nth.flatten()
    };
    let named = active.filter_map(|field| {
        let nth = nth_of.get(&*field.id).copied();
        Some((nth.or_else(|| by_mark(field))?, field))
    });
    let mut named: Vec<_> = named.collect();
    named.sort_by_key(|&(nth, _)| nth);
    named.into_iter().map(|(_, field)| field).collect()
}

/// What a cell of the grid becomes while it is changed, or a row after it.
fn cell_part<P>(
    visit: &Visit<P>,
    place: Place,
    record: &ShownRecord<'_>,
    (id, columns): (&str, String),
) -> Result<CellPart, Failure> {
    let own = field(&place, id)?;
    let input = input_of(own, record, (&place, visit.texts));
    let row = grid::row(record, &fields_of(&place, &columns), (&place, visit.texts));
    Ok(CellPart {
        page: visit.page(Section::Home),
        row,
        input,
        version: record.version(),
        columns,
        message: None,
        place,
    })
}

pub(super) async fn show(
    visit: Visit<(String, String, String)>,
) -> Result<Response<Body>, Failure> {
    let (dataset, id, field) = &visit.ids;
    let place = Place::of(&visit, dataset)?;
    // an address is led on only where it is one of a record, which is looked at first
    let text = read(&visit, &place, id).await?;
    if !visit.is_part {
        // what is no field that one changes here is none there either
        self::field(&place, field)?;
        return Ok(visit.see(&format!("/datasets/{dataset}/records/{id}#f-{field}")));
    }
    let columns = visit.parameter("columns").unwrap_or_default();
    if visit.parameter("whole").is_some() {
        let record = parsed(&text)?;
        let fields = fields_of(&place, &columns).into_iter();
        let values = fields.map(|field| (field.id.clone(), record.filled(field)));
        return shown(&WholeValues {
            values: values.collect(),
        });
    }
    let part = cell_part(&visit, place, &parsed(&text)?, (field, columns))?;
    shown(&part.as_editor())
}

/// The row as it is now; the figures above the grid are asked for anew.
fn changed_row(part: &CellPart) -> Result<Response<Body>, Failure> {
    let mut response = shown(&part.as_row_block())?;
    let changed = HeaderValue::from_static(r##"{"figures":{"target":"#figures"}}"##);
    response.headers_mut().insert("hx-trigger", changed);
    Ok(response)
}

/// What a proposal that was taken stores, where the value is still the one that it was made for.
fn taken(form: &Form, own: &Field, record: &ShownRecord<'_>, place: &Place) -> Option<String> {
    let held = record.filled(own);
    let Some(of) = form.get("of") else {
        let is_same = plain(&held) == plain(form.text("was"));
        return is_same.then(|| plain(form.text("value")));
    };
    if mark_of(&held) != of {
        return None;
    }
    // of long values their marks were sent: what is stored is proposed for again
    let take = form.text("take");
    let mut all = proposals(&place.permit, own, record.json(own)).into_iter();
    all.find(|proposal| mark_of(proposal) == take)
}

/// Takes a proposal for a faulty value, where the value is still the one that it was made for. Without a script the
/// record's form follows, else its row.
pub(super) async fn mend(
    sent: Submission<(String, String, String)>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let (dataset, id, field_id) = &visit.ids;
    let place = Place::of(&visit, dataset)?;
    let permit = permit(&visit, dataset, Verb::Edit)?;
    let text = read(&visit, &place, id).await?;
    let json = {
        let record = parsed(&text)?;
        let own = field(&place, field_id)?;
        // a proposal that is written otherwise by now may be another value
        let is_other = FormSchema::of(&place, form.text("schema")).is_other(own);
        let taken = taken(&form, own, &record, &place).filter(|_| !is_other);
        taken.map(|value| {
            let member = (own.name.clone(), value_of(own, &value));
            body(Some(record.version()), &[member])
        })
    };
    let service = &visit.site.service;
    if let Some(json) = &json {
        let updated = service.update_record(&permit, id, json.as_bytes());
        match updated.await {
            Ok(()) | Err(Refusal::VersionConflict { .. }) => {}
            Err(refusal) => return Err(refusal.into()),
        }
    }
    if !visit.is_part {
        let saved = if json.is_some() { "?saved" } else { "" };
        return Ok(visit.see(&format!("/datasets/{dataset}/records/{id}{saved}")));
    }
    // of one that was changed meanwhile, the row shows what is there now
    let text = read(&visit, &place, id).await?;
    let columns = form.text("columns").to_owned();
    let part = cell_part(&visit, place, &parsed(&text)?, (field_id, columns))?;
    changed_row(&part)
}

pub(super) async fn update(
    sent: Submission<(String, String, String)>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let (dataset, id, field) = &visit.ids;
    if !visit.is_part {
        return record::write(&visit, (dataset, id), &form).await;
    }
    let place = Place::of(&visit, dataset)?;
    let permit = permit(&visit, dataset, Verb::Edit)?;
    let updated = write_merged(&visit, (&place, &permit), (id, &form)).await;
    let text = read(&visit, &place, id).await?;
    let columns = form.text("columns").to_owned();
    let mut part = cell_part(&visit, place, &parsed(&text)?, (field, columns))?;
    let why = match updated {
        Ok(()) => return changed_row(&part),
        Err(Unwritten::Refused(Refusal::Store(error))) => return Err(Refusal::Store(error).into()),
        Err(why) => why,
    };
    let is_conflict = matches!(
        why,
        Unwritten::Refused(Refusal::VersionConflict { .. }) | Unwritten::Outdated(_)
    );
    let schema = FormSchema::of(&part.place, form.text("schema"));
    part.input = with_mine(part.input, (&form, &schema), (is_conflict, visit.texts));
    let inputs = std::iter::once(&part.input);
    part.message = Some(match why {
        Unwritten::Outdated(outdated) => told_outdated(outdated.told, visit.texts, inputs),
        Unwritten::Refused(Refusal::VersionConflict { .. }) => conflict::told(visit.texts, inputs),
        Unwritten::Refused(Refusal::DuplicateKey { .. }) => visit.texts.key_taken.to_owned(),
        Unwritten::Refused(Refusal::PrimaryKeyRequired { .. }) => {
            visit.texts.key_missing.to_owned()
        }
        Unwritten::Refused(other) => visit.texts.refusal(&other),
    });
    let mut response = shown(&part.as_editor())?;
    // the form takes its own place, and the row stays
    let headers = response.headers_mut();
    headers.insert("hx-retarget", HeaderValue::from_static("closest form"));
    headers.insert("hx-reswap", HeaderValue::from_static("outerHTML"));
    Ok(response)
}

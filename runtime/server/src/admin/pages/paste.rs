//! Cells that were pasted into the grid: shown before and after, with what would be faulty, then written in one request that
//! is remembered as a job. What has no place in the grid is shown too, and what was refused comes back with its reason, so
//! that nothing of it is lost. A record that someone else changed meanwhile is written over only where that is ticked.

mod asked;

use super::conflict::{body, parsed};
use super::cut_text::{CutText, Room};
use super::gone_fields;
use super::numbers::grouped;
use super::original::plain;
use super::places::{Place, permit};
use super::record_title::RecordTitle;
use super::reformatted::FormSchema;
use super::shown_versions::ShownVersion;
use super::stored_faults::StoredFaults;
use super::texts::Texts;
use super::tried::{Tried, reason, tried};
use super::values::{ShownRecord, cell_class, is_number, value_of};
use super::visit::{Page, Section, Submission, Visit, shown, shown_as};
use crate::http::error::Failure;
use askama::Template;
use asked::Asked;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use schema::Field;
use serde_json::json;
use service::Refusal;
use service::catalog::Verb;
use std::collections::HashMap;

/// A record that is pasted into.
struct Row {
    id: String,
    version: i64,
    /// The version that was shown when this was pasted.
    shown: i64,
    title: RecordTitle,
    cells: Vec<CellChange>,
    /// Why it was not written, or would not be.
    refusal: String,
    was_faulty: bool,
    is_faulty: bool,
}

/// A value before and after.
struct CellChange {
    /// That of its field.
    name: String,
    before: String,
    after: String,
    /// Whether it was pasted; a short row leaves the rest as it is.
    is_given: bool,
    /// Whether the value is of another kind than its text makes, so that the same text is another value.
    is_of_other_kind: bool,
    fault: String,
    is_number: bool,
    /// What is shown of both.
    shown: [CutText; 2],
}

impl Row {
    /// Whether it would hold something else than it does.
    fn is_changing(&self) -> bool {
        self.cells.iter().any(CellChange::is_changing)
    }

    /// Whether it would be written, and hold something else then.
    fn would_change(&self) -> bool {
        self.is_changing() && self.refusal.is_empty()
    }

    /// Makes what is shown of its values, on a page of so many rows.
    fn cut(&mut self, rows: usize, texts: &Texts) {
        let values = self.cells.iter().flat_map(|it| [&*it.before, &*it.after]);
        let room = Room::of_row(values, rows, texts);
        for cell in &mut self.cells {
            cell.shown = room.both([&cell.before, &cell.after]);
            cell.fault = room.cut(&cell.fault).told();
        }
    }

    /// Whether it would be written over what nobody saw who pasted it.
    fn is_stale(&self) -> bool {
        self.is_changing() && self.version != self.shown
    }
}

impl CellChange {
    /// Whether it becomes another value, whichever ends its lines had.
    fn is_changing(&self) -> bool {
        plain(&self.before) != plain(&self.after) || (self.is_given && self.is_of_other_kind)
    }

    fn class(&self) -> &'static str {
        cell_class(self.is_number, !self.fault.is_empty())
    }
}

#[derive(Template)]
#[template(path = "paste.html")]
struct PastePage {
    page: Page,
    place: Place,
    /// The fields' ids and names, and whether they hold numbers.
    fields: Vec<(String, String, bool)>,
    rows: Vec<Row>,
    /// The cells of the rows that are to be written.
    cells: String,
    beyond: String,
    /// The query of the list that was pasted into.
    list: String,
    /// Why that has no place.
    left_out: Vec<String>,
    changing: String,
    /// How many would be refused, where any would.
    refused: Option<String>,
    /// How many hold already what was pasted into them, where any do.
    same: Option<String>,
    faulty_before: usize,
    faulty_after: usize,
    /// The first record that would be, by its id.
    first_faulty: Option<String>,
    is_changing: bool,
    /// The job of what was written, where some was not.
    written: Option<String>,
    message: Option<String>,
}

pub(super) async fn look(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    permit(&visit, &visit.ids, Verb::Edit)?;
    let asked = Asked::of(&form)?;
    shown(&page_of(&visit, &asked, &HashMap::new()).await?)
}

/// The page of what was pasted, over the records as they are now; some with what they were refused for.
async fn page_of(
    visit: &Visit<String>,
    asked: &Asked,
    refused: &HashMap<String, String>,
) -> Result<PastePage, Failure> {
    let place = Place::of(visit, &visit.ids)?;
    let mut rows = rows(visit, &place, asked).await?;
    let lines: String = rows
        .iter()
        .filter_map(|row| line(row, asked, &place))
        .collect();
    let verdicts = tried(visit, &lines).await?;
    let changing = rows.iter_mut().filter(|row| row.is_changing());
    for (row, verdict) in changing.zip(verdicts) {
        judged(row, &verdict, (asked, &place, visit));
    }
    for row in &mut rows {
        if let Some(reason) = refused.get(&row.id) {
            row.refusal.clone_from(reason);
        } else if row.is_stale() && row.refusal.is_empty() {
            visit.texts.conflict_row.clone_into(&mut row.refusal);
        }
    }
    let told = gone_fields::told(asked.gone(&place).into_iter(), visit.texts);
    let told = told.or_else(|| reformatted(&rows, asked, (&place, visit.texts)));
    let pasted = rows.len();
    // what stays as it is has no place on a page of what changes, unless it was refused
    rows.retain(|row| row.is_changing() || !row.refusal.is_empty());
    let count = rows.len();
    for row in &mut rows {
        row.cut(count, visit.texts);
    }
    let is_changing = rows.iter().any(Row::is_changing);
    let names = asked.fields_of(&place).into_iter().flatten();
    let names = names.map(|field| (field.id.clone(), field.name.clone(), is_number(field)));
    // a row that would be refused changes nothing
    let own = || rows.iter().filter(|row| row.would_change());
    let refused = rows.iter().filter(|row| !row.refusal.is_empty()).count();
    let count = |count: usize| grouped(count as u64, visit.texts);
    let nothing = visit.texts.paste.nothing;
    Ok(PastePage {
        page: visit.page(Section::Home),
        fields: names.collect(),
        cells: cells_of(&rows),
        beyond: asked.beyond(&place),
        list: asked.list.clone(),
        left_out: asked.left_out(&place, visit.texts),
        changing: count(own().count()),
        refused: (refused > 0).then(|| count(refused)),
        same: (pasted > rows.len()).then(|| count(pasted - rows.len())),
        faulty_before: own().filter(|row| row.was_faulty).count(),
        faulty_after: own().filter(|row| row.is_faulty).count(),
        first_faulty: own().find(|row| row.is_faulty).map(|row| row.id.clone()),
        is_changing,
        written: None,
        message: told.or(rows.is_empty().then(|| nothing.to_owned())),
        rows,
        place,
    })
}

/// The cells that are to be written, as the form has them, row by row.
fn cells_of(rows: &[Row]) -> String {
    let texts = |row: &Row| {
        let cells = row.cells.iter().take_while(|cell| cell.is_given);
        cells.map(|cell| cell.after.clone()).collect()
    };
    let changing = rows.iter().filter(|row| row.is_changing());
    let cells: Vec<Vec<String>> = changing.map(texts).collect();
    json!(cells).to_string()
}

/// What is told where fields that were pasted into are written otherwise by now than on the page that this comes from.
fn reformatted(rows: &[Row], asked: &Asked, (place, texts): (&Place, &Texts)) -> Option<String> {
    let fields = asked.fields_of(place).into_iter().flatten().enumerate();
    let is_meant = |at: usize| {
        let mut cells = rows.iter().filter_map(|row| row.cells.get(at));
        cells.any(|cell| cell.is_given && cell.is_changing() && !cell.after.is_empty())
    };
    let meant = fields.filter(|(at, _)| is_meant(*at));
    FormSchema::of(place, &asked.schema).told(meant.map(|(_, field)| field), texts)
}

/// The records that are there, with what each holds and would hold.
async fn rows(visit: &Visit<String>, place: &Place, asked: &Asked) -> Result<Vec<Row>, Failure> {
    let fields = asked.fields_of(place);
    let records = asked.records.iter().zip(&asked.cells);
    let ids: Vec<&str> = records.map(|((id, _), _)| &**id).collect();
    let mut rows = Vec::with_capacity(ids.len());
    let tell = |at: usize, text: Option<String>| -> Result<(), Refusal> {
        let (record, texts) = (&asked.records[at], &asked.cells[at]);
        rows.push(match text {
            Some(text) => row(&parsed(&text)?, record, (texts, &fields), (place, visit)),
            None => gone(&record.0, texts, &fields, visit.texts.paste.gone),
        });
        Ok(())
    };
    let service = &visit.site.service;
    service.seen_each(&place.permit, &ids, tell).await?;
    Ok(rows)
}

/// A record that is there, with what is pasted into its fields.
fn row(
    record: &ShownRecord<'_>,
    (id, shown): &ShownVersion,
    (texts, fields): (&[String], &[Option<&Field>]),
    (place, visit): (&Place, &Visit<String>),
) -> Row {
    let faults = StoredFaults::of(record);
    let cells = fields.iter().enumerate().filter_map(|(at, own)| {
        let own = (*own)?;
        let before = record.filled(own);
        let pasted = texts.get(at);
        let after = pasted.cloned().unwrap_or_else(|| before.clone());
        // what is wrong by now; of a row that changes, it is judged anew
        let fault = faults.of_field(own, (place, visit.texts));
        Some(CellChange {
            name: own.name.clone(),
            before,
            after,
            is_given: pasted.is_some(),
            is_of_other_kind: record.is_of_other_kind(own),
            fault: fault.unwrap_or_default(),
            is_number: is_number(own),
            shown: <[CutText; 2]>::default(),
        })
    });
    let cells = cells.collect();
    let is_faulty = !faults.is_empty();
    let version = record.version();
    Row {
        version,
        shown: shown.unwrap_or(version),
        title: RecordTitle::of(record, place),
        id: id.clone(),
        cells,
        refusal: String::new(),
        was_faulty: is_faulty,
        is_faulty,
    }
}

/// A record that was deleted meanwhile: what was pasted into it is shown all the same.
fn gone(id: &str, texts: &[String], fields: &[Option<&Field>], why: &str) -> Row {
    let fields = fields.iter().enumerate();
    let cells = fields.filter_map(|(at, own)| {
        let own = (*own)?;
        let text = texts.get(at).cloned().unwrap_or_default();
        Some(CellChange {
            name: own.name.clone(),
            is_number: is_number(own),
            before: text.clone(),
            after: text,
            is_given: true,
            is_of_other_kind: false,
            fault: String::new(),
            shown: <[CutText; 2]>::default(),
        })
    });
    Row {
        id: id.to_owned(),
        version: 0,
        shown: 0,
        title: RecordTitle::plain(id),
        cells: cells.collect(),
        refusal: why.to_owned(),
        was_faulty: false,
        is_faulty: false,
    }
}

/// What a row asks for; nothing where nothing changes.
fn line(row: &Row, asked: &Asked, place: &Place) -> Option<String> {
    if !row.is_changing() {
        return None;
    }
    let id = ("_dataObjectId".to_owned(), json!(row.id).to_string());
    let fields = asked.fields_of(place).into_iter().flatten();
    let cells = fields
        .zip(&row.cells)
        .filter(|(_, cell)| cell.is_changing());
    let members = cells.map(|(own, cell)| (own.name.clone(), value_of(own, &cell.after)));
    let members: Vec<_> = std::iter::once(id).chain(members).collect();
    Some(format!(
        "{{\"update\":{}}}\n",
        body(Some(row.version), &members)
    ))
}

fn judged(row: &mut Row, verdict: &Tried, of: (&Asked, &Place, &Visit<String>)) {
    let (asked, place, visit) = of;
    row.refusal.clone_from(&verdict.refusal);
    if !verdict.refusal.is_empty() {
        return;
    }
    row.is_faulty = !verdict.faults.is_empty();
    let fields = asked.fields_of(place).into_iter().flatten();
    for (own, cell) in fields.zip(&mut row.cells) {
        cell.fault = verdict.fault_of(&own.name, visit.texts);
    }
}

pub(super) async fn write(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    permit(&visit, &visit.ids, Verb::Edit)?;
    let asked = Asked::of(&form)?;
    let mut refused = HashMap::new();
    let (lines, ids) = {
        let place = Place::of(&visit, &visit.ids)?;
        let mut rows = rows(&visit, &place, &asked).await?;
        // the page had a place for each cell
        let is_without_place = !asked.beyond(&place).is_empty();
        let is_other = reformatted(&rows, &asked, (&place, visit.texts)).is_some();
        if is_without_place || is_other {
            let mut page = page_of(&visit, &asked, &HashMap::new()).await?;
            (page.message).get_or_insert_with(|| visit.texts.paste.none.to_owned());
            return shown_as(StatusCode::CONFLICT, &page);
        }
        for row in &mut rows {
            // what was shown counts: a version since then refuses the row
            row.version = asked.over.get(&row.id).copied().unwrap_or(row.shown);
        }
        let gone = rows.iter().filter(|row| !row.refusal.is_empty());
        refused.extend(gone.map(|row| (row.id.clone(), row.refusal.clone())));
        let changing = rows.iter().filter(|row| row.is_changing());
        let ids: Vec<_> = changing.map(|row| row.id.clone()).collect();
        let lines = rows.iter().filter_map(|row| line(row, &asked, &place));
        (lines.collect::<String>(), ids)
    };
    let (mut at, mut done) = (0, 0_usize);
    let tell = |_, outcome: Result<_, Refusal>| {
        done += usize::from(outcome.is_ok());
        if let (Err(refusal), Some(id)) = (outcome, ids.get(at)) {
            refused.insert(id.clone(), reason(&refusal, visit.texts));
        }
        at += 1;
    };
    let service = &visit.site.service;
    let job = service
        .write_many(&visit.caller, &visit.ids, lines.as_bytes(), tell)
        .await?;
    let job = job.map(|job| format!("/jobs/{job}"));
    if refused.is_empty() && !ids.is_empty() {
        let there = format!("/datasets/{}/records/{}?saved", visit.ids, ids[0]);
        return Ok(visit.see(job.as_deref().unwrap_or(&there)));
    }
    let left = asked.of_refused(&refused);
    let mut page = page_of(&visit, &left, &refused).await?;
    let texts = &visit.texts.paste;
    let told = if done > 0 { texts.refused } else { texts.none };
    page.message = page.message.or(Some(told.to_owned()));
    page.written = job.filter(|_| done > 0);
    shown_as(StatusCode::CONFLICT, &page)
}

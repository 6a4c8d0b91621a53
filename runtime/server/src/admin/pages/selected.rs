//! Records that were ticked in a grid, or all that its query finds: a field of them is set, or they are deleted, in one
//! request that is remembered as a job and can be undone. The address says which they are. What was ticked is written
//! only on the versions that were shown; what a query finds, only while it finds as many as were shown.

mod asked;
mod by_query;
mod told;

use super::cell::field;
use super::conflict::{body, parsed};
use super::cut_text::{CutText, Room};
use super::dataset::mended;
use super::gone_fields;
use super::input::{Input, input};
use super::numbers::grouped;
use super::original::plain;
use super::places::{Place, permit};
use super::record_title::RecordTitle;
use super::shown_versions::ShownVersion;
use super::tried::tried;
use super::values::{ShownRecord, cell_class, is_number, value_of};
use super::visit::{Page, Section, Submission, Visit, shown, shown_as};
use crate::http::error::Failure;
use askama::Template;
use asked::Asked;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use schema::Field;
use serde_json::json;
use service::catalog::Verb;
use service::{BULK_LINES_MAX, Refusal};
use told::Told;
use wire::FieldError;

/// A record that is meant.
struct SelectedRecord {
    id: String,
    /// None of what a query finds: the newest counts.
    version: Option<i64>,
    title: RecordTitle,
    /// Of those that a query finds: the first values, and what is wrong with them.
    values: Vec<Told>,
    faults: Vec<Told>,
    /// How many more of its fields are faulty, in words.
    more_faults: Option<String>,
    before: String,
    /// What is shown of it, and of the new value beside it.
    shown: [CutText; 2],
    /// Whether what it holds is of another kind than its text makes, so that the same text is another value.
    is_of_other_kind: bool,
    /// What would be wrong with the new value.
    fault: String,
    /// Why it would not be written.
    refusal: String,
    was_faulty: bool,
    is_faulty: bool,
    /// The other fields that are faulty, or would be.
    faulty_fields: Vec<String>,
}

impl SelectedRecord {
    /// Whether it would hold something else than it does.
    fn is_changing(&self, value: &str) -> bool {
        // a form's ends of lines are those of a browser, whichever were stored
        plain(&self.before) != value || self.is_of_other_kind
    }
}

#[derive(Template)]
#[template(path = "selected.html")]
struct SelectedPage {
    page: Page,
    place: Place,
    rows: Vec<SelectedRecord>,
    /// Whether they are those of a query, of which the first are named and all counted.
    is_query: bool,
    query: String,
    /// The field of which the query finds faults.
    mended: Option<String>,
    /// The query of the list in which they were ticked.
    list: String,
    count: usize,
    count_text: String,
    fields: Vec<(String, String)>,
    field: String,
    value: String,
    /// The input for the value; none where the field that was chosen can't be filled in any more.
    input: Option<Input>,
    /// The name of such a field.
    gone: Option<String>,
    is_preview: bool,
    /// Whether the field that is to be set holds numbers.
    is_number: bool,
    message: Option<String>,
}

pub(super) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let asked = Asked::of_address(&visit);
    shown(&page_of(&visit, &asked, None).await?)
}

/// The same of a form, whose value may be longer than an address: what it would be set to is shown, and nothing written.
pub(super) async fn look(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    permit(&visit, &visit.ids, Verb::Edit)?;
    let asked = Asked::of_form(&form);
    shown(&page_of(&visit, &asked, None).await?)
}

/// The page of records as they are now, with what is said of a write that did not happen.
async fn page_of(
    visit: &Visit<String>,
    asked: &Asked,
    message: Option<String>,
) -> Result<SelectedPage, Failure> {
    let place = Place::of(visit, &visit.ids)?;
    let Selection { mut rows, count } = meant(visit, &place, asked).await?;
    if asked.is_preview && asked.query.is_none() {
        if place.may_edit {
            judge(visit, &place, asked, &mut rows).await?;
        }
        for row in &mut rows {
            let values = [&*row.before, &*asked.value];
            let room = Room::of_row(values.into_iter(), count, visit.texts);
            row.shown = room.both(values);
            row.fault = room.cut(&row.fault).told();
        }
    }
    let is_too_many = count > BULK_LINES_MAX;
    let told = is_too_many.then(|| visit.texts.too_many_selected.to_owned());
    let reformatted = asked.reformatted(&place, visit.texts);
    let gone = asked.gone(&place).map(str::to_owned);
    let told = told.or(gone_fields::told(gone.as_deref().into_iter(), visit.texts));
    let told = told.or(reformatted.filter(|_| asked.is_preview));
    let is_query = asked.query.is_some();
    let active = place.version().schema.active_fields();
    let settable = active
        .filter(|field| !field.data_type.is_file() && !field.primary_key && !place.masks(field));
    let settable: Vec<&Field> = settable.collect();
    let own = settable.iter().find(|field| field.id == asked.field);
    // what was filled in for one field is no value of another
    let own = own.or(settable.first()).filter(|_| gone.is_none());
    let is_number = own.is_some_and(|own| is_number(own));
    let (value, texts) = (asked.value.clone(), visit.texts);
    let input = own.map(|own| input(own, value, String::new(), (&place, texts)));
    let fields = settable
        .iter()
        .map(|own| (own.id.clone(), own.name.clone()));
    let at_least = if is_too_many { "+" } else { "" };
    Ok(SelectedPage {
        input,
        gone,
        is_number,
        page: visit.page(Section::Home),
        fields: fields.collect(),
        count,
        count_text: grouped(count.min(BULK_LINES_MAX) as u64, visit.texts) + at_least,
        is_preview: asked.is_preview && !is_query && field(&place, &asked.field).is_ok(),
        rows,
        is_query,
        mended: mended(&place, asked.query.as_deref().unwrap_or_default()),
        query: asked.query.clone().unwrap_or_default(),
        list: asked.list.clone(),
        field: asked.field.clone(),
        value: asked.value.clone(),
        message: message.or(told),
        place,
    })
}

impl SelectedPage {
    /// Whether there are records, and no more than are written at once.
    fn may_write(&self) -> bool {
        self.count > 0 && self.count <= BULK_LINES_MAX
    }

    /// Whether what the query finds is faulty, and so to repair it is the next thing to do.
    fn repairs_first(&self) -> bool {
        self.rows.iter().any(|row| !row.faults.is_empty())
    }

    /// That there are more than are named.
    fn more(&self) -> Option<String> {
        let more = self.count.saturating_sub(self.rows.len()) as u64;
        (more > 0).then(|| (self.page.t.and_more)(&grouped(more, self.page.t)))
    }

    /// Whether a record would hold something else than it does.
    fn is_changing(&self) -> bool {
        self.is_preview && self.rows.iter().any(|row| row.is_changing(&self.value))
    }

    /// What its button does, and to how many.
    fn set_now(&self) -> String {
        let changing = self.rows.iter().filter(|row| row.is_changing(&self.value));
        let texts = self.page.t;
        let count = grouped(changing.count() as u64, texts);
        (texts.set_now)(&count, texts.of_records(&count))
    }

    /// How many of the records are faulty, and would be.
    fn faulty(&self) -> [usize; 2] {
        [
            |row: &SelectedRecord| row.was_faulty,
            |row: &SelectedRecord| row.is_faulty,
        ]
        .map(|is| self.rows.iter().filter(|row| is(row)).count())
    }

    fn class(&self, fault: &str) -> &'static str {
        cell_class(self.is_number, !fault.is_empty())
    }

    fn field_name(&self) -> &str {
        let mut all = self.fields.iter();
        all.find(|(id, _)| *id == self.field)
            .map_or("", |(_, name)| name)
    }
}

/// The records that are meant, as they are now.
struct Selection {
    /// All that were ticked; of those that a query finds, the first.
    rows: Vec<SelectedRecord>,
    /// How many there are, or that they are more than are written at once.
    count: usize,
}

async fn meant(visit: &Visit<String>, place: &Place, asked: &Asked) -> Result<Selection, Failure> {
    if let Some(query) = &asked.query {
        return Ok(by_query::first(visit, place, query).await?);
    }
    let own = field(place, &asked.field).ok();
    let ids: Vec<&str> = asked.ticked.iter().map(|(id, _)| &**id).collect();
    let mut rows = Vec::with_capacity(ids.len());
    let tell = |_, text: Option<String>| -> Result<(), Refusal> {
        // one that was deleted meanwhile is none of them any more
        if let Some(text) = text {
            rows.push(row(&parsed(&text)?, place, own));
        }
        Ok(())
    };
    let service = &visit.site.service;
    service.seen_each(&place.permit, &ids, tell).await?;
    let count = rows.len();
    Ok(Selection { rows, count })
}

fn row(record: &ShownRecord<'_>, place: &Place, own: Option<&Field>) -> SelectedRecord {
    let faults = record.faults();
    SelectedRecord {
        title: RecordTitle::of(record, place),
        values: Vec::new(),
        faults: Vec::new(),
        more_faults: None,
        version: Some(record.version()),
        before: own.map(|own| record.filled(own)).unwrap_or_default(),
        shown: <[CutText; 2]>::default(),
        is_of_other_kind: own.is_some_and(|own| record.is_of_other_kind(own)),
        fault: String::new(),
        refusal: String::new(),
        was_faulty: !faults.is_empty(),
        is_faulty: !faults.is_empty(),
        faulty_fields: others(faults, own),
        id: record.id(),
    }
}

/// The names of the fields that are faulty, but for the one that is to be set.
fn others(faults: Vec<FieldError>, own: Option<&Field>) -> Vec<String> {
    let names = faults.into_iter().map(|fault| fault.name);
    let others = names.filter(|name| own.is_none_or(|own| own.name != *name));
    others.collect()
}

/// Says of each record that would change what would be wrong with it then.
async fn judge(
    visit: &Visit<String>,
    place: &Place,
    asked: &Asked,
    rows: &mut [SelectedRecord],
) -> Result<(), Failure> {
    let Ok(own) = field(place, &asked.field) else {
        return Ok(());
    };
    let changing = rows.iter_mut();
    let changing = changing.filter(|row| row.is_changing(&asked.value));
    let mut changing: Vec<_> = changing.collect();
    let lines = changing
        .iter()
        .map(|row| update(&row.id, row.version, own, &asked.value));
    let verdicts = tried(visit, &lines.collect::<String>()).await?;
    for (row, verdict) in changing.iter_mut().zip(verdicts) {
        if verdict.refusal.is_empty() {
            row.fault = verdict.fault_of(&own.name, visit.texts);
            row.is_faulty = !verdict.faults.is_empty();
            row.faulty_fields = others(verdict.faults, Some(own));
        }
        row.refusal = verdict.refusal;
    }
    Ok(())
}

/// The line that sets a field of a record.
fn update(id: &str, version: Option<i64>, own: &Field, value: &str) -> String {
    let id = ("_dataObjectId".to_owned(), json!(id).to_string());
    let member = (own.name.clone(), value_of(own, value));
    format!("{{\"update\":{}}}\n", body(version, &[id, member]))
}

pub(super) async fn set(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let mut asked = Asked::of_form(&form);
    permit(&visit, &visit.ids, Verb::Edit)?;
    let lines = {
        let place = Place::of(&visit, &visit.ids)?;
        let is_gone = asked.gone(&place).is_some();
        if is_gone || asked.reformatted(&place, visit.texts).is_some() {
            // its preview tells it
            asked.is_preview = true;
            let page = page_of(&visit, &asked, None).await?;
            return shown_as(StatusCode::CONFLICT, &page);
        }
        let own = field(&place, &asked.field)?;
        let line = |(id, version): &ShownVersion| update(id, *version, own, &asked.value);
        asked.ticked.iter().map(line).collect::<String>()
    };
    let there = asked.ticked.first().map_or_else(String::new, |(id, _)| {
        format!("/datasets/{}/records/{id}?saved", visit.ids)
    });
    write(&visit, &asked, (&lines, &there)).await
}

pub(super) async fn delete(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let asked = Asked::of_form(&form);
    permit(&visit, &visit.ids, Verb::Delete)?;
    let records = match &asked.query {
        None => asked.ticked.clone(),
        Some(query) => {
            let place = Place::of(&visit, &visit.ids)?;
            // a query whose names mean other fields by now finds others
            let version = place.version().number.to_string();
            let is_of_then = form.get("schema").is_none_or(|shown| shown == version);
            let found = by_query::ids(&visit, &place, query).await?;
            let is_as_many = form.text("count") == found.len().to_string();
            if found.len() > BULK_LINES_MAX || !is_as_many || !is_of_then {
                let message = visit.texts.found_changed.to_owned();
                let page = page_of(&visit, &asked, Some(message)).await?;
                return shown_as(StatusCode::CONFLICT, &page);
            }
            found.into_iter().map(|id| (id, None)).collect()
        }
    };
    let delete = |(id, version): &ShownVersion| {
        let mut named = json!({"_dataObjectId": id});
        if let Some(version) = version {
            named["_version"] = json!(version);
        }
        format!("{}\n", json!({"delete": named}))
    };
    let lines: String = records.iter().map(delete).collect();
    let there = format!("/datasets/{}/deleted", visit.ids);
    write(&visit, &asked, (&lines, &there)).await
}

/// Does the lines; the job that they are remembered as follows, or the place to look at where it was one line.
async fn write(
    visit: &Visit<String>,
    asked: &Asked,
    (lines, there): (&str, &str),
) -> Result<Response<Body>, Failure> {
    let mut done = 0_usize;
    let tell = |_, outcome: Result<_, Refusal>| done += usize::from(outcome.is_ok());
    let service = &visit.site.service;
    let job = service
        .write_many(&visit.caller, &visit.ids, lines.as_bytes(), tell)
        .await?;
    if done > 0 {
        let job = job.map(|job| format!("/jobs/{job}"));
        return Ok(visit.see(job.as_deref().unwrap_or(there)));
    }
    let texts = visit.texts;
    let message = if lines.is_empty() {
        texts.nothing_selected
    } else {
        texts.none_written
    };
    let page = page_of(visit, asked, Some(message.to_owned())).await?;
    shown_as(StatusCode::CONFLICT, &page)
}

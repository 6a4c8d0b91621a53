//! A search over everything that one may see: the hits by dataset, each leading to its record, with its first values in columns and
//! the words marked that were looked for. How to search stands beside it.

use super::cut_text::Room;
use super::numbers::{grouped, named_first};
use super::pagination::PageLinks;
use super::places::Place;
use super::record_title::RecordTitle;
use super::seen;
use super::sought::{Piece, Sought};
use super::texts::Texts;
use super::values::{ShownRecord, is_number};
use super::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use schema::Field;
use serde::Deserialize;
use service::search::SearchRequest;
use service::{PageRequest, Refusal};

/// Hits of a page.
const HITS: &str = "50";
/// Values of a hit that are shown beside its key.
const VALUES_MAX: usize = 5;
/// Faulty fields of a hit that are named.
const FAULTS_MAX: usize = 3;

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage {
    page: Page,
    query: String,
    groups: Vec<Listed>,
    found: String,
    pages: PageLinks,
    is_behind: bool,
    problem: Option<String>,
}

/// The hits of a dataset.
pub(super) struct Group {
    pub(super) dataset: String,
    pub(super) name: String,
    pub(super) hits: Vec<Hit>,
}

/// A record that was found.
pub(super) struct Hit {
    pub(super) id: String,
    pub(super) title: RecordTitle,
    /// Where a word stands that was looked for, if not in its key.
    pub(super) why: Option<Why>,
}

/// The hits of a dataset as they are listed.
struct Listed {
    dataset: String,
    name: String,
    area: String,
    /// The names of the fields whose values are shown, and whether these are numbers.
    columns: Vec<(String, bool)>,
    has_faults: bool,
    rows: Vec<Row>,
}

/// A record that was found, with what tells more of it.
struct Row {
    hit: Hit,
    /// Whether the word that was looked for is in none of the columns.
    is_elsewhere: bool,
    /// One for each column.
    values: Vec<HitValue>,
    /// The names of its faulty fields.
    faults: String,
}

/// A value that tells more of a hit.
struct HitValue {
    name: String,
    pieces: Vec<Piece>,
    /// How much of it is left out.
    more: Option<String>,
    is_masked: bool,
    is_number: bool,
}

/// A field with a word that was looked for, and its value around that.
pub(super) struct Why {
    pub(super) name: String,
    pub(super) pieces: Vec<Piece>,
}

/// What a search answers, as far as it is shown.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Found<'r> {
    #[serde(borrow)]
    hits: Vec<ShownRecord<'r>>,
    total: u64,
    total_is_at_least: bool,
    is_behind: bool,
    next_page_key: Option<String>,
}

pub(super) async fn show(visit: Visit) -> Result<Response<Body>, Failure> {
    seen::require(&visit.caller, "/search")?;
    let query = visit.parameter("q").unwrap_or_default().trim().to_owned();
    let request = SearchRequest {
        query: Some(query.clone()),
        page: PageRequest {
            key: visit.parameter("pageKey").filter(|key| !key.is_empty()),
            size: Some(HITS.to_owned()),
        },
        ..SearchRequest::default()
    };
    let service = &visit.site.service;
    let (text, problem) = if query.is_empty() {
        ("{}".to_owned(), None)
    } else {
        match service.seen_hits(&visit.caller, &request).await {
            Ok(text) => (text, None),
            // a query that can't be read is no failure: who types it goes on
            Err(Refusal::Parameter(message)) => ("{}".to_owned(), Some(visit.texts.said(&message))),
            Err(refusal) => return Err(refusal.into()),
        }
    };
    let found: Found<'_> = serde_json::from_str(&text).unwrap_or_default();
    let sought = Sought::of(&query);
    let at_least = if found.total_is_at_least { "+" } else { "" };
    let page = SearchPage {
        page: visit.page(Section::Search),
        groups: by_dataset(&visit, &found.hits, |own, place| {
            listed(own, place, (found.hits.len(), &sought, visit.texts))
        })?,
        found: grouped(found.total, visit.texts) + at_least,
        pages: PageLinks::of(&visit, "/search", &["q"], found.next_page_key),
        is_behind: found.is_behind,
        query,
        problem,
    };
    shown(&page)
}

/// The hits of an answer by dataset, which was asked for these words.
pub(super) fn groups_of(
    visit: &Visit,
    answer: &str,
    sought: &Sought,
) -> Result<Vec<Group>, Failure> {
    let found: Found<'_> = serde_json::from_str(answer).unwrap_or_default();
    by_dataset(visit, &found.hits, |own, place| {
        let fields = fields_of(place);
        let hits = own
            .iter()
            .map(|hit| found_as(hit, &fields, place, sought).0);
        Group {
            dataset: place.id.clone(),
            name: place.name.clone(),
            hits: hits.collect(),
        }
    })
}

/// What is made of the hits of each dataset, in the order that they were found in.
fn by_dataset<T>(
    visit: &Visit,
    hits: &[ShownRecord<'_>],
    made: impl Fn(&[ShownRecord<'_>], &Place) -> T,
) -> Result<Vec<T>, Failure> {
    let dataset = |hit: &ShownRecord<'_>| hit.system("_dataSetId");
    let together = hits.chunk_by(|one, other| dataset(one) == dataset(other));
    let groups = together.map(|own| {
        let place = Place::of(visit, &own.first().map(dataset).unwrap_or_default())?;
        Ok::<_, Failure>(made(own, &place))
    });
    groups.collect()
}

/// The fields that tell of a record behind its key.
fn fields_of(place: &Place) -> Vec<&Field> {
    let fields = place.version().schema.active_fields();
    let fields = fields.filter(|field| !field.primary_key && !field.data_type.is_file());
    fields.collect()
}

/// A hit, and the field of these in which it was found, if not by its key.
fn found_as<'f>(
    hit: &ShownRecord<'_>,
    fields: &[&'f Field],
    place: &Place,
    sought: &Sought,
) -> (Hit, Option<&'f Field>) {
    let title = RecordTitle::of(hit, place);
    let found = if sought.is_empty() || sought.is_in(&title.text) {
        None
    } else {
        why(hit, fields, place, sought)
    };
    let (field, why) = found.unzip();
    let id = hit.id();
    (Hit { id, title, why }, field)
}

/// Hits of one dataset, with the first fields in which any of them has a value.
fn listed(
    hits: &[ShownRecord<'_>],
    place: &Place,
    (rows, sought, texts): (usize, &Sought, &Texts),
) -> Listed {
    let fields = fields_of(place);
    let has_any = |field: &&&Field| hits.iter().any(|hit| !hit.line(field).is_empty());
    let columns: Vec<&Field> = fields
        .iter()
        .filter(has_any)
        .take(VALUES_MAX)
        .copied()
        .collect();
    let is_shown = |field: &Field| columns.iter().any(|own| own.id == field.id);
    let shown = hits.iter().map(|own| {
        let (hit, field) = found_as(own, &fields, place, sought);
        Row {
            hit,
            is_elsewhere: field.is_some_and(|field| !is_shown(field)),
            values: values(own, &columns, place, (rows, sought, texts)),
            faults: faults_of(own, texts),
        }
    });
    let shown: Vec<Row> = shown.collect();
    Listed {
        dataset: place.id.clone(),
        name: place.name.clone(),
        area: place.area.clone(),
        has_faults: shown.iter().any(|row| !row.faults.is_empty()),
        rows: shown,
        columns: columns
            .iter()
            .map(|field| (field.name.clone(), is_number(field)))
            .collect(),
    }
}

/// The values of a hit in some fields.
fn values(
    hit: &ShownRecord<'_>,
    columns: &[&Field],
    place: &Place,
    (rows, sought, texts): (usize, &Sought, &Texts),
) -> Vec<HitValue> {
    let lines: Vec<_> = columns.iter().map(|field| hit.line(field)).collect();
    let room = Room::of_row(lines.iter().map(String::as_str), rows, texts);
    let values = columns.iter().zip(&lines).map(|(field, line)| {
        let cut = room.cut(line);
        HitValue {
            name: field.name.clone(),
            pieces: sought.pieces(&cut.text),
            more: cut.more,
            is_masked: place.masks(field) && !line.is_empty(),
            is_number: is_number(field),
        }
    });
    values.collect()
}

/// The first field of a hit with a word that was looked for, and its value around that.
fn why<'f>(
    hit: &ShownRecord<'_>,
    fields: &[&'f Field],
    place: &Place,
    sought: &Sought,
) -> Option<(&'f Field, Why)> {
    let is_seen = |field: &&&Field| field.is_searched() && !place.masks(field);
    let mut seen = fields.iter().filter(is_seen);
    seen.find_map(|field| {
        let pieces = sought.around(&hit.line(field))?;
        let name = field.name.clone();
        Some((*field, Why { name, pieces }))
    })
}

/// The names of the faulty fields of a hit, the first ones.
fn faults_of(hit: &ShownRecord<'_>, texts: &Texts) -> String {
    let faults = hit.faults();
    let names: Vec<&str> = faults.iter().map(|fault| &*fault.name).collect();
    named_first(&names, FAULTS_MAX, texts)
}

//! The records of a dataset as a grid: filtered by the language of the search, sorted, page by page; what is wrong with
//! a value stands beside it. The address says it all.

use super::asked::Asked;
use super::kept_columns;
use super::numbers::grouped;
use super::places::Place;
use super::record_files::link_of;
use super::saved_views::{RefusedName, SavedViews};
use super::texts::Texts;
use super::values::{ShownRecord, fault_text, is_number};
use super::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use schema::Field;
use serde::Deserialize;
use service::search::SearchRequest;
use service::{PageRequest, Refusal, proposals};

/// Columns of a grid where none are chosen.
const COLUMNS: usize = 12;
/// Records of a page.
const ROWS: &str = "50";
/// What finds the records with faults.
const FAULTY: &str = "is:faulty";

/// How many records there are, and how many of them are faulty.
pub(super) struct Figures {
    records: String,
    faulty: String,
    has_faults: bool,
}

struct Column {
    id: String,
    name: String,
    hint: String,
    is_number: bool,
    is_key: bool,
    /// The address with the order turned to this column.
    sort: Option<String>,
    /// `ascending` or `descending`, where it is in that order.
    order: &'static str,
    is_chosen: bool,
}

pub(super) struct Row {
    pub(super) id: String,
    pub(super) cells: Vec<Cell>,
    pub(super) has_faults: bool,
}

pub(super) struct Cell {
    pub(super) field: String,
    pub(super) name: String,
    pub(super) text: String,
    pub(super) fault: String,
    /// The value as it is filled in.
    pub(super) filled: String,
    /// What may have been meant in place of what is faulty.
    pub(super) proposals: Vec<String>,
    pub(super) is_number: bool,
    pub(super) is_file: bool,
    /// Where its files can be fetched for a while.
    pub(super) links: Vec<String>,
    /// Whether the visitor sees no value of its field.
    is_unseen: bool,
}

impl Cell {
    /// Whether it has a value that the visitor does not see.
    pub(super) fn is_masked(&self) -> bool {
        self.is_unseen && !self.filled.is_empty()
    }

    /// Whether it is never changed where it stands.
    pub(super) fn is_fixed(&self) -> bool {
        self.is_file || self.is_unseen
    }

    /// Whether it holds several values, which stand on one line where they are read.
    pub(super) fn is_several(&self) -> bool {
        self.filled != self.text
    }
}

#[derive(Template)]
#[template(path = "dataset.html", blocks = ["grid", "figures_block"])]
pub(super) struct DatasetPage {
    page: Page,
    place: Place,
    figures: Figures,
    query: String,
    sort: String,
    chosen: String,
    columns: Vec<Column>,
    all_columns: Vec<Column>,
    rows: Vec<Row>,
    found: String,
    next: Option<String>,
    first: Option<String>,
    all: String,
    only_faulty: String,
    is_faulty_shown: bool,
    is_behind: bool,
    views: SavedViews,
    problem: Option<String>,
}

/// What a list or a search answers, as far as a grid shows it.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Found<'r> {
    #[serde(borrow, alias = "hits")]
    pub(super) items: Vec<ShownRecord<'r>>,
    total: Option<u64>,
    total_is_at_least: bool,
    is_behind: bool,
    pub(super) next_page_key: Option<String>,
}

/// How a page is asked for, and what of it could not be saved.
pub(super) struct Given {
    pub(super) asked: Asked,
    pub(super) refused: Option<RefusedName>,
}

pub(super) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let mut asked = Asked::of(&visit);
    if visit.parameter("keep").is_some() {
        return Ok(kept_columns::keep(&visit, &asked));
    }
    if visit.query().is_empty() {
        asked.columns = kept_columns::kept(&visit);
    }
    let given = Given {
        asked,
        refused: None,
    };
    let page = page_of(&visit, &visit.ids, given).await?;
    if visit.is_part {
        return shown(&page.as_grid());
    }
    shown(&page)
}

/// The page of a dataset as it is asked for.
pub(super) async fn page_of<P>(
    visit: &Visit<P>,
    dataset: &str,
    given: Given,
) -> Result<DatasetPage, Failure> {
    let place = Place::of(visit, dataset)?;
    let figures = figures_of(visit, &place).await?;
    let (text, problem) = match fetch(visit, &place, &given.asked).await {
        Ok(text) => (text, None),
        // a query that can't be read is no failure: who types it goes on
        Err(Refusal::Parameter(message)) => ("{}".to_owned(), Some(visit.texts.said(&message))),
        Err(Refusal::Invalid(problems)) => ("{}".to_owned(), Some(visit.texts.problems(&problems))),
        Err(refusal) => return Err(refusal.into()),
    };
    let views = SavedViews {
        refused: given.refused,
        ..SavedViews::of(visit, dataset, &given.asked)?
    };
    let page = filled(visit, place, given.asked, (figures, &text, problem));
    Ok(DatasetPage { views, ..page })
}

/// The page of what was found.
fn filled<P>(
    visit: &Visit<P>,
    place: Place,
    asked: Asked,
    (figures, text, problem): (Figures, &str, Option<String>),
) -> DatasetPage {
    let found: Found<'_> = serde_json::from_str(text).unwrap_or_default();
    let fields = columns(&place, &asked, &found.items);
    let at_least = if found.total_is_at_least { "+" } else { "" };
    let total = found
        .total
        .map(|total| grouped(total, visit.texts) + at_least);
    let is_chosen = |field: &Field| fields.iter().any(|own| own.id == field.id);
    let with = |change: fn(&mut Asked)| {
        let mut other = asked.first_page();
        change(&mut other);
        other.address()
    };
    DatasetPage {
        page: visit.page(Section::Home),
        columns: fields
            .iter()
            .map(|field| column(field, &asked, (true, place.masks(field))))
            .collect(),
        all_columns: place
            .version()
            .schema
            .active_fields()
            .map(|field| column(field, &asked, (is_chosen(field), place.masks(field))))
            .collect(),
        rows: found
            .items
            .iter()
            .map(|record| row(record, &fields, (&place, visit.texts)))
            .collect(),
        found: total.unwrap_or_default(),
        next: found.next_page_key.clone().map(|key| {
            Asked {
                key: Some(key),
                ..asked.clone()
            }
            .address()
        }),
        first: asked.key.as_ref().map(|_| with(|_| {})),
        all: with(|asked| asked.query.clear()),
        only_faulty: with(|asked| FAULTY.clone_into(&mut asked.query)),
        is_faulty_shown: asked.query == FAULTY,
        is_behind: found.is_behind,
        chosen: asked.columns.join(" "),
        query: asked.query,
        sort: asked.sort,
        views: SavedViews::default(),
        problem,
        figures,
        place,
    }
}

/// The figures above the grid alone.
pub(super) async fn figures(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let place = Place::of(&visit, &visit.ids)?;
    let figures = figures_of(&visit, &place).await?;
    let page = DatasetPage {
        page: visit.page(Section::Home),
        place,
        figures,
        query: String::new(),
        sort: String::new(),
        chosen: String::new(),
        columns: Vec::new(),
        all_columns: Vec::new(),
        rows: Vec::new(),
        found: String::new(),
        next: None,
        first: None,
        all: String::new(),
        only_faulty: String::new(),
        is_faulty_shown: false,
        is_behind: false,
        views: SavedViews::default(),
        problem: None,
    };
    shown(&page.as_figures_block())
}

async fn figures_of<P>(visit: &Visit<P>, place: &Place) -> Result<Figures, Failure> {
    let counts = visit.site.service.record_counts(&place.permit).await?;
    Ok(Figures {
        records: grouped(counts.records, visit.texts),
        faulty: grouped(counts.errored, visit.texts),
        has_faults: counts.errored > 0,
    })
}

/// The page that is asked for: of all records as they were made, or of what a search finds.
async fn fetch<P>(visit: &Visit<P>, place: &Place, asked: &Asked) -> Result<String, Refusal> {
    let service = &visit.site.service;
    let page = PageRequest {
        key: asked.key.clone(),
        size: Some(ROWS.to_owned()),
    };
    if asked.query.is_empty() && asked.sort.is_empty() {
        let page = service.seen_records(&place.permit, &page).await?;
        return Ok(String::from_utf8_lossy(&page.json).into_owned());
    }
    let query = if asked.query.is_empty() {
        "*"
    } else {
        &asked.query
    };
    let sort = (!asked.sort.is_empty()).then(|| asked.sort.clone());
    let request = search_request(place, query, sort, page);
    service.seen_hits(&visit.caller, &request).await
}

/// A search within a dataset.
pub(super) fn search_request(
    place: &Place,
    query: &str,
    sort: Option<String>,
    page: PageRequest,
) -> SearchRequest {
    SearchRequest {
        query: Some(query.to_owned()),
        area: Some(place.area.clone()),
        schema: Some(place.schema_name.clone()),
        dataset: Some(place.name.clone()),
        sort,
        page,
        ..SearchRequest::default()
    }
}

/// The fields that stand in columns: those that were chosen, else the first ones; and those with faults in view.
fn columns<'p>(place: &'p Place, asked: &Asked, records: &[ShownRecord<'_>]) -> Vec<&'p Field> {
    let faulty: Vec<String> = records
        .iter()
        .flat_map(ShownRecord::faults)
        .map(|fault| fault.name)
        .collect();
    let active = place.version().schema.active_fields();
    let mut shown: Vec<&Field> = active
        .enumerate()
        .filter(|(index, field)| {
            let is_wanted = match &*asked.columns {
                [] => *index < COLUMNS,
                chosen => chosen.contains(&field.id),
            };
            is_wanted || field.primary_key || faulty.contains(&field.name)
        })
        .map(|(_, field)| field)
        .collect();
    // the key stands first, where it stays
    shown.sort_by_key(|field| !field.primary_key);
    shown
}

fn column(field: &Field, asked: &Asked, (is_chosen, is_masked): (bool, bool)) -> Column {
    let is_up = asked.sort == field.name;
    let is_down = asked.sort.strip_prefix('-') == Some(&field.name);
    let turned = Asked {
        sort: if is_up {
            format!("-{}", field.name)
        } else {
            field.name.clone()
        },
        key: None,
        ..asked.clone()
    };
    Column {
        id: field.id.clone(),
        name: field.name.clone(),
        hint: field.description.clone().unwrap_or_default(),
        is_number: is_number(field),
        is_key: field.primary_key,
        // commas part the fields of an order, and the order of what one does not see would tell it
        sort: (field.sort_key && !is_masked && !field.name.contains(',')).then(|| turned.address()),
        order: match (is_up, is_down) {
            (true, _) => "ascending",
            (_, true) => "descending",
            _ => "",
        },
        is_chosen,
    }
}

/// A record as a row of these columns.
pub(super) fn row(
    record: &ShownRecord<'_>,
    fields: &[&Field],
    (place, texts): (&Place, &Texts),
) -> Row {
    let faults = record.faults();
    let cells = fields.iter().map(|field| {
        let fault = faults.iter().find(|fault| fault.name == field.name);
        let is_open = fault.is_some() && place.may_edit && !place.masks(field);
        let filled = record.filled(field);
        Cell {
            proposals: if is_open {
                proposals(&place.permit, field, &filled)
            } else {
                Vec::new()
            },
            field: field.id.clone(),
            name: field.name.clone(),
            text: record.line(field),
            fault: fault.map_or_else(String::new, |fault| fault_text(&fault.errors, texts)),
            is_number: is_number(field),
            is_file: field.data_type.is_file(),
            links: if field.data_type.is_file() {
                let texts = record.texts(field);
                texts.iter().filter_map(|text| link_of(text)).collect()
            } else {
                Vec::new()
            },
            is_unseen: place.masks(field),
            filled,
        }
    });
    Row {
        id: record.id(),
        cells: cells.collect(),
        has_faults: !faults.is_empty(),
    }
}

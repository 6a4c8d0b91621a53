//! The records of a dataset as a grid: filtered by the language of the search, sorted, page by page; what is wrong with
//! a value stands beside it. The address says it all.

use super::asked::{Asked, named, names};
use super::by_field::{self, ByField, FAULTY, asks_for_faults, asks_for_faulty};
use super::grid::{
    Column, ColumnFields, ROWS, Row, Sort, column, columns, heads, row, rows_of, sends_orders,
};
use super::kept_columns;
use super::numbers::grouped;
use super::pagination::PageLinks;
use super::places::Place;
use super::saved_views::{RefusedName, SavedViews};
use super::texts::filled as with_numbers;
use super::texts::{Texts, alone};
use super::values::ShownRecord;
use super::visit::{Page, Section, Visit, shown, shown_as};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use schema::Field;
use serde::Deserialize;
use service::search::SearchRequest;
use service::{PageRequest, Refusal};
use url::form_urlencoded::Serializer;

/// How many records there are, and how many of them are faulty.
pub(super) struct Figures {
    records: String,
    faulty: String,
    has_faults: bool,
}

#[derive(Template)]
#[template(path = "dataset.html", blocks = ["grid"])]
pub(super) struct DatasetPage {
    page: Page,
    place: Place,
    figures: Figures,
    query: String,
    sort: String,
    chosen: String,
    /// The columns, as whoever asks for a cell or a row names them.
    shown_columns: String,
    columns: Vec<Column>,
    all_columns: Vec<Column>,
    /// How many more fields have faults in view than stand in columns, where there are any.
    more_faulty: Option<String>,
    /// What is told of a list that has fewer records a page, since so many columns stand beside each other.
    fewer_rows: Option<String>,
    /// Whether a form has the columns that are chosen for the heads of all of them.
    is_order_sent: bool,
    rows: Vec<Row>,
    found: String,
    /// The query whose records are counted, where any are.
    counted: Option<String>,
    pages: PageLinks,
    all: String,
    only_faulty: String,
    is_faulty_shown: bool,
    /// The field whose faults are asked for, by its name: it is what is repaired of all that is found.
    mended: Option<String>,
    is_behind: bool,
    views: SavedViews,
    by: ByField,
    problem: Option<String>,
    /// That of the whole page: a part is put in place by a success alone.
    status: StatusCode,
}

impl DatasetPage {
    /// Whether what is found is faulty, and so to repair it is the next thing to do.
    fn repairs_first(&self) -> bool {
        let may_repair = self.place.may_edit && self.place.may_search;
        may_repair && !self.rows.is_empty() && asks_for_faulty(&self.query)
    }
}

/// The figures above the grid, and how many records it is of where a search found them.
#[derive(Template)]
#[template(path = "figures_alone.html")]
struct FiguresAlone {
    page: Page,
    place: Place,
    figures: Figures,
    counted: Option<String>,
    found: String,
}

/// What a list or a search answers, as far as a grid shows it.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Found<'r> {
    #[serde(borrow, alias = "hits")]
    pub(super) items: Vec<ShownRecord<'r>>,
    pub(super) total: Option<u64>,
    total_is_at_least: bool,
    is_behind: bool,
    pub(super) next_page_key: Option<String>,
}

impl Found<'_> {
    /// How many there are, as it is told; empty of a list, which is not counted.
    fn told_total(&self, texts: &Texts) -> String {
        let at_least = if self.total_is_at_least { "+" } else { "" };
        let total = self.total.map(|total| grouped(total, texts) + at_least);
        total.unwrap_or_default()
    }
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
    if let Some(query) = by_field::added(&visit, &asked.query)? {
        let asked = Asked {
            query,
            ..asked.first_page()
        };
        return Ok(visit.see(&format!("/datasets/{}{}", visit.ids, asked.address())));
    }
    if asked.columns.is_empty() && visit.parameter("columns").is_none() {
        asked.columns = kept_columns::kept(&visit)?;
        if !asked.columns.is_empty() && !visit.is_part {
            return Ok(visit.see(&with_columns(&visit, &asked.columns)));
        }
    }
    let given = Given {
        asked,
        refused: None,
    };
    let page = page_of(&visit, &visit.ids, given).await?;
    if visit.is_part {
        return shown(&page.as_grid());
    }
    shown_as(page.status, &page)
}

/// The address that was asked, with these columns: who is sent it sees them, too.
fn with_columns(visit: &Visit<String>, columns: &[String]) -> String {
    let mut pairs = Serializer::new(visit.query().to_owned());
    pairs.append_pair("columns", &named(columns));
    format!("/datasets/{}?{}", visit.ids, pairs.finish())
}

/// The page of a dataset as it is asked for.
pub(super) async fn page_of<P>(
    visit: &Visit<P>,
    dataset: &str,
    given: Given,
) -> Result<DatasetPage, Failure> {
    let place = Place::of(visit, dataset)?;
    let given = Given {
        asked: given.asked.with_ids(&place),
        ..given
    };
    let figures = figures_of(visit, &place).await?;
    let texts = visit.texts;
    let (text, problem, status) = match fetch(visit, &place, &given.asked).await {
        Ok(text) => (text, None, StatusCode::OK),
        Err(refusal) => {
            let problem = match &refusal {
                // a query that can't be read is no failure: who types it goes on
                Refusal::Parameter(message) => texts.said(message),
                Refusal::Invalid(problems) => texts.problems(problems),
                // a saved view is here to be renamed or deleted when its query may not be asked any more
                Refusal::Forbidden(_) => alone(&texts.refusal(&refusal)),
                _ => return Err(refusal.into()),
            };
            let is_forbidden = matches!(refusal, Refusal::Forbidden(_));
            let status = if is_forbidden {
                StatusCode::FORBIDDEN
            } else {
                StatusCode::OK
            };
            ("{}".to_owned(), Some(problem), status)
        }
    };
    let mut views = SavedViews {
        refused: given.refused,
        ..SavedViews::of(visit, dataset, &given.asked)?
    };
    if views.refused.is_some() && views.is_new {
        // the name was meant for a new one
        views.current = None;
    }
    // what could not be asked is not worth a name
    views.is_new &= problem.is_none();
    let by = ByField::of(visit, &place);
    let page = filled(visit, place, given.asked, (figures, &text, problem));
    Ok(DatasetPage {
        views,
        by,
        status,
        ..page
    })
}

/// The page of what was found.
fn filled<P>(
    visit: &Visit<P>,
    place: Place,
    asked: Asked,
    (figures, text, problem): (Figures, &str, Option<String>),
) -> DatasetPage {
    let found: Found<'_> = serde_json::from_str(text).unwrap_or_default();
    let ColumnFields {
        fields,
        more_faulty,
    } = columns(&place, &asked, &found.items);
    let total = found.told_total(visit.texts);
    let with = |change: fn(&mut Asked)| {
        let mut other = asked.first_page();
        change(&mut other);
        other.address()
    };
    let pages = asked.position.links(found.next_page_key, |at| {
        format!("/datasets/{}{}", place.id, asked.page(at).address())
    });
    let rows = rows_of(&place, &asked);
    let fewer_rows = (rows < ROWS && pages.are_any())
        .then(|| with_numbers(visit.texts.grid.rows_fewer, &[&rows.to_string()]));
    DatasetPage {
        page: visit.page(Section::Home),
        columns: heads(&fields, &asked, (&place, visit.texts)),
        fewer_rows,
        is_order_sent: sends_orders(&asked),
        all_columns: all_columns(&place, &asked, &fields),
        more_faulty: (more_faulty > 0).then(|| more_faulty.to_string()),
        rows: found
            .items
            .iter()
            .map(|record| row(record, &fields, (&place, visit.texts)))
            .collect(),
        counted: (!total.is_empty()).then(|| asked.query.clone()),
        found: total,
        pages,
        all: with(|asked| asked.query.clear()),
        only_faulty: with(|asked| FAULTY.clone_into(&mut asked.query)),
        is_faulty_shown: asked.query == FAULTY,
        mended: mended(&place, &asked.query),
        is_behind: found.is_behind,
        chosen: named(&asked.columns),
        shown_columns: shown_columns(&fields),
        query: asked.query,
        sort: asked.sort,
        views: SavedViews::default(),
        by: ByField::default(),
        problem,
        status: StatusCode::OK,
        figures,
        place,
    }
}

/// Every field as a column to choose, named as forms name it, where these are the ones that stand there.
fn all_columns(place: &Place, asked: &Asked, shown: &[&Field]) -> Vec<Column> {
    let is_shown = |field: &Field| shown.iter().any(|own| own.id == field.id);
    let fields = || place.version().schema.active_fields();
    let ids: Vec<String> = fields().map(|field| field.id.clone()).collect();
    let columns = fields().zip(names(&ids)).map(|(field, name)| Column {
        id: name,
        ..column(field, asked, is_shown(field))
    });
    columns.collect()
}

/// The columns of these fields, each with a space behind it.
fn shown_columns(fields: &[&Field]) -> String {
    let ids: Vec<String> = fields.iter().map(|field| field.id.clone()).collect();
    named(&ids) + " "
}

/// The field that a query asks for faults of, where it is one that can be repaired.
pub(super) fn mended(place: &Place, query: &str) -> Option<String> {
    let fields = place.version().schema.active_fields();
    let mut open = fields.filter(|field| !field.data_type.is_file() && !place.masks(field));
    let own = open.find(|field| asks_for_faults(query, field));
    own.map(|field| field.name.clone())
}

/// The figures alone, with how many records a query finds by now, where that can be told.
pub(super) async fn figures(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let place = Place::of(&visit, &visit.ids)?;
    if !visit.is_part {
        return Ok(visit.see(&format!("/datasets/{}", place.id)));
    }
    let counted = visit.parameter("q");
    let found = match &counted {
        Some(query) => match count(&visit, &place, query).await {
            Ok(found) => found,
            // the next time it is asked for again
            Err(Refusal::NotReady { .. } | Refusal::TooLong { .. }) => String::new(),
            Err(refusal) => return Err(refusal.into()),
        },
        None => String::new(),
    };
    let figures = figures_of(&visit, &place).await?;
    shown(&FiguresAlone {
        page: visit.page(Section::Home),
        counted,
        figures,
        found,
        place,
    })
}

/// How many records a query finds, as it is told.
async fn count(visit: &Visit<String>, place: &Place, query: &str) -> Result<String, Refusal> {
    let page = PageRequest {
        key: None,
        size: Some("1".to_owned()),
    };
    let request = search_request(place, or_all(query), None, page);
    let text = visit.site.service.seen_hits(&visit.caller, &request);
    let text = text.await?;
    let found: Found<'_> = serde_json::from_str(&text).unwrap_or_default();
    Ok(found.told_total(visit.texts))
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
        key: asked.position.key.clone(),
        size: Some(rows_of(place, asked).to_string()),
    };
    if asked.query.is_empty() && asked.sort.is_empty() {
        let page = service.seen_records(&place.permit, &page).await?;
        return Ok(String::from_utf8_lossy(&page.json).into_owned());
    }
    let sort = (!asked.sort.is_empty()).then(|| asked.sort.clone());
    let request = search_request(place, or_all(&asked.query), sort, page);
    service.seen_hits(&visit.caller, &request).await
}

/// The query that finds what is asked for: all records, where none is.
fn or_all(query: &str) -> &str {
    if query.is_empty() { "*" } else { query }
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
        // by its id: a name may be `all`, which means every one
        dataset_id: Some(place.id.clone()),
        sort,
        page,
        ..SearchRequest::default()
    }
}

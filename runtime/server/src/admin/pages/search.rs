//! A search over everything that one may see: the hits by dataset, each leading to its record. How to search stands
//! beside it.

use super::cut_text::{CutText, Room};
use super::numbers::grouped;
use super::pagination::PageLinks;
use super::places::Place;
use super::record_title::RecordTitle;
use super::seen;
use super::texts::Texts;
use super::values::ShownRecord;
use super::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use serde::Deserialize;
use service::search::SearchRequest;
use service::{PageRequest, Refusal};

/// Hits of a page.
const HITS: &str = "50";
/// Values of a hit that are shown beside its key.
const VALUES_MAX: usize = 5;

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage {
    page: Page,
    query: String,
    groups: Vec<Group>,
    found: String,
    pages: PageLinks,
    is_behind: bool,
    problem: Option<String>,
}

/// The hits of a dataset.
pub(super) struct Group {
    pub(super) dataset: String,
    pub(super) name: String,
    area: String,
    pub(super) hits: Vec<Hit>,
}

/// A record that was found.
pub(super) struct Hit {
    pub(super) id: String,
    pub(super) title: RecordTitle,
    values: Vec<HitValue>,
    faults: usize,
}

/// A value that tells more of a hit.
struct HitValue {
    name: String,
    text: CutText,
    is_masked: bool,
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
    let at_least = if found.total_is_at_least { "+" } else { "" };
    let page = SearchPage {
        page: visit.page(Section::Search),
        groups: groups(&visit, &found.hits)?,
        found: grouped(found.total, visit.texts) + at_least,
        pages: PageLinks::of(&visit, "/search", &["q"], found.next_page_key),
        is_behind: found.is_behind,
        query,
        problem,
    };
    shown(&page)
}

/// The hits of an answer by dataset.
pub(super) fn groups_of(visit: &Visit, answer: &str) -> Result<Vec<Group>, Failure> {
    let found: Found<'_> = serde_json::from_str(answer).unwrap_or_default();
    groups(visit, &found.hits)
}

/// The hits by dataset, in the order that they were found in.
fn groups(visit: &Visit, hits: &[ShownRecord<'_>]) -> Result<Vec<Group>, Failure> {
    let mut groups: Vec<Group> = Vec::new();
    let mut place: Option<Place> = None;
    for hit in hits {
        let dataset = hit.system("_dataSetId");
        let here = match place.take().filter(|place| place.id == dataset) {
            Some(here) => here,
            None => Place::of(visit, &dataset)?,
        };
        if groups.last().is_none_or(|group| group.dataset != dataset) {
            groups.push(Group {
                name: here.name.clone(),
                area: here.area.clone(),
                hits: Vec::new(),
                dataset,
            });
        }
        if let Some(group) = groups.last_mut() {
            group
                .hits
                .push(shown_hit(hit, &here, (hits.len(), visit.texts)));
        }
        place = Some(here);
    }
    Ok(groups)
}

/// A hit by its key and its first values.
fn shown_hit(hit: &ShownRecord<'_>, place: &Place, (rows, texts): (usize, &Texts)) -> Hit {
    let others = place
        .version()
        .schema
        .active_fields()
        .filter(|field| !field.primary_key && !field.data_type.is_file());
    let lines = others.map(|field| (field, hit.line(field)));
    let lines = lines.filter(|(_, line)| !line.is_empty());
    let lines: Vec<_> = lines.take(VALUES_MAX).collect();
    let room = Room::of_row(lines.iter().map(|(_, line)| &**line), rows, texts);
    let values = lines.iter().map(|(field, line)| HitValue {
        name: field.name.clone(),
        text: room.cut(line),
        is_masked: place.masks(field),
    });
    Hit {
        title: RecordTitle::of(hit, place),
        id: hit.id(),
        values: values.collect(),
        faults: hit.faults().len(),
    }
}

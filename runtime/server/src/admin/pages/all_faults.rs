//! What is wrong most often, over every dataset that one may see: by field and rule, with bars. Home asks for it as a
//! part, after everything else, because it waits for the search index.

use super::faults::quoted;
use super::numbers::{grouped, share};
use super::unseen::{self, Nothing};
use super::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::Refusal;
use service::search::FaultOf;
use std::cmp::Reverse;

/// Lines that are shown at most.
const LINES_MAX: usize = 12;
/// Datasets that are asked at most, those with the most faulty records.
const DATASETS_MAX: usize = 20;

#[derive(Template)]
#[template(path = "all_faults.html", blocks = ["bars"])]
struct AllFaultsPage {
    page: Page,
    lines: Vec<Line>,
    /// What is said where there is none.
    empty: Nothing,
}

struct Line {
    dataset: String,
    name: String,
    field: String,
    rule: &'static str,
    query: String,
    count: String,
    share: String,
}

pub(super) async fn show(visit: Visit) -> Result<Response<Body>, Failure> {
    let service = &visit.site.service;
    let found = service.overview(&visit.caller).await?;
    let areas = found.areas.into_iter();
    let mut faulty: Vec<_> = areas.flat_map(|area| area.datasets).collect();
    let unseen = if faulty.is_empty() {
        unseen::datasets(&visit)?
    } else {
        None
    };
    faulty.retain(|item| item.errored_records_count > 0);
    faulty.sort_by_key(|item| Reverse(item.errored_records_count));
    faulty.truncate(DATASETS_MAX);
    let ids: Vec<_> = faulty.iter().map(|item| &*item.data_set_id).collect();
    let all = match service.most_faults(&visit.caller, &ids, LINES_MAX).await {
        Ok(found) => found,
        // what can't be told yet is left out
        Err(Refusal::NotReady { .. } | Refusal::TooLong { .. }) => Vec::new(),
        Err(refusal) => return Err(refusal.into()),
    };
    let most = all.first().map_or(0, |first| first.fault.record_count);
    let named = |id: &str| faulty.iter().find(|item| item.data_set_id == id);
    let lines = all.into_iter().map(|FaultOf { dataset, fault }| Line {
        name: named(&dataset)
            .map(|item| item.data_set_name.clone())
            .unwrap_or_default(),
        dataset,
        rule: visit.texts.rule(&fault.rule),
        query: format!("fault:{}/{}", quoted(&fault.field), fault.rule),
        count: grouped(fault.record_count, visit.texts),
        share: share(fault.record_count, most),
        field: fault.field,
    });
    let empty = if let Some(unseen) = unseen {
        unseen
    } else if !faulty.is_empty() {
        let own = &visit.texts.home;
        [own.faults_untold, own.faults_untold_why]
    } else {
        [visit.texts.no_faults, visit.texts.no_faults_why]
    };
    let page = AllFaultsPage {
        lines: lines.collect(),
        empty,
        page: visit.page(Section::Home),
    };
    if visit.is_part {
        return shown(&page.as_bars());
    }
    shown(&page)
}

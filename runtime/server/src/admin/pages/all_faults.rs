//! What is wrong most often, over every dataset that one may see: by field and rule, each with its share of the records of its
//! dataset. Home asks for the first ones as a part, after everything else, because it waits for the search index.

use super::faults::quoted;
use super::list_part::{ListPart, Wanted};
use super::numbers::{grouped, percent, share};
use super::texts::{Texts, filled};
use super::unseen::{self, Nothing};
use super::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::Refusal;
use service::search::{FaultOf, MostFaults};
use std::cmp::Reverse;
use std::collections::HashMap;
use wire::DatasetItem;

/// Lines that home shows, and those of them that a small window has (`pages.css`).
const LINES_FIRST: usize = 12;
const LINES_ON_SMALL: usize = 5;
/// Datasets that are asked at most, those with the most faulty records.
const DATASETS_MAX: usize = 200;

#[derive(Template)]
#[template(path = "all_faults.html", blocks = ["bars"])]
struct AllFaultsPage {
    page: Page,
    lines: Vec<Line>,
    /// How many there are in all.
    count: usize,
    /// Of the first ones, as home has them: how many of how many these are, in a large window and in a small one, where they are
    /// not all.
    first: Option<[Option<String>; 2]>,
    /// What is told of the part of them that is shown, where it is not all.
    part: Option<ListPart>,
    /// Which datasets are not among them.
    left_out: Vec<String>,
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
    /// How much of the dataset's records has it, as the width of a bar and in words.
    share: String,
    percent: String,
}

pub(super) async fn show(visit: Visit) -> Result<Response<Body>, Failure> {
    let service = &visit.site.service;
    let found = service.overview(&visit.caller).await?;
    let areas = found.areas.into_iter();
    let mut faulty: Vec<DatasetItem> = areas.flat_map(|area| area.datasets).collect();
    let unseen = if faulty.is_empty() {
        unseen::datasets(&visit)?
    } else {
        None
    };
    faulty.retain(|item| item.errored_records_count > 0);
    faulty.sort_by_key(|item| Reverse(item.errored_records_count));
    let asked = &faulty[..faulty.len().min(DATASETS_MAX)];
    let ids: Vec<_> = asked.iter().map(|item| &*item.data_set_id).collect();
    let found = match service.most_faults(&visit.caller, &ids).await {
        Ok(found) => found,
        // what can't be told yet is left out
        Err(Refusal::NotReady { .. } | Refusal::TooLong { .. }) => MostFaults::default(),
        Err(refusal) => return Err(refusal.into()),
    };
    let left_out = left_out(&faulty, asked, found.unread, visit.texts);
    let mut faults = found.faults;
    let count = faults.len();
    if visit.is_part {
        faults.truncate(LINES_FIRST);
    }
    let empty = match unseen {
        Some(unseen) => unseen,
        None if faulty.is_empty() => {
            [visit.texts.no_faults, visit.texts.no_faults_why].map(str::to_owned)
        }
        None => {
            let own = &visit.texts.home;
            [own.faults_untold, own.faults_untold_why].map(str::to_owned)
        }
    };
    let told = |shown: usize| first_of(shown, count, visit.texts);
    let page = AllFaultsPage {
        lines: lines(faults, asked, visit.texts),
        count,
        first: visit
            .is_part
            .then(|| [LINES_FIRST, LINES_ON_SMALL].map(told)),
        part: None,
        left_out,
        empty,
        page: visit.page(Section::Home),
    };
    if visit.is_part {
        return shown(&page.as_bars());
    }
    shown(&page.narrowed_to(&Wanted::of(&visit)))
}

impl AllFaultsPage {
    /// The same with the part that is asked for, of those that the filter finds.
    fn narrowed_to(mut self, wanted: &Wanted) -> Self {
        let texts = self.page.t;
        self.lines
            .retain(|line| wanted.finds(&[&line.field, &line.name, line.rule]));
        let sizes = self.lines.iter().map(|line| {
            let texts = [&*line.field, &*line.name, line.rule, &*line.query];
            texts.iter().map(|text| text.len()).sum::<usize>()
        });
        let sizes: Vec<usize> = sizes.collect();
        let (range, part) = ListPart::of(&sizes, wanted, texts);
        self.lines.truncate(range.end);
        self.lines.drain(..range.start);
        self.part = part.map(|mut part| {
            if !self.lines.is_empty() {
                part.told = filled(texts.home.faults_kinds, &[&part.told]);
            }
            part
        });
        self
    }
}

/// That so many of all are shown; nothing where these are all.
fn first_of(shown: usize, all: usize, texts: &Texts) -> Option<String> {
    let [first, of] = [shown, all].map(|count| grouped(count as u64, texts));
    (all > shown).then(|| filled(texts.home.faults_first, &[&first, &of]))
}

/// What is said of datasets with faults that are not among the lines.
fn left_out(
    faulty: &[DatasetItem],
    asked: &[DatasetItem],
    unread: usize,
    texts: &Texts,
) -> Vec<String> {
    let [all, most, unread] =
        [faulty.len(), asked.len(), unread].map(|count| (count, grouped(count as u64, texts)));
    let own = &texts.home;
    let cut = (all.0 > most.0).then(|| filled(own.faults_of_some, &[&most.1, &all.1]));
    let unread = (unread.0 > 0).then(|| filled(own.faults_unread, &[&unread.1]));
    cut.into_iter().chain(unread).collect()
}

/// The faults as they are shown.
fn lines(found: Vec<FaultOf>, asked: &[DatasetItem], texts: &Texts) -> Vec<Line> {
    let items: HashMap<&str, &DatasetItem> = asked
        .iter()
        .map(|item| (&*item.data_set_id, item))
        .collect();
    let lines = found.into_iter().filter_map(|FaultOf { dataset, fault }| {
        let item = items.get(&*dataset)?;
        let records = item.record_count;
        Some(Line {
            name: item.data_set_name.clone(),
            dataset,
            rule: texts.rule(&fault.rule),
            query: format!("fault:{}/{}", quoted(&fault.field), fault.rule),
            count: grouped(fault.record_count, texts),
            share: share(fault.record_count, records),
            percent: percent(fault.record_count, records, texts),
            field: fault.field,
        })
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_faults_it_is_told_how_many_are_shown_and_of_all_nothing() {
        let texts = Texts::liked("en");
        for (shown, all, told) in [
            (12, 57, Some("The 12 most frequent of 57 kinds of faults.")),
            (
                12,
                1_200,
                Some("The 12 most frequent of 1,200 kinds of faults."),
            ),
            (12, 12, None),
            (5, 12, Some("The 5 most frequent of 12 kinds of faults.")),
            (12, 0, None),
        ] {
            assert_eq!(first_of(shown, all, texts).as_deref(), told);
        }
    }
}

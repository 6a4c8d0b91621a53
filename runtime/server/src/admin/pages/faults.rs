//! What is wrong with a dataset, by field and rule; each line leads to the records.

use super::numbers::{grouped, share};
use super::places::Place;
use super::sample_records::{SampleNames, SampleRecord};
use super::trend::Trend;
use super::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::Refusal;
use service::search::in_quotes;

#[derive(Template)]
#[template(path = "faults.html")]
struct FaultsPage {
    page: Page,
    place: Place,
    records: String,
    faulty: String,
    fields: Vec<FieldFaults>,
    /// How many were faulty day by day.
    trend: Option<Trend>,
}

struct FieldFaults {
    name: String,
    rules: Vec<RuleFaults>,
}

struct RuleFaults {
    rule: &'static str,
    count: String,
    share: String,
    query: String,
    field: String,
    /// What leads to its repair.
    mend: String,
    /// The first record that has it.
    example: Option<SampleRecord>,
}

pub(super) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let place = Place::of(&visit, &visit.ids)?;
    let found = visit.site.service.dataset_faults(&visit.caller, &place.id);
    let found = found.await?;
    let examples = found.faults.iter().filter_map(|it| it.samples.first());
    let examples = examples.map(String::as_str).collect();
    let names = SampleNames::of(&visit, examples).await?;
    let mut fields: Vec<FieldFaults> = Vec::new();
    let most = found
        .faults
        .iter()
        .map(|fault| fault.record_count)
        .max()
        .unwrap_or(0);
    for fault in &found.faults {
        let count = grouped(fault.record_count, visit.texts);
        let rule = RuleFaults {
            rule: visit.texts.rule(&fault.rule),
            mend: (visit.texts.mend_list.these)(&count),
            count,
            share: share(fault.record_count, most),
            query: format!("fault:{}/{}", quoted(&fault.field), fault.rule),
            field: fault.field.clone(),
            example: fault.samples.first().map(|id| names.record(id)),
        };
        match fields.last_mut().filter(|field| field.name == fault.field) {
            Some(field) => field.rules.push(rule),
            None => fields.push(FieldFaults {
                name: fault.field.clone(),
                rules: vec![rule],
            }),
        }
    }
    let service = &visit.site.service;
    let trend = match service.dataset_days(&visit.caller, &place.id, None).await {
        Ok(days) => Trend::of(&days.items, visit.texts),
        // who may look at records need not see what is told of datasets
        Err(Refusal::Forbidden(_)) => None,
        Err(refusal) => return Err(refusal.into()),
    };
    shown(&FaultsPage {
        page: visit.page(Section::Home),
        records: grouped(found.record_count, visit.texts),
        faulty: grouped(found.errored_records_count, visit.texts),
        fields,
        trend,
        place,
    })
}

/// A field's name as a query writes it.
pub(super) fn quoted(name: &str) -> String {
    let is_word = name.starts_with(char::is_alphabetic) && name.chars().all(char::is_alphanumeric);
    if is_word && name != "fault" {
        name.to_owned()
    } else {
        in_quotes(name)
    }
}

//! What is wrong with a dataset, by field and rule, each with a record that has it and what that has there; each line leads to the
//! records.

use super::numbers::{grouped, percent, share};
use super::places::Place;
use super::sample_records::{SampleNames, SampleRecord, SampleValue};
use super::trend::Trend;
use super::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::Refusal;
use service::manage::DatasetFault;
use service::search::in_quotes;
use std::collections::{BTreeMap, BTreeSet};

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
    /// How much of the records has it, as the width of a bar and in words.
    share: String,
    percent: String,
    query: String,
    field: String,
    /// What leads to its repair.
    mend: String,
    /// The first record that has it, and what that has there.
    example: Option<SampleRecord>,
    value: Option<SampleValue>,
}

pub(super) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let place = Place::of(&visit, &visit.ids)?;
    let found = visit.site.service.dataset_faults(&visit.caller, &place.id);
    let found = found.await?;
    let asked = examples(&found.faults, &place);
    let names = SampleNames::with_values(&visit, &asked).await?;
    let mut fields: Vec<FieldFaults> = Vec::new();
    let records = found.record_count;
    for fault in &found.faults {
        let example = fault.samples.first();
        let is_asked = |id: &&String| {
            let own = asked.get(id.as_str());
            own.is_some_and(|own| own.contains(&*fault.field))
        };
        let count = grouped(fault.record_count, visit.texts);
        let rule = RuleFaults {
            rule: visit.texts.rule(&fault.rule),
            mend: (visit.texts.mend_list.these)(&count),
            count,
            share: share(fault.record_count, records),
            percent: percent(fault.record_count, records, visit.texts),
            query: format!("fault:{}/{}", quoted(&fault.field), fault.rule),
            field: fault.field.clone(),
            value: example
                .filter(is_asked)
                .and_then(|id| names.value(id, &fault.field)),
            example: example.map(|id| names.record(id)),
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

/// The first record with each fault, and the fields of which its values are shown: a file has none to be read.
fn examples<'f>(faults: &'f [DatasetFault], place: &Place) -> BTreeMap<&'f str, BTreeSet<&'f str>> {
    let schema = &place.version().schema;
    let mut examples: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for fault in faults {
        let Some(id) = fault.samples.first() else {
            continue;
        };
        let fields = examples.entry(id).or_default();
        let mut own = schema.active_fields();
        if own.any(|own| own.id == fault.field_id && !own.data_type.is_file()) {
            fields.insert(&fault.field);
        }
    }
    examples
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

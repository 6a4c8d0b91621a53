//! What came of a job that works on records that are there, as the job's page shows it: figures, some records before and
//! after, and of a repair that was only tried the form that makes it.

use super::cut_text::CutText;
use super::effects::no_longer_faulty;
use super::job_rights;
use super::numbers::grouped;
use super::sample_records::{LeftOut, SampleNames, SampleRecord};
use super::texts::Texts;
use super::values::is_number;
use super::visit::Visit;
use crate::http::error::Failure;
use service::manage::{FaultChange, JobKind, JobView, RevisionResult};
use std::collections::BTreeSet;
use wire::RawJson;

/// What came of it.
pub(super) struct Revision {
    /// The name of the field that is repaired.
    pub(super) field: String,
    pub(super) is_number: bool,
    pub(super) records: String,
    pub(super) changed: String,
    /// How many could not be changed, if any.
    pub(super) left: Option<String>,
    pub(super) faulty_before: FaultyCount,
    /// Of those how many are faulty no longer, and how many others become so, where both were counted.
    pub(super) shift: Option<(String, FaultyCount)>,
    pub(super) faulty_after: FaultyCount,
    /// Whether it changes no record, so that nothing is told of how many it changed.
    pub(super) only_judges: bool,
    /// Faults that come and go, by field and rule.
    pub(super) faults: Vec<FaultShift>,
    pub(super) samples: Vec<Sample>,
    pub(super) left_records: Vec<LeftOut>,
    /// What goes on from what was only tried.
    pub(super) to_do: Option<ToDo>,
}

/// How many records are faulty.
pub(super) struct FaultyCount {
    pub(super) shown: String,
    pub(super) is_any: bool,
}

impl FaultyCount {
    fn of(count: u64, texts: &Texts) -> Self {
        FaultyCount {
            shown: grouped(count, texts),
            is_any: count > 0,
        }
    }
}

/// How many records get a fault, with some of them, and how many lose it.
pub(super) struct FaultShift {
    pub(super) field: String,
    pub(super) rule: &'static str,
    pub(super) come: String,
    pub(super) gone: String,
    pub(super) comes: bool,
    /// The first few that get it.
    pub(super) records: Vec<SampleRecord>,
}

impl FaultShift {
    fn of(fault: &FaultChange, names: &SampleNames, texts: &Texts) -> Self {
        FaultShift {
            field: fault.field.clone(),
            rule: texts.rule(&fault.rule),
            come: grouped(fault.come, texts),
            gone: grouped(fault.gone, texts),
            comes: fault.come > 0,
            records: names.records(&fault.samples),
        }
    }
}

/// A record before and after.
pub(super) struct Sample {
    pub(super) record: SampleRecord,
    pub(super) before: SampleValue,
    pub(super) after: SampleValue,
}

/// A value of it.
pub(super) struct SampleValue {
    pub(super) text: CutText,
    pub(super) is_masked: bool,
}

impl SampleValue {
    /// A value before and after, of a field that the visitor sees or not.
    fn both(values: [&RawJson; 2], is_unseen: bool, texts: &Texts) -> [Self; 2] {
        let [before, after] = values.map(plain);
        let [before, after] = CutText::both([&before, &after], texts);
        let masked = values.map(|value| is_unseen && !value.is_null());
        [(before, masked[0]), (after, masked[1])]
            .map(|(text, is_masked)| SampleValue { text, is_masked })
    }
}

/// The forms that do what was tried, or try something else.
pub(super) struct ToDo {
    /// The id of the job that tried it.
    pub(super) trial: String,
    /// That of the one that did it, where it was done.
    pub(super) done_by: Option<String>,
    /// Whether it would change anything.
    pub(super) is_changing: bool,
    /// What is pressed to change so many.
    pub(super) these: String,
}

impl Revision {
    /// Whether there is an example of a fault that comes.
    pub(super) fn has_fault_samples(&self) -> bool {
        self.faults.iter().any(|fault| !fault.records.is_empty())
    }

    /// That of a job, where it is of that kind.
    ///
    /// # Errors
    /// The store's.
    pub(super) async fn of<P>(visit: &Visit<P>, job: &JobView) -> Result<Option<Self>, Failure> {
        let Some(result) = &job.revision_result else {
            return Ok(None);
        };
        let names = SampleNames::of(visit, samples_of(result)).await?;
        let mut own = Self::named(visit, job, result, &names);
        if let Some(to_do) = &mut own.to_do {
            let service = &visit.site.service;
            to_do.done_by = service.repair_of(&visit.caller, &job.job_id).await?;
        }
        if !job.state.has_ended() {
            // what goes on grows in one place alone, so that nothing moves
            own.samples.clear();
            own.left_records.clear();
        }
        Ok(Some(own))
    }

    fn named<P>(
        visit: &Visit<P>,
        job: &JobView,
        result: &RevisionResult,
        names: &SampleNames,
    ) -> Self {
        let texts = visit.texts;
        let options = job.repair_options.as_ref();
        let masked = job_rights::masked(visit, job);
        let is_unseen = |field: &str| masked.as_ref().is_none_or(|it| it.contains(field));
        let is_unseen = options.is_some_and(|options| is_unseen(&options.field));
        let samples = result.samples.iter().map(|sample| {
            let values = [&sample.before, &sample.after];
            let [before, after] = SampleValue::both(values, is_unseen, texts);
            Sample {
                record: names.record(&sample.data_object_id),
                before,
                after,
            }
        });
        let field = options.map_or_else(String::new, |options| options.field.clone());
        let faults = result.faults.iter();
        let changed = grouped(result.changed, texts);
        let (before, come) = (result.faulty_before, result.become_faulty);
        let gone = no_longer_faulty(before, come, result.faulty_after);
        Revision {
            is_number: is_number_of(visit, job, &field),
            field,
            only_judges: job.kind == JobKind::Effects,
            faults: faults.map(|it| FaultShift::of(it, names, texts)).collect(),
            records: grouped(result.records, texts),
            left: (result.left > 0).then(|| grouped(result.left, texts)),
            faulty_before: FaultyCount::of(before, texts),
            shift: gone.map(|gone| (grouped(gone, texts), FaultyCount::of(come, texts))),
            faulty_after: FaultyCount::of(result.faulty_after, texts),
            samples: samples.collect(),
            left_records: names.left_out(&result.left_records, texts),
            to_do: job_rights::tried(visit, job).map(|_| ToDo {
                trial: job.job_id.clone(),
                done_by: None,
                is_changing: result.changed > 0,
                these: (texts.mend_list.these)(&changed),
            }),
            changed,
        }
    }
}

/// Whether a field of a job's dataset holds numbers.
fn is_number_of<P>(visit: &Visit<P>, job: &JobView, name: &str) -> bool {
    let catalog = visit.caller.catalog();
    let dataset = catalog.datasets.get(&job.data_set_id);
    let schema = dataset.and_then(|dataset| catalog.schemas.get(&dataset.schema));
    schema.is_some_and(|schema| {
        let mut fields = schema.current().schema.active_fields();
        fields
            .find(|field| field.name == name)
            .is_some_and(is_number)
    })
}

/// The ids of all records that a result shows.
fn samples_of(result: &RevisionResult) -> BTreeSet<&str> {
    let faulty = result.faults.iter().flat_map(|fault| &fault.samples);
    let changed = result.samples.iter().map(|sample| &sample.data_object_id);
    let left = result.left_records.iter().map(|left| &left.data_object_id);
    let all = faulty.chain(changed).chain(left);
    all.map(String::as_str).collect()
}

/// A value as it is read.
fn plain(value: &RawJson) -> String {
    if value.is_null() {
        return String::new();
    }
    if let Some(values) = value.elements() {
        return values.iter().map(plain).collect::<Vec<_>>().join(", ");
    }
    value.as_string().unwrap_or_else(|| value.to_string())
}

//! What work on many records has in common: a page of records is planned by what is there, and committed in one step with
//! its counts and where to go on. The store does all of a step or nothing; where someone else wrote meanwhile, it is
//! planned anew. What it does to a record, its kind's file tells.

use super::context::{Halt, JobContext, Step};
use super::shown::{cursor_document, document};
use crate::records::Revision;
use crate::{DatasetPermit, Refusal};
use engine::validate::rules_told;
use serde::Serialize;
use std::collections::{BTreeSet, HashSet};
use store::StoreError;
use store::catalog::Verb;
use store::jobs::{JobProgress, JobUpdate};
use store::records::{Change, PageLimit, RecordPlace, StoredRecord, Write, WriteVerdict};
use wire::FieldError;
use wire::manage::{FaultChange, LeftRecord, RevisionResult};

/// Samples of each kind.
pub(super) const SAMPLES_MAX: usize = 5;
/// Records of a page.
pub(super) const PAGE: PageLimit = PageLimit {
    records: 250,
    bytes: 1 << 20,
};

/// A page that was planned.
pub(super) struct Planned<T> {
    pub(super) writes: Vec<Write>,
    pub(super) update: JobUpdate,
    /// What the job is to remember of it.
    pub(super) log: Vec<String>,
    /// What holds once it is committed.
    pub(super) then: T,
}

/// Plans a page and commits it. `None` of a plan says that it was overtaken. It is told which records have a primary key
/// in its plan that another one has.
pub(super) fn step<T>(
    context: &JobContext,
    verbs: &[Verb],
    mut plan: impl FnMut(&DatasetPermit, &HashSet<RecordPlace>) -> Result<Option<Planned<T>>, Halt>,
) -> Result<T, Halt> {
    let mut taken = HashSet::new();
    let mut tries = context.service.tries();
    loop {
        context.go_on()?;
        // rights may have gone, and the schema may be another one
        let permit = context.permit(verbs)?;
        let Some(planned) = plan(&permit, &taken)? else {
            context.wait(tries.another())?;
            continue;
        };
        let Planned {
            writes,
            update,
            log,
            then,
        } = planned;
        let places: Vec<_> = writes.iter().map(|write| place_of(&write.change)).collect();
        match context.step(writes, update, log)? {
            Step::Done(_) => return Ok(then),
            Step::Refused(verdicts) => {
                let both = verdicts.iter().zip(places);
                let duplicates = both.filter(|(it, _)| **it == WriteVerdict::DuplicateKey);
                taken.extend(duplicates.filter_map(|(_, place)| place));
                context.wait(tries.another())?;
            }
        }
    }
}

fn place_of(change: &Change) -> Option<RecordPlace> {
    match change {
        Change::Create { .. } => None,
        Change::Update { id, .. }
        | Change::Revert { id, .. }
        | Change::Delete { id, .. }
        | Change::Restore { id }
        | Change::RestoreAs { id, .. }
        | Change::Purge { id } => Some(id.place),
    }
}

/// What changes in the job's row.
pub(super) fn update(
    context: &JobContext,
    cursor: &impl Serialize,
    result: &impl Serialize,
    rows: u64,
) -> Result<JobUpdate, Halt> {
    Ok(JobUpdate {
        cursor: Some(cursor_document(cursor)?),
        progress: JobProgress {
            rows,
            ..context.job.progress
        },
        result: Some(document(result)?),
    })
}

/// A result, or nothing where it was overtaken by a newer catalog.
pub(super) fn unless_overtaken<T>(result: Result<T, Refusal>) -> Result<Option<T>, Halt> {
    match result {
        Err(Refusal::Store(StoreError::Overtaken)) => Ok(None),
        result => Ok(Some(result?)),
    }
}

/// Judges a record with a change of its fields, by the schema in force. Its primary key stays as it is stored, unless it is
/// changed.
pub(super) fn revised(
    context: &JobContext,
    permit: &DatasetPermit,
    record: &StoredRecord,
    change: &[u8],
) -> Result<Revision, Refusal> {
    context.wait(context.service.revised(permit, record, change))
}

/// Judges a record by the schema in force: each value that is one of its type gets that type's form, the primary key too.
pub(super) fn restated(
    context: &JobContext,
    permit: &DatasetPermit,
    record: &StoredRecord,
) -> Result<Revision, Refusal> {
    context.wait(context.service.restated(permit, record))
}

/// Counts the faults of a record that come and go.
pub(super) fn count(result: &mut RevisionResult, id: &str, revised: &Revision) {
    let before = told(revised.errors_before.as_deref());
    let faults = revised.checked.faults().iter();
    let after: BTreeSet<_> = faults
        .map(|fault| (fault.field().to_owned(), fault.rule().code().to_owned()))
        .collect();
    result.records += 1;
    let was_faulty = revised.errors_before.is_some();
    let is_faulty = !revised.checked.is_clean();
    result.faulty_before += u64::from(was_faulty);
    result.become_faulty += u64::from(is_faulty && !was_faulty);
    result.faulty_after += u64::from(is_faulty);
    for (field, rule) in after.difference(&before) {
        let change = entry(result, field, rule);
        change.come += 1;
        if change.samples.len() < SAMPLES_MAX {
            change.samples.push(id.to_owned());
        }
    }
    for (field, rule) in before.difference(&after) {
        entry(result, field, rule).gone += 1;
    }
}

/// Notes a record that can't be changed.
pub(super) fn leave(left: &mut u64, samples: &mut Vec<LeftRecord>, id: String, reason: &str) {
    *left += 1;
    if samples.len() < SAMPLES_MAX {
        samples.push(LeftRecord {
            data_object_id: id,
            reason: reason.to_owned(),
        });
    }
}

fn entry<'r>(result: &'r mut RevisionResult, field: &str, rule: &str) -> &'r mut FaultChange {
    let faults = &mut result.faults;
    let at = faults
        .iter()
        .position(|it| it.field == field && it.rule == rule);
    let at = at.unwrap_or_else(|| {
        faults.push(FaultChange {
            field: field.to_owned(),
            rule: rule.to_owned(),
            come: 0,
            gone: 0,
            samples: Vec::new(),
        });
        faults.len() - 1
    });
    &mut faults[at]
}

/// The faults that stored errors tell of, by field and rule.
fn told(errors: Option<&str>) -> BTreeSet<(String, String)> {
    let entries = errors.and_then(|it| serde_json::from_str::<Vec<FieldError>>(it).ok());
    let entries = entries.unwrap_or_default().into_iter();
    let pairs = entries.flat_map(|entry| {
        let rules = rules_told(&entry.errors).into_iter();
        let pair = move |rule: &str| (entry.name.clone(), rule.to_owned());
        rules.map(pair).collect::<Vec<_>>()
    });
    pairs.collect()
}

//! A repair of one field in many records: those that a query finds, or all of a dataset. What becomes of a value,
//! `repair/` tells; here each record is judged whole and written as an update. One that is only tried counts the same.

use super::context::{Halt, JobContext, Worked};
use super::revise::{self, PAGE, Planned, SAMPLES_MAX, unless_overtaken};
use super::selection::{FoundPage, query_page, rows_total};
use super::shown::read;
use crate::records::current;
use crate::repair::{Repair, shown};
use crate::{DatasetPermit, Refusal};
use schema::json::write_string;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use store::catalog::Verb;
use store::records::{Change, RecordPlace, StoredRecord, Write};
use wire::manage::{RepairOptions, RevisionResult, RevisionSample};

/// What its maker must be allowed to do with records.
pub(super) const VERBS: [Verb; 2] = [Verb::View, Verb::Edit];

/// Where it goes on.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Cursor {
    /// The sequence of the last record that was looked at.
    after: u64,
    is_whole: bool,
}

pub(super) fn run(context: &JobContext) -> Worked {
    Worked::without_files(repair_all(context))
}

fn repair_all(context: &JobContext) -> Result<(), Halt> {
    let job = &context.job;
    let options: Option<RepairOptions> = read(true, Some(&job.options))?;
    let options = options.ok_or_else(|| Halt::Failed("it has no options".to_owned()))?;
    let mut cursor: Cursor = read(true, job.cursor.as_ref())?.unwrap_or_default();
    let mut result: RevisionResult = read(true, job.result.as_ref())?.unwrap_or_default();
    let query = options.query.as_deref();
    let total = if cursor.is_whole {
        None
    } else {
        rows_total(context, &context.permit(&VERBS)?, query)?
    };
    while !cursor.is_whole {
        (cursor, result) = revise::step(context, &VERBS, |permit, taken| {
            let (mut cursor, mut result) = (cursor, result.clone());
            let FoundPage {
                records,
                after,
                is_last,
            } = query_page(context, permit, query, cursor.after, PAGE)?;
            (cursor.after, cursor.is_whole) = (after, is_last);
            let repair = Repair::of(&options, &permit.schema().current().schema)?;
            let mut writes = Vec::new();
            for record in &records {
                let done = repair_one(context, permit, (&repair, taken), record, &mut result);
                let Some(write) = unless_overtaken(done)? else {
                    return Ok(None);
                };
                writes.extend(write);
            }
            if options.dry_run {
                writes.clear();
            }
            let mut update = revise::update(context, &cursor, &result, result.records)?;
            update.progress.rows_total = total;
            Ok(Some(Planned {
                writes,
                update,
                log: Vec::new(),
                then: (cursor, result),
            }))
        })?;
    }
    Ok(())
}

/// Repairs a record: the write, if there is something to write.
fn repair_one(
    context: &JobContext,
    permit: &DatasetPermit,
    (repair, taken): (&Repair<'_>, &HashSet<RecordPlace>),
    record: &StoredRecord,
    result: &mut RevisionResult,
) -> Result<Option<Write>, Refusal> {
    let field = repair.field();
    context.service.require_form(record)?;
    let body = current(permit.schema(), record)?.body;
    let Some((before, after)) = repair.of_body(&body) else {
        result.records += 1;
        let faulty = u64::from(record.errors.is_some());
        result.faulty_before += faulty;
        result.faulty_after += faulty;
        return Ok(None);
    };
    let mut change = String::from("{");
    write_string(&mut change, &field.name);
    change.push(':');
    change.push_str(&after);
    change.push('}');
    let id = context.service.ids.record(record.id);
    let leave = |result: &mut RevisionResult, reason: &str| {
        let RevisionResult {
            left, left_records, ..
        } = &mut *result;
        revise::leave(left, left_records, id.clone(), reason);
        result.records += 1;
        Ok(None)
    };
    if change.len() > context.service.settings().body_bytes_max {
        return leave(result, "its value would be too large");
    }
    let revised = match revise::revised(context, permit, record, change.as_bytes()) {
        Err(Refusal::InvalidBody { message, .. }) => return leave(result, &message),
        revised => revised?,
    };
    if field.primary_key && revised.checked.primary_key().is_none() {
        return leave(result, "its primary key would have no value");
    }
    if taken.contains(&record.id.place) {
        return leave(
            result,
            "another record has the primary key that it would have",
        );
    }
    revise::count(result, &id, &revised);
    if !revised.is_new {
        return Ok(None);
    }
    result.changed += 1;
    if result.samples.len() < SAMPLES_MAX {
        result.samples.push(RevisionSample {
            data_object_id: id,
            before: shown(&before),
            after: shown(&after),
        });
    }
    let change = Change::Update {
        id: record.id,
        version: record.version,
        content: revised.content(permit),
    };
    Ok(Some(context.service.write_by(permit, change)))
}

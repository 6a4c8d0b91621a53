//! A repair of one field in many records: those that a query finds, or all of a dataset. What becomes of a value,
//! `repair/` tells; here each record is judged whole and written as an update. One that is only tried counts the same. The field
//! is the one that was named when it was asked for, whatever it is called since.

use super::asked_names::field_of;
use super::context::{Halt, JobContext, Worked};
use super::revise::{self, PAGE, Planned, SAMPLES_MAX, unless_overtaken};
use super::selection::{FoundPage, query_page, rows_total};
use super::shown::read_document;
use crate::records::{Current, current};
use crate::repair::{Patience, Repair, Unmade, shown};
use crate::{DatasetPermit, Refusal};
use schema::json::write_string;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::time::{Duration, Instant};
use store::catalog::Verb;
use store::records::{Change, RecordPlace, StoredRecord, Write};
use wire::manage::{RepairOptions, RevisionResult, RevisionSample};

/// What its maker must be allowed to do with records.
pub(super) const VERBS: [Verb; 2] = [Verb::View, Verb::Edit];

/// Bytes of records that a step writes: a few words may make large ones of small ones.
const WRITTEN_BYTES_MAX: usize = 4 << 20;

/// When a step ends before its page does: who cancels is heard between two steps.
const STEP_TIME_MAX: Duration = Duration::from_secs(2);

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
    let options: Option<RepairOptions> = read_document(Some(&job.options))?;
    let options = options.ok_or_else(|| Halt::Failed("it has no options".to_owned()))?;
    let mut cursor: Cursor = read_document(job.cursor.as_ref())?.unwrap_or_default();
    let mut result: RevisionResult = read_document(job.result.as_ref())?.unwrap_or_default();
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
            let field = field_of(job, permit.schema(), &options.field)?;
            let repair = Repair::of_field(Some(field), &options.action)?;
            let (mut writes, mut bytes) = (Vec::new(), 0);
            let began = Instant::now();
            for (record, is_last) in with_last(&records) {
                let done = repair_one(context, permit, (&repair, taken), record, &mut result);
                let Some(write) = unless_overtaken(done)? else {
                    return Ok(None);
                };
                bytes += write.as_ref().map_or(0, bytes_of);
                writes.extend(write.filter(|_| !options.dry_run));
                let is_long = bytes > WRITTEN_BYTES_MAX || began.elapsed() > STEP_TIME_MAX;
                if is_long && !is_last {
                    // the rest of the page is another step's
                    (cursor.after, cursor.is_whole) = (record.id.place.sequence, false);
                    break;
                }
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

/// Each record, and whether it is the last.
fn with_last(records: &[StoredRecord]) -> impl Iterator<Item = (&StoredRecord, bool)> {
    let last = records.len().saturating_sub(1);
    let numbered = records.iter().enumerate();
    numbered.map(move |(index, record)| (record, index == last))
}

/// What a write has of a record: bytes.
fn bytes_of(write: &Write) -> usize {
    let Change::Update { content, .. } = &write.change else {
        return 0;
    };
    content.body.len() + content.hidden.as_ref().map_or(0, String::len)
}

/// The body of an update that changes one field.
fn change_of(name: &str, value: &str) -> String {
    let mut change = String::from("{");
    write_string(&mut change, name);
    change.push(':');
    change.push_str(value);
    change.push('}');
    change
}

/// The value of the field before and after, where it is another one then.
///
/// # Errors
/// Why its record is left as it is.
fn made_of(
    context: &JobContext,
    repair: &Repair<'_>,
    body: &str,
) -> Result<Option<(String, String)>, &'static str> {
    let settings = context.service.settings();
    let bytes_max = settings.body_bytes_max;
    // where the service ends meanwhile, nothing of this is committed
    let patience = Patience::of(settings.jobs.repair_time_max, &context.stop);
    let made = repair.of_body(body, (bytes_max, &patience));
    let is_large = |made: &(String, String)| made.1.len() > bytes_max;
    match made {
        Ok(made) if !made.as_ref().is_some_and(is_large) => Ok(made),
        Ok(_) | Err(Unmade::TooLarge) => Err("its value would be too large"),
        Err(Unmade::TooSlow) => Err("the regular expression takes too long on its value"),
    }
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
    let Current { body, errors, .. } = current(permit.schema(), record)?;
    let id = context.service.ids.record(record.id);
    // one that stays as it is was looked at all the same
    let pass = |result: &mut RevisionResult| {
        let faulty = u64::from(errors.is_some());
        result.records += 1;
        result.faulty_before += faulty;
        result.faulty_after += faulty;
    };
    let leave = |result: &mut RevisionResult, reason: &str| {
        pass(result);
        let RevisionResult {
            left, left_records, ..
        } = &mut *result;
        revise::leave(left, left_records, id.clone(), reason);
        Ok(None)
    };
    let (before, after) = match made_of(context, repair, &body) {
        Ok(Some(made)) => made,
        Ok(None) => {
            pass(result);
            return Ok(None);
        }
        Err(reason) => return leave(result, reason),
    };
    let change = change_of(&field.name, &after);
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

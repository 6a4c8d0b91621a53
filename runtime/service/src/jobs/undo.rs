//! The undoing of a job: what it wrote stands in the change log under its id. Each record goes back to what it was
//! before, unless someone else wrote it since: then it is left alone and told. What the job made is deleted, what it deleted is
//! there again. An undoing is a job too, and can be undone.

use super::context::{Halt, JobContext, Worked};
use super::revise::{self, Planned, unless_overtaken};
use super::shown::read;
use crate::records::current;
use crate::{DatasetPermit, Refusal};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use store::StoreError;
use store::catalog::Verb;
use store::jobs::JobKind;
use store::records::{Change, LogAction, LogEntry, PageLimit, RecordPlace, StoredRecord, Write};
use wire::manage::{UndoOptions, UndoResult};

/// Entries of the change log that are read at a time.
const ENTRIES: PageLimit = PageLimit {
    records: 250,
    bytes: 1 << 20,
};

/// Where it goes on.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Cursor {
    /// The last entry of the change log that was looked at.
    after: u64,
    /// The newest entry when it began: what is behind is not the job's.
    until: u64,
}

/// What the undoing of a job of a kind asks for.
pub(super) fn verbs(undone: JobKind) -> &'static [Verb] {
    match undone {
        JobKind::Repair | JobKind::Revalidate | JobKind::Export | JobKind::Effects => {
            &[Verb::View, Verb::Edit]
        }
        JobKind::Import | JobKind::Undo | JobKind::Bulk => &[Verb::View, Verb::Edit, Verb::Delete],
    }
}

pub(super) fn run(context: &JobContext) -> Worked {
    Worked::without_files(undo_all(context))
}

fn undo_all(context: &JobContext) -> Result<(), Halt> {
    let (own, service) = (&context.job, &context.service);
    let options: Option<UndoOptions> = read(true, Some(&own.options))?;
    let id = options.map(|options| options.job_id).unwrap_or_default();
    let undone = context.wait(service.store().job(&id))?;
    let Some(undone) = undone.filter(|job| job.dataset == own.dataset) else {
        let text = "the job that is to be undone is not remembered any more";
        return Err(Halt::Failed(text.to_owned()));
    };
    let cursor: Option<Cursor> = read(true, own.cursor.as_ref())?;
    let mut cursor = match cursor {
        Some(cursor) => cursor,
        None => Cursor {
            after: undone.log_after,
            until: context.wait(service.store().log_head())?,
        },
    };
    let mut result: UndoResult = read(true, own.result.as_ref())?.unwrap_or_default();
    let verbs = verbs(undone.kind);
    // one that has nothing to take back tells so, too
    let mut is_told = own.result.is_some();
    while !is_told || cursor.after < cursor.until {
        (cursor, result) = revise::step(context, verbs, |permit, taken| {
            let (mut cursor, mut result) = (cursor, result.clone());
            let number = permit.dataset().number;
            let changes = service.store().changes(number, cursor.after, ENTRIES);
            let entries = context.wait(changes)?.entries;
            let mut writes = Vec::new();
            for entry in &entries {
                if entry.actor.job.as_ref() != Some(&undone.id) {
                    continue;
                }
                let done = undo_one(context, permit, (&undone.id, taken), entry, &mut result);
                let Some(done) = unless_overtaken(done)? else {
                    return Ok(None);
                };
                writes.extend(done);
            }
            cursor.after = entries.last().map_or(cursor.until, |last| last.number);
            Ok(Some(Planned {
                writes,
                update: revise::update(context, &cursor, &result, result.records)?,
                then: (cursor, result),
            }))
        })?;
        is_told = true;
    }
    Ok(())
}

/// Takes back what a job did to a record, told by its first entry about it; others say nothing more.
fn undo_one(
    context: &JobContext,
    permit: &DatasetPermit,
    (job, taken): (&str, &HashSet<RecordPlace>),
    entry: &LogEntry,
    result: &mut UndoResult,
) -> Result<Vec<Write>, Refusal> {
    let store = context.service.store();
    let place = entry.id.place;
    let before = store.history(entry.id, Some(entry.number), PageLimit::of(1));
    let before = context.wait(before)?.pop();
    let is_of = |entry: &LogEntry| entry.actor.job.as_deref() == Some(job);
    if before.as_ref().is_some_and(is_of) {
        return Ok(Vec::new());
    }
    result.records += 1;
    let newest = context.wait(store.last_change(place))?;
    let record = context.wait(store.get(place))?;
    let record = record.filter(|record| record.id == entry.id);
    let Some((newest, record)) = newest.zip(record) else {
        return Ok(leave(context, result, entry, "it was purged since"));
    };
    if !is_of(&newest) {
        return Ok(leave(context, result, entry, "someone wrote it since"));
    }
    if taken.contains(&place) {
        let reason = "another record has its primary key of then";
        return Ok(leave(context, result, entry, reason));
    }
    let was_there = match (&before, entry.action) {
        (_, LogAction::Create) => false,
        (Some(before), _) => before.action != LogAction::Delete,
        (None, LogAction::Delete) => true,
        (None, _) => {
            let reason = "its version of then is not kept any more";
            return Ok(leave(context, result, entry, reason));
        }
    };
    let change = match (was_there, record.deleted) {
        (false, true) => return Ok(Vec::new()),
        (false, false) => {
            result.deleted += 1;
            Change::Delete {
                id: record.id,
                version: record.version,
            }
        }
        (true, true) => {
            if !has_key_of_now(permit, &record) {
                let reason = "the schema's primary key is another by now";
                return Ok(leave(context, result, entry, reason));
            }
            result.restored += 1;
            return restored(context, permit, &record);
        }
        (true, false) => match reverted(context, permit, &record, before) {
            Ok(change) => {
                result.reverted += 1;
                change
            }
            Err(Refusal::Store(error)) => return Err(error.into()),
            Err(refusal) => {
                let reason = refusal.to_string();
                return Ok(leave(context, result, entry, &reason));
            }
        },
    };
    Ok(vec![context.service.write_by(permit, change)])
}

fn has_key_of_now(permit: &DatasetPermit, record: &StoredRecord) -> bool {
    let written = permit.schema().version(record.schema_version);
    let facts = written.and_then(|version| version.key_facts());
    facts == permit.schema().current().key_facts()
}

/// Takes a deletion back; where the record's faults are others by the rules of now, an update says so.
fn restored(
    context: &JobContext,
    permit: &DatasetPermit,
    record: &StoredRecord,
) -> Result<Vec<Write>, Refusal> {
    let revised = revise::revised(context, permit, record, b"{}")?;
    let errors = (!revised.checked.is_clean()).then(|| revised.checked.errors_json());
    let mut changes = vec![Change::Restore { id: record.id }];
    if errors != record.errors {
        changes.push(Change::Update {
            id: record.id,
            version: record.version + 1,
            content: revised.content(permit),
        });
    }
    let write = |change| context.service.write_by(permit, change);
    Ok(changes.into_iter().map(write).collect())
}

/// The values that a record had behind an entry, judged by the rules of now.
fn reverted(
    context: &JobContext,
    permit: &DatasetPermit,
    record: &StoredRecord,
    before: Option<LogEntry>,
) -> Result<Change, Refusal> {
    let before = before.ok_or_else(|| Refusal::no_such("version of then"))?;
    let state = context.service.state_behind(permit.schema(), before);
    let past = context.wait(state)?;
    let past = past.ok_or_else(|| StoreError::Damaged("an entry of the change log".to_owned()))?;
    let past = current(permit.schema(), &past)?.body;
    let revised = revise::revised(context, permit, record, past.as_bytes())?;
    if permit.schema().current().schema.primary_key().is_some()
        && revised.checked.primary_key().is_none()
    {
        return Err(Refusal::Conflict(
            "its primary key of then has no value".into(),
        ));
    }
    Ok(Change::Revert {
        id: record.id,
        version: record.version,
        content: revised.content(permit),
    })
}

fn leave(
    context: &JobContext,
    result: &mut UndoResult,
    entry: &LogEntry,
    reason: &str,
) -> Vec<Write> {
    let id = context.service.ids.record(entry.id);
    revise::leave(&mut result.left, &mut result.left_records, id, reason);
    Vec::new()
}

//! The undoing of a job: what it wrote stands in the change log under its id, and is taken back write by write, the newest
//! first. So each finds its record, and the primary key that it had, as they were right behind that write: keys that were
//! moved on from record to record, or changed places by way of another, come back. Each record goes back to what it was
//! before, unless someone else wrote it since, or between two writes of the job, or has its key of then: then it is left alone as
//! a whole (`undo_whole.rs`) and told. What the job made is deleted, what it deleted is there again. An undoing is a job too, and
//! can be undone; where one was cut off, or left records in part, another one of the same job takes these back in one write.

use super::barred_records::BarredRecords;
use super::context::{Halt, JobContext, Worked};
use super::revise::{self, Planned, unless_overtaken};
use super::shown::read_document;
use super::undo_course::was_there;
use super::undone::Undoings;
use crate::quota_rooms::HeldRoom;
use crate::records::{Revision, back_to, hidden_back_to, state_behind};
use crate::{DatasetPermit, Refusal};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use store::StoreError;
use store::catalog::Verb;
use store::jobs::{Job, JobKind};
use store::records::{Change, LogAction, LogEntry, PageLimit, RecordPlace, StoredRecord, Write};
use wire::manage::{UndoOptions, UndoResult};

/// Entries of the change log that are read at a time.
const ENTRIES: PageLimit = PageLimit {
    records: 250,
    bytes: 1 << 20,
};
/// Why a record stays as it is whose key is no longer free.
pub(super) const TAKEN: &str = "another record has its primary key of then";
/// Why a record stays as it is that someone else wrote while the job did.
pub(super) const MIXED: &str = "someone wrote it between two writes of the job";
/// Why a record stays as it is of which nobody knows what it was before the job.
pub(super) const LOST: &str = "its version of then is not kept any more";

/// Where it goes on.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Cursor {
    /// The entry of the change log before which it goes on; none has been looked at where there is none.
    before: Option<u64>,
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
    let options: Option<UndoOptions> = read_document(Some(&own.options))?;
    let id = options.map(|options| options.job_id).unwrap_or_default();
    let undone = context.wait(service.store().job(&id))?;
    let Some(undone) = undone.filter(|job| job.dataset == own.dataset) else {
        let text = "the job that is to be undone is not remembered any more";
        return Err(Halt::Failed(text.to_owned()));
    };
    let cursor: Option<Cursor> = read_document(own.cursor.as_ref())?;
    let mut cursor = match cursor {
        Some(cursor) => cursor,
        None => Cursor {
            before: None,
            until: context.wait(service.store().log_head())?,
        },
    };
    let told = own.result.as_ref().filter(|_| cursor.before.is_some());
    let mut result: UndoResult = read_document(told)?.unwrap_or_default();
    // what was read and is not taken back yet: the log does not change
    let mut ahead: Vec<LogEntry> = Vec::new();
    let barred = BarredRecords::default();
    let earlier = context.wait(service.undoings_beside(&undone, &own.id))?;
    // one that has nothing to take back tells so, too
    while cursor.before.is_none_or(|it| it > undone.log_after + 1) {
        (cursor, result, _) = revise::step(context, verbs(undone.kind), |permit, taken| {
            let undoing = Undoing {
                context,
                permit,
                undone: &undone,
                until: cursor.until,
                taken,
                barred: &barred,
                earlier: &earlier,
            };
            let before = cursor.before.unwrap_or(cursor.until + 1);
            ahead.retain(|entry| entry.number < before);
            if ahead.is_empty() {
                let number = permit.dataset().number;
                let entries = service.store().changes_before(number, before, ENTRIES);
                ahead = context.wait(entries)?;
            }
            let (mut cursor, mut result) = (cursor, result.clone());
            let planned = undoing.plan(&ahead, &mut cursor, &mut result);
            let planned = unless_overtaken(planned)?;
            let Some((writes, rooms)) = planned else {
                return Ok(None);
            };
            Ok(Some(Planned {
                writes,
                update: revise::update(context, &cursor, &result, result.records)?,
                log: Vec::new(),
                // what they are for is stored then
                then: (cursor, result, rooms),
            }))
        })?;
    }
    Ok(())
}

/// A step of an undoing, while it is planned.
pub(super) struct Undoing<'u> {
    pub(super) context: &'u JobContext,
    permit: &'u DatasetPermit,
    pub(super) undone: &'u Job,
    /// As the cursor has it.
    pub(super) until: u64,
    /// The records that have a key in this plan that another one has.
    taken: &'u HashSet<RecordPlace>,
    pub(super) barred: &'u BarredRecords,
    /// What took the same job back before this one, or did it again.
    pub(super) earlier: &'u Undoings,
}

/// What becomes of a write that is to be taken back.
enum Way {
    /// These writes take it back.
    Back(Vec<Write>),
    /// There is no way back, for this reason.
    Barred(String),
    /// An undoing before this one took it back.
    WentBefore,
}

impl Way {
    fn barred(reason: &str) -> Self {
        Way::Barred(reason.to_owned())
    }
}

impl Undoing<'_> {
    /// Takes back the writes of the next entries, and goes on before them. It ends at the second one about a record: what is to
    /// become of that, the record tells once the first is committed; and at a record that is to be there again and has no
    /// room before the others are committed.
    fn plan(
        &self,
        entries: &[LogEntry],
        cursor: &mut Cursor,
        result: &mut UndoResult,
    ) -> Result<(Vec<Write>, Vec<HeldRoom>), Refusal> {
        let (mut writes, mut rooms, mut met) = (Vec::new(), Vec::new(), HashSet::new());
        // what is not read is from before the job, or not kept any more
        let is_end = |entry: Option<&LogEntry>| {
            entry.is_none_or(|entry| entry.number <= self.undone.log_after)
        };
        cursor.before = if is_end(entries.last()) {
            Some(self.undone.log_after)
        } else {
            entries.last().map(|last| last.number)
        };
        let kept = entries
            .iter()
            .take_while(|entry| entry.number > self.undone.log_after);
        for entry in kept.filter(|entry| self.is_of_job(entry)) {
            if !met.insert(entry.id.place) {
                cursor.before = Some(entry.number + 1);
                break;
            }
            match self.take_back(entry, result) {
                Ok((own, room)) => {
                    writes.extend(own);
                    rooms.extend(room);
                }
                Err(Refusal::QuotaExceeded { .. }) if !writes.is_empty() => {
                    cursor.before = Some(entry.number + 1);
                    break;
                }
                Err(refusal) => return Err(refusal),
            }
        }
        Ok((writes, rooms))
    }

    /// Takes back what an entry tells. What came of its record is counted with the job's first entry about it, where there is
    /// nothing more to take back.
    fn take_back(
        &self,
        entry: &LogEntry,
        result: &mut UndoResult,
    ) -> Result<(Vec<Write>, Option<HeldRoom>), Refusal> {
        let store = self.context.service.store();
        let before = store.history(entry.id, Some(entry.number), PageLimit::of(1));
        let before = self.context.wait(before)?.pop();
        let is_first = self.is_first(before.as_ref())?;
        let newest = self.newest_of(entry.id)?;
        let was_there = was_there(before.as_ref(), entry.action);
        let way = self.way_back((entry, is_first), before, newest.as_ref())?;
        let room = self.room_of(&way)?;
        let writes = match way {
            Way::Back(writes) => {
                if is_first && was_there == Some(false) {
                    result.deleted += 1;
                } else if is_first && self.was_deleted(newest)? {
                    result.restored += 1;
                } else if is_first {
                    result.reverted += 1;
                }
                result.records += u64::from(is_first);
                writes
            }
            Way::Barred(reason) => {
                if is_first {
                    let id = self.context.service.ids.record(entry.id);
                    let reason = if newest.is_some_and(|it| self.is_of_undoing(&it)) {
                        format!("taken back in part: {reason}")
                    } else {
                        reason
                    };
                    revise::leave(&mut result.left, &mut result.left_records, id, &reason);
                }
                result.records += u64::from(is_first);
                Vec::new()
            }
            Way::WentBefore => Vec::new(),
        };
        Ok((writes, room))
    }

    /// Takes the room of a record that is there again.
    fn room_of(&self, way: &Way) -> Result<Option<HeldRoom>, Refusal> {
        let Way::Back(writes) = way else {
            return Ok(None);
        };
        let is_restored = |write: &Write| {
            matches!(
                write.change,
                Change::Restore { .. } | Change::RestoreAs { .. }
            )
        };
        if !writes.iter().any(is_restored) {
            return Ok(None);
        }
        let tenant = &self.permit.dataset().tenant;
        let room = self.context.service.require_record_room(tenant);
        self.context.wait(room).map(Some)
    }

    fn way_back(
        &self,
        (entry, is_first): (&LogEntry, bool),
        before: Option<LogEntry>,
        newest: Option<&LogEntry>,
    ) -> Result<Way, Refusal> {
        let store = self.context.service.store();
        let place = entry.id.place;
        let record = self.context.wait(store.get(place))?;
        let record = record.filter(|record| record.id == entry.id);
        let Some((newest, record)) = newest.zip(record) else {
            return Ok(Way::barred("it was purged since"));
        };
        let is_of_earlier = self.is_of_earlier(newest);
        if self.is_as_of_job(newest) {
            // what this undoing has begun to take back, it takes back to the end
            if let Some(bar) = self.bar_of((entry, before.as_ref()), (newest, &record))? {
                return Ok(Way::Barred(bar));
            }
        } else if !self.is_of_undoing(newest) {
            return Ok(Way::barred("someone wrote it since"));
        }
        // how far it came before, nobody knows: what it was before the job is what it is to be
        if is_of_earlier && !is_first {
            return Ok(Way::WentBefore);
        }
        if self.taken.contains(&place) {
            return Ok(Way::barred(TAKEN));
        }
        let Some(was_there) = was_there(before.as_ref(), entry.action) else {
            return Ok(Way::barred(LOST));
        };
        if !was_there {
            return Ok(match (record.deleted, is_of_earlier) {
                (true, true) => Way::WentBefore,
                (true, false) => Way::Back(Vec::new()),
                (false, _) => Way::Back(vec![self.write(Change::Delete {
                    id: record.id,
                    version: record.version,
                })]),
            });
        }
        if record.deleted && !has_key_of_now(self.permit, &record) {
            let reason = "the schema's primary key is another by now";
            return Ok(Way::barred(reason));
        }
        if record.deleted && entry.action == LogAction::Delete {
            return self.restored(&record).map(Way::Back);
        }
        if is_of_earlier && !record.deleted && entry.action == LogAction::Delete {
            // it is there again, whether or not it is known still with which values it was
            return Ok(Way::WentBefore);
        }
        match self.as_of_then(&record, before) {
            Ok(then) if is_of_earlier && !record.deleted && !then.is_restated => {
                Ok(Way::WentBefore)
            }
            Ok(then) => Ok(Way::Back(vec![self.write(self.back_as(&record, then))])),
            Err(Refusal::Store(error)) => Err(error.into()),
            Err(refusal) => Ok(Way::Barred(refusal.to_string())),
        }
    }

    /// The change that gives a record the values of then; of one whose deletion could not be taken back by itself, because
    /// another one has the key that it was deleted with, that too.
    fn back_as(&self, record: &StoredRecord, then: Revision) -> Change {
        let (id, version) = (record.id, record.version);
        let content = then.content(self.permit);
        if record.deleted {
            Change::RestoreAs {
                id,
                version,
                content,
            }
        } else {
            Change::Revert {
                id,
                version,
                content,
            }
        }
    }

    fn write(&self, change: Change) -> Write {
        self.context.service.write_by(self.permit, change)
    }

    /// Takes a deletion back; where the record's faults, or the forms of its values, are others by the rules of now, an update
    /// says so.
    fn restored(&self, record: &StoredRecord) -> Result<Vec<Write>, Refusal> {
        let revised = revise::revised(self.context, self.permit, record, b"{}")?;
        let mut changes = vec![Change::Restore { id: record.id }];
        if !revised.is_as_stored(record) {
            changes.push(Change::Update {
                id: record.id,
                version: record.version + 1,
                content: revised.content(self.permit),
            });
        }
        Ok(changes.into_iter().map(|it| self.write(it)).collect())
    }

    /// A record with the values that it had behind an entry, judged by the rules of now.
    pub(super) fn as_of_then(
        &self,
        record: &StoredRecord,
        before: Option<LogEntry>,
    ) -> Result<Revision, Refusal> {
        let schema = self.permit.schema();
        let before = before.ok_or_else(|| Refusal::no_such("version of then"))?;
        let past = state_behind(before)
            .ok_or_else(|| StoreError::Damaged("an entry of the change log".to_owned()))?;
        let change = back_to(schema, &past, record)?;
        let mut revised = revise::revised(self.context, self.permit, record, change.as_bytes())?;
        let hidden = hidden_back_to(schema, &past, record)?;
        revised.is_restated |= hidden != revised.hidden;
        revised.hidden = hidden;
        if schema.current().schema.primary_key().is_some()
            && revised.checked.primary_key().is_none()
        {
            return Err(Refusal::Conflict(
                "its primary key of then has no value".into(),
            ));
        }
        Ok(revised)
    }
}

fn has_key_of_now(permit: &DatasetPermit, record: &StoredRecord) -> bool {
    let written = permit.schema().version(record.schema_version);
    let facts = written.and_then(|version| version.key_facts());
    facts == permit.schema().current().key_facts()
}

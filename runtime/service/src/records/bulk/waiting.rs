//! Writes that the store has and has not answered, and what became of them. Nothing is judged here but what was overtaken.

use super::lines::{BulkLine, named_by};
use super::{BulkAction, BulkDone, Judged};
use crate::quota_rooms::HeldRoom;
use crate::records::refused;
use crate::{Caller, DatasetPermit, Refusal, Service};
use std::collections::{HashMap, HashSet};
use store::records::{Change, RecordPlace, StoredRecord, WriteVerdict};
use store::{StoreError, StoreFuture};

/// A write that the store has, and what its verdict means.
pub(super) struct Pending<'s, 'l> {
    number: u64,
    line: BulkLine<'l>,
    permit: DatasetPermit,
    action: BulkAction,
    errors: Option<String>,
    sent: Option<i64>,
    room: Option<HeldRoom>,
    verdict: StoreFuture<'s, WriteVerdict>,
}

/// What waits, and what it writes.
#[derive(Default)]
pub(super) struct Waiting<'s, 'l> {
    pub(super) writes: Vec<Slot<'s, 'l>>,
    pub(super) busy: Busy,
}

/// What is being written.
#[derive(Default)]
pub(super) struct Busy {
    pub(super) places: HashSet<RecordPlace>,
    pub(super) keys: HashSet<String>,
    /// Where nothing is written: how many records the lines so far would make, less those that they would delete.
    pub(super) tried: Option<i64>,
    /// Where nothing is written: records that were read ahead of the lines that name them, by their public ids.
    pub(super) read: HashMap<String, Option<StoredRecord>>,
}

impl Waiting<'_, '_> {
    /// Whether the store has a write of it.
    pub(super) fn is_any_written(&self) -> bool {
        let mut slots = self.writes.iter();
        slots.any(|slot| matches!(slot, Slot::Pending(_)))
    }
}

pub(super) enum Slot<'s, 'l> {
    Told(u64, Refusal),
    Pending(Box<Pending<'s, 'l>>),
}

impl Service {
    /// Whether a line names a record that a write under way is about.
    pub(super) fn must_wait(&self, busy: &Busy, line: &BulkLine<'_>) -> bool {
        let named = named_by(line).and_then(|id| self.ids.record_of(&id));
        named.is_some_and(|id| busy.places.contains(&id.place))
    }

    /// Hands a write to the store, which does those of one dataset in the order in which it gets them.
    pub(super) fn hand_over<'s, 'l>(
        &'s self,
        waiting: &mut Waiting<'s, 'l>,
        number: u64,
        line: BulkLine<'l>,
        judged: Judged,
    ) {
        let Judged {
            permit,
            action,
            change,
            sent,
            room,
            ..
        } = judged;
        let mut errors = None;
        match &change {
            Change::Create { content, .. } => {
                waiting.busy.keys.extend(content.primary_key.clone());
                errors.clone_from(&content.errors);
            }
            Change::Update { id, content, .. } => {
                waiting.busy.places.insert(id.place);
                waiting.busy.keys.extend(content.primary_key.clone());
                errors.clone_from(&content.errors);
            }
            Change::Delete { id, .. } => {
                waiting.busy.places.insert(id.place);
            }
            Change::Revert { .. }
            | Change::Restore { .. }
            | Change::RestoreAs { .. }
            | Change::Purge { .. } => {}
        }
        let verdict = self.store.write(self.write_by(&permit, change));
        waiting.writes.push(Slot::Pending(Box::new(Pending {
            number,
            line,
            permit,
            action,
            errors,
            sent,
            room,
            verdict,
        })));
    }

    /// Waits for all that is under way and tells what became of it.
    pub(super) async fn settle<'s>(
        &'s self,
        by: &Caller,
        dataset: &str,
        waiting: &mut Waiting<'s, '_>,
        tell: &mut (impl FnMut(u64, Result<BulkDone, Refusal>) -> Result<(), StoreError> + Send),
    ) -> Result<(), Refusal> {
        let Waiting { writes, .. } = std::mem::take(waiting);
        let mut written = 0;
        for slot in writes {
            match slot {
                Slot::Told(number, refusal) => tell(number, Err(refusal))?,
                Slot::Pending(pending) => {
                    let number = pending.number;
                    let outcome = self.outcome(by, dataset, *pending).await;
                    // what was refused is nothing that the index has to follow
                    written += u64::from(outcome.is_ok());
                    tell(number, outcome)?;
                }
            }
        }
        self.pace_writes(written).await;
        Ok(())
    }

    /// What became of a write; one that was overtaken is judged and done again.
    async fn outcome(
        &self,
        by: &Caller,
        dataset: &str,
        pending: Pending<'_, '_>,
    ) -> Result<BulkDone, Refusal> {
        let Pending {
            line,
            mut permit,
            mut action,
            mut errors,
            mut sent,
            mut room,
            verdict,
            ..
        } = pending;
        let mut verdict = verdict.await?;
        let mut tries = self.tries();
        loop {
            let is_overtaken = match verdict {
                WriteVerdict::Done { id, version } => {
                    return Ok(BulkDone {
                        action,
                        id: self.ids.record(id),
                        version,
                        errors,
                    });
                }
                WriteVerdict::SchemaChanged => true,
                // who names no version means the newest
                WriteVerdict::Stale { .. } | WriteVerdict::NotFound => {
                    sent.is_none() && matches!(line, BulkLine::Upsert(_))
                }
                WriteVerdict::DuplicateKey => matches!(line, BulkLine::Upsert(_)),
            };
            if !is_overtaken {
                let concerned = matches!(line, BulkLine::Delete(_)) && sent.is_none();
                return Err(match verdict {
                    WriteVerdict::Stale { .. } if concerned => Refusal::Concurrent,
                    verdict => refused(verdict, permit.schema().current(), sent.unwrap_or(0)),
                });
            }
            // it is asked for anew
            drop(room.take());
            tries.another().await?;
            let judged = self.judge_line(by, dataset, &line, None).await?;
            let judged = judged.ok_or(StoreError::Overtaken)?;
            errors = match &judged.change {
                Change::Create { content, .. } | Change::Update { content, .. } => {
                    content.errors.clone()
                }
                _ => None,
            };
            (action, sent) = (judged.action, judged.sent);
            permit = judged.permit;
            room = judged.room;
            verdict = self.write(&permit, judged.change).await?;
        }
    }
}

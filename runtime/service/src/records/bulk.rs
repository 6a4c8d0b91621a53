//! Many writes of a dataset in one request, a line each: each is judged and answered as a request of its own would be,
//! in the order of the lines, and none stops the others. Writes are handed to the store as they are judged, so that it
//! commits many at once; a line that looks at what a line before it writes waits for that one first. docs/interface.md,
//! "Many writes at once".
//!
//! ```text
//! {"create":{"Code":"AAH","Name":"Aachen"}}
//! {"update":{"_dataObjectId":"Zk3vQ9tB0mXw7LcR","_version":3,"Name":null}}
//! {"upsert":{"Code":"BER","Name":"Berlin"}}
//! {"delete":{"_dataObjectId":"Zk3vQ9tB0mXw7LcR","_version":4}}
//! ```

use super::retry::TRIES_MAX;
use super::{Current, content, current, lookups, refused};
use crate::{Caller, DatasetPermit, Refusal, Service, ids};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashSet;
use store::catalog::{Verb, Via};
use store::records::{Change, NewContent, RecordPlace, StoredRecord, WriteVerdict};
use store::{StoreError, StoreFuture};
use tracing::Instrument as _;

/// Lines that a request has at most.
pub const BULK_LINES_MAX: usize = 10_000;

/// Writes that are waited for together, at most: as many as the store commits at once.
const WAITING_MAX: usize = 256;

/// What a line asks for.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum BulkLine<'l> {
    #[serde(borrow)]
    Create(&'l RawValue),
    #[serde(borrow)]
    Update(&'l RawValue),
    #[serde(borrow)]
    Upsert(&'l RawValue),
    #[serde(borrow)]
    Delete(Named<'l>),
}

/// A record that is named, and perhaps which version of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named<'l> {
    #[serde(rename = "_dataObjectId", borrow)]
    id: Cow<'l, str>,
    #[serde(rename = "_version", default)]
    version: Option<i64>,
}

/// The id in the body of a change.
#[derive(Deserialize)]
struct Id<'l> {
    #[serde(rename = "_dataObjectId", borrow)]
    id: Cow<'l, str>,
}

/// What was done by a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BulkAction {
    /// A record was made.
    Created,
    /// A record was changed.
    Updated,
    /// A record was deleted.
    Deleted,
}

/// What became of a line that was done.
#[derive(Clone, Debug)]
pub struct BulkDone {
    /// What was done.
    pub action: BulkAction,
    /// `_dataObjectId`
    pub id: String,
    /// `_version` by now.
    pub version: i64,
    /// `_errors` as JSON text; `None` when the record is clean, or was deleted.
    pub errors: Option<String>,
}

/// A line that was judged.
struct Judged {
    permit: DatasetPermit,
    action: BulkAction,
    change: Change,
    /// The version that was compared; none where the newest counts, whichever it is.
    sent: Option<i64>,
}

/// A write that the store has, and what its verdict means.
struct Pending<'s, 'l> {
    number: u64,
    line: BulkLine<'l>,
    permit: DatasetPermit,
    action: BulkAction,
    errors: Option<String>,
    sent: Option<i64>,
    verdict: StoreFuture<'s, WriteVerdict>,
}

/// What waits, and what it writes.
#[derive(Default)]
struct Waiting<'s, 'l> {
    writes: Vec<Slot<'s, 'l>>,
    busy: Busy,
}

/// What is being written.
#[derive(Default)]
struct Busy {
    places: HashSet<RecordPlace>,
    keys: HashSet<String>,
}

enum Slot<'s, 'l> {
    Told(u64, Refusal),
    Pending(Box<Pending<'s, 'l>>),
}

impl Service {
    /// Does the writes of a request's lines and tells what became of each, by its number in the order of the lines;
    /// empty lines are passed over.
    ///
    /// # Errors
    /// No such dataset, a caller that may do nothing to its records, more than [`BULK_LINES_MAX`] lines: then nothing was
    /// done. The store's, where it fails before any line was done; later, its failure is the verdict of a line.
    pub async fn write_many(
        &self,
        by: &Caller,
        dataset: &str,
        body: &[u8],
        tell: impl FnMut(u64, Result<BulkDone, Refusal>) + Send,
    ) -> Result<(), Refusal> {
        let span = tracing::debug_span!("records.bulk", dataset);
        self.bulk(by, dataset, body, tell).instrument(span).await
    }

    async fn bulk(
        &self,
        by: &Caller,
        dataset: &str,
        body: &[u8],
        mut tell: impl FnMut(u64, Result<BulkDone, Refusal>) + Send,
    ) -> Result<(), Refusal> {
        self.permit_many(by, dataset)?;
        let count = lines(body).count();
        if count > BULK_LINES_MAX {
            let text = format!("has {count} lines; send {BULK_LINES_MAX} at most at a time");
            return Err(Refusal::invalid("$", text));
        }
        let by = by
            .clone()
            .working_for(Via::Bulk, &ids::new_id(self.now(), self.entropy()));
        let mut waiting = Waiting::default();
        let mut is_any_done = false;
        let mut tell = |number, outcome: Result<BulkDone, Refusal>| {
            is_any_done |= outcome.is_ok();
            match outcome {
                Err(Refusal::Store(error)) if !is_any_done => return Err(error),
                outcome => tell(number, outcome),
            }
            Ok(())
        };
        for (number, text) in lines(body) {
            if waiting.writes.len() >= WAITING_MAX {
                self.settle(&by, dataset, &mut waiting, &mut tell).await?;
            }
            let line = match serde_json::from_slice::<BulkLine<'_>>(text) {
                Ok(line) => line,
                Err(error) => {
                    waiting.writes.push(Slot::Told(number, unreadable(&error)));
                    continue;
                }
            };
            if self.must_wait(&waiting.busy, &line) {
                self.settle(&by, dataset, &mut waiting, &mut tell).await?;
            }
            let mut judged = self
                .judge_line(&by, dataset, &line, Some(&waiting.busy))
                .await;
            if let Ok(None) = judged {
                self.settle(&by, dataset, &mut waiting, &mut tell).await?;
                judged = self.judge_line(&by, dataset, &line, None).await;
            }
            match judged {
                Ok(Some(judged)) => self.hand_over(&mut waiting, number, line, judged),
                Ok(None) => {}
                Err(refusal) => waiting.writes.push(Slot::Told(number, refusal)),
            }
        }
        self.settle(&by, dataset, &mut waiting, &mut tell).await?;
        Ok(())
    }

    /// Refuses who may do nothing at all to the records of a dataset, before its lines are read.
    ///
    /// # Errors
    /// No such dataset, missing rights, a service that only reads.
    pub fn permit_many(&self, by: &Caller, dataset: &str) -> Result<(), Refusal> {
        if self.store().is_read_only() {
            return Err(StoreError::ReadOnly.into());
        }
        let caller = self.newest(by)?;
        let mut refusal = Refusal::not_allowed();
        for verb in [Verb::Add, Verb::Edit, Verb::Delete] {
            match caller.permit_managed_records(&[verb], dataset) {
                Ok(_) => return Ok(()),
                Err(other) => refusal = other,
            }
        }
        Err(refusal)
    }

    /// Whether a line names a record that a write under way is about.
    fn must_wait(&self, busy: &Busy, line: &BulkLine<'_>) -> bool {
        let id = match line {
            BulkLine::Create(_) | BulkLine::Upsert(_) => None,
            BulkLine::Update(body) => id_in(body).ok(),
            BulkLine::Delete(named) => Some(Cow::Borrowed(&*named.id)),
        };
        let named = id.and_then(|id| self.ids.record_of(&id));
        named.is_some_and(|id| busy.places.contains(&id.place))
    }

    /// Judges a line until it was not overtaken.
    async fn judge_line(
        &self,
        by: &Caller,
        dataset: &str,
        line: &BulkLine<'_>,
        busy: Option<&Busy>,
    ) -> Result<Option<Judged>, Refusal> {
        for _ in 1..TRIES_MAX {
            match self.judge_once(by, dataset, line, busy).await {
                Err(Refusal::Store(StoreError::Overtaken)) => {}
                result => return result,
            }
        }
        self.judge_once(by, dataset, line, busy).await
    }

    /// Judges a line by the newest catalog; `None` when what it is about is being written.
    async fn judge_once(
        &self,
        by: &Caller,
        dataset: &str,
        line: &BulkLine<'_>,
        busy: Option<&Busy>,
    ) -> Result<Option<Judged>, Refusal> {
        let caller = self.newest(by)?;
        let permit = |verbs: &[Verb]| caller.permit_managed_records(verbs, dataset);
        let judged = match line {
            BulkLine::Create(body) => {
                let permit = permit(&[Verb::Add])?;
                let content = self.judge_new(&permit, body.get().as_bytes()).await?;
                self.made(permit, content).await?
            }
            BulkLine::Update(body) => {
                let permit = permit(&[Verb::Edit])?;
                let id = id_in(body)?;
                let body = body.get().as_bytes();
                let (id, version, content) = self.judge_change(&permit, &id, body).await?;
                changed(permit, (id, version, content), Some(version))
            }
            BulkLine::Upsert(body) => {
                let permit = permit(&[Verb::Edit, Verb::Add])?;
                return self.judge_upsert(permit, body.get(), busy).await;
            }
            BulkLine::Delete(Named { id, version }) => {
                let permit = permit(&[Verb::Delete])?;
                let record = self.find(&permit, id).await?;
                let record = record.ok_or(Refusal::RecordNotFound)?;
                if let Some(sent) = version.filter(|sent| *sent != record.version) {
                    return Err(Refusal::VersionConflict {
                        sent,
                        stored: record.version,
                    });
                }
                Judged {
                    permit,
                    action: BulkAction::Deleted,
                    change: Change::Delete {
                        id: record.id,
                        version: record.version,
                    },
                    sent: *version,
                }
            }
        };
        Ok(Some(judged))
    }

    /// Judges a record that is made, or changed where its primary key is there.
    async fn judge_upsert(
        &self,
        permit: DatasetPermit,
        body: &str,
        busy: Option<&Busy>,
    ) -> Result<Option<Judged>, Refusal> {
        let version = permit.schema().current();
        if version.schema.primary_key().is_none() {
            return Err(invalid(
                "an upsert finds its record by the primary key, and the schema has none",
            ));
        }
        let new = self.judge_new(&permit, body.as_bytes()).await?;
        let key = new.primary_key.as_deref().unwrap_or_default();
        if busy.is_some_and(|busy| busy.keys.contains(key)) {
            return Ok(None);
        }
        let Some(record) = self.store.by_key(permit.dataset().number, key).await? else {
            return Ok(Some(self.made(permit, new).await?));
        };
        if busy.is_some_and(|busy| busy.places.contains(&record.id.place)) {
            return Ok(None);
        }
        let content = self.upserted(&permit, &record, body).await?;
        let of = (record.id, record.version, content);
        Ok(Some(changed(permit, of, None)))
    }

    async fn upserted(
        &self,
        permit: &DatasetPermit,
        record: &StoredRecord,
        body: &str,
    ) -> Result<NewContent, Refusal> {
        let version = permit.schema().current();
        let Current {
            body: stored,
            hidden,
            ..
        } = current(permit.schema(), record)?;
        let bodies = [stored.as_bytes(), body.as_bytes()];
        let files = self.known_files(permit, &bodies).await?;
        let look_ups = lookups(permit, &files);
        let merged = version
            .checker
            .merge(&stored, body.as_bytes(), Some(&look_ups))?;
        let hidden = hidden.map(Cow::into_owned);
        Ok(content(merged.checked, version, hidden))
    }

    async fn made(&self, permit: DatasetPermit, content: NewContent) -> Result<Judged, Refusal> {
        self.require_record_room(&permit.dataset().tenant).await?;
        Ok(Judged {
            permit,
            action: BulkAction::Created,
            change: Change::Create {
                nonce: ids::new_nonce(&*self.entropy),
                content,
            },
            sent: None,
        })
    }

    /// Hands a write to the store, which does those of one dataset in the order in which it gets them.
    fn hand_over<'s, 'l>(
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
            Change::Revert { .. } | Change::Restore { .. } | Change::Purge { .. } => {}
        }
        let verdict = self.store.write(self.write_by(&permit, change));
        waiting.writes.push(Slot::Pending(Box::new(Pending {
            number,
            line,
            permit,
            action,
            errors,
            sent,
            verdict,
        })));
    }

    /// Waits for all that is under way and tells what became of it.
    async fn settle<'s>(
        &'s self,
        by: &Caller,
        dataset: &str,
        waiting: &mut Waiting<'s, '_>,
        tell: &mut (impl FnMut(u64, Result<BulkDone, Refusal>) -> Result<(), StoreError> + Send),
    ) -> Result<(), Refusal> {
        let Waiting { writes, .. } = std::mem::take(waiting);
        let count = writes.len() as u64;
        for slot in writes {
            match slot {
                Slot::Told(number, refusal) => tell(number, Err(refusal))?,
                Slot::Pending(pending) => {
                    let number = pending.number;
                    tell(number, self.outcome(by, dataset, *pending).await)?;
                }
            }
        }
        self.pace_writes(count).await;
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
            verdict,
            ..
        } = pending;
        let mut verdict = verdict.await?;
        for _ in 0..TRIES_MAX {
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
            verdict = self.write(&permit, judged.change).await?;
        }
        Err(StoreError::Overtaken.into())
    }
}

fn changed(
    permit: DatasetPermit,
    (id, version, content): (store::records::RecordId, i64, NewContent),
    sent: Option<i64>,
) -> Judged {
    Judged {
        permit,
        action: BulkAction::Updated,
        change: Change::Update {
            id,
            version,
            content,
        },
        sent,
    }
}

/// The lines of a body that are not empty, by their numbers from 1.
fn lines(body: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let lines = body.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    (1..).zip(lines).filter(|(_, line)| !line.is_empty())
}

fn id_in<'l>(body: &'l RawValue) -> Result<Cow<'l, str>, Refusal> {
    let read: Result<Id<'l>, _> = serde_json::from_str(body.get());
    let read = read.map(|read| read.id);
    read.map_err(|_| invalid("an update names its record by `_dataObjectId`, once and as a text"))
}

fn invalid(message: &str) -> Refusal {
    Refusal::InvalidBody {
        message: message.to_owned(),
        fields: Vec::new(),
    }
}

/// What is wrong with a line, without what it holds.
fn unreadable(error: &serde_json::Error) -> Refusal {
    let column = error.column();
    invalid(&format!(
        "the line is no object with one member (`create`, `update`, `upsert` or `delete`) that holds a record (column {column})"
    ))
}

//! A batch of rows, stored: what each row does is planned by what is there, and committed in one step with the counts
//! and where to go on. The store does all of a step or nothing; where someone else wrote meanwhile, it is planned anew.

use super::rows::{Batch, Reason, Row, rejection};
use super::tally::Tally;
use super::{Cursor, Import, THE_REJECTS, open_rejects};
use crate::ids;
use crate::jobs::context::{Halt, Step, file_failed};
use crate::records::{Current, content, current, lookups};
use crate::{DatasetPermit, Permit as _};
use engine::validate::Checked;
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::collections::HashSet;
use store::StoreError;
use store::records::{Change, StoredRecord, Write, WriteVerdict};
use wire::manage::ImportMode;

/// How often rows are planned that someone else overtakes each time.
const TRIES_MAX: u32 = 32;

/// What a row does.
enum Plan {
    Create(Checked),
    Update(Box<StoredRecord>, Checked, Option<String>),
    /// Its record is as it says.
    Keep(u64, Checked),
    Reject(Reason),
}

/// Rows of a batch as they are to be stored.
struct Attempt {
    tally: Tally,
    writes: Vec<Write>,
    /// The row of each write, by its index in the batch.
    writers: Vec<usize>,
    rejects: String,
    /// Records that rows have which write nothing.
    kept: Vec<u64>,
    tried: Vec<[u8; 16]>,
    /// The first row that is left for the next attempt.
    end: usize,
}

impl Import<'_> {
    /// Stores a batch; `false` when the schema changed, and some of its rows or none are stored.
    pub(super) fn store(&mut self, batch: &Batch) -> Result<bool, Halt> {
        self.rejects.learn(&batch.head);
        self.tally
            .head(batch.head.found.as_ref(), &batch.head.unused);
        let done = self.cursor.rows.saturating_sub(batch.first);
        let mut start = usize::try_from(done).unwrap_or(usize::MAX);
        start = start.min(batch.rows.len());
        if self.options.delete_missing {
            self.find_again(batch, start)?;
        }
        if start == batch.rows.len() && self.is_behind(batch) {
            return self.pass();
        }
        loop {
            // rights may have gone while the batch waited
            let permit = self.context.permit(&self.verbs)?;
            if permit.schema().current().number != batch.permit.schema().current().number {
                return Ok(false);
            }
            match self.part(&permit, batch, start)? {
                None => return Ok(false),
                Some(end) if end == batch.rows.len() => return Ok(true),
                Some(end) => start = end,
            }
        }
    }

    /// Whether the import was behind a batch before it was taken up again: where it goes on must not go back.
    fn is_behind(&self, batch: &Batch) -> bool {
        let end = batch.first + batch.rows.len() as u64;
        end < self.cursor.rows || self.cursor.is_read
    }

    /// Ends the import where the rows that can't be stored have more bytes than any file that is sent: a packed one may
    /// hold a thousand times its own.
    fn require_room(&self, rejects_bytes: u64) -> Result<(), Halt> {
        let bytes_max = self.context.service.settings().jobs.upload_bytes_max;
        if rejects_bytes <= bytes_max {
            return Ok(());
        }
        let text = format!(
            "the rows that can't be stored have more than {bytes_max} bytes; look at the first ones, mend the file and send it anew"
        );
        Err(Halt::Failed(text))
    }

    /// A step that stores nothing, by which who cancels is heard.
    fn pass(&self) -> Result<bool, Halt> {
        let update = self.update(self.cursor, &self.tally)?;
        self.context.step(Vec::new(), update, Vec::new())?;
        Ok(true)
    }

    /// Finds the records of rows that were stored before the import was taken up again.
    fn find_again(&mut self, batch: &Batch, end: usize) -> Result<(), Halt> {
        for row in &batch.rows[..end] {
            if let Ok(checked) = &row.judged
                && let Some(record) = self.there(&batch.permit, checked)?
            {
                self.places.put(record.id.place.sequence);
            }
        }
        Ok(())
    }

    /// Stores rows from `start` on, in one step: where the next ones begin; `None` when the schema changed.
    fn part(
        &mut self,
        permit: &DatasetPermit,
        batch: &Batch,
        start: usize,
    ) -> Result<Option<usize>, Halt> {
        let mut taken = HashSet::new();
        for _ in 0..TRIES_MAX {
            self.context.go_on()?;
            let attempt = self.plan(permit, batch, start, &taken)?;
            let Attempt {
                mut tally,
                writes,
                writers,
                rejects,
                kept,
                tried,
                end,
            } = attempt;
            tally.result.rows += (end - start) as u64;
            let context = self.context;
            context.require_room(rejects.len())?;
            let written = self.rejects.write(&rejects, |committed| {
                open_rejects(context, committed)
                    .map_err(|halt| std::io::Error::other(format!("{halt:?}")))
            });
            let rejects_bytes = written.map_err(file_failed(THE_REJECTS))?;
            self.require_room(rejects_bytes)?;
            let is_read = batch.is_last && end == batch.rows.len();
            let cursor = Cursor {
                rows: batch.first + end as u64,
                rejects_bytes,
                is_read,
                ..self.cursor
            };
            self.progress.rows = cursor.rows;
            self.progress.bytes = batch.bytes;
            if is_read {
                self.progress.bytes = self.progress.bytes_total.unwrap_or(batch.bytes);
            }
            let update = self.update(cursor, &tally)?;
            match self.context.step(writes, update, Vec::new())? {
                Step::Done(verdicts) => {
                    self.rejects.commit(rejects_bytes);
                    (self.cursor, self.tally) = (cursor, tally);
                    self.tried.extend(tried);
                    if self.options.delete_missing {
                        for place in kept {
                            self.places.put(place);
                        }
                        for verdict in verdicts {
                            if let WriteVerdict::Done { id, .. } = verdict {
                                self.places.put(id.place.sequence);
                            }
                        }
                    }
                    return Ok(Some(end));
                }
                Step::Refused(verdicts) if verdicts.contains(&WriteVerdict::SchemaChanged) => {
                    return Ok(None);
                }
                Step::Refused(verdicts) => {
                    let both = verdicts.iter().zip(writers);
                    let duplicates = both.filter(|(it, _)| **it == WriteVerdict::DuplicateKey);
                    taken.extend(duplicates.map(|(_, row)| row));
                }
            }
        }
        Err(StoreError::Overtaken.into())
    }

    /// Plans rows from `start` on, up to one whose key another of them writes.
    fn plan(
        &self,
        permit: &DatasetPermit,
        batch: &Batch,
        start: usize,
        taken: &HashSet<usize>,
    ) -> Result<Attempt, Halt> {
        let mut attempt = Attempt {
            tally: self.tally.clone(),
            writes: Vec::new(),
            writers: Vec::new(),
            rejects: String::new(),
            kept: Vec::new(),
            tried: Vec::new(),
            end: batch.rows.len(),
        };
        let mut keys: HashSet<&str> = HashSet::new();
        for (index, row) in batch.rows.iter().enumerate().skip(start) {
            let key = row.judged.as_ref().ok().and_then(Checked::primary_key);
            let is_twice = key.is_some_and(|key| !keys.insert(key));
            if is_twice && self.options.mode != ImportMode::Create {
                attempt.end = index;
                break;
            }
            let is_taken = is_twice || taken.contains(&index);
            let plan = self.plan_row(permit, row, is_taken, &attempt.tried)?;
            self.add(permit, &mut attempt, (index, row), plan)?;
        }
        Ok(attempt)
    }

    fn plan_row(
        &self,
        permit: &DatasetPermit,
        row: &Row,
        is_taken: bool,
        tried: &[[u8; 16]],
    ) -> Result<Plan, Halt> {
        let checked = match &row.judged {
            Ok(checked) => checked,
            Err(reason) => return Ok(Plan::Reject(reason.clone())),
        };
        let schema = &permit.schema().current().schema;
        if let Some(field) = schema.primary_key()
            && checked.primary_key().is_none()
        {
            let text = format!("the primary key {:?} has no value", field.name);
            return Ok(reject("key_missing", text));
        }
        let mode = self.options.mode;
        let duplicate = || {
            let text = "another record of the dataset, or a row before, has its primary key";
            reject("duplicate_key", text.to_owned())
        };
        if mode == ImportMode::Create {
            let is_tried = || {
                let hash = key_hash(checked);
                hash.is_some_and(|hash| self.tried.contains(&hash) || tried.contains(&hash))
            };
            // else the store itself tells of a key that is taken
            let is_there =
                self.options.dry_run && (is_tried() || self.there(permit, checked)?.is_some());
            if is_taken || is_there {
                return Ok(duplicate());
            }
            return Ok(Plan::Create(checked.clone()));
        }
        match self.there(permit, checked)? {
            Some(record) => self.plan_change(permit, row, checked, record),
            None if mode == ImportMode::Update => {
                let text = "no record of the dataset has its primary key".to_owned();
                Ok(reject("not_found", text))
            }
            // someone deletes and makes it again and again
            None if is_taken => Ok(duplicate()),
            None => Ok(Plan::Create(checked.clone())),
        }
    }

    /// What a row does to the record that is there.
    fn plan_change(
        &self,
        permit: &DatasetPermit,
        row: &Row,
        checked: &Checked,
        record: StoredRecord,
    ) -> Result<Plan, Halt> {
        let Current {
            body,
            hidden,
            errors,
        } = current(permit.schema(), &record)?;
        let whole = if self.options.mode == ImportMode::Replace {
            checked.clone()
        } else {
            let bodies: [&[u8]; 2] = [body.as_bytes(), &row.body];
            let files = self
                .context
                .wait(self.context.service.known_files(permit, &bodies))?;
            let checker = &permit.schema().current().checker;
            match checker.merge(&body, &row.body, Some(&lookups(permit, &files))) {
                Ok(merged) => merged.checked,
                Err(rejected) => return Ok(Plan::Reject(rejection(&rejected))),
            }
        };
        let new_errors = (!whole.is_clean()).then(|| whole.errors_json());
        if *body == *whole.normal_form() && errors.as_deref() == new_errors.as_deref() {
            return Ok(Plan::Keep(record.id.place.sequence, whole));
        }
        let hidden = hidden.map(Cow::into_owned);
        Ok(Plan::Update(Box::new(record), whole, hidden))
    }

    /// The live record that has a row's key.
    fn there(
        &self,
        permit: &DatasetPermit,
        checked: &Checked,
    ) -> Result<Option<StoredRecord>, Halt> {
        let Some(key) = checked.primary_key() else {
            return Ok(None);
        };
        let store = self.context.service.store();
        Ok(self
            .context
            .wait(store.by_key(permit.dataset().number, key))?)
    }

    /// Adds what a row does to an attempt.
    fn add(
        &self,
        permit: &DatasetPermit,
        attempt: &mut Attempt,
        (index, row): (usize, &Row),
        plan: Plan,
    ) -> Result<(), Halt> {
        let tally = &mut attempt.tally;
        let version = permit.schema().current();
        let service = &self.context.service;
        let change = match plan {
            Plan::Reject(Reason { code, message }) => {
                tally.reject(row.line, &code, &message);
                self.rejects.add(row, &message, &mut attempt.rejects);
                return Ok(());
            }
            Plan::Keep(place, checked) => {
                tally.faults(row.line, &checked);
                tally.result.unchanged += 1;
                attempt.kept.push(place);
                return Ok(());
            }
            Plan::Create(checked) => {
                let room = service.require_record_room(&permit.dataset().tenant);
                self.context.wait(room)?;
                tally.faults(row.line, &checked);
                tally.result.created += 1;
                if self.options.dry_run {
                    attempt.tried.extend(key_hash(&checked));
                }
                Change::Create {
                    nonce: ids::new_nonce(service.entropy()),
                    content: content(checked, version, None),
                }
            }
            Plan::Update(record, checked, hidden) => {
                tally.faults(row.line, &checked);
                tally.result.updated += 1;
                attempt.kept.push(record.id.place.sequence);
                Change::Update {
                    id: record.id,
                    version: record.version,
                    content: content(checked, version, hidden),
                }
            }
        };
        if !self.options.dry_run {
            attempt.writes.push(self.write(permit, change));
            attempt.writers.push(index);
        }
        Ok(())
    }

    pub(super) fn write(&self, permit: &DatasetPermit, change: Change) -> Write {
        Write {
            dataset: permit.dataset().number,
            actor: permit.caller().actor().clone(),
            at: self.context.service.now(),
            judged_under: Some(permit.schema().current().number),
            audit: None,
            change,
        }
    }
}

fn reject(code: &str, message: String) -> Plan {
    Plan::Reject(Reason {
        code: code.to_owned(),
        message,
    })
}

/// What stands for a key where many are remembered.
fn key_hash(checked: &Checked) -> Option<[u8; 16]> {
    let digest = Sha256::digest(checked.primary_key()?);
    let mut hash = [0; 16];
    hash.copy_from_slice(&digest[..16]);
    Some(hash)
}

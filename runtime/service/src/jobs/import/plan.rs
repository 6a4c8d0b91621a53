//! What each row of a batch does, planned by what is there: makes a record, changes one, keeps it as it is, or can't be
//! stored. It writes nothing.

use super::Import;
use super::meant::{Unfit, duplicate, key_missing, reason, version_conflict};
use super::read_row::Reason;
use super::repeats::KeyHash;
use super::rows::{Batch, Row, rejection};
use super::tally::Tally;
use crate::ids;
use crate::jobs::context::Halt;
use crate::quota_rooms::HeldRoom;
use crate::records::{Current, content, current, lookups};
use crate::{DatasetPermit, Permit as _, Refusal};
use engine::validate::Checked;
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use store::records::{Change, StoredRecord, Write};
use wire::manage::ImportMode;

/// What a row does.
pub(super) enum Plan {
    Create(Checked),
    Update(Box<StoredRecord>, Checked, Option<String>),
    /// Its record, which is at this place, is as it says.
    Keep(u64, Checked),
    /// The key that its record would get is that of the record at this place.
    Taken(u64),
    Reject(Reason),
    /// It has no value, not even of the primary key, and is no row.
    Blank,
}

impl From<Unfit> for Plan {
    fn from(unfit: Unfit) -> Self {
        match unfit {
            Unfit::Keyless(reason) => Plan::Reject(reason),
            Unfit::Taken(place) => Plan::Taken(place),
        }
    }
}

impl Plan {
    /// Where the record is that it is about, of one that is there.
    fn place(&self) -> Option<u64> {
        match self {
            Plan::Keep(place, _) | Plan::Taken(place) => Some(*place),
            Plan::Create(_) | Plan::Update(..) | Plan::Reject(_) | Plan::Blank => self.changed(),
        }
    }

    /// Where the record is that it changes, of one that is there.
    fn changed(&self) -> Option<u64> {
        match self {
            Plan::Update(record, ..) => Some(record.id.place.sequence),
            Plan::Create(_) | Plan::Keep(..) | Plan::Taken(_) | Plan::Reject(_) | Plan::Blank => {
                None
            }
        }
    }
}

/// Rows of a batch as they are to be stored.
pub(super) struct Attempt {
    pub(super) tally: Tally,
    pub(super) writes: Vec<Write>,
    /// The row of each write, by its index in the batch.
    pub(super) writers: Vec<usize>,
    pub(super) rejects: Vec<u8>,
    /// How many rows are none.
    pub(super) blank: usize,
    /// Records that are there and that rows are of: as they are, or changed.
    pub(super) kept: Vec<u64>,
    /// The keys of the rows, of a dry run.
    pub(super) keys: HashSet<KeyHash>,
    /// The lines of rows that have the key of a row before, of a dry run.
    pub(super) repeated: Vec<u64>,
    /// The rooms of records that are made, until they are.
    pub(super) rooms: Vec<HeldRoom>,
    /// The first row that is left for the next attempt.
    pub(super) end: usize,
}

impl Import<'_> {
    /// Plans some rows, up to one whose key or record another of them writes, or whose record would get a key that
    /// another of them may give away, or that has no room: those before it are stored first. In a dry run, each is planned by what is
    /// stored.
    pub(super) fn plan(
        &self,
        permit: &DatasetPermit,
        batch: &Batch,
        Range { start, end }: Range<usize>,
        taken: &HashSet<usize>,
    ) -> Result<Attempt, Halt> {
        let mut attempt = Attempt {
            tally: self.tally.clone(),
            writes: Vec::new(),
            writers: Vec::new(),
            rejects: Vec::new(),
            blank: 0,
            kept: Vec::new(),
            keys: HashSet::new(),
            repeated: Vec::new(),
            rooms: Vec::new(),
            end,
        };
        let mut keys: HashSet<&str> = HashSet::new();
        let mut changed: HashSet<u64> = HashSet::new();
        for (index, row) in batch.rows.iter().enumerate().take(end).skip(start) {
            let checked = row.judged.as_ref().ok();
            let key = checked.and_then(Checked::primary_key);
            let hash = checked.and_then(|checked| self.key_hash(row, checked));
            let is_repeated =
                hash.is_some_and(|it| self.repeats.has(&it) || attempt.keys.contains(&it));
            let is_twice = key.is_some_and(|key| !keys.insert(key));
            if is_twice && self.goes_by_turns() {
                attempt.end = index;
                break;
            }
            let is_taken = is_twice || is_repeated || taken.contains(&index);
            let mut plan = self.plan_row(permit, row, is_taken)?;
            if plan.place().is_some_and(|place| changed.contains(&place)) && self.goes_by_turns() {
                attempt.end = index;
                break;
            }
            changed.extend(plan.changed());
            if let Plan::Create(checked) = &plan {
                match self.take_room(permit, &attempt.tally) {
                    Ok(room) => attempt.rooms.extend(room),
                    Err(Refusal::QuotaExceeded { .. }) if self.is_duplicate(permit, checked)? => {
                        plan = Plan::Reject(duplicate());
                    }
                    Err(Refusal::QuotaExceeded { .. }) if index > start => {
                        attempt.end = index;
                        break;
                    }
                    Err(refusal) => return Err(refusal.into()),
                }
            }
            attempt.keys.extend(hash);
            if self.options.dry_run && !matches!(plan, Plan::Reject(_) | Plan::Blank) {
                attempt.tally.preview(row);
                attempt.repeated.extend(is_repeated.then_some(row.line));
            }
            self.add(permit, &mut attempt, (index, row), plan);
        }
        Ok(attempt)
    }

    /// Whether a row of a record has to wait until the rows of it before are stored.
    fn goes_by_turns(&self) -> bool {
        self.options.mode != ImportMode::Create && !self.options.dry_run
    }

    /// Takes room for one more record; where the import is only tried, it is asked for with that of all before.
    fn take_room(
        &self,
        permit: &DatasetPermit,
        tally: &Tally,
    ) -> Result<Option<HeldRoom>, Refusal> {
        let (context, tenant) = (self.context, &permit.dataset().tenant);
        if self.options.dry_run {
            let wanted = tally.result.created + 1;
            context.wait(context.service.require_tried_room(tenant, wanted))?;
            return Ok(None);
        }
        let room = context.service.require_record_room(tenant);
        context.wait(room).map(Some)
    }

    /// Whether a row would make a record whose primary key another one has: room would not help it.
    fn is_duplicate(&self, permit: &DatasetPermit, checked: &Checked) -> Result<bool, Halt> {
        let makes_all = self.options.mode == ImportMode::Create;
        Ok(makes_all && self.there(permit, checked)?.is_some())
    }

    fn plan_row(&self, permit: &DatasetPermit, row: &Row, is_taken: bool) -> Result<Plan, Halt> {
        let checked = match &row.judged {
            Ok(checked) => checked,
            Err(reason) => return Ok(Plan::Reject(reason.clone())),
        };
        let mode = self.options.mode;
        if let Some(reason) = key_missing(permit, checked).filter(|_| !row.is_of_id(mode)) {
            // as a line of nothing is none: what spreadsheets write of rows that were formatted
            if row.is_blank {
                return Ok(Plan::Blank);
            }
            return Ok(Plan::Reject(reason));
        }
        if mode == ImportMode::Create {
            if let Some(reason) = self.is_there_already(permit, row)? {
                return Ok(Plan::Reject(reason));
            }
            // else the store itself tells of a key that is taken
            let is_there = self.options.dry_run && self.there(permit, checked)?.is_some();
            if is_taken || is_there {
                return Ok(Plan::Reject(duplicate()));
            }
            return Ok(Plan::Create(checked.clone()));
        }
        let record = match self.meant(permit, row, checked)? {
            Ok(record) => record,
            Err(reason) => return Ok(Plan::Reject(reason)),
        };
        if !self.options.ignore_version
            && let Some(reason) = version_conflict(row, record.as_ref().map(|it| it.version))
        {
            return Ok(Plan::Reject(reason));
        }
        match record {
            Some(record) => self.plan_change(permit, row, checked, record),
            None if mode == ImportMode::Update => {
                let text = "no record of the dataset has its primary key".to_owned();
                Ok(Plan::Reject(reason("not_found", text)))
            }
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
        self.context.service.require_form(&record)?;
        let Current {
            body,
            hidden,
            errors,
            ..
        } = current(permit.schema(), &record)?;
        let whole = match self.changed(permit, row, checked, &body)? {
            Ok(whole) => whole,
            Err(reason) => return Ok(Plan::Reject(reason)),
        };
        if let Some(unfit) = self.keyless_or_taken(permit, (row, &whole), &record)? {
            return Ok(unfit.into());
        }
        if is_same(&whole, &body, errors.as_deref()) {
            return Ok(Plan::Keep(record.id.place.sequence, whole));
        }
        let hidden = hidden.map(Cow::into_owned);
        Ok(Plan::Update(Box::new(record), whole, hidden))
    }

    /// A record of these values with what a row says; or why it can't have that.
    fn changed(
        &self,
        permit: &DatasetPermit,
        row: &Row,
        checked: &Checked,
        body: &str,
    ) -> Result<Result<Checked, Reason>, Halt> {
        if self.options.mode == ImportMode::Replace {
            return Ok(Ok(checked.clone()));
        }
        let bodies: [&[u8]; 2] = [body.as_bytes(), &row.body];
        let files = self
            .context
            .wait(self.context.service.known_files(permit, &bodies))?;
        let checker = &permit.schema().current().checker;
        let merged = checker.merge(body, &row.body, Some(&lookups(permit, &files)));
        Ok(merged
            .map(|it| it.checked)
            .map_err(|rejected| rejection(&rejected)))
    }

    /// The live record that has a row's key.
    pub(super) fn there(
        &self,
        permit: &DatasetPermit,
        checked: &Checked,
    ) -> Result<Option<StoredRecord>, Halt> {
        let Some(key) = checked.primary_key() else {
            return Ok(None);
        };
        let (store, dataset) = (self.context.service.store(), permit.dataset().number);
        Ok(self.context.wait(store.by_key(dataset, key))?)
    }

    /// Adds what a row does to an attempt.
    fn add(
        &self,
        permit: &DatasetPermit,
        attempt: &mut Attempt,
        (index, row): (usize, &Row),
        plan: Plan,
    ) {
        let tally = &mut attempt.tally;
        let version = permit.schema().current();
        let service = &self.context.service;
        let change = match plan {
            Plan::Taken(_) => {
                self.reject(attempt, row, &duplicate());
                return;
            }
            Plan::Reject(reason) => {
                self.reject(attempt, row, &reason);
                return;
            }
            Plan::Blank => {
                attempt.blank += 1;
                return;
            }
            Plan::Keep(place, checked) => {
                tally.faults(row.line, &checked);
                tally.result.unchanged += 1;
                attempt.kept.push(place);
                return;
            }
            Plan::Create(checked) => {
                tally.faults(row.line, &checked);
                tally.result.created += 1;
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
    }

    /// Adds a row that can't be stored.
    fn reject(&self, attempt: &mut Attempt, row: &Row, reason: &Reason) {
        let Reason { code, message } = reason;
        attempt.tally.reject(row.line, code, message);
        self.rejects.add(row, message, &mut attempt.rejects);
    }

    pub(super) fn write(&self, permit: &DatasetPermit, change: Change) -> Write {
        Write {
            dataset: permit.dataset().number,
            actor: permit.caller().actor().clone(),
            at: self.context.service.now(),
            judged_under: Some(permit.rules()),
            audit: None,
            change,
        }
    }
}

/// Whether a record that has these values would be as it is.
fn is_same(whole: &Checked, body: &str, errors: Option<&str>) -> bool {
    let new_errors = (!whole.is_clean()).then(|| whole.errors_json());
    body == whole.normal_form() && errors == new_errors.as_deref()
}

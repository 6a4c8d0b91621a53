//! What becomes of writes, decided in memory on rows that are locked: each sees what those before it did.

use super::draft::{Draft, Holder, NewEntry, PastState, RecordDraft, RecordRow, numbers};
use super::folded_key;
use crate::past_states;
use store::records::{
    Change, LogAction, NewContent, RecordId, RecordPlace, Write, WriteVerdict, is_object,
};
use store::{StoreError, delta};

impl Draft {
    /// Does a write, or says why not.
    pub(super) fn decide(&mut self, write: &Write) -> Result<WriteVerdict, StoreError> {
        let verdict = self.attempt(write)?;
        if let (WriteVerdict::Done { .. }, Some(entry)) = (verdict, &write.audit) {
            self.audit.push((**entry).clone());
        }
        Ok(verdict)
    }

    fn attempt(&mut self, write: &Write) -> Result<WriteVerdict, StoreError> {
        match &write.change {
            Change::Create { nonce, content } => self.create(write, *nonce, content),
            Change::Update {
                id,
                version,
                content,
            } => Ok(self.update(write, *id, *version, (content, LogAction::Update))),
            Change::Revert {
                id,
                version,
                content,
            } => Ok(self.update(write, *id, *version, (content, LogAction::Restore))),
            Change::Delete { id, version } => Ok(self.delete(write, *id, *version)),
            Change::Restore { id } => self.restore(write, *id, None),
            Change::RestoreAs {
                id,
                version,
                content,
            } => self.restore(write, *id, Some((*version, content))),
            Change::Purge { id } => Ok(self.purge(write, *id)),
        }
    }

    fn create(
        &mut self,
        write: &Write,
        nonce: u64,
        content: &NewContent,
    ) -> Result<WriteVerdict, StoreError> {
        let no_place = StoreError::NoPlace {
            dataset: write.dataset,
        };
        let dataset = i64::from(write.dataset);
        if write.dataset > RecordPlace::DATASET_MAX {
            return Err(no_place);
        }
        let key = content.primary_key.as_deref().map(folded_key);
        if self.is_taken(dataset, key.as_deref(), None) {
            return Ok(WriteVerdict::DuplicateKey);
        }
        let Some(counters) = self.datasets.get(&dataset) else {
            return Err(StoreError::Damaged(format!(
                "dataset {dataset} has no counters"
            )));
        };
        let sequence = counters.last_sequence + 1;
        let place = RecordPlace {
            dataset: write.dataset,
            sequence: sequence.cast_unsigned(),
        };
        if place.number().is_none() {
            return Err(no_place);
        }
        let row = RecordRow {
            dataset,
            sequence,
            nonce: nonce.cast_signed(),
            version: 0,
            schema_version: content.schema_version,
            deleted: false,
            last_change: 0,
            primary_key: key.clone(),
            errors: content.errors.clone(),
            hidden: content.hidden.clone(),
            body: content.body.clone(),
        };
        self.take_room(dataset)?;
        self.take_key(dataset, key, sequence);
        self.put(row, None, write, (LogAction::Create, None));
        self.count(dataset, 1, i64::from(content.errors.is_some()));
        if let Some(counters) = self.datasets.get_mut(&dataset) {
            counters.last_sequence = sequence;
        }
        let id = RecordId { place, nonce };
        Ok(WriteVerdict::Done { id, version: 0 })
    }

    fn update(
        &mut self,
        write: &Write,
        id: RecordId,
        version: i64,
        (content, action): (&NewContent, LogAction),
    ) -> WriteVerdict {
        let row = match self.current(write, id, version) {
            Ok(row) => row,
            Err(verdict) => return verdict,
        };
        let key = content.primary_key.as_deref().map(folded_key);
        if row.primary_key != key {
            if self.is_taken(row.dataset, key.as_deref(), Some(row.sequence)) {
                return WriteVerdict::DuplicateKey;
            }
            self.release_key(&row);
            self.take_key(row.dataset, key.clone(), row.sequence);
        }
        let errored = i64::from(content.errors.is_some()) - i64::from(row.errors.is_some());
        let (dataset, prior, before) =
            (row.dataset, row.last_change, told(&row.body, &content.body));
        let version = row.version + 1;
        self.keep(&row, version);
        let row = RecordRow {
            version,
            schema_version: content.schema_version,
            primary_key: key,
            errors: content.errors.clone(),
            hidden: content.hidden.clone(),
            body: content.body.clone(),
            ..row
        };
        self.put(row, Some(prior), write, (action, Some(before)));
        self.count(dataset, 0, errored);
        WriteVerdict::Done { id, version }
    }

    fn delete(&mut self, write: &Write, id: RecordId, version: i64) -> WriteVerdict {
        let row = match self.current(write, id, version) {
            Ok(row) => row,
            Err(verdict) => return verdict,
        };
        self.release_key(&row);
        let errored = i64::from(row.errors.is_some());
        let (dataset, prior) = (row.dataset, row.last_change);
        let row = RecordRow {
            deleted: true,
            ..row
        };
        self.put(row, Some(prior), write, (LogAction::Delete, None));
        self.count(dataset, -1, -errored);
        self.rooms.give_back(dataset);
        WriteVerdict::Done { id, version }
    }

    /// Takes a deletion back; of a record of a version, with other values, where both are given.
    fn restore(
        &mut self,
        write: &Write,
        id: RecordId,
        other: Option<(i64, &NewContent)>,
    ) -> Result<WriteVerdict, StoreError> {
        let Some(row) = self.find(write, id).filter(|row| row.deleted).cloned() else {
            return Ok(WriteVerdict::NotFound);
        };
        let content = match other {
            Some((version, _)) if version != row.version => {
                return Ok(WriteVerdict::Stale {
                    version: row.version,
                });
            }
            other => other.map(|(_, content)| content),
        };
        let key = match content {
            None => row.primary_key.clone(),
            Some(content) => content.primary_key.as_deref().map(folded_key),
        };
        if self.is_taken(row.dataset, key.as_deref(), None) {
            return Ok(WriteVerdict::DuplicateKey);
        }
        self.take_room(row.dataset)?;
        self.take_key(row.dataset, key.clone(), row.sequence);
        let (dataset, prior) = (row.dataset, row.last_change);
        let lost = self.datasets.get(&dataset).map_or(0, |it| it.changes_lost);
        if prior <= lost {
            self.forgotten.push((dataset, prior));
        }
        let version = row.version + 1;
        self.keep(&row, version);
        let before = content.map(|content| told(&row.body, &content.body));
        let row = match content {
            None => row,
            Some(content) => RecordRow {
                schema_version: content.schema_version,
                errors: content.errors.clone(),
                hidden: content.hidden.clone(),
                body: content.body.clone(),
                ..row
            },
        };
        let row = RecordRow {
            deleted: false,
            version,
            primary_key: key,
            ..row
        };
        let errored = i64::from(row.errors.is_some());
        self.put(row, Some(prior), write, (LogAction::Restore, before));
        self.count(dataset, 1, errored);
        Ok(WriteVerdict::Done { id, version })
    }

    fn purge(&mut self, write: &Write, id: RecordId) -> WriteVerdict {
        let Some(row) = self.find(write, id).filter(|row| row.deleted).cloned() else {
            return WriteVerdict::NotFound;
        };
        let (dataset, sequence, version) = (row.dataset, row.sequence, row.version);
        self.log
            .retain(|entry| (entry.dataset, entry.sequence) != (dataset, sequence));
        self.past_states
            .retain(|state| (state.dataset, state.sequence) != (dataset, sequence));
        self.put(row, None, write, (LogAction::Purge, None));
        if write.audit.is_some() {
            self.unsettled.insert(dataset, self.head.cast_signed());
        }
        if let Some(entry) = self.log.last_mut() {
            (entry.errors, entry.hidden, entry.digest) = (None, None, None);
        }
        if let Some(draft) = self.records.get_mut(&(dataset, sequence)) {
            draft.row = None;
        }
        WriteVerdict::Done { id, version }
    }

    /// Takes what a new record of a dataset needs of its tenant's quota.
    fn take_room(&mut self, dataset: i64) -> Result<(), StoreError> {
        if self.rooms.take(dataset) {
            return Ok(());
        }
        Err(StoreError::RecordsFull {
            quota: self.rooms.quota,
        })
    }

    /// Keeps the values of a row, which are those behind its newest entry, whole, if the version that follows asks for it.
    fn keep(&mut self, row: &RecordRow, next_version: i64) {
        if next_version % past_states::KEPT_EACH == 0 && is_object(&row.body) {
            self.past_states.push(PastState {
                dataset: row.dataset,
                sequence: row.sequence,
                number: row.last_change,
                body: row.body.clone(),
            });
        }
    }

    /// Puts a row in, and its entry of the log.
    fn put(
        &mut self,
        mut row: RecordRow,
        prior: Option<i64>,
        write: &Write,
        (action, before): (LogAction, Option<String>),
    ) {
        self.head += 1;
        let number = self.head.cast_signed();
        row.last_change = number;
        self.log.push(NewEntry {
            dataset: row.dataset,
            number,
            sequence: row.sequence,
            nonce: row.nonce,
            action,
            version: row.version,
            schema_version: row.schema_version,
            at: write.at,
            actor: write.actor.clone(),
            prior,
            before,
            errors: row.errors.clone(),
            hidden: row.hidden.clone(),
            digest: Some(past_states::digest(&row.body)),
        });
        if let Some(counters) = self.datasets.get_mut(&row.dataset) {
            counters.last_change = number;
            counters.is_changed = true;
        }
        let draft = self.records.entry((row.dataset, row.sequence));
        let draft = draft.or_insert(RecordDraft {
            row: None,
            stored_change: None,
            is_changed: true,
        });
        draft.is_changed = true;
        draft.row = Some(row);
    }

    fn count(&mut self, dataset: i64, records: i64, errored: i64) {
        if let Some(counters) = self.datasets.get_mut(&dataset) {
            counters.records += records;
            counters.errored += errored;
        }
    }

    /// The record of an id, if it is one of the write's dataset and its nonce is right.
    fn find(&self, write: &Write, id: RecordId) -> Option<&RecordRow> {
        if id.place.dataset != write.dataset {
            return None;
        }
        let row = self.records.get(&numbers(id.place))?.row.as_ref()?;
        Some(row).filter(|row| row.nonce == id.nonce.cast_signed())
    }

    /// The live record of an id, if it still has the version; else the verdict.
    fn current(
        &self,
        write: &Write,
        id: RecordId,
        version: i64,
    ) -> Result<RecordRow, WriteVerdict> {
        match self.find(write, id).filter(|row| !row.deleted) {
            Some(row) if row.version == version => Ok(row.clone()),
            Some(row) => Err(WriteVerdict::Stale {
                version: row.version,
            }),
            None => Err(WriteVerdict::NotFound),
        }
    }

    /// Whether a live record other than `own` has the key.
    fn is_taken(&self, dataset: i64, key: Option<&str>, own: Option<i64>) -> bool {
        let holder = key.and_then(|key| self.keys.get(&(dataset, key.to_owned())));
        matches!(holder, Some(Holder::Record(holder)) if Some(*holder) != own)
    }

    fn take_key(&mut self, dataset: i64, key: Option<String>, sequence: i64) {
        let Some(key) = key else { return };
        let before = self.keys.insert((dataset, key), Holder::Record(sequence));
        if let Some(Holder::Released(by)) = before
            && by != sequence
        {
            self.released.push((dataset, by));
        }
    }

    fn release_key(&mut self, row: &RecordRow) {
        if let Some(key) = row.primary_key.clone() {
            let released = Holder::Released(row.sequence);
            self.keys.insert((row.dataset, key), released);
        }
    }
}

/// How the values of a row differ from those that replace them, for the log; empty where somebody who changed them by hand
/// left none that can be read, so that nothing is taken to follow from them.
fn told(earlier: &str, later: &str) -> String {
    if is_object(earlier) {
        delta::back(earlier, later)
    } else {
        String::new()
    }
}

//! What a row does that is only tried, where one before would have made or changed its record; and what is noted of it for those
//! behind it. It writes nothing.

use super::Import;
use super::plan::{Attempt, Plan, is_same};
use super::rows::Row;
use super::tried::{Before, KeyHash, Moved, TriedRow, Values, hash_of_key, key_hash, place_hash};
use crate::DatasetPermit;
use crate::jobs::context::Halt;
use crate::records::key_in;
use engine::validate::Checked;
use store::records::StoredRecord;
use wire::manage::ImportMode;

impl Import<'_> {
    /// Whether a row before would have made a record of a row's key.
    pub(super) fn is_tried(&self, checked: &Checked) -> bool {
        self.options.dry_run && key_hash(checked).is_some_and(|it| self.tried.has(&it))
    }

    /// What a row before would have left of a row's record, where the import is only tried.
    pub(super) fn before(
        &self,
        record: Option<&StoredRecord>,
        checked: &Checked,
    ) -> Option<Before<'_>> {
        if !self.options.dry_run {
            return None;
        }
        self.tried.before(&tried_hash(record, checked)?)
    }

    /// The version that a row's record has when the row is stored, after those before it; none where there is no record.
    pub(super) fn version_before(
        &self,
        record: Option<&StoredRecord>,
        checked: &Checked,
    ) -> Option<i64> {
        let hash = tried_hash(record, checked).filter(|_| self.options.dry_run);
        let tried = hash.and_then(|hash| self.tried.version(&hash));
        tried.or(record.map(|record| record.version))
    }

    /// What a row that is only tried does to what one before would have made; where that is not kept, it counts as a change.
    pub(super) fn plan_again(
        &self,
        permit: &DatasetPermit,
        (row, checked): (&Row, &Checked),
        before: Before<'_>,
        record: Option<StoredRecord>,
    ) -> Result<Plan, Halt> {
        let record = record.map(Box::new);
        let Before::Values(Values { body, errors }) = before else {
            // whether it changes is not known, but whether its record may have the key that it says
            if let Some(record) = &record
                && self.says_key(permit, row)
                && let Some(unfit) = self.keyless_or_taken(permit, (row, checked), record)?
            {
                return Ok(unfit.into());
            }
            return Ok(Plan::Again {
                record,
                checked: checked.clone(),
                is_compared: false,
            });
        };
        let whole = match self.changed(permit, row, checked, body)? {
            Ok(whole) => whole,
            Err(reason) => return Ok(Plan::Reject(reason)),
        };
        if let Some(record) = &record
            && let Some(unfit) = self.keyless_or_taken(permit, (row, &whole), record)?
        {
            return Ok(unfit.into());
        }
        if is_same(&whole, body, errors.as_deref()) {
            return Ok(Plan::Keep(record.map(|it| it.id.place.sequence), whole));
        }
        Ok(Plan::Again {
            record,
            checked: whole,
            is_compared: true,
        })
    }

    /// Notes what a row that is only tried makes. No record of a `create` is met but to be told that it is there.
    pub(super) fn note_tried(
        &self,
        permit: &DatasetPermit,
        attempt: &mut Attempt,
        row: &Row,
        plan: &Plan,
    ) {
        if !self.options.dry_run {
            return;
        }
        let mode = self.options.mode;
        let (record, checked, is_whole) = match plan {
            Plan::Create(checked) => (None, checked, mode != ImportMode::Create),
            Plan::Update(record, checked, _) => (Some(&**record), checked, true),
            // what a row does not say that was not compared is not known
            Plan::Again {
                record,
                checked,
                is_compared,
            } => {
                let is_whole = *is_compared || mode == ImportMode::Replace;
                (record.as_deref(), checked, is_whole)
            }
            Plan::Keep(..) | Plan::Taken(_) | Plan::Reject(_) | Plan::Blank => return,
        };
        let Some(hash) = tried_hash(record, checked) else {
            return;
        };
        let by_id = record.filter(|_| row.said_id().is_some());
        attempt.tried.push(TriedRow {
            hash,
            values: is_whole.then(|| Values::of(checked)),
            version: record.map(|record| record.version),
            moved: by_id.and_then(|record| self.moved(permit, record, checked)),
        });
    }

    /// How a record would change its key.
    fn moved(
        &self,
        permit: &DatasetPermit,
        record: &StoredRecord,
        checked: &Checked,
    ) -> Option<Moved> {
        if self.keeps_key(permit, record, checked) {
            return None;
        }
        let own = key_in(permit.schema(), record.schema_version, &record.body);
        Some(Moved {
            place: record.id.place.sequence,
            from: own.map(|own| hash_of_key(&own)),
            to: key_hash(checked)?,
        })
    }
}

/// What stands for a row's record, where the import is only tried: its place, where it is there, else its key.
fn tried_hash(record: Option<&StoredRecord>, checked: &Checked) -> Option<KeyHash> {
    match record {
        Some(record) => Some(place_hash(record.id.place.sequence)),
        None => key_hash(checked),
    }
}

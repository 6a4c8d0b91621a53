//! What a row does that is only tried, where one before would have made or changed its record; and what is noted of it for those
//! behind it. It writes nothing.

use super::Import;
use super::plan::{Attempt, Plan, is_same};
use super::rows::Row;
use super::tried::{Before, KeyHash, Moved, TriedRow, Values, key_hash, place_hash};
use crate::DatasetPermit;
use crate::jobs::context::Halt;
use crate::records::current;
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
            return Ok(Plan::Uncompared(record, checked.clone()));
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
        Ok(Plan::Again(record, whole))
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
            Plan::Again(record, checked) => (record.as_deref(), checked, true),
            // what the row does not say is not known
            Plan::Uncompared(record, checked) => {
                (record.as_deref(), checked, mode == ImportMode::Replace)
            }
            Plan::Keep(..) | Plan::Taken(_) | Plan::Reject(_) => return,
        };
        let Some(hash) = tried_hash(record, checked) else {
            return;
        };
        let by_id = record.filter(|_| row.said_id().is_some());
        attempt.tried.push(TriedRow {
            hash,
            values: is_whole.then(|| Values::of(checked)),
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
        let checker = &permit.schema().current().checker;
        let own = current(permit.schema(), record).ok();
        let own = own.and_then(|own| checker.merge(&own.body, b"{}", None).ok());
        Some(Moved {
            place: record.id.place.sequence,
            from: own.and_then(|own| key_hash(&own.checked)),
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

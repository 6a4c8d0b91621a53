//! What an undoing asks of a record's past: which of its entries are the job's, what the job left of it, and whether someone
//! else wrote it in the job's midst.

use super::undo::Undoing;
use crate::Refusal;
use store::records::{LogAction, LogEntry, PageLimit};

/// Entries about one record that are read at a time.
const ENTRIES_OF_ONE: PageLimit = PageLimit {
    records: 16,
    bytes: 1 << 20,
};

impl Undoing<'_> {
    pub(super) fn is_of_job(&self, entry: &LogEntry) -> bool {
        entry.actor.job.as_ref() == Some(&self.undone.id)
    }

    /// Whether no entry from `before` on backwards is the job's. Others may have written the record in its midst.
    pub(super) fn is_first(&self, before: Option<&LogEntry>) -> Result<bool, Refusal> {
        let store = self.context.service.store();
        let mut last = before.map(|it| (it.id, it.number, self.is_of_job(it)));
        while let Some((id, number, is_of_job)) = last {
            if is_of_job {
                return Ok(false);
            }
            if number <= self.undone.log_after {
                break;
            }
            let earlier = store.history(id, Some(number), ENTRIES_OF_ONE);
            let earlier = self.context.wait(earlier)?;
            let is_of_job = earlier.iter().any(|it| self.is_of_job(it));
            last = earlier.last().map(|it| (id, it.number, is_of_job));
        }
        Ok(true)
    }

    /// Whether someone else wrote the record of an entry between two writes of the job; the newest entry about it is the job's.
    /// To take back the earlier write would take back what the other one wrote.
    pub(super) fn is_mixed(
        &self,
        entry: &LogEntry,
        before: Option<&LogEntry>,
        newest: &LogEntry,
    ) -> Result<bool, Refusal> {
        let place = entry.id.place;
        if let Some(is_mixed) = self.mixed.get(place) {
            return Ok(is_mixed);
        }
        let is_alone = before.is_none_or(|before| before.number <= self.undone.log_after);
        if is_alone && newest.number == entry.number {
            return Ok(false);
        }
        let is_mixed = self.has_others_between(newest)?;
        self.mixed.note(place, is_mixed);
        Ok(is_mixed)
    }

    /// The same, read from the record's history.
    fn has_others_between(&self, newest: &LogEntry) -> Result<bool, Refusal> {
        let store = self.context.service.store();
        let (mut last, mut is_others) = (newest.number, false);
        loop {
            let earlier = store.history(newest.id, Some(last), ENTRIES_OF_ONE);
            let earlier = self.context.wait(earlier)?;
            for entry in &earlier {
                if entry.number <= self.undone.log_after {
                    return Ok(false);
                }
                if !self.is_of_job(entry) {
                    is_others = true;
                } else if is_others {
                    return Ok(true);
                }
            }
            let Some(oldest) = earlier.last() else {
                return Ok(false);
            };
            last = oldest.number;
        }
    }

    /// Whether the job left the record deleted whose newest entry this is.
    pub(super) fn was_deleted(&self, newest: Option<LogEntry>) -> Result<bool, Refusal> {
        let store = self.context.service.store();
        let mut past: Vec<_> = newest.into_iter().collect();
        while let Some(last) = past.last() {
            // what is behind is this undoing's own
            if let Some(left) = past.iter().find(|it| it.number <= self.until) {
                return Ok(left.action == LogAction::Delete);
            }
            let earlier = store.history(last.id, Some(last.number), ENTRIES_OF_ONE);
            past = self.context.wait(earlier)?;
        }
        Ok(false)
    }
}

//! Whether a record that a job wrote several times can be taken back as a whole. That goes write by write, each a step of its
//! own maybe, so what bars the last of them bars them all: else a record would be left as it never was. What comes in between
//! while it is under way is told as what it is: taken back in part.

use super::barred_records::Known;
use super::undo::{LOST, MIXED, TAKEN, Undoing};
use super::undo_course::Course;
use crate::Refusal;
use std::collections::HashSet;
use store::records::{LogEntry, RecordPlace, StoredRecord};

/// Records that are looked at, each of which has the primary key that the one before it is to have again. Of longer ones it is
/// taken for granted that the last key is free: whether it is, its write finds.
const CHAIN_MAX: usize = 100;

/// Which primary key a record has once the job is taken back.
enum KeyBehind {
    /// The one that it has now: it is left as it is.
    OfNow,
    /// None: it is deleted then, or of a schema without.
    None,
    /// This one.
    Of(String),
}

impl Undoing<'_> {
    /// Why a record is left alone as a whole, of whose entries this one is to be taken back now. Its newest entry is the job's, or
    /// of what did that again.
    pub(super) fn bar_of(
        &self,
        (entry, before): (&LogEntry, Option<&LogEntry>),
        (newest, record): (&LogEntry, &StoredRecord),
    ) -> Result<Option<String>, Refusal> {
        let place = entry.id.place;
        if let Known::Bar(bar) = self.barred.get(place) {
            return Ok(bar);
        }
        let is_alone = before.is_none_or(|before| before.number <= self.undone.log_after);
        if is_alone && newest.number == entry.number {
            // the one write that takes it back finds by itself whether it can
            return Ok(None);
        }
        let course = self.course_of(newest.clone())?;
        let bar = if course.is_mixed {
            Some(MIXED.to_owned())
        } else {
            self.bar_of_key(record, course)?
        };
        self.barred.note(place, bar.clone());
        Ok(bar)
    }

    fn bar_of_key(&self, record: &StoredRecord, course: Course) -> Result<Option<String>, Refusal> {
        match course.was_there() {
            None => return Ok(Some(LOST.to_owned())),
            Some(false) => return Ok(None),
            // the one write that takes it back finds by itself whether its key is free
            Some(true) if course.is_deletion_alone() => return Ok(None),
            Some(true) => {}
        }
        let key = match self.key_of_then(record, course.before) {
            Err(Refusal::Store(error)) => return Err(error.into()),
            Err(refusal) => return Ok(Some(refusal.to_string())),
            Ok(key) => key,
        };
        let is_free = self.will_be_free(record.id.place, key)?;
        Ok((!is_free).then(|| TAKEN.to_owned()))
    }

    fn key_of_then(
        &self,
        record: &StoredRecord,
        before: Option<LogEntry>,
    ) -> Result<Option<String>, Refusal> {
        let then = self.as_of_then(record, before)?;
        Ok(then.checked.primary_key().map(str::to_owned))
    }

    /// Whether no other record will have a key once the job is taken back: nobody has it now, or who has it gives it away.
    fn will_be_free(&self, own: RecordPlace, key: Option<String>) -> Result<bool, Refusal> {
        let (mut key, mut met) = (key, HashSet::from([own]));
        for _ in 0..CHAIN_MAX {
            let Some(wanted) = key else {
                return Ok(true);
            };
            let store = self.context.service.store();
            let holder = self.context.wait(store.by_key(own.dataset, &wanted))?;
            // those that change places all give theirs away
            let Some(holder) = holder.filter(|holder| met.insert(holder.id.place)) else {
                return Ok(true);
            };
            key = match self.key_behind(&holder)? {
                KeyBehind::OfNow => return Ok(false),
                KeyBehind::None => None,
                KeyBehind::Of(behind) if behind == wanted => return Ok(false),
                KeyBehind::Of(behind) => Some(behind),
            };
        }
        Ok(true)
    }

    fn key_behind(&self, record: &StoredRecord) -> Result<KeyBehind, Refusal> {
        let newest = self.newest_of(record.id)?;
        let newest = newest.filter(|it| self.is_as_of_job(it) || self.is_of_undoing(it));
        let Some(newest) = newest else {
            return Ok(KeyBehind::OfNow);
        };
        let course = self.course_of(newest)?;
        match course.was_there().filter(|_| !course.is_mixed) {
            None => return Ok(KeyBehind::OfNow),
            Some(false) => return Ok(KeyBehind::None),
            Some(true) => {}
        }
        match self.key_of_then(record, course.before) {
            Err(Refusal::Store(error)) => Err(error.into()),
            Err(_) => Ok(KeyBehind::OfNow),
            Ok(key) => Ok(key.map_or(KeyBehind::None, KeyBehind::Of)),
        }
    }
}

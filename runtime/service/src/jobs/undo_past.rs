//! What an undoing asks of a record's past: which of its entries are the job's, where it was before them, what the job left of
//! it, and whether someone else wrote it in the job's midst.

use super::undo::Undoing;
use super::undo_course::Course;
use crate::Refusal;
use crate::records::is_judgement;
use store::records::{LogAction, LogEntry, PageLimit, RecordId};

/// Entries about one record that are read at a time.
const ENTRIES_OF_ONE: PageLimit = PageLimit {
    records: 16,
    bytes: 1 << 20,
};

impl Undoing<'_> {
    pub(super) fn is_of_job(&self, entry: &LogEntry) -> bool {
        entry.actor.job.as_ref() == Some(&self.undone.id)
    }

    /// Whether the job wrote an entry, or what did again what it had done: an undoing of its undoing. Nobody else came in
    /// between, or that would have left the record alone.
    pub(super) fn is_as_of_job(&self, entry: &LogEntry) -> bool {
        let job = entry.actor.job.as_ref();
        self.is_of_job(entry) || job.is_some_and(|job| self.earlier.again.contains(job))
    }

    /// Whether this undoing wrote an entry.
    fn is_own(&self, entry: &LogEntry) -> bool {
        entry.actor.job.as_ref() == Some(&self.context.job.id)
    }

    /// Whether what took the same job back before this one wrote an entry.
    pub(super) fn is_of_earlier(&self, entry: &LogEntry) -> bool {
        let job = entry.actor.job.as_ref();
        job.is_some_and(|job| self.earlier.back.contains(job))
    }

    /// Whether this undoing or one before it wrote an entry.
    pub(super) fn is_of_undoing(&self, entry: &LogEntry) -> bool {
        self.is_own(entry) || self.is_of_earlier(entry)
    }

    /// The newest entry about a record, but for its judgements by a schema or a domain that changed: those are nobody's writing,
    /// unless they are what is undone.
    pub(super) fn newest_of(&self, id: RecordId) -> Result<Option<LogEntry>, Refusal> {
        let is_passed = |entry: &LogEntry| is_judgement(entry) && !self.is_of_job(entry);
        let newest = self.context.service.last_entry_but(id, is_passed);
        Ok(self.context.wait(newest)?)
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

    /// What the job did to a record whose newest entry this is: its own, or one by which an undoing takes back what it did
    /// or does it again.
    pub(super) fn course_of(&self, newest: LogEntry) -> Result<Course, Refusal> {
        let store = self.context.service.store();
        let (id, mut last, mut course) = (newest.id, newest.number, Course::default());
        let is_of_job = self.is_of_job(&newest);
        course.add(newest, is_of_job);
        loop {
            let earlier = store.history(id, Some(last), ENTRIES_OF_ONE);
            let earlier = self.context.wait(earlier)?;
            let Some(oldest) = earlier.last() else {
                return Ok(course);
            };
            last = oldest.number;
            for entry in earlier {
                let (is_of_job, is_before) = (
                    self.is_of_job(&entry),
                    entry.number <= self.undone.log_after,
                );
                course.add(entry, is_of_job);
                if is_before || course.is_mixed {
                    return Ok(course);
                }
            }
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

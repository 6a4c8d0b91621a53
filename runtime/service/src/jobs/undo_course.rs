//! What a job did to a record, told from the newest entry about it back.

use store::records::{LogAction, LogEntry};

/// What a job did to a record, by what stands in the log.
#[derive(Default)]
pub(super) struct Course {
    /// What the job's first entry about it tells; nothing where the job has none.
    pub(super) first: Option<LogAction>,
    /// The entry before that, if it is kept.
    pub(super) before: Option<LogEntry>,
    /// Whether someone else wrote it between two writes of the job. To take back the earlier one would take back what the
    /// other one wrote.
    pub(super) is_mixed: bool,
}

impl Course {
    /// Whether the record was there before the job; `None` where that is not kept any more.
    pub(super) fn was_there(&self) -> Option<bool> {
        was_there(self.before.as_ref(), self.first?)
    }

    /// Adds the entry about the record that is before those that were added.
    pub(super) fn add(&mut self, entry: LogEntry, is_of_job: bool) {
        if is_of_job {
            // what was behind this one and is not the job's is in its midst
            self.is_mixed |= self.before.is_some();
            self.first = Some(entry.action);
            self.before = None;
        } else if self.first.is_some() && self.before.is_none() {
            self.before = Some(entry);
        }
    }
}

/// Whether a record was there before an entry about it of this action, by the entry before; `None` where that is not kept any
/// more.
pub(super) fn was_there(before: Option<&LogEntry>, action: LogAction) -> Option<bool> {
    match (before, action) {
        (_, LogAction::Create) => Some(false),
        (Some(before), _) => Some(before.action != LogAction::Delete),
        (None, LogAction::Delete) => Some(true),
        (None, _) => None,
    }
}

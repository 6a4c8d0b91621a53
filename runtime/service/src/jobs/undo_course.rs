//! What a job did to a record, told from the newest entry about it back.

use crate::records::is_judgement;
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
    /// How many of the job's entries about it are kept.
    writes: usize,
    /// Whether someone else wrote it before the first of the job's entries that were added. A judgement by a schema or a domain
    /// that changed is nobody's writing.
    is_written_before: bool,
}

impl Course {
    /// Whether the record was there before the job; `None` where that is not kept any more.
    pub(super) fn was_there(&self) -> Option<bool> {
        was_there(self.before.as_ref(), self.first?)
    }

    /// Whether all that is known of it is that the job deleted it. It is restored as it is, whatever it was before.
    pub(super) fn is_deletion_alone(&self) -> bool {
        self.first == Some(LogAction::Delete) && self.writes == 1 && self.before.is_none()
    }

    /// Adds the entry about the record that is before those that were added.
    pub(super) fn add(&mut self, entry: LogEntry, is_of_job: bool) {
        if is_of_job {
            // what was behind this one and is not the job's is in its midst
            self.is_mixed |= self.is_written_before;
            self.is_written_before = false;
            self.writes += 1;
            self.first = Some(entry.action);
            self.before = None;
        } else if self.first.is_some() {
            self.is_written_before |= !is_judgement(&entry);
            self.before.get_or_insert(entry);
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use store::catalog::{Actor, ActorKind, Via};
    use store::records::{RecordId, RecordPlace};
    use wire::Timestamp;

    fn update(number: u64, via: Option<Via>) -> LogEntry {
        let place = RecordPlace {
            dataset: 1,
            sequence: 1,
        };
        let actor = Actor {
            kind: ActorKind::ApiKey,
            id: "key".to_owned(),
            name: "key".to_owned(),
            email: None,
            full_name: None,
            via,
            job: None,
        };
        LogEntry {
            number,
            id: RecordId { place, nonce: 1 },
            action: LogAction::Update,
            version: 1,
            at: Timestamp::from_millis(0),
            actor: Arc::new(actor),
            schema_version: 1,
            before: None,
            after: None,
            errors: None,
            hidden: None,
            prior: None,
        }
    }

    /// What is told of a record by its entries from the newest back: the job's, others', and judgements.
    fn course(entries: &str) -> Course {
        let mut course = Course::default();
        for (number, kind) in (1..=9).rev().zip(entries.chars()) {
            let via = (kind == 'j').then_some(Via::Revalidation);
            course.add(update(number, via), kind == 'o');
        }
        course
    }

    #[test]
    fn a_judgement_between_two_writes_of_a_job_is_nobodys_writing() {
        for (entries, is_mixed, before) in [
            ("oo", false, None),
            ("ojo", false, None),
            ("oojjx", false, Some(7)),
            ("oxo", true, None),
            ("ojxo", true, None),
            ("oxjo", true, None),
            ("jojox", false, Some(5)),
        ] {
            let course = course(entries);
            let found = course.before.map(|it| it.number);
            assert_eq!((course.is_mixed, found), (is_mixed, before), "{entries}");
        }
    }
}

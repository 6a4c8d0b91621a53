//! How far each client of the load has come, for who waits until all of them were answered, or have written again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How far one client has come: the stamps of when it sent what was answered last, and the write that was acknowledged last.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    answered: AtomicU64,
    wrote: AtomicU64,
}

impl Steps {
    /// Notes that what was sent at a stamp has an answer.
    pub(crate) fn note_answer(&self, sent: u64) {
        self.answered.store(sent, Ordering::SeqCst);
    }

    /// Notes that the write that was sent at a stamp was acknowledged.
    pub(crate) fn note_write(&self, sent: u64) {
        self.wrote.store(sent, Ordering::SeqCst);
    }
}

/// How far all of them have come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress(Arc<[Steps]>);

impl Progress {
    /// That of so many clients, which have asked nothing yet.
    pub(crate) fn of(clients: usize) -> Self {
        Progress((0..clients).map(|_| Steps::default()).collect())
    }

    /// That of each client.
    pub(crate) fn each(&self) -> &[Steps] {
        &self.0
    }

    /// Whether each was answered, whatever it was, what it sent behind a stamp.
    pub(crate) fn all_answered(&self, stamp: u64) -> bool {
        let is_behind = |steps: &Steps| steps.answered.load(Ordering::SeqCst) > stamp;
        self.0.iter().all(is_behind)
    }

    /// Whether of each a write was acknowledged that it sent behind a stamp.
    pub(crate) fn all_wrote(&self, stamp: u64) -> bool {
        let is_behind = |steps: &Steps| steps.wrote.load(Ordering::SeqCst) > stamp;
        self.0.iter().all(is_behind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_have_written_when_the_last_one_has() {
        let progress = Progress::of(2);
        let [first, second] = progress.each() else {
            panic!("there are two");
        };
        assert!(!progress.all_wrote(0) && !progress.all_answered(0));
        first.note_write(5);
        first.note_answer(5);
        second.note_answer(6);
        assert!(progress.all_answered(4) && !progress.all_answered(5));
        assert!(!progress.all_wrote(4));
        second.note_write(6);
        assert!(progress.all_wrote(4) && !progress.all_wrote(5));
    }
}

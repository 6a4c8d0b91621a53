//! Which records were committed when: what tells whether a page that was read before is still what a read
//! would give now. Kept in memory for this process, which is the only one that writes.

use parking_lot::{Mutex, MutexGuard};
use rustc_hash::FxHashMap;
use store::records::RecordPlace;
use tokio::sync::watch;

/// Records whose changes are told together: a page of the usual size lies in two or three such blocks.
const BLOCK: u64 = 64;
/// More blocks than this are not looked at one by one.
const BLOCKS_MAX: u64 = 32;
/// Stands for every record of a dataset.
const WHOLE: u64 = u64::MAX;

/// The newest commit of each block of records.
#[derive(Default)]
pub(super) struct Changes(Mutex<Commits>);

#[derive(Default)]
struct Commits {
    /// How many transactions have ended.
    ended: u64,
    /// By dataset and block; `None` while the transaction that touched it is under way.
    newest: FxHashMap<(u32, u64), Option<u64>>,
    /// Those of the transaction under way.
    touched: Vec<(u32, u64)>,
    /// Who waits for the next change of a dataset. One that nobody waits for any more goes with the next change.
    waiting: FxHashMap<u32, watch::Sender<()>>,
}

impl Changes {
    /// Notes that the transaction under way writes a record.
    pub(super) fn touch(&self, place: RecordPlace) {
        let mut commits = self.commits();
        let Commits {
            newest, touched, ..
        } = &mut *commits;
        for block in [place.sequence / BLOCK, WHOLE] {
            let newest = newest.entry((place.dataset, block)).or_insert(Some(0));
            if newest.take().is_some() {
                touched.push((place.dataset, block));
            }
        }
    }

    /// Notes that the transaction has ended, committed or not, and that the next read will see it.
    pub(super) fn end(&self) {
        let mut commits = self.commits();
        if commits.touched.is_empty() {
            return;
        }
        commits.ended += 1;
        let Commits {
            ended,
            newest,
            touched,
            waiting,
        } = &mut *commits;
        for block in touched.drain(..) {
            newest.insert(block, Some(*ended));
            let (dataset, block) = block;
            if block == WHOLE
                && let Some(rung) = waiting.get(&dataset)
                && rung.send(()).is_err()
            {
                waiting.remove(&dataset);
            }
        }
    }

    /// What is rung whenever a transaction has ended that wrote a record of the dataset. Whoever looks after it has this
    /// sees what was committed before, and is told of everything later.
    pub(super) fn bell(&self, dataset: u32) -> watch::Receiver<()> {
        let mut commits = self.commits();
        let sender = commits.waiting.entry(dataset);
        sender.or_insert_with(|| watch::Sender::new(())).subscribe()
    }

    /// How many transactions with records have ended.
    pub(super) fn ended(&self) -> u64 {
        self.commits().ended
    }

    /// Which of them was the last to write a record from `first` to `last` of a dataset: 0 when none did
    /// since the start, `None` while one is under way.
    pub(super) fn newest(&self, dataset: u32, first: u64, last: u64) -> Option<u64> {
        let commits = self.commits();
        let of = |block| commits.newest.get(&(dataset, block)).copied();
        let (first, last) = (first / BLOCK, last / BLOCK);
        if last.saturating_sub(first) >= BLOCKS_MAX {
            return of(WHOLE).unwrap_or(Some(0));
        }
        (first..=last).try_fold(0, |newest, block| {
            of(block).unwrap_or(Some(0)).map(|found| newest.max(found))
        })
    }

    fn commits(&self) -> MutexGuard<'_, Commits> {
        self.0.lock()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(dataset: u32, sequence: u64) -> RecordPlace {
        RecordPlace { dataset, sequence }
    }

    #[test]
    fn a_change_tells_on_its_own_neighbourhood_and_on_what_is_open_ended() {
        let changes = Changes::default();
        changes.touch(place(1, 600));
        changes.end();
        assert_eq!(changes.ended(), 1);
        assert_eq!(changes.newest(1, 1, 100), Some(0));
        assert_eq!(changes.newest(1, 500, 601), Some(1));
        assert_eq!(changes.newest(1, 1, u64::MAX), Some(1));
        assert_eq!(changes.newest(2, 1, u64::MAX), Some(0));
    }

    #[test]
    fn nothing_is_known_while_a_change_is_under_way() {
        let changes = Changes::default();
        changes.touch(place(1, 5));
        changes.touch(place(1, 6));
        assert_eq!(changes.newest(1, 1, 100), None);
        assert_eq!(changes.newest(1, 1, u64::MAX), None);
        assert_eq!(changes.newest(1, 1000, 1100), Some(0));
        changes.end();
        assert_eq!(changes.newest(1, 1, 100), Some(1));
        // a transaction without records is none
        changes.end();
        assert_eq!(changes.ended(), 1);
    }

    #[test]
    fn a_bell_rings_for_its_own_dataset_and_is_kept_only_while_somebody_listens() {
        let changes = Changes::default();
        let (bell, other) = (changes.bell(1), changes.bell(2));
        changes.touch(place(1, 5));
        assert!(!bell.has_changed().unwrap());
        changes.end();
        assert!(bell.has_changed().unwrap() && !other.has_changed().unwrap());
        drop(bell);
        changes.touch(place(1, 6));
        changes.end();
        assert_eq!(changes.commits().waiting.len(), 1);
    }
}

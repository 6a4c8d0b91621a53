//! Which records an undoing found to be mixed: someone else wrote them between two writes of the job. It is read from their
//! history (`undo_past.rs`), and remembered here in bounded memory.

use std::cell::RefCell;
use std::collections::HashMap;
use store::records::RecordPlace;

/// Records of which it is remembered whether they are mixed. A job may have written each of any number of records twice.
const MIXED_MAX: usize = 1 << 16;

/// Of records that were written more than once since the job was asked for: whether someone else wrote them in its midst, as
/// far as it is remembered. What was forgotten is read once more.
#[derive(Default)]
pub(super) struct MixedRecords(RefCell<HashMap<RecordPlace, bool>>);

impl MixedRecords {
    pub(super) fn get(&self, place: RecordPlace) -> Option<bool> {
        self.0.borrow().get(&place).copied()
    }

    pub(super) fn note(&self, place: RecordPlace, is_mixed: bool) {
        let mut known = self.0.borrow_mut();
        if known.len() >= MIXED_MAX {
            known.clear();
        }
        known.insert(place, is_mixed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_of_records_is_bounded_however_many_there_are() {
        let known = MixedRecords::default();
        let place = |sequence| RecordPlace {
            dataset: 1,
            sequence,
        };
        for sequence in 0..=MIXED_MAX as u64 {
            known.note(place(sequence), sequence.is_multiple_of(2));
            assert_eq!(known.get(place(sequence)), Some(sequence.is_multiple_of(2)));
        }
        assert!(known.0.borrow().len() < MIXED_MAX);
        assert_eq!(known.get(place(0)), None);
    }
}

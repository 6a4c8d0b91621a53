//! Which records an undoing found to be left alone as a whole, and why: it is read from the past of each (`undo_whole.rs`), and
//! remembered here in bounded memory.

use std::cell::RefCell;
use std::collections::HashMap;
use store::records::RecordPlace;

/// Records of which it is remembered. A job may have written each of any number of records twice.
const KNOWN_MAX: usize = 1 << 16;

/// Of records that were written more than once since the job was asked for: why each is left alone, or that it is not, as far as
/// it is remembered. What was forgotten is read once more.
#[derive(Default)]
pub(super) struct BarredRecords(RefCell<HashMap<RecordPlace, Option<String>>>);

/// What is known of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Nothing.
    Nothing,
    /// Whether it is left alone as a whole, and why.
    Bar(Option<String>),
}

impl BarredRecords {
    pub(super) fn get(&self, place: RecordPlace) -> Known {
        let known = self.0.borrow();
        known
            .get(&place)
            .cloned()
            .map_or(Known::Nothing, Known::Bar)
    }

    pub(super) fn note(&self, place: RecordPlace, bar: Option<String>) {
        let mut known = self.0.borrow_mut();
        if known.len() >= KNOWN_MAX {
            known.clear();
        }
        known.insert(place, bar);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_of_records_is_bounded_however_many_there_are() {
        let known = BarredRecords::default();
        let place = |sequence| RecordPlace {
            dataset: 1,
            sequence,
        };
        let bar = |sequence: u64| sequence.is_multiple_of(2).then(|| "why".to_owned());
        for sequence in 0..=KNOWN_MAX as u64 {
            known.note(place(sequence), bar(sequence));
            assert_eq!(known.get(place(sequence)), Known::Bar(bar(sequence)));
        }
        assert!(known.0.borrow().len() < KNOWN_MAX);
        assert_eq!(known.get(place(0)), Known::Nothing);
    }
}

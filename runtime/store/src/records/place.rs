//! Where a record is, and that place as one number: the dataset above, the sequence below, so that the
//! order of numbers is the order of creation within a dataset, and datasets stand apart. Stores keep rows
//! under these numbers, public ids and page keys carry them; places that would run over into another
//! dataset have none.

use std::ops::Range;

/// Where a record is: its dataset's number, then its place in the order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordPlace {
    /// The dataset's number.
    pub dataset: u32,
    /// The sequence within the dataset, from 1.
    pub sequence: u64,
}

impl RecordPlace {
    /// How many bits of a place's number are the sequence.
    pub const SEQUENCE_BITS: u32 = 40;
    /// The greatest sequence.
    pub const SEQUENCE_MAX: u64 = (1 << Self::SEQUENCE_BITS) - 1;
    /// The greatest dataset number: what is left of a signed number of 64 bits.
    pub const DATASET_MAX: u32 = (1 << (63 - Self::SEQUENCE_BITS)) - 1;

    /// The place's number; `None` when no record can be there.
    pub fn number(self) -> Option<i64> {
        let is_possible = self.dataset <= Self::DATASET_MAX && self.sequence <= Self::SEQUENCE_MAX;
        is_possible.then(|| self.bits().cast_signed())
    }

    /// The place of a number that a store keeps.
    pub fn of_number(number: i64) -> Self {
        let bits = number.cast_unsigned();
        RecordPlace {
            dataset: u32::try_from(bits >> Self::SEQUENCE_BITS).unwrap_or(u32::MAX),
            sequence: bits & Self::SEQUENCE_MAX,
        }
    }

    /// The number of a place that a store gave, for ids and page keys.
    pub fn bits(self) -> u64 {
        (u64::from(self.dataset) << Self::SEQUENCE_BITS) | self.sequence
    }

    /// The numbers of a dataset's places behind a sequence: after the first, up to the second. `None` when
    /// there can be none.
    pub fn numbers_behind(dataset: u32, sequence: u64) -> Option<Range<i64>> {
        let at = |sequence| RecordPlace { dataset, sequence }.number();
        Some(at(sequence)?..at(Self::SEQUENCE_MAX)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEQUENCE_MAX: u64 = RecordPlace::SEQUENCE_MAX;
    const DATASET_MAX: u32 = RecordPlace::DATASET_MAX;

    #[test]
    fn places_and_their_numbers_go_both_ways_up_to_the_edges() {
        for dataset in [0, 1, 77, DATASET_MAX] {
            for sequence in [0, 1, 1 << 39, SEQUENCE_MAX] {
                let place = RecordPlace { dataset, sequence };
                let number = place.number().expect("a number");
                assert!(number >= 0);
                assert_eq!(RecordPlace::of_number(number), place);
            }
        }
    }

    #[test]
    fn a_place_beyond_the_edges_has_no_number() {
        for (dataset, sequence) in [
            (1, SEQUENCE_MAX + 1),
            (1, u64::MAX),
            (DATASET_MAX + 1, 1),
            (u32::MAX, 1),
        ] {
            assert_eq!(RecordPlace { dataset, sequence }.number(), None);
            assert_eq!(RecordPlace::numbers_behind(dataset, sequence), None);
        }
    }
}

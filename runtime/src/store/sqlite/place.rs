//! A record's place as one number: the dataset above, the sequence below, so that the order of numbers
//! is the order of creation within a dataset, and datasets stand apart. Places that would run over into
//! another dataset have no number.

use crate::store::records::RecordPlace;
use std::ops::Range;

/// How many bits of a place are the sequence.
const SEQUENCE_BITS: u32 = 40;
/// The greatest sequence.
const SEQUENCE_MAX: u64 = (1 << SEQUENCE_BITS) - 1;
/// The greatest dataset number: what is left of a signed number of 64 bits.
const DATASET_MAX: u32 = (1 << (63 - SEQUENCE_BITS)) - 1;

impl RecordPlace {
    /// The place's number; `None` when no record can be there.
    pub(in crate::store) fn to_sql(self) -> Option<i64> {
        let is_possible = self.dataset <= DATASET_MAX && self.sequence <= SEQUENCE_MAX;
        is_possible
            .then(|| (i64::from(self.dataset) << SEQUENCE_BITS) | self.sequence.cast_signed())
    }

    pub(in crate::store) fn from_sql(place: i64) -> Self {
        let place = place.cast_unsigned();
        RecordPlace {
            dataset: u32::try_from(place >> SEQUENCE_BITS).unwrap_or(u32::MAX),
            sequence: place & SEQUENCE_MAX,
        }
    }
}

/// The numbers of a dataset's places behind a sequence: after the first, up to the second. `None` when
/// there can be none.
pub(super) fn places_behind(dataset: u32, after: u64) -> Option<Range<i64>> {
    let at = |sequence| RecordPlace { dataset, sequence }.to_sql();
    Some(at(after)?..at(SEQUENCE_MAX)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_their_numbers_go_both_ways_up_to_the_edges() {
        for dataset in [0, 1, 77, DATASET_MAX] {
            for sequence in [0, 1, 1 << 39, SEQUENCE_MAX] {
                let place = RecordPlace { dataset, sequence };
                let number = place.to_sql().expect("a number");
                assert!(number >= 0);
                assert_eq!(RecordPlace::from_sql(number), place);
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
            assert_eq!(RecordPlace { dataset, sequence }.to_sql(), None);
            assert_eq!(places_behind(dataset, sequence), None);
        }
    }
}

//! How often keys are there, in bounded memory, though a field may have as many as there are records. Keys that come in their
//! order are each whole at once, and only the most frequent are held; others are held until all were seen, as many as fit.

use super::ordered_key::OrderedKey;
use crate::error::Failure;
use std::cmp::Reverse;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use store::StoreError;
use store::search::{Key, KeyCounts};

/// What keys may take that are held at once: bytes.
const HELD_BYTES_MAX: usize = 64 << 20;
/// What a key takes beside its text, about: bytes.
const KEY_BYTES: usize = 64;

/// The most frequent of keys that are each shown once.
pub(super) struct MostFrequent {
    most: usize,
    held: BTreeSet<(Reverse<u64>, OrderedKey<Key>)>,
    others: u64,
    other_records: u64,
}

impl MostFrequent {
    pub(super) fn of(most: usize) -> Self {
        MostFrequent {
            most,
            held: BTreeSet::new(),
            others: 0,
            other_records: 0,
        }
    }

    pub(super) fn add(&mut self, key: Key, records: u64) {
        self.held.insert((Reverse(records), OrderedKey(key)));
        if self.held.len() <= self.most {
            return;
        }
        if let Some((Reverse(records), _)) = self.held.pop_last() {
            self.others += 1;
            self.other_records += records;
        }
    }

    pub(super) fn told(self) -> KeyCounts {
        let held = self.held.into_iter();
        let most = held.map(|(Reverse(records), OrderedKey(key))| (key, records));
        KeyCounts {
            most: most.collect(),
            others: self.others,
            other_records: self.other_records,
        }
    }
}

/// Keys that are shown again and again.
#[derive(Default)]
pub(super) struct HeldCounts {
    held: BTreeMap<OrderedKey<Key>, u64>,
    bytes: usize,
    is_full: bool,
}

impl HeldCounts {
    pub(super) fn add(&mut self, key: Key, records: u64) {
        let text_bytes = match &key {
            Key::Text(text) => text.len(),
            Key::Int(_) | Key::Real(_) => 0,
        };
        match self.held.entry(OrderedKey(key)) {
            Entry::Occupied(mut held) => *held.get_mut() += records,
            Entry::Vacant(_) if self.bytes > HELD_BYTES_MAX => self.is_full = true,
            Entry::Vacant(free) => {
                self.bytes += KEY_BYTES + text_bytes;
                free.insert(records);
            }
        }
    }

    /// The most frequent of them.
    ///
    /// # Errors
    /// [`StoreError::TimedOut`] where there were more than can be held: what is looked for is too much at once, too.
    pub(super) fn told(self, most: usize) -> Result<KeyCounts, Failure> {
        if self.is_full {
            return Err(StoreError::TimedOut.into());
        }
        let mut first = MostFrequent::of(most);
        for (OrderedKey(key), records) in self.held {
            first.add(key, records);
        }
        Ok(first.told())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_very_many_kinds_are_counted_one_by_one() {
        let mut counts = HeldCounts::default();
        for round in 1..=2 {
            for number in 0..300_000 {
                counts.add(Key::Text(format!("no boolean {number}").into()), round);
            }
        }
        counts.add(Key::Int(1), 4);
        counts.add(Key::Real(1.0), 5);
        let told = counts.told(3).expect("they fit");
        let first = [
            (Key::Real(1.0), 5),
            (Key::Int(1), 4),
            (Key::Text("no boolean 0".into()), 3),
        ];
        assert_eq!(told.most, first);
        assert_eq!((told.others, told.other_records), (299_999, 899_997));
    }

    #[test]
    fn keys_that_do_not_fit_are_not_told_as_if_they_were_all() {
        let mut counts = HeldCounts::default();
        let long = "x".repeat(1000);
        for number in 0..HELD_BYTES_MAX / 1000 {
            counts.add(Key::Text(format!("{long}{number}").into()), 1);
        }
        assert!(counts.told(3).is_err());
    }
}

//! What rows that are only tried would have made of records: a later row of the same record meets that, as it would meet the
//! record itself, and is counted as it will be; and which records would have changed their primary keys. Of so many records and keys
//! it is known that rows would change them; of as many as there is room for, what the records would be. It judges and counts nothing.

use engine::validate::Checked;
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;

/// Bytes of values that are kept in all.
pub(super) const BYTES_MAX: usize = 32 << 20;
/// Records that are known of, and keys that would change hands, in all: as many as a table of 2^21 places takes, which has 52 MiB
/// where all of them are records.
pub(super) const KNOWN_MAX: usize = (1 << 21) / 8 * 7;
/// What values take beside their texts.
const VALUES_BYTES: usize = 120;

/// What stands for a record, or a key, where many are remembered.
pub(super) type KeyHash = [u8; 16];

/// The values of a record as a row would have left them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Values {
    pub(super) body: String,
    /// `_errors`; `None` when it is clean.
    pub(super) errors: Option<String>,
}

impl Values {
    pub(super) fn of(checked: &Checked) -> Self {
        Values {
            body: checked.normal_form().to_owned(),
            errors: (!checked.is_clean()).then(|| checked.errors_json()),
        }
    }

    fn bytes(&self) -> usize {
        VALUES_BYTES + self.body.len() + self.errors.as_ref().map_or(0, String::len)
    }
}

/// What a row before would have left of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before<'t> {
    Values(&'t Values),
    /// There was no room for its values.
    NotKept,
}

/// What a row would have done.
#[derive(Debug)]
pub(super) struct TriedRow {
    /// Of which record.
    pub(super) hash: KeyHash,
    pub(super) values: Option<Values>,
    /// The version of the record in the store; none of one that is not there.
    pub(super) version: Option<i64>,
    pub(super) moved: Option<Moved>,
}

/// A record that would have another key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    pub(super) place: u64,
    /// The key that it has in the store.
    pub(super) from: Option<KeyHash>,
    pub(super) to: KeyHash,
}

/// Who would have a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// Who has it.
    OfStore,
    /// The record at this place.
    At(u64),
    /// No record that is there.
    Nobody,
}

/// Rows that would have made or changed a record, and what that would be.
#[derive(Debug)]
pub(super) struct Tried {
    /// By the place of a record that is there, else by its key.
    records: HashMap<KeyHash, TriedRecord>,
    /// Keys that would have changed hands: where the record is that would have one.
    owners: HashMap<KeyHash, Option<u64>>,
    /// The keys of the records that would have changed theirs.
    moved: HashMap<u64, KeyHash>,
    /// Bytes of values that may still be kept.
    room: usize,
    /// How many records and keys may be known in all.
    known_max: usize,
    /// Whether a row was not noted.
    is_full: bool,
}

/// What a record would be.
#[derive(Debug)]
struct TriedRecord {
    /// `None` where they are not kept.
    values: Option<Box<Values>>,
    version: i64,
}

impl Tried {
    pub(super) fn new(bytes_max: usize, known_max: usize) -> Self {
        Tried {
            records: HashMap::new(),
            owners: HashMap::new(),
            moved: HashMap::new(),
            room: bytes_max,
            known_max,
            is_full: false,
        }
    }

    pub(super) fn has(&self, record: &KeyHash) -> bool {
        self.records.contains_key(record)
    }

    /// Whether a record that is there would have changed its key.
    pub(super) fn has_moved(&self, place: u64) -> bool {
        self.moved.contains_key(&place)
    }

    /// Who would have the key of a record.
    pub(super) fn owner(&self, checked: &Checked) -> Owner {
        if self.owners.is_empty() {
            return Owner::OfStore;
        }
        let key = key_hash(checked);
        match key.and_then(|key| self.owners.get(&key)) {
            None => Owner::OfStore,
            Some(None) => Owner::Nobody,
            Some(Some(place)) => Owner::At(*place),
        }
    }

    /// Whether rows came that were not noted.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Notes a row that was tried, where there is room for what it would do.
    pub(super) fn note(&mut self, row: TriedRow) {
        let TriedRow {
            hash,
            values,
            version,
            moved,
        } = row;
        let moved = moved.and_then(|Moved { place, from, to }| {
            let own = self.moved.get(&place).copied().or(from);
            (own != Some(to)).then_some((place, own, to))
        });
        let keys = moved.iter().flat_map(|(_, own, to)| own.iter().chain([to]));
        let new_keys = keys.filter(|key| !self.owners.contains_key(*key)).count();
        let known = self.records.len() + self.owners.len() + new_keys;
        if known + usize::from(!self.has(&hash)) > self.known_max {
            self.is_full = true;
            return;
        }
        self.put(hash, values, version);
        if let Some((place, own, to)) = moved {
            self.moved.insert(place, to);
            self.owners.extend(own.map(|own| (own, None)));
            self.owners.insert(to, Some(place));
        }
    }

    /// What a record would be, where a row before was of it.
    pub(super) fn before(&self, record: &KeyHash) -> Option<Before<'_>> {
        let values = self.records.get(record)?.values.as_deref();
        Some(values.map_or(Before::NotKept, Before::Values))
    }

    /// The version that a record would have, where a row before was of it.
    pub(super) fn version(&self, record: &KeyHash) -> Option<i64> {
        self.records.get(record).map(|it| it.version)
    }

    /// Notes what a record would be; without values only that there would be one.
    fn put(&mut self, record: KeyHash, values: Option<Values>, stored_version: Option<i64>) {
        let before = self.records.get(&record);
        let before_version = before.map(|it| it.version).or(stored_version);
        let before = before.and_then(|it| it.values.as_ref());
        self.room += before.map_or(0, |values| values.bytes());
        let kept = values.filter(|it| it.bytes() <= self.room);
        self.room -= kept.as_ref().map_or(0, Values::bytes);
        let after = TriedRecord {
            values: kept.map(Box::new),
            version: before_version.map_or(0, |version| version + 1),
        };
        self.records.insert(record, after);
    }

    /// Forgets all values: they are of a schema that is not in force any more.
    pub(super) fn forget_values(&mut self) {
        for record in self.records.values_mut() {
            if let Some(values) = record.values.take() {
                self.room += values.bytes();
            }
        }
    }
}

pub(super) fn key_hash(checked: &Checked) -> Option<KeyHash> {
    checked.primary_key().map(hash_of_key)
}

pub(super) fn hash_of_key(key: &str) -> KeyHash {
    hash(b"key", key.as_bytes())
}

pub(super) fn place_hash(sequence: u64) -> KeyHash {
    hash(b"place", &sequence.to_be_bytes())
}

fn hash(what: &[u8], bytes: &[u8]) -> KeyHash {
    let digest = Sha256::new_with_prefix(what).chain_update(bytes).finalize();
    let mut hash = [0; 16];
    hash.copy_from_slice(&digest[..16]);
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(body: &str) -> Values {
        Values {
            body: body.to_owned(),
            errors: None,
        }
    }

    #[test]
    fn values_are_kept_as_long_as_there_is_room_and_records_are_known_without() {
        let mut tried = Tried::new(VALUES_BYTES + 5, 2);
        tried.put([1; 16], Some(values("abc")), None);
        tried.put([2; 16], Some(values("def")), None);
        assert_eq!(tried.before(&[1; 16]), Some(Before::Values(&values("abc"))));
        assert_eq!(tried.before(&[2; 16]), Some(Before::NotKept));
        assert!(tried.has(&[2; 16]));
        assert_eq!(tried.before(&[3; 16]), None);
        // what takes the place of other values has their room
        tried.put([1; 16], Some(values("ghijk")), None);
        assert_eq!(
            tried.before(&[1; 16]),
            Some(Before::Values(&values("ghijk")))
        );
        tried.forget_values();
        assert_eq!(tried.before(&[1; 16]), Some(Before::NotKept));
        tried.put([2; 16], Some(values("lmnop")), None);
        assert_eq!(
            tried.before(&[2; 16]),
            Some(Before::Values(&values("lmnop")))
        );
    }

    #[test]
    fn of_more_rows_than_are_remembered_it_is_known_that_there_were_some() {
        let mut tried = Tried::new(1000, 2);
        let row = |hash| TriedRow {
            hash: [hash; 16],
            values: None,
            version: None,
            moved: None,
        };
        for hash in [1, 2, 1, 2] {
            tried.note(row(hash));
        }
        assert!(!tried.is_full());
        tried.note(row(3));
        assert!(tried.is_full() && !tried.has(&[3; 16]));
    }

    /// A row by which the record at a place would have another key than it has in the store.
    fn moved(place: u64, from: u8, to: u8) -> TriedRow {
        TriedRow {
            hash: place_hash(place),
            values: None,
            version: None,
            moved: Some(Moved {
                place,
                from: Some([from; 16]),
                to: [to; 16],
            }),
        }
    }

    /// Who three keys are of: one that nothing is noted of is as in the store.
    fn owners(tried: &Tried) -> [&'static str; 3] {
        [1, 2, 3].map(|key| match tried.owners.get(&[key; 16]) {
            None => "as stored",
            Some(None) => "nobody's",
            Some(Some(7)) => "the row's",
            Some(Some(_)) => "another's",
        })
    }

    #[test]
    fn a_key_is_of_who_took_it_last_and_one_that_was_given_away_is_nobodys() {
        let mut tried = Tried::new(1000, 10);
        let mut moves = |to: u8| {
            tried.note(moved(7, 1, to));
            owners(&tried)
        };
        let (stored, nobody, row) = ("as stored", "nobody's", "the row's");
        assert_eq!(moves(1), [stored; 3]);
        assert_eq!(moves(2), [nobody, row, stored]);
        assert_eq!(moves(3), [nobody, nobody, row]);
        assert_eq!(moves(1), [row, nobody, nobody]);
        assert!(tried.has_moved(7) && !tried.has_moved(8));
    }

    #[test]
    fn a_record_that_would_have_the_key_that_it_has_is_none_that_moved() {
        let mut tried = Tried::new(1000, 10);
        tried.note(moved(7, 1, 1));
        assert!(tried.has(&place_hash(7)) && !tried.has_moved(7));
        assert_eq!(owners(&tried), ["as stored"; 3]);
    }

    #[test]
    fn keys_that_one_record_would_have_one_after_the_other_take_no_more_room_than_there_is() {
        // a record, the key that it has, and two more
        let mut tried = Tried::new(1000, 4);
        for to in [2, 3, 2, 1] {
            tried.note(moved(7, 1, to));
        }
        assert!(!tried.is_full());
        let before = owners(&tried);
        for to in 4..100 {
            tried.note(moved(7, 1, to));
        }
        assert!(tried.is_full());
        assert_eq!((owners(&tried), tried.owners.len()), (before, 3));
        // what is known is noted all the same
        tried.note(moved(7, 1, 3));
        assert_eq!(owners(&tried)[2], "the row's");
    }
}

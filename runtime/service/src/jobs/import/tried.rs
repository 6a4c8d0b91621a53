//! What rows that are only tried would have made of records: a later row of the same primary key, or id, meets that, as it would meet the
//! record itself, and is counted as it will be. Of each key it is known that a row had it; of as many as there is room for, what its
//! record would be. It judges and counts nothing.

use engine::validate::Checked;
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;

/// Bytes of values that are kept in all.
pub(super) const BYTES_MAX: usize = 32 << 20;

/// What stands for a key where many are remembered.
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
        self.body.len() + self.errors.as_ref().map_or(0, String::len)
    }
}

/// What a row before would have left of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before<'t> {
    Values(&'t Values),
    /// There was no room for its values.
    NotKept,
}

/// Keys of rows that would have made or changed a record, and what that would be.
#[derive(Debug)]
pub(super) struct Tried {
    /// `None` of a key whose values are not kept.
    keys: HashMap<KeyHash, Option<Box<Values>>>,
    /// Bytes of values that may still be kept.
    room: usize,
}

impl Tried {
    pub(super) fn new(bytes_max: usize) -> Self {
        Tried {
            keys: HashMap::new(),
            room: bytes_max,
        }
    }

    pub(super) fn has(&self, key: &KeyHash) -> bool {
        self.keys.contains_key(key)
    }

    /// What the record of a key would be, where a row before had it.
    pub(super) fn before(&self, key: &KeyHash) -> Option<Before<'_>> {
        let values = self.keys.get(key)?.as_deref();
        Some(values.map_or(Before::NotKept, Before::Values))
    }

    /// Notes what a row would have made; without values only that its key is one of a record.
    pub(super) fn put(&mut self, key: KeyHash, values: Option<Values>) {
        if let Some(Some(before)) = self.keys.get(&key) {
            self.room += before.bytes();
        }
        let kept = values.filter(|it| it.bytes() <= self.room);
        self.room -= kept.as_ref().map_or(0, Values::bytes);
        self.keys.insert(key, kept.map(Box::new));
    }

    /// Forgets all values: they are of a schema that is not in force any more.
    pub(super) fn forget_values(&mut self) {
        for values in self.keys.values_mut() {
            if let Some(values) = values.take() {
                self.room += values.bytes();
            }
        }
    }
}

pub(super) fn key_hash(checked: &Checked) -> Option<KeyHash> {
    Some(hash(b"key", checked.primary_key()?))
}

pub(super) fn id_hash(id: &str) -> KeyHash {
    hash(b"id", id)
}

fn hash(what: &[u8], text: &str) -> KeyHash {
    let digest = Sha256::new_with_prefix(what).chain_update(text).finalize();
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
    fn values_are_kept_as_long_as_there_is_room_and_keys_are_known_without() {
        let mut tried = Tried::new(5);
        tried.put([1; 16], Some(values("abc")));
        tried.put([2; 16], Some(values("def")));
        assert_eq!(tried.before(&[1; 16]), Some(Before::Values(&values("abc"))));
        assert_eq!(tried.before(&[2; 16]), Some(Before::NotKept));
        assert!(tried.has(&[2; 16]));
        assert_eq!(tried.before(&[3; 16]), None);
        // what takes the place of other values has their room
        tried.put([1; 16], Some(values("ghijk")));
        assert_eq!(
            tried.before(&[1; 16]),
            Some(Before::Values(&values("ghijk")))
        );
        tried.forget_values();
        assert_eq!(tried.before(&[1; 16]), Some(Before::NotKept));
        tried.put([2; 16], Some(values("lmnop")));
        assert_eq!(
            tried.before(&[2; 16]),
            Some(Before::Values(&values("lmnop")))
        );
    }
}

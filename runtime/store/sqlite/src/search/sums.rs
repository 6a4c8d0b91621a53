//! Sums of what the index holds: of a record's words, of its facts, of a key and of a fault. Those of words, keys and faults do not
//! depend on an order, so that they can be taken record by record and of a whole table. `verify` compares them.

use crate::error::Failure;
use rusqlite::{Connection, OptionalExtension};
use store::search::Key;

const STORED: &str = "SELECT value FROM progress WHERE name = 'sum'";
const STORE: &str = "INSERT INTO progress (name, value) VALUES ('sum', ?1)
   ON CONFLICT (name) DO UPDATE SET value = excluded.value";

/// Adds a number to a hash. It stays the same in every release: sums are stored.
fn mixed(hash: u64, number: u64) -> u64 {
    let product = (hash ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ (product >> 32)
}

fn mixed_bytes(hash: u64, bytes: &[u8]) -> u64 {
    let whole = bytes.chunks(8).fold(hash, |hash, chunk| {
        let mut number = [0; 8];
        number[..chunk.len()].copy_from_slice(chunk);
        mixed(hash, u64::from_le_bytes(number))
    });
    mixed(whole, bytes.len() as u64)
}

pub(super) fn of_word(column: u64, position: u64, word: &[u8]) -> u64 {
    mixed_bytes(mixed(column + 1, position), word)
}

/// The sum of a record's words in all columns, the marker first.
pub(super) fn of_words(marker: &str, texts: &[String]) -> u64 {
    let columns = std::iter::once(marker).chain(texts.iter().map(String::as_str));
    let mut sum: u64 = 0;
    for (column, text) in (0..).zip(columns) {
        let words = text.split(' ').filter(|word| !word.is_empty());
        for (position, word) in (0..).zip(words) {
            sum = sum.wrapping_add(of_word(column, position, word.as_bytes()));
        }
    }
    sum
}

/// A sum of a record's words as a part of the sum of all words: those of another record count otherwise.
pub(super) fn weighted(place: i64, words: u64) -> u64 {
    words.wrapping_mul(mixed(1, place.cast_unsigned()) | 1)
}

fn of_facts(place: i64, facts: &[u8]) -> u64 {
    mixed_bytes(mixed(2, place.cast_unsigned()), facts)
}

pub(super) fn of_key(field: i64, key: &Key, sequence: i64) -> u64 {
    let hash = mixed(mixed(3, field.cast_unsigned()), sequence.cast_unsigned());
    match key {
        Key::Int(value) => mixed(mixed(hash, 0), value.cast_unsigned()),
        // a table takes a whole number and the same real one for one key
        Key::Real(value) => match whole(*value) {
            Some(value) => mixed(mixed(hash, 0), value.cast_unsigned()),
            None => mixed(mixed(hash, 1), value.to_bits()),
        },
        Key::Text(text) => mixed_bytes(mixed(hash, 2), text.as_bytes()),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "only a number that comes back the same is whole"
)]
fn whole(value: f64) -> Option<i64> {
    let whole = value as i64;
    (whole as f64 == value && whole != i64::MAX).then_some(whole)
}

pub(super) fn of_fault(field: i64, rule: &[u8], sequence: i64) -> u64 {
    let hash = mixed(mixed(4, field.cast_unsigned()), sequence.cast_unsigned());
    mixed_bytes(hash, rule)
}

/// The stored sum of all facts, while documents are written.
#[derive(Default, PartialEq, Eq)]
pub(super) struct FactsSum(u64);

impl FactsSum {
    pub(super) fn read(connection: &Connection) -> Result<Self, Failure> {
        let mut statement = connection.prepare_cached(STORED)?;
        let stored: Option<String> = statement.query_row([], |row| row.get(0)).optional()?;
        // one that can't be read is none, and the next comparison shows it
        let sum = stored.and_then(|sum| sum.parse().ok());
        Ok(FactsSum(sum.unwrap_or_default()))
    }

    /// Takes what a record had out, and adds what it has.
    pub(super) fn replace(&mut self, place: i64, old: Option<&[u8]>, new: Option<&[u8]>) {
        let sum = |facts: Option<&[u8]>| facts.map_or(0, |facts| of_facts(place, facts));
        self.0 = self.0.wrapping_sub(sum(old)).wrapping_add(sum(new));
    }

    pub(super) fn write(self, connection: &Connection) -> Result<(), Failure> {
        let mut statement = connection.prepare_cached(STORE)?;
        statement.execute([self.0.to_string()])?;
        Ok(())
    }
}

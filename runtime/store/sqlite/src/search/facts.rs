//! What the index knows of a record beside its words, as the bytes of one row: a sum of its texts, by which
//! a change is told that leaves them, its keys, and its faults. Fields stand in it by their numbers.

use super::columns::{Columns, MetFields};
use super::ordered_key::OrderedKey;
use super::sums;
use std::collections::BTreeSet;
use store::search::{Content, FactValue, Key};

// what an entry has, in the last bits of the number that it begins with; the others are its field's
const INT: u64 = 0;
const REAL: u64 = 1;
const TEXT: u64 = 2;
const FAULT: u64 = 3;
/// A real number that has room in half as much.
const SHORT_REAL: u64 = 4;
const KIND_BITS: u32 = 3;

/// The facts of a record.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Facts {
    /// A sum of the texts that the full-text index has of it.
    pub(super) texts: u64,
    /// Its keys, each with its field's number.
    pub(super) keys: Vec<(u32, Key)>,
    /// The rules that it breaks, each with its field's number.
    pub(super) faults: Vec<(u32, Box<str>)>,
}

impl Facts {
    /// Those of a record whose texts were written.
    pub(super) fn of(
        content: &Content,
        columns: &Columns,
        met: &mut MetFields,
        marker: &str,
        texts: &[String],
    ) -> Self {
        let mut facts = Facts {
            texts: sums::of_words(marker, texts),
            keys: Vec::with_capacity(content.facts.len()),
            faults: Vec::new(),
        };
        for field in &content.facts {
            let Some(number) = columns.number(met, &field.field) else {
                continue;
            };
            if let FactValue::Keys(keys) = &field.value {
                if let [only] = &keys[..] {
                    facts.keys.push((number, only.clone()));
                } else {
                    let keys = different(keys).into_iter();
                    facts.keys.extend(keys.map(|key| (number, key.clone())));
                }
            }
            let faults = field.faults.iter().map(|rule| (number, rule.clone()));
            facts.faults.extend(faults);
        }
        facts
    }

    /// As a row has them.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(96);
        bytes.extend(self.texts.to_le_bytes());
        for (number, key) in &self.keys {
            match key {
                Key::Int(value) => {
                    put_head(&mut bytes, *number, INT);
                    put_number(&mut bytes, ((value << 1) ^ (value >> 63)).cast_unsigned());
                }
                Key::Real(value) => {
                    if let Some(short) = short(*value) {
                        put_head(&mut bytes, *number, SHORT_REAL);
                        bytes.extend(short.to_le_bytes());
                    } else {
                        put_head(&mut bytes, *number, REAL);
                        bytes.extend(value.to_le_bytes());
                    }
                }
                Key::Text(text) => {
                    put_head(&mut bytes, *number, TEXT);
                    put_text(&mut bytes, text);
                }
            }
        }
        for (number, rule) in &self.faults {
            put_head(&mut bytes, *number, FAULT);
            put_text(&mut bytes, rule);
        }
        bytes
    }

    /// Those of a row; `None` where it can't be read.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (texts, mut rest) = bytes.split_first_chunk()?;
        let mut facts = Facts {
            texts: u64::from_le_bytes(*texts),
            ..Facts::default()
        };
        while !rest.is_empty() {
            match entry(&mut rest)? {
                Entry::Key(number, key) => facts.keys.push((number, key.owned())),
                Entry::Fault(number, rule) => facts.faults.push((number, rule.into())),
            }
        }
        Some(facts)
    }
}

/// Each key once, in the order they were given.
fn different(keys: &[Key]) -> Vec<&Key> {
    let mut seen = BTreeSet::new();
    let keys = keys.iter();
    keys.filter(|key| seen.insert(OrderedKey(*key))).collect()
}

/// The keys of one field in a row, in the order they were given.
pub(super) fn keys_of(bytes: &[u8], number: u32) -> impl Iterator<Item = Key> {
    let mut rest = bytes.get(8..).unwrap_or_default();
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            if let Entry::Key(of, key) = entry(&mut rest)?
                && of == number
            {
                return Some(key.owned());
            }
        }
        None
    })
}

enum Entry<'b> {
    Key(u32, KeyPart<'b>),
    Fault(u32, &'b str),
}

/// A key as it stands in a row.
enum KeyPart<'b> {
    Int(i64),
    Real(f64),
    Text(&'b str),
}

impl KeyPart<'_> {
    fn owned(self) -> Key {
        match self {
            KeyPart::Int(value) => Key::Int(value),
            KeyPart::Real(value) => Key::Real(value),
            KeyPart::Text(text) => Key::Text(text.into()),
        }
    }
}

fn entry<'b>(rest: &mut &'b [u8]) -> Option<Entry<'b>> {
    let head = take_number(rest)?;
    let number = u32::try_from(head >> KIND_BITS).ok()?;
    Some(match head & ((1 << KIND_BITS) - 1) {
        INT => {
            let value = take_number(rest)?;
            let value = (value >> 1).cast_signed() ^ -((value & 1).cast_signed());
            Entry::Key(number, KeyPart::Int(value))
        }
        REAL => {
            let value = take(rest, 8)?.first_chunk()?;
            Entry::Key(number, KeyPart::Real(f64::from_le_bytes(*value)))
        }
        SHORT_REAL => {
            let value = take(rest, 4)?.first_chunk()?;
            let value = f32::from_le_bytes(*value);
            Entry::Key(number, KeyPart::Real(value.into()))
        }
        TEXT => Entry::Key(number, KeyPart::Text(take_text(rest)?)),
        FAULT => Entry::Fault(number, take_text(rest)?),
        _ => return None,
    })
}

/// A real number in half the room, where that is the same number.
#[expect(
    clippy::cast_possible_truncation,
    reason = "one that loses something is not taken"
)]
fn short(value: f64) -> Option<f32> {
    let short = value as f32;
    (f64::from(short).to_bits() == value.to_bits()).then_some(short)
}

fn put_head(bytes: &mut Vec<u8>, number: u32, kind: u64) {
    put_number(bytes, (u64::from(number) << KIND_BITS) | kind);
}

fn put_number(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0]);
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_number(bytes, text.len() as u64);
    bytes.extend(text.as_bytes());
}

fn take<'b>(rest: &mut &'b [u8], count: usize) -> Option<&'b [u8]> {
    let (taken, behind) = rest.split_at_checked(count)?;
    *rest = behind;
    Some(taken)
}

fn take_number(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    for shift in (0..64).step_by(7) {
        let byte = *take(rest, 1)?.first()?;
        value |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

fn take_text<'b>(rest: &mut &'b [u8]) -> Option<&'b str> {
    let length = usize::try_from(take_number(rest)?).ok()?;
    std::str::from_utf8(take(rest, length)?).ok()
}

/// The words of a record that no value has: that it is there, by which version it was read, and for each
/// field what is missing, unread or wrong.
pub(super) fn write_marker(
    content: &Content,
    columns: &Columns,
    met: &mut MetFields,
    code: &str,
    out: &mut String,
) {
    out.clear();
    out.push_str(&every(code));
    let mut put = |word: String| {
        out.push(' ');
        out.push_str(&word);
    };
    put(read_by(code, content.version));
    if content.facts.iter().any(|field| !field.faults.is_empty()) {
        put(faulty(code));
    }
    for field in &content.facts {
        let Some(number) = columns.number(met, &field.field) else {
            continue;
        };
        match field.value {
            FactValue::Missing => put(missing(code, number)),
            FactValue::Unread => put(unread(code, number)),
            FactValue::Plain | FactValue::Keys(_) => {}
        }
        if !field.faults.is_empty() {
            put(fault(code, number, None));
        }
        for rule in &field.faults {
            put(fault(code, number, Some(rule)));
        }
    }
}

/// The word that every record of a dataset has. No value's word is like this or the following ones: those
/// have a letter or digit behind one `_`, or a field's number behind two.
pub(super) fn every(code: &str) -> String {
    format!("{code}_")
}

/// The word of records that were read by a version of their schema.
pub(super) fn read_by(code: &str, version: i64) -> String {
    format!("{code}___v{version}")
}

/// The word of records with faults.
pub(super) fn faulty(code: &str) -> String {
    format!("{code}___f")
}

/// The word of records with a fault in a field.
pub(super) fn fault(code: &str, field: u32, rule: Option<&str>) -> String {
    match rule {
        None => format!("{code}___f{field}"),
        Some(rule) => format!("{code}___f{field}_{rule}"),
    }
}

/// The word of records without a value in a field.
pub(super) fn missing(code: &str, field: u32) -> String {
    format!("{code}___n{field}")
}

/// The word of records with a value in a field that has no place in its order.
pub(super) fn unread(code: &str, field: u32) -> String {
    format!("{code}___u{field}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn very_many_keys_of_a_field_are_told_apart() {
        let key = Key::Int;
        let keys: Vec<Key> = (0..300_000).chain(0..300_000).map(key).collect();
        let told = different(&keys);
        assert_eq!(told.len(), 300_000);
        assert_eq!((told[0], told[299_999]), (&key(0), &key(299_999)));
        assert_eq!(different(&[key(2), key(1), key(2)]), [&key(2), &key(1)]);
        assert!(different(&[]).is_empty());
    }

    #[test]
    fn facts_come_back_as_they_were() {
        let keys = [
            Key::Int(0),
            Key::Int(-1),
            Key::Int(i64::MIN),
            Key::Int(i64::MAX),
            Key::Real(-0.25),
            Key::Real(0.1),
            Key::Real(-0.0),
            Key::Real(f64::MAX),
            Key::Text("".into()),
            Key::Text("große stadt".into()),
        ];
        let facts = Facts {
            texts: 0x0123_4567_89ab_cdef,
            keys: (0..).step_by(77).zip(keys).collect(),
            faults: vec![(0, "required".into()), (300, "max_length".into())],
        };
        let bytes = facts.to_bytes();
        assert_eq!(Facts::from_bytes(&bytes), Some(facts));
        assert_eq!(
            keys_of(&bytes, 154).collect::<Vec<_>>(),
            [Key::Int(i64::MIN)]
        );
        assert_eq!(keys_of(&bytes, 300).count(), 0);
        for end in 0..bytes.len() {
            // whatever is cut off, nothing else than less is read
            let _ = Facts::from_bytes(&bytes[..end]);
            assert!(keys_of(&bytes[..end], 0).count() <= 1);
        }
    }
}

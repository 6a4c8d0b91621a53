//! Keys, fields and places as the tables of the index have them.

use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use store::records::RecordPlace;
use store::search::Key;

pub(super) const FIRST: &str = "SELECT place FROM facts WHERE place >= ?1 AND place <= ?2
   ORDER BY place LIMIT 1";
pub(super) const LAST: &str = "SELECT place FROM facts WHERE place >= ?1 AND place <= ?2
   ORDER BY place DESC LIMIT 1";

/// How many bits of a field's number are those of the field within its dataset.
const FIELD_BITS: u32 = 20;

/// The number of a dataset's field among the fields of all datasets.
pub(super) fn field_number(dataset: u32, field: u32) -> i64 {
    // INVARIANT: a dataset's number has 23 bits, and no schema a million fields
    (i64::from(dataset) << FIELD_BITS) | i64::from(field & ((1 << FIELD_BITS) - 1))
}

/// The dataset's field of such a number.
pub(super) fn field_of(number: i64) -> u32 {
    u32::try_from(number & ((1 << FIELD_BITS) - 1)).unwrap_or_default()
}

/// A key as SQLite has it: its own order is the keys' order.
pub(super) struct SqlKey<'k>(pub(super) &'k Key);

impl ToSql for SqlKey<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            Key::Int(value) => ValueRef::Integer(*value),
            Key::Real(value) => ValueRef::Real(*value),
            Key::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

/// A key that SQLite gave back.
pub(super) fn key_of(value: ValueRef<'_>) -> Option<Key> {
    Some(match value {
        ValueRef::Integer(value) => Key::Int(value),
        ValueRef::Real(value) => Key::Real(value),
        ValueRef::Text(text) => Key::Text(std::str::from_utf8(text).ok()?.into()),
        ValueRef::Null | ValueRef::Blob(_) => return None,
    })
}

/// The places of a dataset: the first that there could be, and the last.
pub(super) fn places_of(dataset: u32) -> Option<(i64, i64)> {
    let places = RecordPlace::numbers_behind(dataset, 0)?;
    Some((places.start, places.end))
}

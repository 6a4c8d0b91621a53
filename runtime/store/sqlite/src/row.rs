//! A record's row: its columns, in the one order in which every statement asks for them, and how it is read.

use rusqlite::Row;
use store::records::{RecordId, RecordPlace, StoredRecord};

/// The statement that reads records, up to its condition.
macro_rules! select_record {
    ($rest:literal) => {
        concat!(
            "SELECT place, nonce, version, schema_version, deleted, errors, hidden, body FROM records ",
            $rest
        )
    };
}
pub(crate) use select_record;

/// The record of a row that `select_record!` asked for.
pub(super) fn record(row: &Row<'_>) -> rusqlite::Result<StoredRecord> {
    let nonce: i64 = row.get(1)?;
    Ok(StoredRecord {
        id: RecordId {
            place: RecordPlace::of_number(row.get(0)?),
            nonce: nonce.cast_unsigned(),
        },
        version: row.get(2)?,
        schema_version: row.get(3)?,
        deleted: row.get(4)?,
        errors: row.get(5)?,
        hidden: row.get(6)?,
        body: row.get(7)?,
    })
}

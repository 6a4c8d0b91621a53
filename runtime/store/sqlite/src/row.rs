//! A record's row: its columns, in the one order in which every statement asks for them, and how it is read: by
//! its checksum, so that no row leaves the store that is not as it was written.

use super::checksum::RecordColumns;
use crate::error::Failure;
use rusqlite::{CachedStatement, Params, Row, Statement};
use store::RottenRow;
use store::StoreError;
use store::records::{RecordId, RecordPlace, StoredRecord};

/// A count as a statement takes it.
pub(super) fn limit_of(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// Several numbers as a statement takes them: an array for `json_each`.
pub(super) fn json_of(numbers: &[u32]) -> String {
    let texts: Vec<_> = numbers.iter().map(u32::to_string).collect();
    format!("[{}]", texts.join(","))
}

/// The statement that reads records, up to its condition.
macro_rules! select_record {
    ($rest:literal) => {
        concat!(
            "SELECT place, nonce, version, schema_version, deleted, last_change, checksum, primary_key, errors,
               hidden, body FROM records ",
            $rest
        )
    };
}
pub(crate) use select_record;

/// A record with what only the store knows of it.
pub(super) struct WholeRecord {
    pub(super) record: StoredRecord,
    /// The newest entry of the change log about it.
    pub(super) last_change: i64,
    pub(super) primary_key: Option<String>,
}

/// The record of a row that `select_record!` asked for.
pub(super) fn record(row: &Row<'_>) -> Result<StoredRecord, Failure> {
    read(row, stored)
}

/// The same with what only the store knows.
pub(super) fn whole_record(row: &Row<'_>) -> Result<WholeRecord, Failure> {
    read(row, |id, columns| WholeRecord {
        record: stored(id, columns),
        last_change: columns.last_change,
        primary_key: columns.primary_key.map(str::to_owned),
    })
}

/// The record of a row that was found by a key: `None` when it does not have that key.
pub(super) fn record_of_key(row: &Row<'_>, key: &str) -> Result<Option<StoredRecord>, Failure> {
    read(row, |id, columns| {
        let is_its_own = columns.primary_key == Some(key) && !columns.deleted;
        is_its_own.then(|| stored(id, columns))
    })
}

/// What a statement finds, one row at most.
pub(super) fn only<T>(
    mut statement: CachedStatement<'_>,
    given: impl Params,
    read: impl FnOnce(&Row<'_>) -> Result<T, Failure>,
) -> Result<Option<T>, Failure> {
    first(&mut statement, given, read)
}

/// The same of a statement that is asked more than once: to look it up takes as long as a short row does.
pub(super) fn first<T>(
    statement: &mut Statement<'_>,
    given: impl Params,
    read: impl FnOnce(&Row<'_>) -> Result<T, Failure>,
) -> Result<Option<T>, Failure> {
    let mut rows = statement.query(given)?;
    rows.next()?.map(read).transpose()
}

fn read<T>(
    row: &Row<'_>,
    make: impl FnOnce(RecordId, &RecordColumns<'_>) -> T,
) -> Result<T, Failure> {
    let place: i64 = row.get(0)?;
    // as far as it can be read, for who is told of it
    let nonce: i64 = row.get(1).unwrap_or_default();
    let id = RecordId {
        place: RecordPlace::of_number(place),
        nonce: nonce.cast_unsigned(),
    };
    match columns(row, place) {
        Ok((columns, checksum)) if checksum == columns.checksum() => Ok(make(id, &columns)),
        // a column of another type, and a text that is none, are no less rotten
        _ => Err(StoreError::Rotten(RottenRow::Record(id)).into()),
    }
}

fn columns<'r>(row: &'r Row<'_>, place: i64) -> rusqlite::Result<(RecordColumns<'r>, i64)> {
    let text = |column: usize| -> rusqlite::Result<Option<&str>> {
        Ok(row.get_ref(column)?.as_str_or_null()?)
    };
    let columns = RecordColumns {
        place,
        nonce: row.get(1)?,
        version: row.get(2)?,
        schema_version: row.get(3)?,
        deleted: row.get(4)?,
        last_change: row.get(5)?,
        primary_key: text(7)?,
        errors: text(8)?,
        hidden: text(9)?,
        body: row.get_ref(10)?.as_str()?,
    };
    Ok((columns, row.get(6)?))
}

fn stored(id: RecordId, columns: &RecordColumns<'_>) -> StoredRecord {
    StoredRecord {
        id,
        version: columns.version,
        schema_version: columns.schema_version,
        deleted: columns.deleted,
        errors: columns.errors.map(str::to_owned),
        hidden: columns.hidden.map(str::to_owned),
        body: columns.body.to_owned(),
    }
}

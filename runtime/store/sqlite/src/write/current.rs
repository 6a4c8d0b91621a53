//! A record as a write finds it, and its row's columns with what the write makes of it.

use super::entry::NewEntry;
use crate::checksum::RecordColumns;
use crate::error::Failure;
use crate::row::{only, select_record, whole_record};
use rusqlite::{Connection, OptionalExtension, params};
use store::StoreError;
use store::records::{LogAction, NewContent, RecordId, Write, WriteVerdict};

const READ: &str = select_record!("WHERE place = ?1");
const MARK: &str = "UPDATE records SET deleted = ?2, version = ?3, last_change = ?4, checksum = ?5
   WHERE place = ?1";
// that it was deleted is not left to the row alone: a mark may be what rotted
const REMAINS: &str = "SELECT r.version, r.schema_version, r.last_change FROM records r
   JOIN change_log l ON l.number = r.last_change
   WHERE r.place = ?1 AND r.nonce = ?2 AND r.deleted = 1
     AND l.place = r.place AND l.nonce = r.nonce AND l.action = 'delete'";

/// A record as a write finds it.
pub(super) struct CurrentRow {
    pub(super) id: RecordId,
    /// The number of the place that the id names.
    pub(super) place: i64,
    pub(super) version: i64,
    pub(super) schema_version: i64,
    pub(super) deleted: bool,
    pub(super) last_change: i64,
    pub(super) primary_key: Option<String>,
    pub(super) hidden: Option<String>,
    pub(super) errors: Option<String>,
    pub(super) body: String,
}

impl CurrentRow {
    /// The entry of a change that leaves version and values as they are.
    pub(super) fn entry(&self, action: LogAction) -> NewEntry<'_> {
        NewEntry {
            place: self.place,
            nonce: self.id.nonce,
            action,
            version: self.version,
            schema_version: self.schema_version,
            prior: Some(self.last_change),
            before: None,
            errors: self.errors.as_deref(),
            hidden: self.hidden.as_deref(),
        }
    }

    /// Marks the record as deleted by an entry of the change log; its version and its values stay.
    pub(super) fn mark_deleted(&self, connection: &Connection, change: i64) -> Result<(), Failure> {
        let columns = RecordColumns {
            deleted: true,
            ..self.columns(self.version, change)
        };
        mark(connection, &columns)
    }

    /// Marks the record as there again, in a version of its own; its values stay.
    pub(super) fn mark_there(
        &self,
        connection: &Connection,
        version: i64,
        change: i64,
    ) -> Result<(), Failure> {
        mark(connection, &self.columns(version, change))
    }

    /// The columns of the live record in a version, with its values.
    fn columns(&self, version: i64, last_change: i64) -> RecordColumns<'_> {
        RecordColumns {
            place: self.place,
            nonce: self.id.nonce.cast_signed(),
            version,
            schema_version: self.schema_version,
            deleted: false,
            last_change,
            primary_key: self.primary_key.as_deref(),
            errors: self.errors.as_deref(),
            hidden: self.hidden.as_deref(),
            body: &self.body,
        }
    }
}

/// Writes what a mark changes, with the checksum of the whole row.
fn mark(connection: &Connection, columns: &RecordColumns<'_>) -> Result<(), Failure> {
    let given = params![
        columns.place,
        columns.deleted,
        columns.version,
        columns.last_change,
        columns.checksum()
    ];
    connection.prepare_cached(MARK)?.execute(given)?;
    Ok(())
}

/// The columns of a live record with new content.
pub(super) fn of_content(
    content: &NewContent,
    place: i64,
    nonce: u64,
    version: i64,
    last_change: i64,
) -> RecordColumns<'_> {
    RecordColumns {
        place,
        nonce: nonce.cast_signed(),
        version,
        schema_version: content.schema_version,
        deleted: false,
        last_change,
        primary_key: content.primary_key.as_deref(),
        errors: content.errors.as_deref(),
        hidden: content.hidden.as_deref(),
        body: &content.body,
    }
}

/// The live record of an id, if it still has the version; else the verdict.
pub(super) fn current(
    connection: &Connection,
    write: &Write,
    id: RecordId,
    version: i64,
) -> Result<Result<CurrentRow, WriteVerdict>, Failure> {
    let row = read(connection, write, id)?.filter(|row| !row.deleted);
    Ok(match row {
        Some(row) if row.version == version => Ok(row),
        Some(CurrentRow { version, .. }) => Err(WriteVerdict::Stale { version }),
        None => Err(WriteVerdict::NotFound),
    })
}

/// The record of an id, if it is one of this dataset and its nonce is right.
pub(super) fn read(
    connection: &Connection,
    write: &Write,
    id: RecordId,
) -> Result<Option<CurrentRow>, Failure> {
    let place = id.place.number();
    let Some(place) = place.filter(|_| id.place.dataset == write.dataset) else {
        return Ok(None);
    };
    let row = only(connection.prepare_cached(READ)?, [place], whole_record)?;
    Ok(row
        .filter(|row| row.record.id.nonce == id.nonce)
        .map(|row| CurrentRow {
            id,
            place,
            version: row.record.version,
            schema_version: row.record.schema_version,
            deleted: row.record.deleted,
            last_change: row.last_change,
            primary_key: row.primary_key,
            hidden: row.record.hidden,
            errors: row.record.errors,
            body: row.record.body,
        }))
}

/// The deleted record of an id, for who removes it: also one whose row is not as it was written, where the log says that it
/// was deleted. Of that one there are no values.
pub(super) fn deleted(
    connection: &Connection,
    write: &Write,
    id: RecordId,
) -> Result<Option<CurrentRow>, Failure> {
    let rotten = match read(connection, write, id) {
        Err(error @ Failure::Store(StoreError::Rotten(_))) => error,
        found => return Ok(found?.filter(|row| row.deleted)),
    };
    match remains(connection, id)? {
        Some(row) => Ok(Some(row)),
        None => Err(rotten),
    }
}

fn remains(connection: &Connection, id: RecordId) -> Result<Option<CurrentRow>, Failure> {
    let Some(place) = id.place.number() else {
        return Ok(None);
    };
    let row = connection.prepare_cached(REMAINS)?.query_row(
        params![place, id.nonce.cast_signed()],
        |row| {
            Ok(CurrentRow {
                id,
                place,
                // as far as they can be read
                version: row.get(0).unwrap_or_default(),
                schema_version: row.get(1).unwrap_or_default(),
                deleted: true,
                last_change: row.get(2)?,
                primary_key: None,
                hidden: None,
                errors: None,
                body: String::new(),
            })
        },
    );
    Ok(row.optional()?)
}

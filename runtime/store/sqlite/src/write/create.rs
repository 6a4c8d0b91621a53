//! A new record.

use super::current::of_content;
use super::entry::{NewEntry, log};
use super::tally::Tally;
use crate::error::Failure;
use rusqlite::{Connection, ffi, params};
use store::StoreError;
use store::records::{LogAction, NewContent, RecordId, RecordPlace, Write, WriteVerdict};

const INSERT: &str = "INSERT INTO records
   (place, nonce, dataset, version, schema_version, deleted, last_change, primary_key, errors, hidden, body, checksum)
   VALUES (?1, ?2, ?3, 0, ?4, 0, ?5, ?6, ?7, ?8, ?9, ?10)";

/// Makes a record at the next place of its dataset.
pub(super) fn create(
    connection: &Connection,
    tally: &mut Tally,
    write: &Write,
    nonce: u64,
    content: &NewContent,
) -> Result<WriteVerdict, Failure> {
    let dataset = write.dataset;
    let first = RecordPlace {
        dataset,
        sequence: 1,
    };
    if first.number().is_none() {
        return Err(StoreError::NoPlace { dataset }.into());
    }
    let sequence = tally.next_sequence(connection, dataset)?.cast_unsigned();
    let id = RecordId {
        place: RecordPlace { dataset, sequence },
        nonce,
    };
    let place = id.place.number().ok_or(StoreError::NoPlace { dataset })?;
    let change = tally.next_change(connection)?;
    let columns = of_content(content, place, nonce, 0, change);
    let put = connection.prepare_cached(INSERT)?.execute(params![
        place,
        columns.nonce,
        dataset,
        columns.schema_version,
        change,
        columns.primary_key,
        columns.errors,
        columns.hidden,
        columns.body,
        columns.checksum(),
    ]);
    // the unique index says so before anything is written, so such a write does not undo its neighbours'
    if matches!(&put, Err(error) if is_of_key(error)) {
        return Ok(WriteVerdict::DuplicateKey);
    }
    put?;
    let entry = NewEntry {
        place,
        nonce,
        action: LogAction::Create,
        version: 0,
        schema_version: content.schema_version,
        prior: None,
        before: None,
        errors: content.errors.as_deref(),
        hidden: content.hidden.as_deref(),
    };
    log(connection, tally, write, &entry)?;
    tally.note_created(dataset, content.errors.is_some());
    Ok(WriteVerdict::Done { id, version: 0 })
}

/// Whether a row was refused because a live record has its key.
fn is_of_key(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    code == Some(ffi::SQLITE_CONSTRAINT_UNIQUE)
}

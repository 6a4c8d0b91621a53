//! What becomes of a record that is there: new values, a mark that it is deleted or there again, or nothing is left of it.

use super::current::{CurrentRow, of_content};
use super::entry::{NewEntry, log};
use super::tally::Tally;
use crate::error::Failure;
use crate::{gaps, past_states};
use rusqlite::{Connection, OptionalExtension, params};
use store::delta;
use store::records::{Change, LogAction, NewContent, Write, WriteVerdict};

const KEY_HOLDER: &str = "SELECT place FROM records
   WHERE dataset = ?1 AND primary_key = ?2 AND deleted = 0 AND primary_key IS NOT NULL";
const UPDATE: &str =
    "UPDATE records SET version = version + 1, schema_version = ?2, last_change = ?3,
   errors = ?4, hidden = ?5, body = ?6, checksum = ?7 WHERE place = ?1";
// named alone: SQLite takes a key that a statement names out of its index and puts it in again, the same or not, and
// that is a page anywhere in the index for each write
const UPDATE_KEY: &str = "UPDATE records SET primary_key = ?2 WHERE place = ?1";
// its checksum is that of a live record already
const REVIVE: &str = "UPDATE records SET deleted = 0 WHERE place = ?1";
// the row of a dataset whose records are all of this transaction comes at its end
const TO_SETTLE: &str = "INSERT INTO dataset_state
     (dataset, records, errored, last_sequence, purge_to_settle) VALUES (?1, 0, 0, 0, ?2)
   ON CONFLICT (dataset) DO UPDATE SET purge_to_settle = excluded.purge_to_settle";
const PURGE: &str = "DELETE FROM records WHERE place = ?1";
// one that said when it was deleted, and was kept for that alone
const FORGET_DELETION: &str = "DELETE FROM change_log WHERE number = ?1 AND place = ?2
   AND number <= (SELECT changes_lost FROM dataset_state WHERE dataset = ?3)";
const PURGE_CHANGE: &str =
    "DELETE FROM change_log WHERE number = ?1 AND place = ?2 RETURNING prior";

pub(super) fn update(
    connection: &Connection,
    tally: &mut Tally,
    write: &Write,
    row: &CurrentRow,
    content: &NewContent,
) -> Result<WriteVerdict, Failure> {
    let key = content.primary_key.as_deref();
    let changes_key = row.primary_key.as_deref() != key;
    if changes_key && is_taken(connection, write.dataset, key, Some(row.place))? {
        return Ok(WriteVerdict::DuplicateKey);
    }
    let action = match write.change {
        Change::Revert { .. } => LogAction::Restore,
        _ => LogAction::Update,
    };
    let version = rewrite(connection, tally, write, row, (action, content))?;
    let errored = i64::from(content.errors.is_some()) - i64::from(row.errors.is_some());
    if errored != 0 {
        tally.note(write.dataset, 0, errored);
    }
    let id = row.id;
    Ok(WriteVerdict::Done { id, version })
}

/// Writes the entry of new content, keeps the values that it takes the place of, and puts it there. The version that it makes.
fn rewrite(
    connection: &Connection,
    tally: &mut Tally,
    write: &Write,
    row: &CurrentRow,
    (action, content): (LogAction, &NewContent),
) -> Result<i64, Failure> {
    let version = row.version + 1;
    let before = delta::back(&row.body, &content.body);
    let entry = NewEntry {
        version,
        schema_version: content.schema_version,
        before: Some(&before),
        errors: content.errors.as_deref(),
        hidden: content.hidden.as_deref(),
        ..row.entry(action)
    };
    past_states::keep(connection, version, row.place, row.last_change, &row.body)?;
    let change = log(connection, tally, write, &entry)?;
    put(connection, row, (content, version, change))?;
    Ok(version)
}

/// Puts new content in the place of a row's.
fn put(
    connection: &Connection,
    row: &CurrentRow,
    (content, version, change): (&NewContent, i64, i64),
) -> Result<(), Failure> {
    let columns = of_content(content, row.place, row.id.nonce, version, change);
    if row.primary_key.as_deref() != columns.primary_key {
        connection
            .prepare_cached(UPDATE_KEY)?
            .execute(params![row.place, columns.primary_key])?;
    }
    connection.prepare_cached(UPDATE)?.execute(params![
        row.place,
        columns.schema_version,
        change,
        columns.errors,
        columns.hidden,
        columns.body,
        columns.checksum(),
    ])?;
    Ok(())
}

pub(super) fn delete(
    connection: &Connection,
    tally: &mut Tally,
    write: &Write,
    row: &CurrentRow,
) -> Result<WriteVerdict, Failure> {
    let change = log(connection, tally, write, &row.entry(LogAction::Delete))?;
    row.mark_deleted(connection, change)?;
    gaps::open(connection, row.place)?;
    let errored = i64::from(row.errors.is_some());
    tally.note(write.dataset, -1, -errored);
    let (id, version) = (row.id, row.version);
    Ok(WriteVerdict::Done { id, version })
}

pub(super) fn restore(
    connection: &Connection,
    tally: &mut Tally,
    write: &Write,
    row: &CurrentRow,
) -> Result<WriteVerdict, Failure> {
    let key = row.primary_key.as_deref();
    if is_taken(connection, write.dataset, key, None)? {
        return Ok(WriteVerdict::DuplicateKey);
    }
    let (id, version) = (row.id, row.version + 1);
    let entry = NewEntry {
        version,
        ..row.entry(LogAction::Restore)
    };
    past_states::keep(connection, version, row.place, row.last_change, &row.body)?;
    let change = log(connection, tally, write, &entry)?;
    row.mark_there(connection, version, change)?;
    let is_errored = row.errors.is_some();
    be_there_again(connection, tally, write, (row, is_errored))?;
    Ok(WriteVerdict::Done { id, version })
}

/// The same with other values.
pub(super) fn restore_as(
    connection: &Connection,
    tally: &mut Tally,
    write: &Write,
    row: &CurrentRow,
    content: &NewContent,
) -> Result<WriteVerdict, Failure> {
    let key = content.primary_key.as_deref();
    if is_taken(connection, write.dataset, key, None)? {
        return Ok(WriteVerdict::DuplicateKey);
    }
    // while it is deleted still, its key of before is nobody's
    let version = rewrite(connection, tally, write, row, (LogAction::Restore, content))?;
    connection.prepare_cached(REVIVE)?.execute([row.place])?;
    be_there_again(connection, tally, write, (row, content.errors.is_some()))?;
    let id = row.id;
    Ok(WriteVerdict::Done { id, version })
}

/// Notes that a deleted record is there again, with faults or without.
fn be_there_again(
    connection: &Connection,
    tally: &mut Tally,
    write: &Write,
    (row, is_errored): (&CurrentRow, bool),
) -> Result<(), Failure> {
    let given = params![row.last_change, row.place, write.dataset];
    connection.prepare_cached(FORGET_DELETION)?.execute(given)?;
    gaps::close(connection, row.place)?;
    tally.note(write.dataset, 1, i64::from(is_errored));
    Ok(())
}

pub(super) fn purge(
    connection: &Connection,
    tally: &mut Tally,
    write: &Write,
    row: &CurrentRow,
) -> Result<WriteVerdict, Failure> {
    // first the entry that stays, so that the newest number of the log is never given back
    let entry = NewEntry {
        prior: None,
        errors: None,
        hidden: None,
        ..row.entry(LogAction::Purge)
    };
    let number = log(connection, tally, write, &entry)?;
    if write.audit.is_some() {
        let given = params![write.dataset, number];
        connection.prepare_cached(TO_SETTLE)?.execute(given)?;
    }
    let mut past = Some(row.last_change);
    while let Some(number) = past {
        past = connection
            .prepare_cached(PURGE_CHANGE)?
            .query_row([number, row.place], |row| row.get(0))
            .optional()?
            .flatten();
    }
    past_states::forget(connection, row.place)?;
    connection.prepare_cached(PURGE)?.execute([row.place])?;
    let (id, version) = (row.id, row.version);
    Ok(WriteVerdict::Done { id, version })
}

/// Whether a live record other than `own` has the key.
fn is_taken(
    connection: &Connection,
    dataset: u32,
    key: Option<&str>,
    own: Option<i64>,
) -> Result<bool, Failure> {
    let Some(key) = key else { return Ok(false) };
    let holder: Option<i64> = connection
        .prepare_cached(KEY_HOLDER)?
        .query_row(params![dataset, key], |row| row.get(0))
        .optional()?;
    Ok(holder.is_some() && holder != own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_that_leaves_the_key_writes_nothing_into_an_index() {
        let connection = Connection::open_in_memory().unwrap();
        crate::open::migrate_by(&connection, crate::open::MIGRATIONS).unwrap();
        let index_writes = |sql: &str| {
            let mut statement = connection.prepare(&format!("EXPLAIN {sql}")).unwrap();
            // nothing is done, so nothing need be given
            let mut steps = statement.raw_query();
            let mut count = 0;
            while let Some(step) = steps.next().unwrap() {
                let step: String = step.get(1).unwrap();
                count += usize::from(step.starts_with("Idx"));
            }
            count
        };
        assert_eq!(index_writes(UPDATE), 0);
        assert!(index_writes(UPDATE_KEY) > 0);
    }
}

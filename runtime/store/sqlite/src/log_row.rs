//! Rows of the change log: how an entry is written and read, with its checksum. What an entry means, the
//! contract of records tells.

use super::checksum::EntryColumns;
use crate::error::Failure;
use rusqlite::{Connection, Row, Rows, params};
use std::sync::Arc;
use store::RottenRow;
use store::StoreError;
use store::catalog::Actor;
use store::records::{LogAction, LogEntry, RecordId, RecordPlace};
use wire::Timestamp;

/// The statement that reads entries, up to its condition.
macro_rules! select_entry {
    ($rest:literal) => {
        concat!(
            "SELECT number, place, nonce, action, version, schema_version, at, actor, prior, before, after, checksum,
                    errors, hidden FROM change_log ",
            $rest
        )
    };
}
pub(crate) use select_entry;

// the newest row is never removed, so no number is given twice
const NEXT_NUMBER: &str = "SELECT coalesce(max(number), 0) + 1 FROM change_log";
const PUT: &str = "INSERT INTO change_log
   (number, place, nonce, action, version, schema_version, at, actor, prior, before, after, checksum,
    errors, hidden)
   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";

/// The number of the next entry.
pub(super) fn next_number(connection: &Connection) -> Result<i64, Failure> {
    let mut statement = connection.prepare_cached(NEXT_NUMBER)?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

/// Writes an entry.
pub(super) fn put(connection: &Connection, entry: &EntryColumns<'_>) -> Result<(), Failure> {
    connection.prepare_cached(PUT)?.execute(params![
        entry.number,
        entry.place,
        entry.nonce,
        entry.action,
        entry.version,
        entry.schema_version,
        entry.at,
        entry.actor,
        entry.prior,
        entry.before,
        entry.after,
        entry.checksum(),
        entry.errors,
        entry.hidden,
    ])?;
    Ok(())
}

/// What entries are about; their values are not looked for.
pub(super) fn read_records(mut rows: Rows<'_>) -> Result<Vec<(u64, RecordId)>, Failure> {
    let (mut reader, mut found) = (LogReader::default(), Vec::new());
    while let Some(row) = rows.next()? {
        match reader.read(row) {
            // who comes for more is told
            Err(_) if !found.is_empty() => break,
            entry => {
                let entry = entry?;
                found.push((entry.number, entry.id));
            }
        }
    }
    Ok(found)
}

/// Reads entries of the change log, one after the other.
#[derive(Default)]
pub(super) struct LogReader {
    /// The last one's actor, as it stands in the log and read: one often writes many.
    actor: Option<(String, Arc<Actor>)>,
}

impl LogReader {
    /// The entry of a row that `select_entry!` asked for, with what of its values stands in the row itself.
    pub(super) fn read(&mut self, row: &Row<'_>) -> Result<LogEntry, Failure> {
        let number: i64 = row.get(0)?;
        // as far as they can be read, for who is told of it
        let place: i64 = row.get(1).unwrap_or_default();
        let nonce: i64 = row.get(2).unwrap_or_default();
        let id = RecordId {
            place: RecordPlace::of_number(place),
            nonce: nonce.cast_unsigned(),
        };
        let rotten = || -> Failure {
            let number = number.cast_unsigned();
            StoreError::Rotten(RottenRow::Entry { number, id }).into()
        };
        let Ok((columns, checksum)) = columns(row, number) else {
            return Err(rotten());
        };
        let action = LogAction::parse(columns.action);
        let is_sound = checksum == columns.checksum();
        let (Some(action), true) = (action, is_sound) else {
            return Err(rotten());
        };
        Ok(LogEntry {
            number: number.cast_unsigned(),
            id,
            action,
            version: columns.version,
            schema_version: columns.schema_version,
            at: Timestamp::from_millis(columns.at),
            actor: self.actor(columns.actor).map_err(|_| rotten())?,
            before: columns.before.map(str::to_owned),
            after: columns.after.map(str::to_owned),
            errors: columns.errors.map(str::to_owned),
            hidden: columns.hidden.map(str::to_owned),
            prior: columns.prior.map(i64::cast_unsigned),
        })
    }

    fn actor(&mut self, text: &str) -> serde_json::Result<Arc<Actor>> {
        if let Some((_, actor)) = self.actor.as_ref().filter(|(last, _)| last == text) {
            return Ok(actor.clone());
        }
        let actor: Arc<Actor> = serde_json::from_str(text)?;
        self.actor = Some((text.to_owned(), actor.clone()));
        Ok(actor)
    }
}

fn columns<'r>(row: &'r Row<'_>, number: i64) -> rusqlite::Result<(EntryColumns<'r>, i64)> {
    let columns = EntryColumns {
        number,
        place: row.get(1)?,
        nonce: row.get(2)?,
        action: row.get_ref(3)?.as_str()?,
        version: row.get(4)?,
        schema_version: row.get(5)?,
        at: row.get(6)?,
        actor: row.get_ref(7)?.as_str()?,
        prior: row.get(8)?,
        before: row.get_ref(9)?.as_str_or_null()?,
        after: row.get_ref(10)?.as_str_or_null()?,
        errors: row.get_ref(12)?.as_str_or_null()?,
        hidden: row.get_ref(13)?.as_str_or_null()?,
    };
    Ok((columns, row.get(11)?))
}

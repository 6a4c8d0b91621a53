//! A new entry of the change log. Its values stand in the record's row.

use super::tally::Tally;
use crate::checksum::EntryColumns;
use crate::error::Failure;
use crate::log_row;
use rusqlite::Connection;
use store::StoreError;
use store::records::{LogAction, Write};

/// A new entry of the change log.
pub(super) struct NewEntry<'a> {
    pub(super) place: i64,
    pub(super) nonce: u64,
    pub(super) action: LogAction,
    pub(super) version: i64,
    pub(super) schema_version: i64,
    pub(super) prior: Option<i64>,
    /// How the values before it differ from those behind it, if they do.
    pub(super) before: Option<&'a str>,
    pub(super) errors: Option<&'a str>,
    pub(super) hidden: Option<&'a str>,
}

/// Writes an entry of the change log; its number.
pub(super) fn log(
    connection: &Connection,
    tally: &mut Tally,
    write: &Write,
    entry: &NewEntry<'_>,
) -> Result<i64, Failure> {
    let actor = serde_json::to_string(&write.actor).map_err(|source| StoreError::Document {
        what: "an actor".to_owned(),
        source,
    })?;
    let number = tally.next_change(connection)?;
    let columns = EntryColumns {
        number,
        place: entry.place,
        nonce: entry.nonce.cast_signed(),
        action: entry.action.as_str(),
        version: entry.version,
        schema_version: entry.schema_version,
        at: write.at.millis(),
        actor: &actor,
        prior: entry.prior,
        before: entry.before,
        // the record's row has them
        after: None,
        errors: entry.errors,
        hidden: entry.hidden,
    };
    log_row::put(connection, &columns)?;
    tally.note_change(number);
    Ok(number)
}

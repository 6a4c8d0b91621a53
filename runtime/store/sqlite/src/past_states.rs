//! The values of a record behind an entry of the change log. Entries hold only how values differed: the newest values
//! are the record's own, and each earlier ones follow from those behind them. Now and then some are kept whole, so that
//! no way back is long. What an entry means, the contract of records tells.

use super::checksum::text_checksum;
use super::log_row::{LogReader, select_entry};
use super::row::{only, select_record, whole_record};
use crate::error::Failure;
use rusqlite::{Connection, OptionalExtension, Row, Rows, params};
use store::records::{LogAction, LogEntry, PageLimit, RecordId};
use store::{RottenRow, StoreError, delta};

/// After how many versions the values are kept whole.
const KEPT_EACH: i64 = 16;

const RECORD: &str = select_record!("WHERE place = ?1");
const ENTRY: &str = select_entry!("WHERE number = ?1 AND place = ?2");
const KEPT: &str =
    "SELECT number, body, checksum FROM past_states WHERE place = ?1 AND number >= ?2
   ORDER BY number LIMIT 1";
const KEEP: &str =
    "INSERT INTO past_states (place, number, body, checksum) VALUES (?1, ?2, ?3, ?4)";
const FORGET: &str = "DELETE FROM past_states WHERE place = ?1";
const FORGET_OLD: &str = "DELETE FROM past_states WHERE number <= ?1";
const ALL: &str = "SELECT place, number, body, checksum FROM past_states
   WHERE (place, number) > (?1, ?2) ORDER BY place, number LIMIT ?3";

/// Keeps the values behind an entry whole, if the version that follows them asks for it.
pub(super) fn keep(
    connection: &Connection,
    next_version: i64,
    place: i64,
    number: i64,
    body: &str,
) -> Result<(), Failure> {
    if next_version % KEPT_EACH == 0 {
        let checksum = text_checksum([place, number], body);
        connection
            .prepare_cached(KEEP)?
            .execute(params![place, number, body, checksum])?;
    }
    Ok(())
}

/// Removes what is kept of a record.
pub(super) fn forget(connection: &Connection, place: i64) -> Result<(), Failure> {
    connection.prepare_cached(FORGET)?.execute([place])?;
    Ok(())
}

/// Removes what is kept of entries up to one, which are about to go.
pub(super) fn forget_up_to(connection: &Connection, number: i64) -> Result<(), Failure> {
    connection.prepare_cached(FORGET_OLD)?.execute([number])?;
    Ok(())
}

/// Entries up to a limit; its bytes are those of values before and after.
pub(super) fn read_some(
    connection: &Connection,
    mut rows: Rows<'_>,
    limit: PageLimit,
) -> Result<Vec<LogEntry>, Failure> {
    let (mut reader, mut entries, mut bytes) = (LogReader::default(), Vec::new(), 0);
    while !limit.is_reached(entries.len(), bytes)
        && let Some(row) = rows.next()?
    {
        let entry = match read_whole(&mut reader, connection, row) {
            // who comes for more is told
            Err(_) if !entries.is_empty() => break,
            entry => entry?,
        };
        bytes += entry.bytes();
        entries.push(entry);
    }
    Ok(entries)
}

/// The entry of a row that `select_entry!` asked for, with the values before and after it.
pub(super) fn read_whole(
    reader: &mut LogReader,
    connection: &Connection,
    row: &Row<'_>,
) -> Result<LogEntry, Failure> {
    let mut entry = reader.read(row)?;
    fill(connection, &mut entry)?;
    Ok(entry)
}

/// Gives an entry that was read from its row the values before and after it.
fn fill(connection: &Connection, entry: &mut LogEntry) -> Result<(), Failure> {
    let is_whole = match entry.action {
        LogAction::Purge => true,
        LogAction::Delete => entry.before.is_some(),
        _ => entry.after.is_some(),
    };
    if is_whole {
        return Ok(());
    }
    let rotten = || -> Failure {
        let (number, id) = (entry.number, entry.id);
        StoreError::Rotten(RottenRow::Entry { number, id }).into()
    };
    let state = match behind(connection, entry.number, entry.id) {
        Err(Failure::Store(StoreError::Rotten(_))) => return Err(rotten()),
        state => state?.ok_or_else(rotten)?,
    };
    if entry.action == LogAction::Delete {
        entry.before = Some(state);
        return Ok(());
    }
    if let Some(told) = &entry.before {
        let before = delta::earlier(told, &state).ok_or_else(rotten)?;
        entry.before = Some(before);
    }
    entry.after = Some(state);
    Ok(())
}

/// The values behind an entry about a record; `None` where nothing leads to them.
fn behind(connection: &Connection, number: u64, id: RecordId) -> Result<Option<String>, Failure> {
    let (Some(place), Ok(wanted)) = (id.place.number(), i64::try_from(number)) else {
        return Ok(None);
    };
    let Some((mut at, mut body)) = begin(connection, place, wanted, id)? else {
        return Ok(None);
    };
    let mut reader = LogReader::default();
    while at > wanted {
        let statement = connection.prepare_cached(ENTRY)?;
        let Some(entry) = only(statement, [at, place], |row| reader.read(row))? else {
            return Ok(None);
        };
        if let Some(told) = &entry.before {
            let Some(earlier) = delta::earlier(told, &body) else {
                return Ok(None);
            };
            body = earlier;
        }
        let prior = entry.prior.and_then(|prior| i64::try_from(prior).ok());
        let Some(prior) = prior.filter(|prior| *prior < at) else {
            return Ok(None);
        };
        at = prior;
    }
    Ok((at == wanted).then_some(body))
}

/// Where the way back begins: an entry at the wanted one or behind it, and the values behind that.
fn begin(
    connection: &Connection,
    place: i64,
    wanted: i64,
    id: RecordId,
) -> Result<Option<(i64, String)>, Failure> {
    let record = only(connection.prepare_cached(RECORD)?, [place], whole_record);
    let newest = match &record {
        Ok(Some(found)) if found.record.id == id => Some(found.last_change),
        _ => None,
    };
    if newest != Some(wanted) {
        let mut kept = connection.prepare_cached(KEPT)?;
        let kept = kept.query_row([place, wanted], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        });
        let kept: Option<(i64, String, i64)> = kept.optional()?;
        if let Some((number, body, checksum)) = kept {
            let is_sound = text_checksum([place, number], &body) == checksum;
            return Ok(is_sound.then_some((number, body)));
        }
    }
    let found = record?.filter(|found| found.record.id == id);
    Ok(found.map(|found| (found.last_change, found.record.body)))
}

/// The kept values that are not as they were written, in words; so many are read in each transaction.
pub(super) fn check(
    connection: &Connection,
    rows_at_a_time: i64,
    mut give_way: impl FnMut(),
) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    let mut last = (i64::MIN, i64::MIN);
    loop {
        give_way();
        let mut statement = connection.prepare_cached(ALL)?;
        let mut rows = statement.query(params![last.0, last.1, rows_at_a_time])?;
        let mut count = 0;
        while let Some(row) = rows.next()? {
            let (place, number) = (row.get(0)?, row.get(1)?);
            if !is_sound(row, place, number).unwrap_or_default() {
                found.push(format!(
                    "the values at place {place} behind entry {number} are not as they were written"
                ));
            }
            (last, count) = ((place, number), count + 1);
        }
        if count < rows_at_a_time {
            return Ok(found);
        }
    }
}

fn is_sound(row: &Row<'_>, place: i64, number: i64) -> rusqlite::Result<bool> {
    let body = row.get_ref(2)?.as_str()?;
    Ok(text_checksum([place, number], body) == row.get::<_, i64>(3)?)
}

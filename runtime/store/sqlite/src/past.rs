//! What was written to records: the changes of one dataset in the order of their commits, and the past of one record.
//! How an entry is read, `log_row` tells.

use super::log_row::{LogReader, select_entry};
use super::past_states;
use super::row::{json_of, limit_of, only};
use crate::error::Failure;
use rusqlite::{Connection, OptionalExtension, params};
use store::records::{DatasetChanges, LogEntry, PageLimit, RecordId, RecordPlace};

// the index's own expression; without the index, a small dataset would be looked for among all others' entries
pub(super) const CHANGES: &str = select_entry!(
    "INDEXED BY change_log_of_dataset WHERE place >> 40 = ?1 AND number > ?2 ORDER BY number LIMIT ?3"
);
pub(super) const CHANGES_BEFORE: &str = select_entry!(
    "INDEXED BY change_log_of_dataset WHERE place >> 40 = ?1 AND number < ?2 ORDER BY number DESC LIMIT ?3"
);
const NEWEST: &str =
    "SELECT coalesce(max(number), 0) FROM change_log INDEXED BY change_log_of_dataset
   WHERE place >> 40 = ?1";
const LOST: &str = "SELECT changes_lost FROM dataset_state WHERE dataset = ?1";
const ENTRY: &str = select_entry!("WHERE number = ?1 AND place = ?2 AND nonce = ?3");
const LAST_CHANGE: &str = "SELECT last_change FROM records WHERE place = ?1 AND nonce = ?2";
const PRIOR: &str = "SELECT prior FROM change_log WHERE number = ?1 AND place = ?2";

// the newest entries are those of the datasets that have the newest one; each is looked for by the index of its dataset
const NEWEST_OF_ALL: &str = "WITH near AS (
     SELECT asked.value AS dataset, (SELECT max(c.number) FROM change_log c
       INDEXED BY change_log_of_dataset WHERE c.place >> 40 = asked.value) AS newest
     FROM json_each(?1) AS asked ORDER BY newest DESC LIMIT ?2)
   SELECT l.number, l.place, l.nonce FROM near CROSS JOIN change_log l
   WHERE l.number IN (SELECT c.number FROM change_log c INDEXED BY change_log_of_dataset
     WHERE c.place >> 40 = near.dataset ORDER BY c.number DESC LIMIT ?2)
   ORDER BY l.number DESC LIMIT ?2";

pub(super) const NOTE_LOST: &str = "UPDATE dataset_state SET changes_lost = gone.newest FROM (
       SELECT place >> 40 AS dataset, max(number) AS newest FROM change_log
       WHERE number > ?1 AND number <= ?2 GROUP BY 1) AS gone
     WHERE gone.dataset = dataset_state.dataset AND changes_lost < gone.newest";

/// Notes that all entries behind one, up to another, are about to go because of their age: whoever follows a dataset from
/// before the newest of its own among them is told. To be done in the transaction that removes them, before it does.
pub(super) fn note_lost(connection: &Connection, after: i64, up_to: i64) -> Result<(), Failure> {
    connection
        .prepare_cached(NOTE_LOST)?
        .execute([after, up_to])?;
    past_states::forget_up_to(connection, up_to)?;
    Ok(())
}

/// The changes of a dataset behind an entry.
pub(super) fn changes(
    connection: &Connection,
    dataset: u32,
    after: u64,
    limit: PageLimit,
) -> Result<DatasetChanges, Failure> {
    let entries = if limit.records == 0 {
        Vec::new()
    } else {
        let mut statement = connection.prepare_cached(CHANGES)?;
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let rows = statement.query(params![dataset, after, limit_of(limit.records)])?;
        past_states::read_some(connection, rows, limit)?
    };
    let mut statement = connection.prepare_cached(LOST)?;
    let lost: Option<i64> = statement
        .query_row([dataset], |row| row.get(0))
        .optional()?;
    let lost = lost.unwrap_or_default().cast_unsigned();
    Ok(DatasetChanges {
        entries,
        newest: newest(connection, dataset)?.max(lost),
        lost,
    })
}

/// The changes of a dataset before an entry, the newest first.
pub(super) fn changes_before(
    connection: &Connection,
    dataset: u32,
    before: u64,
    limit: PageLimit,
) -> Result<Vec<LogEntry>, Failure> {
    let mut statement = connection.prepare_cached(CHANGES_BEFORE)?;
    let before = i64::try_from(before).unwrap_or(i64::MAX);
    let rows = statement.query(params![dataset, before, limit_of(limit.records)])?;
    past_states::read_some(connection, rows, limit)
}

/// The number of the newest entry about a dataset that is kept; 0 when there is none.
pub(super) fn newest(connection: &Connection, dataset: u32) -> Result<u64, Failure> {
    let mut statement = connection.prepare_cached(NEWEST)?;
    let newest: i64 = statement.query_row([dataset], |row| row.get(0))?;
    Ok(newest.cast_unsigned())
}

/// The newest entries of some datasets, and what each is about.
pub(super) fn newest_changes(
    connection: &Connection,
    datasets: &[u32],
    most: usize,
) -> Result<Vec<(u64, RecordId)>, Failure> {
    let mut statement = connection.prepare_cached(NEWEST_OF_ALL)?;
    let given = params![json_of(datasets), limit_of(most)];
    let rows = statement.query_map(given, |row| {
        let place = RecordPlace::of_number(row.get(1)?);
        let nonce = row.get::<_, i64>(2)?.cast_unsigned();
        Ok((
            row.get::<_, i64>(0)?.cast_unsigned(),
            RecordId { place, nonce },
        ))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The past of a record, the newest entry first.
pub(super) fn of_record(
    connection: &Connection,
    id: RecordId,
    before: Option<u64>,
    limit: PageLimit,
) -> Result<Vec<LogEntry>, Failure> {
    let Some(place) = id.place.number() else {
        return Ok(Vec::new());
    };
    let nonce = id.nonce.cast_signed();
    let next: Option<Option<i64>> = if let Some(before) = before {
        let before = i64::try_from(before).unwrap_or(i64::MAX);
        let mut statement = connection.prepare_cached(PRIOR)?;
        let prior = statement.query_row(params![before, place], |row| row.get(0));
        prior.optional()?
    } else {
        let mut statement = connection.prepare_cached(LAST_CHANGE)?;
        let last = statement.query_row(params![place, nonce], |row| row.get(0));
        last.optional()?
    };
    let mut next = next.flatten();
    let (mut reader, mut entries, mut bytes) = (LogReader::default(), Vec::new(), 0);
    while let Some(number) = next
        && !limit.is_reached(entries.len(), bytes)
    {
        let statement = connection.prepare_cached(ENTRY)?;
        let entry = only(statement, params![number, place, nonce], |row| {
            past_states::read_whole(&mut reader, connection, row)
        });
        let entry: LogEntry = match entry {
            // who comes for more is told
            Err(_) if !entries.is_empty() => break,
            entry => match entry? {
                Some(entry) => entry,
                None => break,
            },
        };
        next = entry.prior.and_then(|prior| i64::try_from(prior).ok());
        bytes += entry.bytes();
        entries.push(entry);
    }
    Ok(entries)
}

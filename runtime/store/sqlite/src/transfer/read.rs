//! The rows of a store as a move reads them: each part in its order, with values whole and by their checksums.

use crate::error::Failure;
use crate::log_row::{LogReader, select_entry};
use crate::past_states::read_whole;
use crate::row::{WholeRecord, limit_of, select_record, whole_record};
use rusqlite::{Connection, Params, Row, params};
use store::records::RecordPlace;
use store::transfer::{Part, RecordRow, RowKey, TransferRow, text_of_damaged};

const NOUNS: &str = "SELECT kind, id, document FROM catalog WHERE (kind, id) > (?1, ?2)
   ORDER BY kind, id LIMIT ?3";
const DATASETS: &str =
    "SELECT dataset, records, errored, last_sequence, changes_lost, purge_to_settle
   FROM dataset_state WHERE dataset > ?1 ORDER BY dataset LIMIT ?2";
const RECORDS: &str = select_record!("WHERE place > ?1 ORDER BY place LIMIT ?2");
const ENTRIES: &str = select_entry!("WHERE number > ?1 ORDER BY number LIMIT ?2");
const TRAIL: &str = "SELECT tenant, own_number, entry FROM audit
   WHERE (tenant, own_number) > (?1, ?2) ORDER BY tenant, own_number LIMIT ?3";
const FILES: &str = "SELECT id, condemned_at, document FROM files WHERE id > ?1
   ORDER BY id LIMIT ?2";
const JOBS: &str = "SELECT number, id, state, is_cancelling, has_files, document FROM jobs
   WHERE number > ?1 ORDER BY number LIMIT ?2";
const DELIVERIES: &str = "SELECT webhook, document FROM deliveries WHERE webhook > ?1
   ORDER BY webhook LIMIT ?2";
const DEAD_LETTERS: &str = "SELECT number, webhook, document FROM dead_letters
   WHERE number > ?1 ORDER BY number LIMIT ?2";
// what counts by itself has no row before its first number
const COUNTERS: &str = "SELECT name, value FROM (
     SELECT 'catalog' AS name, max(version, 1) AS value FROM catalog_version
     UNION ALL SELECT 'dead_letters', coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'dead_letters'), 0)
     UNION ALL SELECT 'jobs', coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'jobs'), 0)
     UNION ALL SELECT 'log', coalesce(max(number), 0) FROM change_log)
   WHERE name > ?1 ORDER BY name LIMIT ?2";

const DAILY_COUNTS: &str = "SELECT dataset, day, records, errored FROM daily_counts
   WHERE (dataset, day) > (?1, ?2) ORDER BY dataset, day LIMIT ?3";

/// The rows of a part behind a key.
pub(super) fn rows(
    connection: &Connection,
    part: Part,
    after: Option<RowKey>,
    max: usize,
) -> Result<Vec<TransferRow>, Failure> {
    let is_first = after.is_none();
    let RowKey { texts, numbers } = after.unwrap_or_default();
    let max = limit_of(max);
    let number = if is_first { -1 } else { numbers.0 };
    match part {
        Part::Nouns => all(connection, NOUNS, params![texts.0, texts.1, max], noun),
        Part::Datasets => all(connection, DATASETS, [number, max], dataset),
        Part::Records => {
            let after = RecordPlace {
                dataset: u32::try_from(numbers.0).unwrap_or(u32::MAX),
                sequence: numbers.1.cast_unsigned(),
            };
            let after = if is_first { Some(-1) } else { after.number() };
            let given = [after.unwrap_or(i64::MAX), max];
            let mut statement = connection.prepare_cached(RECORDS)?;
            let mut rows = statement.query(given)?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                found.push(record(whole_record(row)?));
            }
            Ok(found)
        }
        Part::ChangeLog => {
            let mut reader = LogReader::default();
            let mut statement = connection.prepare_cached(ENTRIES)?;
            let mut rows = statement.query([number, max])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                let entry = read_whole(&mut reader, connection, row)?;
                found.push(TransferRow::Entry(entry.into()));
            }
            Ok(found)
        }
        Part::Trail => {
            let given = params![texts.0, number, max];
            all(connection, TRAIL, given, trail)
        }
        Part::Files => all(connection, FILES, params![texts.0, max], file),
        Part::Jobs => all(connection, JOBS, [number, max], job),
        Part::Deliveries => all(connection, DELIVERIES, params![texts.0, max], delivery),
        Part::DeadLetters => all(connection, DEAD_LETTERS, [number, max], dead_letter),
        Part::Counters => all(connection, COUNTERS, params![texts.0, max], counter),
        Part::DailyCounts => {
            let given = [number, numbers.1, max];
            all(connection, DAILY_COUNTS, given, day_count)
        }
    }
}

fn all(
    connection: &Connection,
    sql: &str,
    given: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<TransferRow>,
) -> Result<Vec<TransferRow>, Failure> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(given, read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn noun(row: &Row<'_>) -> rusqlite::Result<TransferRow> {
    Ok(TransferRow::Noun {
        kind: row.get(0)?,
        id: row.get(1)?,
        document: row.get(2)?,
    })
}

fn dataset(row: &Row<'_>) -> rusqlite::Result<TransferRow> {
    Ok(TransferRow::Dataset {
        number: row.get(0)?,
        records: row.get(1)?,
        errored: row.get(2)?,
        last_sequence: row.get(3)?,
        changes_lost: row.get(4)?,
        purge_to_settle: row.get(5)?,
    })
}

fn record(found: WholeRecord) -> TransferRow {
    let WholeRecord {
        record,
        last_change,
        primary_key,
    } = found;
    TransferRow::Record(RecordRow {
        dataset: record.id.place.dataset.into(),
        sequence: record.id.place.sequence.cast_signed(),
        nonce: record.id.nonce.cast_signed(),
        version: record.version,
        schema_version: record.schema_version,
        deleted: record.deleted,
        last_change,
        primary_key,
        errors: record.errors,
        hidden: record.hidden,
        body: record.body,
    })
}

fn trail(row: &Row<'_>) -> rusqlite::Result<TransferRow> {
    Ok(TransferRow::Trail {
        tenant: row.get(0)?,
        own_number: row.get(1)?,
        document: row.get(2)?,
    })
}

fn file(row: &Row<'_>) -> rusqlite::Result<TransferRow> {
    Ok(TransferRow::File {
        id: row.get(0)?,
        condemned_at: row.get(1)?,
        document: row.get(2)?,
    })
}

fn job(row: &Row<'_>) -> rusqlite::Result<TransferRow> {
    Ok(TransferRow::Job {
        number: row.get(0)?,
        id: row.get(1)?,
        state: row.get(2)?,
        is_cancelling: row.get(3)?,
        has_files: row.get(4)?,
        document: row.get(5)?,
    })
}

fn delivery(row: &Row<'_>) -> rusqlite::Result<TransferRow> {
    Ok(TransferRow::Delivery {
        webhook: row.get(0)?,
        document: text_of_damaged(row.get_ref(1)?.as_bytes()?),
    })
}

fn dead_letter(row: &Row<'_>) -> rusqlite::Result<TransferRow> {
    Ok(TransferRow::DeadLetter {
        number: row.get(0)?,
        webhook: row.get(1)?,
        document: text_of_damaged(row.get_ref(2)?.as_bytes()?),
    })
}

fn day_count(row: &Row<'_>) -> rusqlite::Result<TransferRow> {
    Ok(TransferRow::DayCount {
        dataset: row.get(0)?,
        day: row.get(1)?,
        records: row.get(2)?,
        errored: row.get(3)?,
    })
}

fn counter(row: &Row<'_>) -> rusqlite::Result<TransferRow> {
    Ok(TransferRow::Counter {
        name: row.get(0)?,
        value: row.get(1)?,
    })
}

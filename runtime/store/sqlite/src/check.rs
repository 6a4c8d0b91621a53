//! Verifies the store: tables, every index, counter and primary key against the records, the change log
//! against what it led to. It only reads, each question in a moment of its own: beside a running
//! writer no answer is half old.

use super::give_way::GiveWay;
use super::log_row::{LogReader, select_entry};
use super::open::MIGRATIONS;
use super::row::{record, select_record};
use super::{catalog, check_catalog, open, past_states};
use crate::error::Failure;
use rusqlite::{Connection, ErrorCode, Params, Row, params};
use store::StoreError;
use store::catalog::{Catalog, Dataset, SchemaVersion};
use store::issued_tables::IssuedTables;
use store::records::RecordPlace;
use store::trail_check::TrailRow;

/// What a store is made of.
const TABLES: &str =
    "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
     AND name NOT LIKE '|_litestream|_%' ESCAPE '|'
   ORDER BY name";

/// The database's own opinion of its pages and indexes.
const INTEGRITY: &str = "PRAGMA integrity_check(100)";

/// Rows with their checksums, so many behind one of them.
pub(super) const RECORDS: &str = select_record!("WHERE place > ?1 ORDER BY place LIMIT ?2");
const ENTRIES: &str = select_entry!("WHERE number > ?1 ORDER BY number LIMIT ?2");
/// The audit trail, some behind one of its rows.
const TRAIL: &str = "SELECT number, tenant, own_number, incident, entry FROM audit
   WHERE number > ?1 ORDER BY number LIMIT ?2";

/// How many rows are read in one transaction: while one is open, the write-ahead log can't begin anew.
const ROWS_AT_A_TIME: i64 = 2000;

/// Questions whose every answer is a contradiction, with the words for it; `$BITS` stands for the bits of a
/// place that are its sequence.
const CONTRADICTIONS: &[(&str, &str)] = &[
    (
        "the counters of a dataset do not match its records",
        "SELECT 'dataset ' || n.dataset || ': counted ' || n.records || ' records and ' || n.errored
           || ' with errors, found ' || count(r.place) || ' and ' || count(r.errors)
         FROM dataset_state n LEFT JOIN records r ON r.place > n.dataset << $BITS
           AND r.place <= (n.dataset << $BITS) + ((1 << $BITS) - 1) AND r.deleted = 0
         GROUP BY n.dataset HAVING n.records <> count(r.place) OR n.errored <> count(r.errors)",
    ),
    (
        "a record's place is not in its dataset, or beyond the last sequence",
        "SELECT 'place ' || r.place FROM records r LEFT JOIN dataset_state n ON n.dataset = r.dataset
         WHERE r.place >> $BITS <> r.dataset OR n.dataset IS NULL
            OR (r.place & ((1 << $BITS) - 1)) > n.last_sequence",
    ),
    (
        "a stretch without a live record is not noted as it is",
        // a place behind the last one given stands for the end of a dataset
        "WITH live (place, dataset) AS (
           SELECT place, place >> $BITS FROM records WHERE deleted = 0
           UNION ALL SELECT (dataset << $BITS) + last_sequence + 1, dataset FROM dataset_state),
         meant (first, last) AS (SELECT before + 1, place - 1 FROM (
           SELECT place, lag(place, 1, dataset << $BITS) OVER (PARTITION BY dataset ORDER BY place) AS before
           FROM live) WHERE place - before > 1)
         SELECT 'missing from place ' || first || ' to ' || last FROM (
           SELECT first, last FROM meant EXCEPT SELECT first, last FROM gaps)
         UNION ALL SELECT 'noted from place ' || first || ' to ' || last FROM (
           SELECT first, last FROM gaps EXCEPT SELECT first, last FROM meant)",
    ),
    (
        "two live records of a dataset have one primary key",
        "SELECT 'dataset ' || dataset || ', key of place ' || min(place) FROM records NOT INDEXED
         WHERE deleted = 0 AND primary_key IS NOT NULL GROUP BY dataset, primary_key HAVING count(*) > 1",
    ),
    (
        "values are kept of the past of a record that is gone",
        "SELECT 'place ' || p.place || ', entry ' || p.number FROM past_states p
           LEFT JOIN records r ON r.place = p.place WHERE r.place IS NULL",
    ),
    (
        "the catalog does not have one version",
        "SELECT 'found ' || count(*) FROM catalog_version HAVING count(*) <> 1",
    ),
    (
        "a record's values are not a JSON object",
        "SELECT 'place ' || place FROM records
         WHERE NOT json_valid(body) OR json_type(body) <> 'object'
            OR NOT json_valid(coalesce(hidden, '{}')) OR json_type(coalesce(hidden, '{}')) <> 'object'",
    ),
    (
        "a record's errors are not a JSON array with an entry",
        "SELECT 'place ' || place FROM records WHERE errors IS NOT NULL AND
           CASE WHEN json_valid(errors) AND json_type(errors) = 'array' THEN json_array_length(errors) = 0 ELSE 1 END",
    ),
    (
        "a record is not what the change log made of it",
        "SELECT 'place ' || r.place FROM records r JOIN change_log l ON l.number = r.last_change
         WHERE l.place <> r.place OR l.nonce <> r.nonce OR l.version <> r.version
             OR r.deleted <> (l.action = 'delete')
             OR (coalesce(l.after, l.before) LIKE '{%' AND coalesce(l.after, l.before) IS NOT r.body)
             OR l.schema_version <> r.schema_version",
    ),
    (
        "a record is not what the change log made of it",
        // what went by its age is not missed
        "SELECT 'place ' || r.place FROM records r LEFT JOIN change_log l ON l.number = r.last_change
           LEFT JOIN dataset_state n ON n.dataset = r.dataset
         WHERE l.number IS NULL AND r.last_change > coalesce(n.changes_lost, 0)",
    ),
    (
        "an entry of the change log does not follow the one before about its record",
        "SELECT 'entry ' || l.number FROM change_log l LEFT JOIN change_log p ON p.number = l.prior
         WHERE l.prior >= l.number OR p.place <> l.place OR l.version - p.version NOT IN (0, 1)",
    ),
];

/// Live records of a dataset and schema version whose key is not their primary key field's text.
const OTHER_KEY: &str = "SELECT 'place ' || r.place FROM records r LEFT JOIN json_each(r.body) v ON v.key = ?4
   WHERE r.place > ?1 AND r.place <= ?2 AND r.schema_version = ?3 AND json_valid(r.body)
     AND r.primary_key IS NOT CASE v.type WHEN 'text' THEN v.atom WHEN 'null' THEN NULL ELSE r.body -> v.fullkey END";

/// Live records of a dataset and schema version.
const LIVE: &str = "SELECT 'place ' || place FROM records
   WHERE place > ?1 AND place <= ?2 AND schema_version = ?3 AND deleted = 0";

pub(super) fn check(connection: &Connection) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    tables(connection, &mut found)?;
    if !found.is_empty() {
        // the other questions are about these tables
        return Ok(found);
    }
    let way = GiveWay::to_log_of(open::LOG_BYTES_KEPT.into());
    way.give(connection);
    ask(connection, "the database", INTEGRITY, [], &mut found)?;
    let bits = RecordPlace::SEQUENCE_BITS.to_string();
    for (words, query) in CONTRADICTIONS {
        let query = query.replace("$BITS", &bits);
        way.give(connection);
        ask(connection, words, &query, [], &mut found)?;
    }
    spoiled(connection, &way, &mut found)?;
    let issued = IssuedTables::default();
    match catalog::load_nouns(connection, &issued) {
        Ok(catalog) => {
            check_catalog::check(connection, &catalog, &issued, &mut found)?;
            primary_keys(connection, &catalog, &way, &mut found)?;
        }
        Err(error) => found.push(error.to_string()),
    }
    Ok(found)
}

/// Rows that are not as they were written.
fn spoiled(connection: &Connection, way: &GiveWay, found: &mut Vec<String>) -> Result<(), Failure> {
    let read = |row: &Row<'_>| record(row).map(drop);
    rotten(connection, (RECORDS, ROWS_AT_A_TIME, way), read, found)?;
    let mut log = LogReader::default();
    let read = |row: &Row<'_>| log.read(row).map(drop);
    rotten(connection, (ENTRIES, ROWS_AT_A_TIME, way), read, found)?;
    found.extend(past_states::check(connection, ROWS_AT_A_TIME, || {
        way.give(connection);
    })?);
    let mut faults = Vec::new();
    let read = |row: &Row<'_>| -> Result<(), Failure> {
        faults.extend(trail_fault(row)?);
        Ok(())
    };
    rotten(connection, (TRAIL, ROWS_AT_A_TIME, way), read, found)?;
    found.extend(faults);
    Ok(())
}

/// What is wrong with a row of the trail; a text that is no text any more is none that was written.
fn trail_fault(row: &Row<'_>) -> Result<Option<String>, Failure> {
    let row = TrailRow {
        tenant: row.get_ref(1)?.as_str().unwrap_or_default(),
        number: row.get(2)?,
        is_incident: row.get(3)?,
        at: None,
        entry: row.get_ref(4)?.as_str().unwrap_or_default(),
    };
    Ok(row.fault())
}

/// Primary keys against the values of each dataset's records.
fn primary_keys(
    connection: &Connection,
    catalog: &Catalog,
    way: &GiveWay,
    found: &mut Vec<String>,
) -> Result<(), Failure> {
    for dataset in catalog.datasets.values() {
        let Some(schema) = catalog.schemas.get(&dataset.schema) else {
            continue;
        };
        for version in &schema.versions {
            way.give(connection);
            keys(connection, dataset, version, found)?;
            if version.key_facts() != schema.current().key_facts() {
                moved(connection, dataset, version, found)?;
            }
        }
    }
    Ok(())
}

/// Asks a question; each answer is a contradiction. A page that can't be read is one too.
fn ask(
    connection: &Connection,
    words: &str,
    query: &str,
    given: impl Params,
    found: &mut Vec<String>,
) -> Result<(), Failure> {
    let answers = || -> rusqlite::Result<()> {
        let mut statement = connection.prepare(query)?;
        let mut rows = statement.query(given)?;
        while let Some(row) = rows.next()? {
            let what: String = row.get(0)?;
            // the one answer that is none
            if what != "ok" {
                found.push(format!("{words}: {what}"));
            }
        }
        Ok(())
    };
    match answers() {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => {
            found.push(format!("the database: {error}, when asked whether {words}"));
            Ok(())
        }
        ended => Ok(ended?),
    }
}

/// Rows that are not as they were written; so many are read in each transaction.
pub(super) fn rotten(
    connection: &Connection,
    (query, rows_at_a_time, way): (&str, i64, &GiveWay),
    mut read: impl FnMut(&Row<'_>) -> Result<(), Failure>,
    found: &mut Vec<String>,
) -> Result<(), Failure> {
    let mut statement = connection.prepare(query)?;
    let mut after = Some(i64::MIN);
    while let Some(last) = after.take() {
        way.give(connection);
        // the transaction ends with these rows
        let mut rows = statement.query([last, rows_at_a_time])?;
        loop {
            let row = match rows.next() {
                Ok(Some(row)) => row,
                Ok(None) => break,
                Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => {
                    found.push(format!("the database: {error}, when every row was read"));
                    return Ok(());
                }
                Err(error) => return Err(error.into()),
            };
            let place = row.get(0)?;
            // a tree that leads back would be read for ever
            if place <= after.unwrap_or(last) {
                found.push(format!(
                    "the database: row {place} stands behind a later one"
                ));
                return Ok(());
            }
            after = Some(place);
            match read(row) {
                Err(Failure::Store(StoreError::Rotten(row))) => {
                    found.push(format!("{row} is not as it was written"));
                }
                ended => ended?,
            }
        }
    }
    Ok(())
}

/// Tables and indexes that differ from those that the store's own migrations make. A check migrates nothing.
fn tables(connection: &Connection, found: &mut Vec<String>) -> Result<(), Failure> {
    let fresh = Connection::open_in_memory()?;
    let done = usize::try_from(open::version(connection)?).unwrap_or(0);
    open::migrate_by(&fresh, &MIGRATIONS[..done])?;
    let of = |connection: &Connection| -> Result<Vec<(String, String)>, Failure> {
        let mut statement = connection.prepare(TABLES)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    };
    let (meant, there) = (of(&fresh)?, of(connection)?);
    let missing = meant.iter().filter(|table| !there.contains(table));
    found.extend(missing.map(|(name, _)| format!("{name} is missing or not as it was made")));
    let foreign = there
        .iter()
        .filter(|(name, _)| !meant.iter().any(|(known, _)| known == name));
    found.extend(foreign.map(|(name, _)| format!("{name} does not belong to the store")));
    Ok(())
}

/// Records whose primary key is not the one in their values.
fn keys(
    connection: &Connection,
    dataset: &Dataset,
    version: &SchemaVersion,
    found: &mut Vec<String>,
) -> Result<(), Failure> {
    let (Some(field), Some(places)) = (
        version.schema.primary_key(),
        RecordPlace::numbers_behind(dataset.number, 0),
    ) else {
        return Ok(());
    };
    let given = params![places.start, places.end, version.number, field.name];
    let words = "a record's primary key is not the one in its values";
    ask(connection, words, OTHER_KEY, given, found)
}

/// Live records that were written when the primary key was another.
fn moved(
    connection: &Connection,
    dataset: &Dataset,
    version: &SchemaVersion,
    found: &mut Vec<String>,
) -> Result<(), Failure> {
    let Some(places) = RecordPlace::numbers_behind(dataset.number, 0) else {
        return Ok(());
    };
    let given = params![places.start, places.end, version.number];
    let words = "a live record was written when the schema's primary key was another";
    ask(connection, words, LIVE, given, found)
}

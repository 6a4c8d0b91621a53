//! Compares counters, keys and the change log with the records, as of one moment, and looks whether each row has the form that
//! it was written in, and whether the values behind each entry of the log are found.

use crate::Inner;
use crate::catalog::{VERSIONS, versions};
use crate::catalog_cache::CatalogCache;
use crate::connection::Values;
use crate::connections::{Reads, Transaction, transact};
use crate::error::Failure;
use crate::log_row::{ENTRY_COLUMNS, LogReader, select_entry};
use crate::past_states::{self, read_whole};
use crate::records::{record, select_record};
use store::records::{LogAction, is_object};
use store::trail_check::TrailRow;
use store::{RottenRow, StoreError, catalog_check};

const RECORDS: &str = select_record!(
    ", last_change, (SELECT l.digest FROM change_log l
     WHERE l.dataset = records.dataset AND l.number = records.last_change)",
    "WHERE (dataset, sequence) > ($1, $2) ORDER BY dataset, sequence LIMIT $3"
);
/// The columns behind those of the record.
const LAST_CHANGE: usize = 9;
const DIGEST: usize = 10;
const ENTRIES: &str = select_entry!(
    ", (SELECT r.sequence FROM records r WHERE r.dataset = l.dataset AND r.sequence = l.sequence)",
    "WHERE (l.dataset, l.number) > ($1, $2) ORDER BY l.dataset, l.number LIMIT $3"
);
/// Among the columns of an entry, and behind them.
const ACTION: usize = 4;
const RECORD: usize = ENTRY_COLUMNS;
// what went by its age is not missed
const PAST_STATES: &str =
    "SELECT p.dataset, p.sequence, p.number, p.body, l.digest, r.sequence IS NULL,
     coalesce(l.sequence <> p.sequence, p.number > coalesce(s.changes_lost, 0))
   FROM past_states p
   LEFT JOIN records r ON r.dataset = p.dataset AND r.sequence = p.sequence
   LEFT JOIN change_log l ON l.dataset = p.dataset AND l.number = p.number
   LEFT JOIN dataset_state s ON s.dataset = p.dataset
   WHERE (p.dataset, p.sequence, p.number) > ($1, $2, $3)
   ORDER BY p.dataset, p.sequence, p.number LIMIT $4";
const TRAIL: &str = "SELECT tenant, own_number, incident, at, entry FROM audit
   WHERE (tenant, own_number) > ($1, $2) ORDER BY tenant, own_number LIMIT $3";
const FILES: &str = "SELECT id, dataset FROM files WHERE id > $1 ORDER BY id LIMIT $2";
/// Rows that are read at a time: each may be large.
const ROWS_AT_A_TIME: i64 = 100;
/// The same of rows that are small.
const FILES_AT_A_TIME: i64 = 1000;

const ENTRY_OF_NONE: &str =
    "an entry of the change log is about a record that is gone (dataset, sequence, entry)";
const STATE_OF_NONE: &str =
    "values are kept of the past of a record that is gone (dataset, sequence, entry)";
const OTHER_STATE: &str =
    "values that are kept of the past are not those behind their entry (dataset, sequence, entry)";
const OTHER_NEWEST: &str = "a record's newest entry of the change log is about another or says something else (dataset, sequence, entry)";

/// A question whose rows are contradictions: what is wrong, and the numbers that say where.
const QUESTIONS: &[(&str, &str)] = &[
    (
        "a dataset's counters differ from its records (dataset, counted, there)",
        "SELECT s.dataset, s.records, count(r.sequence) FILTER (WHERE NOT r.deleted)
         FROM dataset_state s LEFT JOIN records r ON r.dataset = s.dataset
         GROUP BY s.dataset, s.records, s.errored, s.last_sequence
         HAVING s.records <> count(r.sequence) FILTER (WHERE NOT r.deleted)
           OR s.errored <> count(r.sequence) FILTER (WHERE NOT r.deleted AND r.errors IS NOT NULL)
           OR s.last_sequence < coalesce(max(r.sequence), 0)",
    ),
    (
        "a record's dataset has no counters (dataset, sequence, 0)",
        "SELECT r.dataset, min(r.sequence), 0::bigint FROM records r
         LEFT JOIN dataset_state s ON s.dataset = r.dataset
         WHERE s.dataset IS NULL GROUP BY r.dataset",
    ),
    (
        "a primary key is there more than once (dataset, first sequence, records)",
        "SELECT dataset, min(sequence), count(*) FROM records
         WHERE NOT deleted AND primary_key IS NOT NULL
         GROUP BY dataset, primary_key HAVING count(*) > 1",
    ),
    (
        OTHER_NEWEST,
        // of entries with a digest, values are compared by that
        "SELECT r.dataset, r.sequence, r.last_change FROM records r
         LEFT JOIN change_log l ON l.dataset = r.dataset AND l.number = r.last_change
         LEFT JOIN dataset_state s ON s.dataset = r.dataset
         WHERE (l.number IS NULL AND r.last_change > coalesce(s.changes_lost, 0))
           OR l.sequence <> r.sequence OR l.nonce <> r.nonce OR l.version <> r.version
           OR (l.action = 'delete') <> r.deleted
           OR (l.digest IS NULL AND ((l.number IS NOT NULL AND NOT r.deleted AND l.after IS DISTINCT FROM r.body)
             OR (l.action = 'delete' AND l.before IS NOT NULL AND l.before <> r.body)))",
    ),
    (
        "an entry of the change log is newer than its dataset's newest, or than the store's (dataset, entry, newest)",
        "SELECT l.dataset, max(l.number), coalesce(s.last_change, 0) FROM change_log l
         LEFT JOIN dataset_state s ON s.dataset = l.dataset
         GROUP BY l.dataset, s.last_change
         HAVING max(l.number) > coalesce(s.last_change, 0)
           OR max(l.number) > (SELECT value FROM counters WHERE name = 'log')",
    ),
];

impl Inner {
    /// The contradictions, in words.
    pub(crate) async fn check(&self) -> Result<Vec<String>, Failure> {
        transact!(&self.connections, tx => {
            tx.take_time();
            self.take_moment(tx).await?;
            let mut found = Vec::new();
            for (what, sql) in QUESTIONS {
                for row in tx.rows(sql, &[]).await? {
                    found.push(at(what, (row.get(0), row.get(1), row.get(2))));
                }
            }
            malformed_records(tx, &mut found).await?;
            malformed_entries(tx, &mut found).await?;
            other_states(tx, &mut found).await?;
            malformed_trail(tx, &mut found).await?;
            other_nouns(tx, &mut found).await?;
            tx.keeps_nothing();
            Ok(found)
        })
    }
}

/// What is missing of what the catalog, and what belongs to it, refer to. Both are read once more, and not taken as this server
/// has them: those may be of another moment than the rows, and what is gone by then would seem to be missing.
async fn other_nouns(tx: &Transaction, found: &mut Vec<String>) -> Result<(), Failure> {
    let versions = versions(&tx.rows(VERSIONS, &[]).await?);
    let read = CatalogCache::new();
    let catalog = read.bring_to(tx, versions).await?.catalog;
    catalog_check::check(&catalog, &read.issued, found);
    let mut after = String::new();
    loop {
        let rows = tx.rows(FILES, &[&after, &FILES_AT_A_TIME]).await?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        after = last.get(0);
        for row in &rows {
            let (id, dataset): (&str, &str) = (row.get(0), row.get(1));
            if !catalog.datasets.contains_key(dataset) {
                found.push(catalog_check::file_of_none(id));
            }
        }
    }
}

/// Records whose texts do not follow their form, or whose values are not those that the log made of them.
async fn malformed_records(tx: &Transaction, found: &mut Vec<String>) -> Result<(), Failure> {
    let mut after = (-1_i64, 0_i64);
    loop {
        let given: Values<'_> = &[&after.0, &after.1, &ROWS_AT_A_TIME];
        let rows = tx.rows(RECORDS, given).await?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        after = (last.get(0), last.get(1));
        for row in &rows {
            let record = record(row);
            if !record.has_form() {
                found.push(not_as_written(RottenRow::Record(record.id)));
            }
            let digest: Option<i64> = row.get(DIGEST);
            if digest.is_some_and(|digest| past_states::digest(&record.body) != digest) {
                let place: (i64, i64, i64) = (row.get(0), row.get(1), row.get(LAST_CHANGE));
                found.push(at(OTHER_NEWEST, place));
            }
        }
    }
}

/// Entries of the change log that do not follow theirs, or whose values can't be found.
async fn malformed_entries(tx: &Transaction, found: &mut Vec<String>) -> Result<(), Failure> {
    let (mut reader, mut after) = (LogReader::default(), (-1_i64, 0_i64));
    loop {
        let given: Values<'_> = &[&after.0, &after.1, &ROWS_AT_A_TIME];
        let rows = tx.rows(ENTRIES, given).await?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        after = (last.get(1), last.get(0));
        let read = read_whole(Reads::One(tx), &mut reader, &rows).await?;
        for (row, read) in rows.iter().zip(read) {
            let (record, action): (Option<i64>, &str) = (row.get(RECORD), row.get(ACTION));
            // a purge leaves word of itself, and nothing else about its record
            if record.is_none() && action != LogAction::Purge.as_str() {
                let place: (i64, i64, i64) = (row.get(1), row.get(2), row.get(0));
                found.push(at(ENTRY_OF_NONE, place));
                continue;
            }
            match read {
                Err(Failure::Store(StoreError::Rotten(row))) => found.push(not_as_written(row)),
                read => drop(read?),
            }
        }
    }
}

/// Entries of the audit trail that are not as they were written.
async fn malformed_trail(tx: &Transaction, found: &mut Vec<String>) -> Result<(), Failure> {
    let mut after = (String::new(), i64::MIN);
    loop {
        let given: Values<'_> = &[&after.0, &after.1, &ROWS_AT_A_TIME];
        let rows = tx.rows(TRAIL, given).await?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        after = (last.get(0), last.get(1));
        for row in &rows {
            let row = TrailRow {
                tenant: row.get(0),
                number: row.get(1),
                is_incident: row.get(2),
                at: row.get(3),
                entry: row.get(4),
            };
            found.extend(row.fault());
        }
    }
}

/// Values that are kept whole and are not those behind their entry.
async fn other_states(tx: &Transaction, found: &mut Vec<String>) -> Result<(), Failure> {
    let mut after = (-1_i64, 0_i64, 0_i64);
    loop {
        let given: Values<'_> = &[&after.0, &after.1, &after.2, &ROWS_AT_A_TIME];
        let rows = tx.rows(PAST_STATES, given).await?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        after = (last.get(0), last.get(1), last.get(2));
        for row in &rows {
            let (body, digest): (&str, Option<i64>) = (row.get(3), row.get(4));
            let (is_of_none, has_no_entry): (bool, bool) = (row.get(5), row.get(6));
            let place: (i64, i64, i64) = (row.get(0), row.get(1), row.get(2));
            let is_other = || digest.is_some_and(|it| past_states::digest(body) != it);
            if is_of_none {
                found.push(at(STATE_OF_NONE, place));
            } else if has_no_entry || !is_object(body) || is_other() {
                found.push(at(OTHER_STATE, place));
            }
        }
    }
}

/// What is wrong, and where.
fn at(what: &str, (first, second, third): (i64, i64, i64)) -> String {
    format!("{what}: {first}, {second}, {third}")
}

fn not_as_written(row: RottenRow) -> String {
    format!("{row} is not as it was written")
}

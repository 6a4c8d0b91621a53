//! Compares counters, keys and the change log with the records, as of one moment, and looks whether each row has the form that
//! it was written in, and whether the values behind each entry of the log are found.

use crate::Inner;
use crate::connection::Values;
use crate::connections::{Reads, Transaction, transact};
use crate::error::Failure;
use crate::log_row::{LogReader, select_entry};
use crate::past_states::{self, read_whole};
use crate::records::{record, select_record};
use store::records::is_object;
use store::{RottenRow, StoreError};

const RECORDS: &str = select_record!(
    ", last_change, (SELECT l.digest FROM change_log l
     WHERE l.dataset = records.dataset AND l.number = records.last_change)",
    "WHERE (dataset, sequence) > ($1, $2) ORDER BY dataset, sequence LIMIT $3"
);
/// The columns behind those of the record.
const LAST_CHANGE: usize = 9;
const DIGEST: usize = 10;
const ENTRIES: &str =
    select_entry!("WHERE (l.dataset, l.number) > ($1, $2) ORDER BY l.dataset, l.number LIMIT $3");
const PAST_STATES: &str =
    "SELECT p.dataset, p.sequence, p.number, p.body, l.digest FROM past_states p
   LEFT JOIN change_log l ON l.dataset = p.dataset AND l.number = p.number
   WHERE (p.dataset, p.sequence, p.number) > ($1, $2, $3)
   ORDER BY p.dataset, p.sequence, p.number LIMIT $4";
/// Rows that are read at a time: each may be large.
const ROWS_AT_A_TIME: i64 = 100;

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
            tx.batch("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ").await?;
            let mut found = Vec::new();
            for (what, sql) in QUESTIONS {
                for row in tx.rows(sql, &[]).await? {
                    let (first, second, third): (i64, i64, i64) = (row.get(0), row.get(1), row.get(2));
                    found.push(format!("{what}: {first}, {second}, {third}"));
                }
            }
            malformed_records(tx, &mut found).await?;
            malformed_entries(tx, &mut found).await?;
            other_states(tx, &mut found).await?;
            tx.keeps_nothing();
            Ok(found)
        })
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
                let (dataset, sequence): (i64, i64) = (row.get(0), row.get(1));
                let entry: i64 = row.get(LAST_CHANGE);
                found.push(format!("{OTHER_NEWEST}: {dataset}, {sequence}, {entry}"));
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
        for read in read_whole(Reads::One(tx), &mut reader, &rows).await? {
            match read {
                Err(Failure::Store(StoreError::Rotten(row))) => found.push(not_as_written(row)),
                read => drop(read?),
            }
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
            if !is_object(body) || digest.is_some_and(|it| past_states::digest(body) != it) {
                let (dataset, sequence, number): (i64, i64, i64) =
                    (row.get(0), row.get(1), row.get(2));
                found.push(format!(
                    "values that are kept of the past are not those behind their entry (dataset, sequence, entry): {dataset}, {sequence}, {number}"
                ));
            }
        }
    }
}

fn not_as_written(row: RottenRow) -> String {
    format!("{row} is not as it was written")
}

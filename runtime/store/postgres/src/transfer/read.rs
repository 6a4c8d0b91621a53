//! The rows of a store as a move reads them: each part in its order. What was changed by hand so that it does not follow its
//! form is not brought: elsewhere nobody would look at that again.

use crate::connection::Connection;
use crate::connections::Reads;
use crate::error::{Failure, malformed};
use crate::log_row::{LogReader, id_of, select_entry};
use crate::past_states::read_whole;
use crate::write::{folded_key, is_folded};
use store::records::have_form;
use store::transfer::{Part, RecordRow, RowKey, TransferRow};
use store::{RottenRow, StoreError};
use tokio_postgres::Row;

const NOUNS: &str = "SELECT kind, id, document FROM (
     SELECT kind, id, document FROM catalog UNION ALL SELECT kind, id, document FROM issued) AS nouns
   WHERE document IS NOT NULL AND (kind, id) > ($1, $2) ORDER BY kind, id LIMIT $3";
const DATASETS: &str =
    "SELECT dataset, records, errored, last_sequence, changes_lost, purge_to_settle
   FROM dataset_state WHERE dataset > $1 ORDER BY dataset LIMIT $2";
const RECORDS: &str =
    "SELECT dataset, sequence, nonce, version, schema_version, deleted, last_change, primary_key,
     errors, hidden, body FROM records
   WHERE (dataset, sequence) > ($1, $2) ORDER BY dataset, sequence LIMIT $3";
const ENTRIES: &str = select_entry!("WHERE l.number > $1 ORDER BY l.number LIMIT $2");
const TRAIL: &str = "SELECT tenant, own_number, entry FROM audit
   WHERE (tenant, own_number) > ($1, $2) ORDER BY tenant, own_number LIMIT $3";
const FILES: &str =
    "SELECT id, condemned_at, document FROM files WHERE id > $1 ORDER BY id LIMIT $2";
const JOBS: &str = "SELECT number, id, state, is_cancelling, has_files, document FROM jobs
   WHERE number > $1 ORDER BY number LIMIT $2";
const DELIVERIES: &str =
    "SELECT webhook, document FROM deliveries WHERE webhook > $1 ORDER BY webhook LIMIT $2";
const DEAD_LETTERS: &str = "SELECT number, webhook, document FROM dead_letters
   WHERE number > $1 ORDER BY number LIMIT $2";
const COUNTERS: &str = "SELECT name, value FROM counters
   WHERE name IN ('catalog', 'dead_letters', 'jobs', 'log') AND name > $1 ORDER BY name LIMIT $2";

const DAILY_COUNTS: &str = "SELECT dataset, day, records, errored FROM daily_counts
   WHERE (dataset, day) > ($1, $2) ORDER BY dataset, day LIMIT $3";

/// The rows of a part behind a key.
pub(super) async fn rows(
    connection: &Connection,
    part: Part,
    after: Option<RowKey>,
    max: i64,
) -> Result<Vec<TransferRow>, Failure> {
    let is_first = after.is_none();
    let RowKey { texts, numbers } = after.unwrap_or_default();
    let number = if is_first { -1 } else { numbers.0 };
    let rows = match part {
        Part::Nouns => connection.rows(NOUNS, &[&texts.0, &texts.1, &max]).await?,
        Part::Records => {
            connection
                .rows(RECORDS, &[&number, &numbers.1, &max])
                .await?
        }
        Part::Trail => connection.rows(TRAIL, &[&texts.0, &number, &max]).await?,
        Part::Datasets => connection.rows(DATASETS, &[&number, &max]).await?,
        Part::ChangeLog => connection.rows(ENTRIES, &[&number, &max]).await?,
        Part::Jobs => connection.rows(JOBS, &[&number, &max]).await?,
        Part::DeadLetters => connection.rows(DEAD_LETTERS, &[&number, &max]).await?,
        Part::Files => connection.rows(FILES, &[&texts.0, &max]).await?,
        Part::Deliveries => connection.rows(DELIVERIES, &[&texts.0, &max]).await?,
        Part::Counters => connection.rows(COUNTERS, &[&texts.0, &max]).await?,
        Part::DailyCounts => {
            connection
                .rows(DAILY_COUNTS, &[&number, &numbers.1, &max])
                .await?
        }
    };
    if part == Part::ChangeLog {
        return entries(connection, &rows).await;
    }
    if part == Part::Records {
        return rows.iter().map(record).collect();
    }
    Ok(rows.iter().map(|row| plain(part, row)).collect())
}

/// Entries with their values whole.
async fn entries(connection: &Connection, rows: &[Row]) -> Result<Vec<TransferRow>, Failure> {
    let mut reader = LogReader::default();
    let read = read_whole(Reads::One(connection), &mut reader, rows).await?;
    let rows = read
        .into_iter()
        .map(|entry| entry.map(|entry| TransferRow::Entry(entry.into())));
    rows.collect()
}

/// A row whose columns are those of its form.
fn plain(part: Part, row: &Row) -> TransferRow {
    match part {
        Part::Nouns | Part::Records | Part::ChangeLog => TransferRow::Noun {
            kind: row.get(0),
            id: row.get(1),
            document: row.get(2),
        },
        Part::Datasets => TransferRow::Dataset {
            number: row.get(0),
            records: row.get(1),
            errored: row.get(2),
            last_sequence: row.get(3),
            changes_lost: row.get(4),
            purge_to_settle: row.get(5),
        },
        Part::Trail => TransferRow::Trail {
            tenant: row.get(0),
            own_number: row.get(1),
            document: row.get(2),
        },
        Part::Files => TransferRow::File {
            id: row.get(0),
            condemned_at: row.get(1),
            document: row.get(2),
        },
        Part::Jobs => TransferRow::Job {
            number: row.get(0),
            id: row.get(1),
            state: row.get(2),
            is_cancelling: row.get(3),
            has_files: row.get(4),
            document: row.get(5),
        },
        Part::Deliveries => TransferRow::Delivery {
            webhook: row.get(0),
            document: row.get(1),
        },
        Part::DeadLetters => TransferRow::DeadLetter {
            number: row.get(0),
            webhook: row.get(1),
            document: row.get(2),
        },
        Part::DailyCounts => TransferRow::DayCount {
            dataset: row.get(0),
            day: row.get(1),
            records: row.get(2),
            errored: row.get(3),
        },
        Part::Counters => {
            let (name, value): (String, i64) = (row.get(0), row.get(1));
            // a catalog has a version from its first noun on
            let least = i64::from(name == "catalog");
            TransferRow::Counter {
                value: value.max(least),
                name,
            }
        }
    }
}

fn record(row: &Row) -> Result<TransferRow, Failure> {
    let body: String = row.get(10);
    let (errors, hidden): (Option<String>, Option<String>) = (row.get(8), row.get(9));
    if !have_form(&body, errors.as_deref(), hidden.as_deref()) {
        let id = id_of(row.get(0), row.get(1), row.get(2));
        return Err(StoreError::Rotten(RottenRow::Record(id)).into());
    }
    let kept: Option<String> = row.get(7);
    let primary_key = match kept {
        Some(kept) if is_folded(&kept) => Some(unfolded(&kept, &body)?),
        kept => kept,
    };
    Ok(TransferRow::Record(RecordRow {
        dataset: row.get(0),
        sequence: row.get(1),
        nonce: row.get(2),
        version: row.get(3),
        schema_version: row.get(4),
        deleted: row.get(5),
        last_change: row.get(6),
        primary_key,
        errors,
        hidden,
        body,
    }))
}

/// The key that a text stands for: that of the record's values which is kept as this.
fn unfolded(kept: &str, body: &str) -> Result<String, Failure> {
    let values: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(body).map_err(malformed("a record"))?;
    let mut texts = values.into_iter().filter_map(|(_, value)| match value {
        serde_json::Value::String(text) => Some(text),
        _ => None,
    });
    let found = texts.find(|text| folded_key(text) == kept);
    let lost = || StoreError::Damaged("a record lacks the value of its primary key".to_owned());
    Ok(found.ok_or_else(lost)?)
}

//! Rows that a move brings, written as they are, but for what the newest entry about a record has of its values already: those
//! of one kind that follow one another in one statement.

use crate::connection::Values;
use crate::connections::Transaction;
use crate::error::{Failure, malformed};
use crate::past_states::{NEWEST, digest};
use crate::write::folded_key;
use serde_json::from_str;
use std::borrow::Cow;
use std::collections::HashMap;
use store::catalog::{AuditEntry, Kind};
use store::delta;
use store::files::StoredFile;
use store::jobs::Job;
use store::records::LogAction;
use store::transfer::{EntryRow, RecordRow, TransferRow};
use wire::Timestamp;

// a folder has its secret in the catalog, too, where it came from a database and its file could not be written
const NOUN: &str = "INSERT INTO catalog (kind, id, version, document) VALUES ($1, $2, 1, $3)
   ON CONFLICT (kind, id) DO UPDATE SET document = excluded.document";
const ISSUED: &str = "INSERT INTO issued (kind, id, version, document) VALUES ($1, $2, 1, $3)";
const DATASET: &str = "INSERT INTO dataset_state
     (dataset, records, errored, last_sequence, last_change, changes_lost, purge_to_settle)
   VALUES ($1, $2, $3, $4, 0, $5, $6)";
const RECORDS: &str =
    "INSERT INTO records (dataset, sequence, nonce, version, schema_version, deleted,
     last_change, primary_key, errors, hidden, body)
   SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[],
     $6::boolean[], $7::bigint[], $8::text[], $9::text[], $10::text[], $11::text[])";
const ENTRIES: &str = "INSERT INTO change_log (dataset, number, sequence, nonce, action, version,
     schema_version, at, actor, prior, before, after, errors, hidden, digest)
   SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[],
     $6::bigint[], $7::bigint[], $8::bigint[], $9::text[], $10::bigint[], $11::text[], $12::text[],
     $13::text[], $14::text[], $15::bigint[])";
const TRAIL: &str = "INSERT INTO audit (tenant, own_number, incident, at, entry)
   SELECT * FROM unnest($1::text[], $2::bigint[], $3::boolean[], $4::bigint[], $5::text[])";
const FILE: &str = "INSERT INTO files (id, dataset, created_at, condemned_at, size, document)
   VALUES ($1, $2, $3, $4, $5, $6)";
const JOB: &str = "INSERT INTO jobs (id, number, tenant, dataset, schema, maker, kind, state,
     is_cancelling, lease_until, ended_at, has_files, document)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11, $12)";
const DELIVERY: &str = "INSERT INTO deliveries (webhook, document) VALUES ($1, $2)";
const DEAD_LETTER: &str =
    "INSERT INTO dead_letters (number, webhook, document) VALUES ($1, $2, $3)";
const DAY_COUNT: &str =
    "INSERT INTO daily_counts (dataset, day, records, errored) VALUES ($1, $2, $3, $4)";
const COUNTER: &str = "UPDATE counters SET value = $2 WHERE name = $1";
const CATALOG_COUNTER: &str = "SELECT value FROM counters WHERE name = 'catalog'";
// by its value: an engine of several nodes changes what each of them has by nothing that one alone has
const CATALOG_VERSIONS: &str = "UPDATE catalog SET version = $1";
/// What else follows from the rows: a version from which servers read, and the newest numbers.
const SETTLE: &[&str] = &[
    "UPDATE counters SET value = 1 WHERE name = 'issued'",
    "DELETE FROM counters WHERE name LIKE 'records:%'",
    "DELETE FROM audit_state",
    "INSERT INTO audit_state (tenant, last_number)
     SELECT tenant, max(own_number) FROM audit GROUP BY tenant",
    "UPDATE dataset_state s SET last_change = greatest(s.changes_lost, coalesce(
     (SELECT max(l.number) FROM change_log l WHERE l.dataset = s.dataset), 0))",
];

/// Writes rows of a part.
pub(super) async fn put(tx: &Transaction, rows: &[TransferRow]) -> Result<(), Failure> {
    let records: Vec<&RecordRow> = rows.iter().filter_map(as_record).collect();
    if !records.is_empty() {
        put_records(tx, &records).await?;
    }
    let entries: Vec<&EntryRow> = rows.iter().filter_map(as_entry).collect();
    if !entries.is_empty() {
        put_entries(tx, &entries).await?;
    }
    put_trail(tx, rows).await?;
    for row in rows {
        put_one(tx, row).await?;
    }
    Ok(())
}

/// Writes what follows from all rows.
pub(super) async fn settle(tx: &Transaction) -> Result<(), Failure> {
    if let Some(row) = tx.row(CATALOG_COUNTER, &[]).await? {
        let version: i64 = row.get(0);
        tx.execute(CATALOG_VERSIONS, &[&version]).await?;
    }
    for sql in SETTLE {
        tx.execute(sql, &[]).await?;
    }
    Ok(())
}

fn as_record(row: &TransferRow) -> Option<&RecordRow> {
    match row {
        TransferRow::Record(record) => Some(record),
        _ => None,
    }
}

fn as_entry(row: &TransferRow) -> Option<&EntryRow> {
    match row {
        TransferRow::Entry(entry) => Some(entry),
        _ => None,
    }
}

/// A column of rows, as a statement takes it.
fn column<'r, R, T>(rows: &'r [R], of: impl Fn(&'r R) -> T) -> Vec<T> {
    rows.iter().map(of).collect()
}

async fn put_records(tx: &Transaction, rows: &[&RecordRow]) -> Result<(), Failure> {
    let keys = column(rows, |it| it.primary_key.as_deref().map(folded_key));
    tx.execute(
        RECORDS,
        &[
            &column(rows, |it| it.dataset),
            &column(rows, |it| it.sequence),
            &column(rows, |it| it.nonce),
            &column(rows, |it| it.version),
            &column(rows, |it| it.schema_version),
            &column(rows, |it| it.deleted),
            &column(rows, |it| it.last_change),
            &keys,
            &column(rows, |it| it.errors.as_deref()),
            &column(rows, |it| it.hidden.as_deref()),
            &column(rows, |it| it.body.as_str()),
        ],
    )
    .await?;
    Ok(())
}

/// The values of an entry as its row has them.
struct EntryValues<'r> {
    before: Option<Cow<'r, str>>,
    after: Option<&'r str>,
    digest: Option<i64>,
}

/// Leaves out of an entry what the record has already, if it is the newest about it; those of an older one stand in it whole.
fn values_of<'r>(row: &'r EntryRow, record: Option<&String>) -> EntryValues<'r> {
    let (before, after) = (row.before.as_deref(), row.after.as_deref());
    let is_deletion = row.action == LogAction::Delete.as_str();
    let behind = if is_deletion { before } else { after };
    match behind.filter(|behind| record.is_some_and(|record| record == behind)) {
        Some(behind) => EntryValues {
            before: before
                .filter(|_| !is_deletion)
                .map(|before| delta::back(before, behind).into()),
            after: None,
            digest: Some(digest(behind)),
        },
        None => EntryValues {
            before: before.map(Cow::from),
            after,
            digest: None,
        },
    }
}

async fn put_entries(tx: &Transaction, rows: &[&EntryRow]) -> Result<(), Failure> {
    let actors = rows.iter().map(|it| serde_json::to_string(&*it.actor));
    let actors: Vec<String> = actors
        .collect::<Result<_, _>>()
        .map_err(malformed("an actor"))?;
    let (datasets, sequences) = (
        column(rows, |it| it.dataset),
        column(rows, |it| it.sequence),
    );
    let (nonces, numbers) = (column(rows, |it| it.nonce), column(rows, |it| it.number));
    let given: Values<'_> = &[&datasets, &sequences, &nonces, &numbers];
    let newest = tx.rows(NEWEST, given).await?;
    let newest = newest.iter().map(|row| (row.get(0), row.get(1)));
    let newest: HashMap<i64, String> = newest.collect();
    let values = column(rows, |it| values_of(it, newest.get(&it.number)));
    tx.execute(
        ENTRIES,
        &[
            &datasets,
            &numbers,
            &sequences,
            &nonces,
            &column(rows, |it| it.action),
            &column(rows, |it| it.version),
            &column(rows, |it| it.schema_version),
            &column(rows, |it| it.at),
            &actors,
            &column(rows, |it| it.prior),
            &column(&values, |it| it.before.as_deref()),
            &column(&values, |it| it.after),
            &column(rows, |it| it.errors.as_deref()),
            &column(rows, |it| it.hidden.as_deref()),
            &column(&values, |it| it.digest),
        ],
    )
    .await?;
    Ok(())
}

async fn put_trail(tx: &Transaction, rows: &[TransferRow]) -> Result<(), Failure> {
    let (mut tenants, mut numbers, mut documents) = (Vec::new(), Vec::new(), Vec::new());
    let (mut incidents, mut moments) = (Vec::new(), Vec::new());
    for row in rows {
        let TransferRow::Trail {
            tenant,
            own_number,
            document,
        } = row
        else {
            continue;
        };
        let entry: AuditEntry = from_str(document).map_err(malformed("an audit entry"))?;
        tenants.push(tenant.as_str());
        numbers.push(*own_number);
        incidents.push(entry.action.is_incident());
        moments.push(entry.at.millis());
        documents.push(document.as_str());
    }
    if !tenants.is_empty() {
        let given: Values<'_> = &[&tenants, &numbers, &incidents, &moments, &documents];
        tx.execute(TRAIL, given).await?;
    }
    Ok(())
}

/// Writes a row of a kind of which there are few.
async fn put_one(tx: &Transaction, row: &TransferRow) -> Result<(), Failure> {
    match row {
        TransferRow::Record(_) | TransferRow::Entry(_) | TransferRow::Trail { .. } => {}
        TransferRow::Noun { kind, id, document } => {
            let is_issued = [Kind::Token, Kind::Session].map(Kind::as_str);
            let sql = if is_issued.contains(&kind.as_str()) {
                ISSUED
            } else {
                NOUN
            };
            tx.execute(sql, &[kind, id, document]).await?;
        }
        TransferRow::Dataset {
            number,
            records,
            errored,
            last_sequence,
            changes_lost: lost,
            purge_to_settle: purge,
        } => {
            let given: Values<'_> = &[number, records, errored, last_sequence, lost, purge];
            tx.execute(DATASET, given).await?;
        }
        TransferRow::File {
            id,
            condemned_at,
            document,
        } => {
            let file: StoredFile = from_str(document).map_err(malformed("an uploaded file"))?;
            let (at, size) = (file.created_at.millis(), file.size.cast_signed());
            let given: Values<'_> = &[id, &file.dataset, &at, condemned_at, &size, document];
            tx.execute(FILE, given).await?;
        }
        TransferRow::Job { .. } => put_job(tx, row).await?,
        TransferRow::Delivery { webhook, document } => {
            tx.execute(DELIVERY, &[webhook, document]).await?;
        }
        TransferRow::DeadLetter {
            number,
            webhook,
            document,
        } => {
            tx.execute(DEAD_LETTER, &[number, webhook, document])
                .await?;
        }
        TransferRow::Counter { name, value } => {
            tx.execute(COUNTER, &[name, value]).await?;
        }
        TransferRow::DayCount {
            dataset,
            day,
            records,
            errored,
        } => {
            tx.execute(DAY_COUNT, &[dataset, day, records, errored])
                .await?;
        }
    }
    Ok(())
}

async fn put_job(tx: &Transaction, row: &TransferRow) -> Result<(), Failure> {
    let TransferRow::Job {
        number,
        id,
        state,
        is_cancelling,
        has_files,
        document,
    } = row
    else {
        return Ok(());
    };
    let job: Job = from_str(document).map_err(malformed("a job"))?;
    let given: Values<'_> = &[
        id,
        number,
        &job.tenant,
        &job.dataset,
        &job.schema,
        &job.maker.id,
        &job.kind.as_str(),
        state,
        is_cancelling,
        &job.ended_at.map(Timestamp::millis),
        has_files,
        document,
    ];
    tx.execute(JOB, given).await?;
    Ok(())
}

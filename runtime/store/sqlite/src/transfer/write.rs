//! Rows that a move brings, written as they are; checksums are made anew, and of an entry of the log what its record has
//! already is left out.

use crate::checksum::{EntryColumns, RecordColumns};
use crate::error::Failure;
use crate::row::{only, select_record, whole_record};
use crate::{log_row, noun_rows};
use rusqlite::{Connection, params};
use serde_json::from_str;
use store::catalog::AuditEntry;
use store::files::StoredFile;
use store::jobs::Job;
use store::records::RecordPlace;
use store::transfer::{EntryRow, RecordRow, TransferRow};
use store::{StoreError, delta};
use wire::Timestamp;

const NOUN: &str = "INSERT INTO catalog (kind, id, document) VALUES (?1, ?2, ?3)";
const DATASET: &str = "INSERT INTO dataset_state
   (dataset, records, errored, last_sequence, changes_lost, purge_to_settle)
   VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const RECORD: &str = "INSERT INTO records
   (place, nonce, dataset, version, schema_version, deleted, last_change, primary_key, errors, hidden, body, checksum)
   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
const BY_PLACE: &str = select_record!("WHERE place = ?1");
const TRAIL: &str =
    "INSERT INTO audit (tenant, own_number, incident, entry) VALUES (?1, ?2, ?3, ?4)";
const FILE: &str = "INSERT INTO files (id, dataset, created_at, condemned_at, document)
   VALUES (?1, ?2, ?3, ?4, ?5)";
const JOB: &str = "INSERT INTO jobs
   (number, id, tenant, dataset, maker, state, is_cancelling, ended_at, has_files, document)
   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
const DELIVERY: &str = "INSERT INTO deliveries (webhook, document) VALUES (?1, ?2)";
const DEAD_LETTER: &str =
    "INSERT INTO dead_letters (number, webhook, document) VALUES (?1, ?2, ?3)";
const DAY_COUNT: &str =
    "INSERT INTO daily_counts (dataset, day, records, errored) VALUES (?1, ?2, ?3, ?4)";
const CATALOG_VERSION: &str = "UPDATE catalog_version SET version = ?1";
// what counts by itself goes on behind the last number, whatever rows there are
const FORGET_NUMBER: &str = "DELETE FROM sqlite_sequence WHERE name = ?1";
const NUMBER: &str = "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)";
// the store's own numbers rise with time, over all tenants; aside first, since none is there twice
const TRAIL_ASIDE: &str =
    "UPDATE audit SET number = -ordered.new FROM (SELECT number AS old, row_number() OVER (
     ORDER BY json_extract(entry, '$.at'), tenant, own_number) AS new FROM audit) AS ordered
   WHERE ordered.old = audit.number";
const TRAIL_BACK: &str = "UPDATE audit SET number = -number WHERE number < 0";

/// Writes a row.
pub(super) fn put(connection: &Connection, row: &TransferRow) -> Result<(), Failure> {
    match row {
        TransferRow::Noun { kind, id, document } => {
            connection
                .prepare_cached(NOUN)?
                .execute([kind, id, document])?;
        }
        TransferRow::Dataset {
            number,
            records,
            errored,
            last_sequence,
            changes_lost: lost,
            purge_to_settle: purge,
        } => {
            let given = [number, records, errored, last_sequence, lost, purge];
            connection.prepare_cached(DATASET)?.execute(given)?;
        }
        TransferRow::Record(row) => record(connection, row)?,
        TransferRow::Entry(row) => entry(connection, row)?,
        TransferRow::Trail {
            tenant,
            own_number,
            document,
        } => {
            let read: AuditEntry =
                from_str(document).map_err(noun_rows::malformed("an audit entry"))?;
            let given = params![tenant, own_number, read.action.is_incident(), document];
            connection.prepare_cached(TRAIL)?.execute(given)?;
        }
        TransferRow::File {
            id,
            condemned_at,
            document,
        } => {
            let file: StoredFile =
                from_str(document).map_err(noun_rows::malformed("an uploaded file"))?;
            let at = file.created_at.millis();
            let given = params![id, file.dataset, at, condemned_at, document];
            connection.prepare_cached(FILE)?.execute(given)?;
        }
        TransferRow::Job { .. } => job(connection, row)?,
        TransferRow::Delivery { webhook, document } => {
            connection
                .prepare_cached(DELIVERY)?
                .execute([webhook, document])?;
        }
        TransferRow::DeadLetter {
            number,
            webhook,
            document,
        } => {
            let given = params![number, webhook, document];
            connection.prepare_cached(DEAD_LETTER)?.execute(given)?;
        }
        TransferRow::Counter { name, value } => counter(connection, name, *value)?,
        TransferRow::DayCount {
            dataset,
            day,
            records,
            errored,
        } => {
            let given = [dataset, day, records, errored];
            connection.prepare_cached(DAY_COUNT)?.execute(given)?;
        }
    }
    Ok(())
}

/// The number of a place.
fn place(dataset: i64, sequence: i64) -> Result<i64, Failure> {
    let dataset = u32::try_from(dataset).unwrap_or(u32::MAX);
    let place = RecordPlace {
        dataset,
        sequence: sequence.cast_unsigned(),
    };
    Ok(place.number().ok_or(StoreError::NoPlace { dataset })?)
}

fn record(connection: &Connection, row: &RecordRow) -> Result<(), Failure> {
    let columns = RecordColumns {
        place: place(row.dataset, row.sequence)?,
        nonce: row.nonce,
        version: row.version,
        schema_version: row.schema_version,
        deleted: row.deleted,
        last_change: row.last_change,
        primary_key: row.primary_key.as_deref(),
        errors: row.errors.as_deref(),
        hidden: row.hidden.as_deref(),
        body: &row.body,
    };
    connection.prepare_cached(RECORD)?.execute(params![
        columns.place,
        columns.nonce,
        row.dataset,
        columns.version,
        columns.schema_version,
        columns.deleted,
        columns.last_change,
        columns.primary_key,
        columns.errors,
        columns.hidden,
        columns.body,
        columns.checksum(),
    ])?;
    Ok(())
}

/// Writes an entry. The values behind the newest one of a record are the record's own, and are left out here; those of an
/// older one stand in it whole.
fn entry(connection: &Connection, row: &EntryRow) -> Result<(), Failure> {
    let place = place(row.dataset, row.sequence)?;
    let statement = connection.prepare_cached(BY_PLACE)?;
    let found = only(statement, [place], whole_record)?;
    let is_newest = found.as_ref().is_some_and(|found| {
        found.last_change == row.number && found.record.id.nonce.cast_signed() == row.nonce
    });
    let body = found.filter(|_| is_newest).map(|found| found.record.body);
    let is_deletion = row.action == "delete";
    let behind = if is_deletion { &row.before } else { &row.after };
    let is_told = behind.is_some() && *behind == body;
    let before_as_told = match (&row.before, &row.after) {
        (Some(_), _) if is_told && is_deletion => None,
        (Some(before), Some(after)) if is_told => Some(delta::back(before, after)),
        (before, _) => before.clone(),
    };
    let actor = serde_json::to_string(&*row.actor).map_err(noun_rows::malformed("an actor"))?;
    let columns = EntryColumns {
        number: row.number,
        place,
        nonce: row.nonce,
        action: row.action,
        version: row.version,
        schema_version: row.schema_version,
        at: row.at,
        actor: &actor,
        prior: row.prior,
        before: before_as_told.as_deref(),
        after: row.after.as_deref().filter(|_| !is_told),
        errors: row.errors.as_deref(),
        hidden: row.hidden.as_deref(),
    };
    log_row::put(connection, &columns)
}

fn job(connection: &Connection, row: &TransferRow) -> Result<(), Failure> {
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
    let job: Job = from_str(document).map_err(noun_rows::malformed("a job"))?;
    connection.prepare_cached(JOB)?.execute(params![
        number,
        id,
        job.tenant,
        job.dataset,
        job.maker.id,
        state,
        is_cancelling,
        job.ended_at.map(Timestamp::millis),
        has_files,
        document,
    ])?;
    Ok(())
}

fn counter(connection: &Connection, name: &str, value: i64) -> Result<(), Failure> {
    match name {
        "catalog" => {
            connection.execute(CATALOG_VERSION, [value])?;
        }
        "jobs" | "dead_letters" => {
            connection.execute(FORGET_NUMBER, [name])?;
            if value > 0 {
                connection.execute(NUMBER, params![name, value])?;
            }
        }
        // the newest entry of the log has it
        _ => {}
    }
    Ok(())
}

/// Gives the entries of all trails numbers that rise with time, by which old ones go.
pub(super) fn order_trail(connection: &Connection) -> Result<(), Failure> {
    connection.execute(TRAIL_ASIDE, [])?;
    connection.execute(TRAIL_BACK, [])?;
    Ok(())
}

//! One write inside the writer's transaction: record, counters, gaps and change log together, after a look at
//! the catalog as of this transaction.

use super::checksum::{EntryColumns, RecordColumns};
use super::row::{only, select_record, whole_record};
use super::{delta, gaps, log_row, noun_rows, past_states};
use crate::error::Failure;
use rusqlite::{Connection, OptionalExtension, params};
use store::StoreError;
use store::catalog::Catalog;
use store::records::{Change, LogAction, NewContent, RecordId, RecordPlace, Write, WriteVerdict};

const NEXT_SEQUENCE: &str =
    "INSERT INTO dataset_state (dataset, records, errored, last_sequence) VALUES (?1, 1, ?2, 1)
   ON CONFLICT (dataset) DO UPDATE SET
     records = records + 1, errored = errored + excluded.errored, last_sequence = last_sequence + 1
   RETURNING last_sequence";
const COUNT: &str =
    "UPDATE dataset_state SET records = records + ?2, errored = errored + ?3 WHERE dataset = ?1";
const INSERT: &str = "INSERT INTO records
   (place, nonce, dataset, version, schema_version, deleted, last_change, primary_key, errors, hidden, body, checksum)
   VALUES (?1, ?2, ?3, 0, ?4, 0, ?5, ?6, ?7, ?8, ?9, ?10)";
const KEY_HOLDER: &str = "SELECT place FROM records
   WHERE dataset = ?1 AND primary_key = ?2 AND deleted = 0 AND primary_key IS NOT NULL";
const READ: &str = select_record!("WHERE place = ?1");
const UPDATE: &str =
    "UPDATE records SET version = version + 1, schema_version = ?2, last_change = ?3,
   primary_key = ?4, errors = ?5, hidden = ?6, body = ?7, checksum = ?8 WHERE place = ?1";
const MARK: &str = "UPDATE records SET deleted = ?2, version = ?3, last_change = ?4, checksum = ?5
   WHERE place = ?1";
const PURGE: &str = "DELETE FROM records WHERE place = ?1";
// one that said when it was deleted, and was kept for that alone
const FORGET_DELETION: &str = "DELETE FROM change_log WHERE number = ?1 AND place = ?2
   AND number <= (SELECT changes_lost FROM dataset_state WHERE dataset = ?3)";
const PURGE_CHANGE: &str =
    "DELETE FROM change_log WHERE number = ?1 AND place = ?2 RETURNING prior";

/// A record as a write finds it.
struct CurrentRow {
    place: i64,
    version: i64,
    schema_version: i64,
    deleted: bool,
    last_change: i64,
    primary_key: Option<String>,
    hidden: Option<String>,
    errors: Option<String>,
    body: String,
}

/// A new entry of the change log.
struct NewEntry<'a> {
    place: i64,
    nonce: u64,
    action: LogAction,
    version: i64,
    schema_version: i64,
    prior: Option<i64>,
    /// How the values before it differ from those behind it, if they do.
    before: Option<&'a str>,
    errors: Option<&'a str>,
    hidden: Option<&'a str>,
}

/// Does what a write asks for, and tells `changing` of a live record's place and key before it changes.
pub(super) fn apply(
    connection: &Connection,
    catalog: &Catalog,
    write: &Write,
    changing: &dyn Fn(RecordPlace, Option<&str>),
) -> Result<WriteVerdict, Failure> {
    if !is_in_force(catalog, write) {
        return Ok(WriteVerdict::SchemaChanged);
    }
    let verdict = attempt(connection, write, changing)?;
    if let (WriteVerdict::Done { .. }, Some(entry)) = (verdict, &write.audit) {
        noun_rows::remember(connection, entry)?;
    }
    Ok(verdict)
}

/// Whether what the write was judged under still holds.
fn is_in_force(catalog: &Catalog, write: &Write) -> bool {
    let Some(judged_under) = write.judged_under else {
        return true;
    };
    let in_force = catalog.version_in_force(write.dataset);
    match write.change {
        Change::Create { .. }
        | Change::Update { .. }
        | Change::Revert { .. }
        | Change::Restore { .. } => in_force == Some(judged_under),
        Change::Delete { .. } | Change::Purge { .. } => in_force.is_some(),
    }
}

fn attempt(
    connection: &Connection,
    write: &Write,
    changing: &dyn Fn(RecordPlace, Option<&str>),
) -> Result<WriteVerdict, Failure> {
    match &write.change {
        Change::Create { nonce, content } => create(connection, write, *nonce, content),
        Change::Update {
            id,
            version,
            content,
        }
        | Change::Revert {
            id,
            version,
            content,
        } => match current(connection, write, *id, *version)? {
            Ok(row) => {
                changing(id.place, row.primary_key.as_deref());
                update(connection, write, *id, &row, content)
            }
            Err(verdict) => Ok(verdict),
        },
        Change::Delete { id, version } => match current(connection, write, *id, *version)? {
            Ok(row) => {
                changing(id.place, row.primary_key.as_deref());
                delete(connection, write, *id, &row)
            }
            Err(verdict) => Ok(verdict),
        },
        Change::Restore { id } => match read(connection, write, *id)? {
            Some(row) if row.deleted => restore(connection, write, *id, &row),
            _ => Ok(WriteVerdict::NotFound),
        },
        Change::Purge { id } => match read(connection, write, *id)? {
            Some(row) if row.deleted => purge(connection, write, *id, &row),
            _ => Ok(WriteVerdict::NotFound),
        },
    }
}

fn create(
    connection: &Connection,
    write: &Write,
    nonce: u64,
    content: &NewContent,
) -> Result<WriteVerdict, Failure> {
    let dataset = write.dataset;
    // asked before anything is written, so that such a write does not undo its neighbours'
    let first = RecordPlace {
        dataset,
        sequence: 1,
    };
    if first.number().is_none() {
        return Err(StoreError::NoPlace { dataset }.into());
    }
    if is_taken(connection, dataset, content.primary_key.as_deref(), None)? {
        return Ok(WriteVerdict::DuplicateKey);
    }
    let sequence: i64 = connection
        .prepare_cached(NEXT_SEQUENCE)?
        .query_row(params![dataset, content.errors.is_some()], |row| row.get(0))?;
    let sequence = sequence.cast_unsigned();
    let id = RecordId {
        place: RecordPlace { dataset, sequence },
        nonce,
    };
    let place = id.place.number().ok_or(StoreError::NoPlace { dataset })?;
    let entry = NewEntry {
        place,
        nonce,
        action: LogAction::Create,
        version: 0,
        schema_version: content.schema_version,
        prior: None,
        before: None,
        errors: Some(content.errors.as_deref().unwrap_or_default()),
        hidden: content.hidden.as_deref(),
    };
    let change = log(connection, write, &entry)?;
    let columns = of_content(content, place, nonce, 0, change);
    connection.prepare_cached(INSERT)?.execute(params![
        place,
        columns.nonce,
        dataset,
        columns.schema_version,
        change,
        columns.primary_key,
        columns.errors,
        columns.hidden,
        columns.body,
        columns.checksum(),
    ])?;
    Ok(WriteVerdict::Done { id, version: 0 })
}

fn update(
    connection: &Connection,
    write: &Write,
    id: RecordId,
    row: &CurrentRow,
    content: &NewContent,
) -> Result<WriteVerdict, Failure> {
    let key = content.primary_key.as_deref();
    let changes_key = row.primary_key.as_deref() != key;
    if changes_key && is_taken(connection, write.dataset, key, Some(row.place))? {
        return Ok(WriteVerdict::DuplicateKey);
    }
    let version = row.version + 1;
    let action = match write.change {
        Change::Revert { .. } => LogAction::Restore,
        _ => LogAction::Update,
    };
    let before = delta::back(&row.body, &content.body);
    let entry = NewEntry {
        version,
        schema_version: content.schema_version,
        before: Some(&before),
        errors: Some(content.errors.as_deref().unwrap_or_default()),
        hidden: content.hidden.as_deref(),
        ..row.entry(id, action)
    };
    past_states::keep(connection, version, row.place, row.last_change, &row.body)?;
    let change = log(connection, write, &entry)?;
    let columns = of_content(content, row.place, id.nonce, version, change);
    connection.prepare_cached(UPDATE)?.execute(params![
        row.place,
        columns.schema_version,
        change,
        columns.primary_key,
        columns.errors,
        columns.hidden,
        columns.body,
        columns.checksum(),
    ])?;
    let errored = i64::from(content.errors.is_some()) - i64::from(row.errors.is_some());
    if errored != 0 {
        count(connection, write.dataset, 0, errored)?;
    }
    Ok(WriteVerdict::Done { id, version })
}

fn delete(
    connection: &Connection,
    write: &Write,
    id: RecordId,
    row: &CurrentRow,
) -> Result<WriteVerdict, Failure> {
    let entry = row.entry(id, LogAction::Delete);
    let change = log(connection, write, &entry)?;
    let version = row.version;
    row.mark(connection, id, true, version, change)?;
    gaps::open(connection, row.place)?;
    let errored = i64::from(row.errors.is_some());
    count(connection, write.dataset, -1, -errored)?;
    Ok(WriteVerdict::Done { id, version })
}

fn restore(
    connection: &Connection,
    write: &Write,
    id: RecordId,
    row: &CurrentRow,
) -> Result<WriteVerdict, Failure> {
    let key = row.primary_key.as_deref();
    if is_taken(connection, write.dataset, key, None)? {
        return Ok(WriteVerdict::DuplicateKey);
    }
    let version = row.version + 1;
    let entry = NewEntry {
        version,
        ..row.entry(id, LogAction::Restore)
    };
    past_states::keep(connection, version, row.place, row.last_change, &row.body)?;
    let change = log(connection, write, &entry)?;
    row.mark(connection, id, false, version, change)?;
    let given = params![row.last_change, row.place, write.dataset];
    connection.prepare_cached(FORGET_DELETION)?.execute(given)?;
    gaps::close(connection, row.place)?;
    let errored = i64::from(row.errors.is_some());
    count(connection, write.dataset, 1, errored)?;
    Ok(WriteVerdict::Done { id, version })
}

fn purge(
    connection: &Connection,
    write: &Write,
    id: RecordId,
    row: &CurrentRow,
) -> Result<WriteVerdict, Failure> {
    // first the entry that stays, so that the newest number of the log is never given back
    let entry = NewEntry {
        prior: None,
        errors: None,
        hidden: None,
        ..row.entry(id, LogAction::Purge)
    };
    log(connection, write, &entry)?;
    let mut past = Some(row.last_change);
    while let Some(number) = past {
        past = connection
            .prepare_cached(PURGE_CHANGE)?
            .query_row([number, row.place], |row| row.get(0))
            .optional()?
            .flatten();
    }
    past_states::forget(connection, row.place)?;
    connection.prepare_cached(PURGE)?.execute([row.place])?;
    let version = row.version;
    Ok(WriteVerdict::Done { id, version })
}

impl CurrentRow {
    /// The entry of a change that leaves version and values as they are.
    fn entry(&self, id: RecordId, action: LogAction) -> NewEntry<'_> {
        NewEntry {
            place: self.place,
            nonce: id.nonce,
            action,
            version: self.version,
            schema_version: self.schema_version,
            prior: Some(self.last_change),
            before: None,
            errors: Some(self.errors.as_deref().unwrap_or_default()),
            hidden: self.hidden.as_deref(),
        }
    }

    /// Marks the record as deleted or as there; its values stay.
    fn mark(
        &self,
        connection: &Connection,
        id: RecordId,
        deleted: bool,
        version: i64,
        last_change: i64,
    ) -> Result<(), Failure> {
        let columns = RecordColumns {
            place: self.place,
            nonce: id.nonce.cast_signed(),
            version,
            schema_version: self.schema_version,
            deleted,
            last_change,
            primary_key: self.primary_key.as_deref(),
            errors: self.errors.as_deref(),
            hidden: self.hidden.as_deref(),
            body: &self.body,
        };
        let given = params![
            self.place,
            deleted,
            version,
            last_change,
            columns.checksum()
        ];
        connection.prepare_cached(MARK)?.execute(given)?;
        Ok(())
    }
}

/// The columns of a live record with new content.
fn of_content(
    content: &NewContent,
    place: i64,
    nonce: u64,
    version: i64,
    last_change: i64,
) -> RecordColumns<'_> {
    RecordColumns {
        place,
        nonce: nonce.cast_signed(),
        version,
        schema_version: content.schema_version,
        deleted: false,
        last_change,
        primary_key: content.primary_key.as_deref(),
        errors: content.errors.as_deref(),
        hidden: content.hidden.as_deref(),
        body: &content.body,
    }
}

/// Whether a live record other than `own` has the key.
fn is_taken(
    connection: &Connection,
    dataset: u32,
    key: Option<&str>,
    own: Option<i64>,
) -> Result<bool, Failure> {
    let Some(key) = key else { return Ok(false) };
    let holder: Option<i64> = connection
        .prepare_cached(KEY_HOLDER)?
        .query_row(params![dataset, key], |row| row.get(0))
        .optional()?;
    Ok(holder.is_some() && holder != own)
}

/// The live record of an id, if it still has the version; else the verdict.
fn current(
    connection: &Connection,
    write: &Write,
    id: RecordId,
    version: i64,
) -> Result<Result<CurrentRow, WriteVerdict>, Failure> {
    let row = read(connection, write, id)?.filter(|row| !row.deleted);
    Ok(match row {
        Some(row) if row.version == version => Ok(row),
        Some(CurrentRow { version, .. }) => Err(WriteVerdict::Stale { version }),
        None => Err(WriteVerdict::NotFound),
    })
}

/// The record of an id, if it is one of this dataset and its nonce is right.
fn read(
    connection: &Connection,
    write: &Write,
    id: RecordId,
) -> Result<Option<CurrentRow>, Failure> {
    let place = id.place.number();
    let Some(place) = place.filter(|_| id.place.dataset == write.dataset) else {
        return Ok(None);
    };
    let row = only(connection.prepare_cached(READ)?, [place], whole_record)?;
    Ok(row
        .filter(|row| row.record.id.nonce == id.nonce)
        .map(|row| CurrentRow {
            place,
            version: row.record.version,
            schema_version: row.record.schema_version,
            deleted: row.record.deleted,
            last_change: row.last_change,
            primary_key: row.primary_key,
            hidden: row.record.hidden,
            errors: row.record.errors,
            body: row.record.body,
        }))
}

fn count(connection: &Connection, dataset: u32, records: i64, errored: i64) -> Result<(), Failure> {
    connection
        .prepare_cached(COUNT)?
        .execute(params![dataset, records, errored])?;
    Ok(())
}

/// Writes an entry of the change log; its number.
fn log(connection: &Connection, write: &Write, entry: &NewEntry<'_>) -> Result<i64, Failure> {
    let actor = serde_json::to_string(&write.actor).map_err(|source| StoreError::Document {
        what: "an actor".to_owned(),
        source,
    })?;
    let number = log_row::next_number(connection)?;
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
    Ok(number)
}

//! One write inside the writer's transaction: record, counters, gaps and change log together, after a look at
//! the catalog as of this transaction.

use super::{gaps, noun_rows};
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
   (place, nonce, dataset, version, schema_version, deleted, last_change, primary_key, errors, hidden, body)
   VALUES (?1, ?2, ?3, 0, ?4, 0, ?5, ?6, ?7, ?8, ?9)";
const KEY_HOLDER: &str = "SELECT place FROM records
   WHERE dataset = ?1 AND primary_key = ?2 AND deleted = 0 AND primary_key IS NOT NULL";
const READ: &str =
    "SELECT nonce, version, schema_version, deleted, last_change, primary_key, errors IS NOT NULL, body
   FROM records WHERE place = ?1";
const UPDATE: &str =
    "UPDATE records SET version = version + 1, schema_version = ?2, last_change = ?3,
   primary_key = ?4, errors = ?5, hidden = ?6, body = ?7 WHERE place = ?1";
const MARK: &str = "UPDATE records SET deleted = ?2, version = version + ?3, last_change = ?4
   WHERE place = ?1";
const PURGE: &str = "DELETE FROM records WHERE place = ?1";
const PURGE_CHANGE: &str =
    "DELETE FROM change_log WHERE number = ?1 AND place = ?2 RETURNING prior";
const LOG: &str = "INSERT INTO change_log
   (place, nonce, action, version, schema_version, at, actor, prior, before, after)
   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";

/// A record as a write finds it.
struct CurrentRow {
    place: i64,
    version: i64,
    schema_version: i64,
    deleted: bool,
    last_change: i64,
    primary_key: Option<String>,
    errored: bool,
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
    before: Option<&'a str>,
    after: Option<&'a str>,
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
        Change::Create { .. } | Change::Update { .. } | Change::Restore { .. } => {
            in_force == Some(judged_under)
        }
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
        after: Some(&content.body),
    };
    let change = log(connection, write, &entry)?;
    connection.prepare_cached(INSERT)?.execute(params![
        place,
        nonce.cast_signed(),
        dataset,
        content.schema_version,
        change,
        content.primary_key,
        content.errors,
        content.hidden,
        content.body,
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
    let entry = NewEntry {
        version,
        schema_version: content.schema_version,
        before: Some(&row.body),
        after: Some(&content.body),
        ..row.entry(id, LogAction::Update)
    };
    let change = log(connection, write, &entry)?;
    connection.prepare_cached(UPDATE)?.execute(params![
        row.place,
        content.schema_version,
        change,
        key,
        content.errors,
        content.hidden,
        content.body,
    ])?;
    let errored = i64::from(content.errors.is_some()) - i64::from(row.errored);
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
    let entry = NewEntry {
        before: Some(&row.body),
        ..row.entry(id, LogAction::Delete)
    };
    let change = log(connection, write, &entry)?;
    connection
        .prepare_cached(MARK)?
        .execute(params![row.place, true, 0, change])?;
    gaps::open(connection, row.place)?;
    count(connection, write.dataset, -1, -i64::from(row.errored))?;
    let version = row.version;
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
        after: Some(&row.body),
        ..row.entry(id, LogAction::Restore)
    };
    let change = log(connection, write, &entry)?;
    connection
        .prepare_cached(MARK)?
        .execute(params![row.place, false, 1, change])?;
    gaps::close(connection, row.place)?;
    count(connection, write.dataset, 1, i64::from(row.errored))?;
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
            after: None,
        }
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
    let row = connection
        .prepare_cached(READ)?
        .query_row([place], |row| {
            let nonce: i64 = row.get(0)?;
            let row = CurrentRow {
                place,
                version: row.get(1)?,
                schema_version: row.get(2)?,
                deleted: row.get(3)?,
                last_change: row.get(4)?,
                primary_key: row.get(5)?,
                errored: row.get(6)?,
                body: row.get(7)?,
            };
            Ok((nonce.cast_unsigned() == id.nonce).then_some(row))
        })
        .optional()?;
    Ok(row.flatten())
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
    Ok(connection.prepare_cached(LOG)?.insert(params![
        entry.place,
        entry.nonce.cast_signed(),
        entry.action.as_str(),
        entry.version,
        entry.schema_version,
        write.at.millis(),
        actor,
        entry.prior,
        entry.before,
        entry.after,
    ])?)
}

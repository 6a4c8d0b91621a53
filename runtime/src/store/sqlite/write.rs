//! One write inside the writer's transaction: record, counters and change log together.

use crate::store::StoreError;
use crate::store::records::{Change, NewContent, RecordId, RecordPlace, Write, WriteVerdict};
use rusqlite::{Connection, OptionalExtension, params};

const NEXT_SEQUENCE: &str =
    "INSERT INTO dataset_state (dataset, records, errored, last_sequence) VALUES (?1, 0, 0, 1)
   ON CONFLICT (dataset) DO UPDATE SET last_sequence = last_sequence + 1 RETURNING last_sequence";
const COUNT: &str =
    "UPDATE dataset_state SET records = records + ?2, errored = errored + ?3 WHERE dataset = ?1";
const INSERT: &str = "INSERT INTO records
   (place, nonce, dataset, version, schema_version, deleted, primary_key, errors, hidden, body)
   VALUES (?1, ?2, ?3, 0, ?4, 0, ?5, ?6, ?7, ?8)";
const KEY_HOLDER: &str = "SELECT place FROM records
   WHERE dataset = ?1 AND primary_key = ?2 AND deleted = 0 AND primary_key IS NOT NULL";
const READ: &str =
    "SELECT nonce, version, schema_version, deleted, primary_key, errors IS NOT NULL, body
   FROM records WHERE place = ?1";
const UPDATE: &str =
    "UPDATE records SET version = version + 1, schema_version = ?2, primary_key = ?3,
   errors = ?4, hidden = ?5, body = ?6 WHERE place = ?1";
const MARK: &str = "UPDATE records SET deleted = ?2, version = version + ?3 WHERE place = ?1";
const PURGE: &str = "DELETE FROM records WHERE place = ?1";
const PURGE_LOG: &str = "DELETE FROM change_log WHERE place = ?1";
const LOG: &str = "INSERT INTO change_log
   (place, nonce, action, version, schema_version, at, actor, before, after)
   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";

/// A record as a write finds it.
struct Found {
    version: i64,
    schema_version: i64,
    deleted: bool,
    primary_key: Option<String>,
    errored: bool,
    body: String,
}

pub(super) fn apply(connection: &Connection, write: &Write) -> Result<WriteVerdict, StoreError> {
    match &write.change {
        Change::Create { nonce, content } => create(connection, write, *nonce, content),
        Change::Update {
            id,
            version,
            content,
        } => update(connection, write, *id, *version, content),
        Change::Delete { id, version } => delete(connection, write, *id, *version),
        Change::Restore { id } => restore(connection, write, *id),
        Change::Purge { id } => purge(connection, write, *id),
    }
}

fn create(
    connection: &Connection,
    write: &Write,
    nonce: u64,
    content: &NewContent,
) -> Result<WriteVerdict, StoreError> {
    if key_is_taken(
        connection,
        write.dataset,
        content.primary_key.as_deref(),
        None,
    )? {
        return Ok(WriteVerdict::DuplicateKey);
    }
    let sequence: i64 = connection
        .prepare_cached(NEXT_SEQUENCE)?
        .query_row([write.dataset], |row| row.get(0))?;
    let place = RecordPlace {
        dataset: write.dataset,
        sequence: sequence.cast_unsigned(),
    };
    let id = RecordId { place, nonce };
    connection.prepare_cached(INSERT)?.execute(params![
        place.to_sql(),
        nonce.cast_signed(),
        write.dataset,
        content.schema_version,
        content.primary_key,
        content.errors,
        content.hidden,
        content.body,
    ])?;
    count(
        connection,
        write.dataset,
        1,
        i64::from(content.errors.is_some()),
    )?;
    log(
        connection,
        write,
        id,
        "create",
        (0, content.schema_version),
        None,
        Some(&content.body),
    )?;
    Ok(WriteVerdict::Done { id, version: 0 })
}

fn update(
    connection: &Connection,
    write: &Write,
    id: RecordId,
    version: i64,
    content: &NewContent,
) -> Result<WriteVerdict, StoreError> {
    let found = match live(connection, write, id)? {
        Some(found) if found.version == version => found,
        Some(found) => {
            return Ok(WriteVerdict::Stale {
                version: found.version,
            });
        }
        None => return Ok(WriteVerdict::NotFound),
    };
    let changes_key = found.primary_key != content.primary_key;
    if changes_key
        && key_is_taken(
            connection,
            write.dataset,
            content.primary_key.as_deref(),
            Some(id.place),
        )?
    {
        return Ok(WriteVerdict::DuplicateKey);
    }
    connection.prepare_cached(UPDATE)?.execute(params![
        id.place.to_sql(),
        content.schema_version,
        content.primary_key,
        content.errors,
        content.hidden,
        content.body,
    ])?;
    let errored = i64::from(content.errors.is_some()) - i64::from(found.errored);
    if errored != 0 {
        count(connection, write.dataset, 0, errored)?;
    }
    let version = found.version + 1;
    let (before, after) = (Some(found.body.as_str()), Some(content.body.as_str()));
    log(
        connection,
        write,
        id,
        "update",
        (version, content.schema_version),
        before,
        after,
    )?;
    Ok(WriteVerdict::Done { id, version })
}

fn delete(
    connection: &Connection,
    write: &Write,
    id: RecordId,
    version: i64,
) -> Result<WriteVerdict, StoreError> {
    let found = match live(connection, write, id)? {
        Some(found) if found.version == version => found,
        Some(found) => {
            return Ok(WriteVerdict::Stale {
                version: found.version,
            });
        }
        None => return Ok(WriteVerdict::NotFound),
    };
    connection
        .prepare_cached(MARK)?
        .execute(params![id.place.to_sql(), true, 0])?;
    count(connection, write.dataset, -1, -i64::from(found.errored))?;
    log(
        connection,
        write,
        id,
        "delete",
        (version, found.schema_version),
        Some(&found.body),
        None,
    )?;
    Ok(WriteVerdict::Done { id, version })
}

fn restore(
    connection: &Connection,
    write: &Write,
    id: RecordId,
) -> Result<WriteVerdict, StoreError> {
    let Some(found) = read(connection, write, id)?.filter(|found| found.deleted) else {
        return Ok(WriteVerdict::NotFound);
    };
    if key_is_taken(
        connection,
        write.dataset,
        found.primary_key.as_deref(),
        None,
    )? {
        return Ok(WriteVerdict::DuplicateKey);
    }
    connection
        .prepare_cached(MARK)?
        .execute(params![id.place.to_sql(), false, 1])?;
    count(connection, write.dataset, 1, i64::from(found.errored))?;
    let version = found.version + 1;
    log(
        connection,
        write,
        id,
        "restore",
        (version, found.schema_version),
        None,
        Some(&found.body),
    )?;
    Ok(WriteVerdict::Done { id, version })
}

fn purge(connection: &Connection, write: &Write, id: RecordId) -> Result<WriteVerdict, StoreError> {
    let Some(found) = read(connection, write, id)?.filter(|found| found.deleted) else {
        return Ok(WriteVerdict::NotFound);
    };
    connection
        .prepare_cached(PURGE)?
        .execute([id.place.to_sql()])?;
    connection
        .prepare_cached(PURGE_LOG)?
        .execute([id.place.to_sql()])?;
    log(
        connection,
        write,
        id,
        "purge",
        (found.version, found.schema_version),
        None,
        None,
    )?;
    Ok(WriteVerdict::Done {
        id,
        version: found.version,
    })
}

fn key_is_taken(
    connection: &Connection,
    dataset: u32,
    key: Option<&str>,
    own: Option<RecordPlace>,
) -> Result<bool, StoreError> {
    let Some(key) = key else { return Ok(false) };
    let holder: Option<i64> = connection
        .prepare_cached(KEY_HOLDER)?
        .query_row(params![dataset, key], |row| row.get(0))
        .optional()?;
    Ok(holder.is_some_and(|holder| own.is_none_or(|own| own.to_sql() != holder)))
}

fn live(connection: &Connection, write: &Write, id: RecordId) -> Result<Option<Found>, StoreError> {
    Ok(read(connection, write, id)?.filter(|found| !found.deleted))
}

/// The record of an id, if it is one of this dataset and its nonce is right.
fn read(connection: &Connection, write: &Write, id: RecordId) -> Result<Option<Found>, StoreError> {
    if id.place.dataset != write.dataset {
        return Ok(None);
    }
    let found = connection
        .prepare_cached(READ)?
        .query_row([id.place.to_sql()], |row| {
            let nonce: i64 = row.get(0)?;
            let found = Found {
                version: row.get(1)?,
                schema_version: row.get(2)?,
                deleted: row.get(3)?,
                primary_key: row.get(4)?,
                errored: row.get(5)?,
                body: row.get(6)?,
            };
            Ok((nonce.cast_unsigned() == id.nonce).then_some(found))
        })
        .optional()?;
    Ok(found.flatten())
}

fn count(
    connection: &Connection,
    dataset: u32,
    records: i64,
    errored: i64,
) -> Result<(), StoreError> {
    connection
        .prepare_cached(COUNT)?
        .execute(params![dataset, records, errored])?;
    Ok(())
}

fn log(
    connection: &Connection,
    write: &Write,
    id: RecordId,
    action: &str,
    (version, schema_version): (i64, i64),
    before: Option<&str>,
    after: Option<&str>,
) -> Result<(), StoreError> {
    let actor = serde_json::to_string(&write.actor)
        .map_err(|error| StoreError::Damaged(error.to_string()))?;
    connection.prepare_cached(LOG)?.execute(params![
        id.place.to_sql(),
        id.nonce.cast_signed(),
        action,
        version,
        schema_version,
        write.at.millis(),
        actor,
        before,
        after,
    ])?;
    Ok(())
}

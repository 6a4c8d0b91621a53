//! The rows of nouns and of the audit trail, a document each.

use crate::error::Failure;
use rusqlite::{Connection, params};
use store::StoreError;
use store::catalog::{AuditEntry, INCIDENTS_MAX, Kind, Noun, NounKey};

const ALL: &str = "SELECT kind, id, document FROM catalog";
const PUT: &str = "INSERT INTO catalog (kind, id, document) VALUES (?1, ?2, ?3)
   ON CONFLICT (kind, id) DO UPDATE SET document = excluded.document";
const REMOVE: &str = "DELETE FROM catalog WHERE kind = ?1 AND id = ?2";
const VERSION: &str = "SELECT version FROM catalog_version";
const NEXT_VERSION: &str = "UPDATE catalog_version SET version = version + 1 RETURNING version";
const PUT_AUDIT: &str = "INSERT INTO audit (tenant, own_number, incident, entry)
   SELECT ?1, coalesce(max(own_number), 0) + 1, ?2, ?3 FROM audit WHERE tenant = ?1";
const FORGET_INCIDENTS: &str = "DELETE FROM audit WHERE tenant = ?1 AND incident = 1 AND own_number <= (
   SELECT own_number FROM audit WHERE tenant = ?1 AND incident = 1 ORDER BY own_number DESC LIMIT 1 OFFSET ?2)";

/// What is told of a document that can't be read or written.
pub(super) fn malformed(what: &str) -> impl FnOnce(serde_json::Error) -> StoreError {
    move |source| StoreError::Document {
        what: what.to_owned(),
        source,
    }
}

/// Reads every noun there is.
pub(super) fn read_all(connection: &Connection, mut each: impl FnMut(Noun)) -> Result<(), Failure> {
    let mut statement = connection.prepare(ALL)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (kind, id, document): (String, String, String) =
            (row.get(0)?, row.get(1)?, row.get(2)?);
        let noun =
            Noun::from_json(&kind, &document).map_err(malformed(&format!("the {kind} {id}")))?;
        each(noun.ok_or_else(|| {
            StoreError::Damaged(format!("the catalog has an unknown kind, {kind}"))
        })?);
    }
    Ok(())
}

/// The version of the catalog.
pub(super) fn version(connection: &Connection) -> Result<u64, Failure> {
    let version: i64 = connection.query_row(VERSION, [], |row| row.get(0))?;
    Ok(version.cast_unsigned())
}

/// The version that the transaction under way gives the catalog.
pub(super) fn next_version(connection: &Connection) -> Result<u64, Failure> {
    let mut statement = connection.prepare_cached(NEXT_VERSION)?;
    let version: i64 = statement.query_row([], |row| row.get(0))?;
    Ok(version.cast_unsigned())
}

/// Writes a noun's row.
pub(super) fn put(connection: &Connection, noun: &Noun) -> Result<(), Failure> {
    let NounKey { kind, id } = noun.key();
    let document = noun.to_json().map_err(malformed(kind.as_str()))?;
    connection
        .prepare_cached(PUT)?
        .execute(params![kind.as_str(), id, document])?;
    Ok(())
}

/// Removes a noun's row.
pub(super) fn remove(connection: &Connection, kind: Kind, id: &str) -> Result<(), Failure> {
    connection
        .prepare_cached(REMOVE)?
        .execute(params![kind.as_str(), id])?;
    Ok(())
}

/// Adds an entry to the audit trail. One about what was refused takes the place of the oldest of its kind, when there
/// are as many as may be.
pub(super) fn remember(connection: &Connection, entry: &AuditEntry) -> Result<(), Failure> {
    let json = serde_json::to_string(entry).map_err(malformed("an audit entry"))?;
    connection.prepare_cached(PUT_AUDIT)?.execute(params![
        entry.tenant,
        entry.action.is_incident(),
        json
    ])?;
    if entry.action.is_incident() {
        connection
            .prepare_cached(FORGET_INCIDENTS)?
            .execute(params![entry.tenant, INCIDENTS_MAX])?;
    }
    Ok(())
}

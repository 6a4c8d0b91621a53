//! The catalog's rows: read once at the start, written by decisions.

use super::SqliteStore;
use super::issued::IssuedTables;
use super::writer::State;
use crate::error::Failure;
use rusqlite::{Connection, OptionalExtension, params};
use std::sync::Arc;
use store::catalog::{
    AuditEntry, Catalog, CatalogWrite, Catalogs, Decision, Kind, Noun, NounKey, Undecided,
};
use store::{Answer, StoreError};

const ALL: &str = "SELECT kind, id, document FROM catalog";
const PUT: &str = "INSERT INTO catalog (kind, id, document) VALUES (?1, ?2, ?3)
   ON CONFLICT (kind, id) DO UPDATE SET document = excluded.document";
const REMOVE: &str = "DELETE FROM catalog WHERE kind = ?1 AND id = ?2";
const PUT_AUDIT: &str = "INSERT INTO audit (tenant, entry) VALUES (?1, ?2)";
const LIVE: &str = "SELECT records FROM dataset_state WHERE dataset = ?1";
const AUDIT: &str = "SELECT number, entry FROM audit WHERE tenant = ?1 AND number < ?2 ORDER BY number DESC LIMIT ?3";

fn malformed(what: &str) -> impl FnOnce(serde_json::Error) -> StoreError {
    move |source| StoreError::Document {
        what: what.to_owned(),
        source,
    }
}

/// Reads every row, into the catalog and what is kept beside it.
pub(super) fn load(connection: &Connection, issued: &IssuedTables) -> Result<Catalog, Failure> {
    let mut catalog = Catalog::default();
    let mut statement = connection.prepare(ALL)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (kind, id, document): (String, String, String) =
            (row.get(0)?, row.get(1)?, row.get(2)?);
        let noun =
            Noun::from_json(&kind, &document).map_err(malformed(&format!("the {kind} {id}")))?;
        let noun = noun.ok_or_else(|| {
            StoreError::Damaged(format!("the catalog has an unknown kind, {kind}"))
        })?;
        issued.load(&noun);
        catalog.put(noun);
    }
    Ok(catalog)
}

/// Writes what was decided, to the tables and to what is in memory.
fn write(connection: &Connection, state: &mut State, write: &CatalogWrite) -> Result<(), Failure> {
    for ending in &write.end {
        state.issued.end(connection, ending)?;
    }
    for key in &write.remove {
        remove_row(connection, key.kind, &key.id)?;
        state.issued.remove(key);
    }
    for noun in &write.put {
        put_row(connection, noun)?;
        state.issued.put(noun);
    }
    for entry in &write.audit {
        remember(connection, entry)?;
    }
    let removed = write.remove.iter().filter(|key| !is_issued(key.kind));
    let put = write.put.iter().filter(|noun| !is_issued(noun.kind()));
    let (mut removed, mut put) = (removed.peekable(), put.peekable());
    if removed.peek().is_none() && put.peek().is_none() {
        return Ok(());
    }
    let next = Arc::make_mut(&mut state.catalog);
    removed.for_each(|key| next.remove(key));
    put.for_each(|noun| next.put(noun.clone()));
    Ok(())
}

/// Whether nouns of this kind are kept beside the catalog.
fn is_issued(kind: Kind) -> bool {
    matches!(kind, Kind::Token | Kind::Session)
}

/// Writes a noun's row.
pub(super) fn put_row(connection: &Connection, noun: &Noun) -> Result<(), Failure> {
    let NounKey { kind, id } = noun.key();
    let document = noun.to_json().map_err(malformed(kind.as_str()))?;
    connection
        .prepare_cached(PUT)?
        .execute(params![kind.as_str(), id, document])?;
    Ok(())
}

/// Removes a noun's row.
pub(super) fn remove_row(connection: &Connection, kind: Kind, id: &str) -> Result<(), Failure> {
    connection
        .prepare_cached(REMOVE)?
        .execute(params![kind.as_str(), id])?;
    Ok(())
}

/// Adds an entry to the audit trail.
pub(super) fn remember(connection: &Connection, entry: &AuditEntry) -> Result<(), Failure> {
    let json = serde_json::to_string(entry).map_err(malformed("an audit entry"))?;
    connection
        .prepare_cached(PUT_AUDIT)?
        .execute(params![entry.tenant, json])?;
    Ok(())
}

/// The first of these datasets that holds live records.
fn occupied(connection: &Connection, datasets: &[u32]) -> Result<Option<u32>, Failure> {
    for dataset in datasets {
        let live: Option<i64> = connection
            .prepare_cached(LIVE)?
            .query_row([dataset], |row| row.get(0))
            .optional()?;
        if live.is_some_and(|live| live > 0) {
            return Ok(Some(*dataset));
        }
    }
    Ok(None)
}

impl Catalogs for SqliteStore {
    fn catalog(&self) -> Arc<Catalog> {
        let catalog = self.catalog.read();
        catalog.clone()
    }

    fn decide(
        &self,
        mut decision: Decision<String>,
    ) -> Answer<'_, Result<Arc<Catalog>, Undecided>> {
        let decided = self.writer.run(move |connection, state| {
            let decided = match decision(&state.catalog) {
                Ok(decided) => decided,
                Err(words) => return Ok(Err(Undecided::Refused(words))),
            };
            if let Some(dataset) = occupied(connection, &decided.require_empty)? {
                return Ok(Err(Undecided::Occupied { dataset }));
            }
            write(connection, state, &decided).map(Ok)
        });
        Box::pin(async move { Ok(decided.await?.map(|()| self.catalog())) })
    }

    fn audit(
        &self,
        tenant: &str,
        before: Option<i64>,
        limit: usize,
    ) -> Answer<'_, Vec<(i64, AuditEntry)>> {
        let found = self.readers.with(|connection| {
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let mut statement = connection.prepare_cached(AUDIT)?;
            let mut rows = statement.query(params![tenant, before.unwrap_or(i64::MAX), limit])?;
            let mut entries = Vec::new();
            while let Some(row) = rows.next()? {
                let json: String = row.get(1)?;
                let entry = serde_json::from_str(&json).map_err(malformed("an audit entry"))?;
                entries.push((row.get(0)?, entry));
            }
            Ok(entries)
        });
        Box::pin(std::future::ready(found.map_err(StoreError::from)))
    }
}

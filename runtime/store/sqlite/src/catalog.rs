//! The catalog's rows: read once at the start, written by decisions.

use super::SqliteStore;
use crate::error::Failure;
use rusqlite::{Connection, OptionalExtension, params};
use std::sync::Arc;
use store::catalog::{
    AuditEntry, Catalog, CatalogWrite, Catalogs, Decision, Kind, Noun, NounKey, Undecided,
};
use store::{Answer, StoreError};
use wire::Timestamp;

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

pub(super) fn load(connection: &Connection) -> Result<Catalog, Failure> {
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
        catalog.put(noun);
    }
    Ok(catalog)
}

/// Writes what was decided, to the tables and to the catalog in memory.
fn write(
    connection: &Connection,
    catalog: &mut Arc<Catalog>,
    write: &CatalogWrite,
) -> Result<(), Failure> {
    for NounKey { kind, id } in &write.remove {
        connection
            .prepare_cached(REMOVE)?
            .execute(params![kind.as_str(), id])?;
    }
    for noun in &write.put {
        let NounKey { kind, id } = noun.key();
        let document = noun.to_json().map_err(malformed(kind.as_str()))?;
        connection
            .prepare_cached(PUT)?
            .execute(params![kind.as_str(), id, document])?;
    }
    for entry in &write.audit {
        remember(connection, entry)?;
    }
    if write.put.is_empty() && write.remove.is_empty() {
        return Ok(());
    }
    let next = Arc::make_mut(catalog);
    for key in &write.remove {
        next.remove(key);
    }
    for noun in &write.put {
        next.put(noun.clone());
    }
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

/// The nouns with their new times of use.
fn last_used(catalog: &Catalog, used: &[(NounKey, Timestamp)]) -> CatalogWrite {
    let put = used.iter().filter_map(|(used, at)| -> Option<Noun> {
        match used.kind {
            Kind::ApiKey => {
                let mut key = (**catalog.api_keys.get(&used.id)?).clone();
                key.last_used_at = key.last_used_at.max(Some(*at));
                Some(key.into())
            }
            Kind::App => {
                let mut app = (**catalog.apps.get(&used.id)?).clone();
                app.last_used_at = app.last_used_at.max(Some(*at));
                Some(app.into())
            }
            Kind::User => {
                let mut user = (**catalog.users.get(&used.id)?).clone();
                user.last_used_at = user.last_used_at.max(Some(*at));
                Some(user.into())
            }
            _ => None,
        }
    });
    CatalogWrite {
        put: put.collect(),
        ..CatalogWrite::default()
    }
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
        let decided = self.writer.run(move |connection, catalog| {
            let decided = match decision(catalog) {
                Ok(decided) => decided,
                Err(words) => return Ok(Err(Undecided::Refused(words))),
            };
            if let Some(dataset) = occupied(connection, &decided.require_empty)? {
                return Ok(Err(Undecided::Occupied { dataset }));
            }
            write(connection, catalog, &decided).map(Ok)
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

    fn note_last_used(&self, used: Vec<(NounKey, Timestamp)>) -> Answer<'_, ()> {
        self.writer.run(move |connection, catalog| {
            let noted = last_used(catalog, &used);
            write(connection, catalog, &noted)
        })
    }
}

//! The catalog: read once at the start, written by decisions.

use super::writer::State;
use super::{SqliteStore, deliveries, jobs, noun_rows};
use crate::error::Failure;
use rusqlite::{Connection, OptionalExtension, params};
use std::sync::Arc;
use store::StoreFuture;
use store::catalog::{
    AuditEntry, Catalog, CatalogWrite, Catalogs, Decision, DecisionError, Kind, Revalidation,
};
use store::issued_tables::IssuedTables;
use store::records::PageLimit;
use tracing::{debug_span, trace_span};

const LIVE: &str = "SELECT records FROM dataset_state WHERE dataset = ?1";
const AUDIT: &str = "SELECT own_number, entry FROM audit WHERE tenant = ?1 AND own_number < ?2 ORDER BY own_number DESC LIMIT ?3";

/// Reads the catalog, with its version, and what is kept beside it.
pub(super) fn load(connection: &Connection, issued: &IssuedTables) -> Result<Catalog, Failure> {
    let mut catalog = load_nouns(connection, issued)?;
    catalog.set_version(noun_rows::version(connection)?);
    Ok(catalog)
}

/// Reads the nouns alone.
pub(super) fn load_nouns(
    connection: &Connection,
    issued: &IssuedTables,
) -> Result<Catalog, Failure> {
    let mut catalog = Catalog::default();
    noun_rows::read_all(connection, |noun| {
        issued.load(&noun);
        catalog.put(noun);
    })?;
    Ok(catalog)
}

/// Writes what was decided, to the tables and to what is in memory.
fn write(connection: &Connection, state: &mut State, write: &CatalogWrite) -> Result<(), Failure> {
    for ending in &write.end {
        for key in state.issued.end(ending) {
            noun_rows::remove(connection, key.kind, &key.id)?;
        }
    }
    for key in &write.remove {
        noun_rows::remove(connection, key.kind, &key.id)?;
        state.issued.remove(key);
        // one that is switched off has no task that would see it gone
        if key.kind == Kind::Webhook {
            deliveries::forget(connection, &key.id)?;
        }
    }
    for noun in &write.put {
        noun_rows::put(connection, noun)?;
        state.issued.put(noun);
    }
    for entry in &write.audit {
        noun_rows::remember(connection, entry)?;
    }
    let removed = write.remove.iter().filter(|key| !is_issued(key.kind));
    let put = write.put.iter().filter(|noun| !is_issued(noun.kind()));
    let (mut removed, mut put) = (removed.peekable(), put.peekable());
    if removed.peek().is_none() && put.peek().is_none() {
        return Ok(());
    }
    for revalidation in &write.revalidate {
        revalidate(connection, &state.catalog, revalidation)?;
    }
    let version = noun_rows::next_version(connection)?;
    let next = Arc::make_mut(&mut state.catalog);
    next.set_version(version);
    removed.for_each(|key| next.remove(key));
    put.for_each(|noun| next.put(noun.clone()));
    Ok(())
}

/// Puts in a job that judges the records of a dataset, if there is something to judge.
fn revalidate(
    connection: &Connection,
    catalog: &Catalog,
    revalidation: &Revalidation,
) -> Result<(), Failure> {
    let Some(dataset) = catalog.datasets.get(&revalidation.dataset) else {
        return Ok(());
    };
    let live: Option<i64> = connection
        .prepare_cached(LIVE)?
        .query_row([dataset.number], |row| row.get(0))
        .optional()?;
    match live {
        Some(live) if live > 0 => jobs::add_revalidation(connection, dataset, revalidation, live),
        _ => Ok(()),
    }
}

/// Whether nouns of this kind are kept beside the catalog.
fn is_issued(kind: Kind) -> bool {
    matches!(kind, Kind::Token | Kind::Session)
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
    ) -> StoreFuture<'_, Result<Arc<Catalog>, DecisionError>> {
        let decided = self
            .writer
            .run(debug_span!("store.decide"), move |connection, state| {
                let decided = match decision(&state.catalog) {
                    Ok(decided) => decided,
                    Err(words) => return Ok(Err(DecisionError::Refused(words))),
                };
                if let Some(dataset) = occupied(connection, &decided.require_empty)? {
                    return Ok(Err(DecisionError::Occupied { dataset }));
                }
                write(connection, state, &decided).map(Ok)
            });
        Box::pin(async move { Ok(decided.await?.map(|()| self.catalog())) })
    }

    fn audit(
        &self,
        tenant: &str,
        before: Option<i64>,
        limit: PageLimit,
    ) -> StoreFuture<'_, Vec<(i64, AuditEntry)>> {
        let _span = trace_span!("store.audit", tenant, limit.records).entered();
        let tenant = tenant.to_owned();
        self.beside(move |connection| {
            let rows_max = i64::try_from(limit.records).unwrap_or(i64::MAX);
            let mut statement = connection.prepare_cached(AUDIT)?;
            let before = before.unwrap_or(i64::MAX);
            let mut rows = statement.query(params![tenant, before, rows_max])?;
            let (mut entries, mut bytes) = (Vec::new(), 0);
            while !limit.is_reached(entries.len(), bytes)
                && let Some(row) = rows.next()?
            {
                let json = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
                let entry =
                    serde_json::from_str(json).map_err(noun_rows::malformed("an audit entry"))?;
                bytes += json.len();
                entries.push((row.get(0)?, entry));
            }
            Ok(entries)
        })
    }
}

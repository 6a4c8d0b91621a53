//! The catalog, written by decisions, and what is issued with it. Decisions stand in one order, also those of other servers, by the lock of the versions' rows.

use crate::catalog_cache::{CatalogCache, CatalogView, ISSUED_VERSIONS_KEPT, Versions};
use crate::catalog_marks::{self, CATALOG, ISSUED};
use crate::connections::{Transaction, transact};
use crate::error::{Failure, malformed};
use crate::tries::Tries;
use crate::{Inner, PostgresStore, catalog_hold, jobs, migrate, trail};
use std::collections::BTreeMap;
use std::sync::Arc;
use store::catalog::{
    AuditEntry, Catalog, CatalogHold, CatalogWrite, Catalogs, Decision, DecisionError, Kind, Noun,
    NounKey, Revalidation,
};
use store::issued_tables::IssuedDraft;
use store::records::PageLimit;
use store::{StoreError, StoreFuture};
use tokio_postgres::Row;

const LOCK: &str = "SELECT name, value FROM counters WHERE name IN ('catalog', 'issued', 'mark')
   ORDER BY name FOR UPDATE";
pub(crate) const VERSIONS: &str =
    "SELECT name, value FROM counters WHERE name IN ('catalog', 'issued', 'mark')";
// marks have rows from the first decision on that left one
const NEXT: &str =
    "INSERT INTO counters (name, value) VALUES ($1::text, $2::bigint), ('mark', $3::bigint), ($4::text, $5::bigint)
   ON CONFLICT (name) DO UPDATE SET value = excluded.value";
const PUT_NOUNS: &str = "INSERT INTO catalog (kind, id, document, version)
   SELECT kind, id, document, $4 FROM unnest($1::text[], $2::text[], $3::text[]) AS w (kind, id, document)
   ON CONFLICT (kind, id) DO UPDATE SET document = excluded.document, version = excluded.version";
const PUT_ISSUED: &str = "INSERT INTO issued (kind, id, document, version)
   SELECT kind, id, document, $4 FROM unnest($1::text[], $2::text[], $3::text[]) AS w (kind, id, document)
   ON CONFLICT (kind, id) DO UPDATE SET document = excluded.document, version = excluded.version";
const FORGET_ISSUED: &str = "DELETE FROM issued WHERE document IS NULL AND version < $1";
const FORGET_DELIVERIES: [&str; 2] = [
    "DELETE FROM deliveries WHERE webhook = $1",
    "DELETE FROM dead_letters WHERE webhook = $1",
];
const LIVE: &str = "SELECT dataset, records FROM dataset_state WHERE dataset = ANY ($1::bigint[])
   AND records > 0";
const AUDIT: &str = "SELECT own_number, entry FROM audit WHERE tenant = $1 AND own_number < $2
   ORDER BY own_number DESC LIMIT $3";

/// The versions of the catalog and of what is issued, from their rows.
pub(crate) fn versions(rows: &[Row]) -> Versions {
    let of = |name: &str| {
        let row = rows.iter().find(|row| row.get::<_, &str>(0) == name);
        row.map_or(0, |row| row.get::<_, i64>(1))
    };
    Versions {
        catalog: of("catalog").cast_unsigned(),
        issued: of("issued").cast_unsigned(),
        mark: of("mark"),
    }
}

/// Whether nouns of this kind are kept beside the catalog.
fn is_issued(kind: Kind) -> bool {
    matches!(kind, Kind::Token | Kind::Session)
}

/// Rows to write, each once: a document, or none where it goes.
type NounRows = BTreeMap<(&'static str, String), Option<String>>;

fn row_of(noun: &Noun) -> Result<((&'static str, String), Option<String>), StoreError> {
    let NounKey { kind, id } = noun.key();
    let document = noun.to_json().map_err(malformed(kind.as_str()))?;
    Ok(((kind.as_str(), id), Some(document)))
}

/// Writes rows and their version with its mark, made of a random number; that mark.
async fn put_rows(
    tx: &Transaction,
    (sql, counter): (&str, &str),
    rows: &NounRows,
    (version, random): (u64, i64),
) -> Result<i64, Failure> {
    let kinds: Vec<&str> = rows.keys().map(|(kind, _)| *kind).collect();
    let ids: Vec<&str> = rows.keys().map(|(_, id)| &**id).collect();
    let documents: Vec<Option<&str>> = rows.values().map(Option::as_deref).collect();
    let name = catalog_marks::name(counter, version);
    let mark = catalog_marks::mark(random, version);
    let version = version.cast_signed();
    tx.execute(sql, &[&kinds, &ids, &documents, &version])
        .await?;
    tx.execute(NEXT, &[&counter, &version, &random, &name, &mark])
        .await?;
    Ok(mark)
}

/// What a decision leaves to be shown, once it is committed.
struct Decided {
    issued: IssuedDraft,
    seen: CatalogView,
}

/// Writes what was decided on what was seen.
async fn write(
    tx: &Transaction,
    cache: &CatalogCache,
    seen: &CatalogView,
    write: &CatalogWrite,
) -> Result<Decided, Failure> {
    let catalog = &seen.catalog;
    let mut issued = IssuedDraft::new(cache.issued.clone());
    let (mut nouns, mut issues) = (NounRows::new(), NounRows::new());
    for ending in &write.end {
        let gone = issued.end(ending).into_iter();
        issues.extend(gone.map(|key| ((key.kind.as_str(), key.id), None)));
    }
    let mut next = Catalog::clone(catalog);
    for key in &write.remove {
        let row = (key.kind.as_str(), key.id.clone());
        if is_issued(key.kind) {
            issued.remove(key);
            issues.insert(row, None);
        } else {
            next.remove(key);
            nouns.insert(row, None);
        }
        if key.kind == Kind::Webhook {
            for sql in FORGET_DELIVERIES {
                tx.execute(sql, &[&key.id]).await?;
            }
        }
    }
    for noun in &write.put {
        let (key, document) = row_of(noun)?;
        if is_issued(noun.kind()) {
            issued.put(noun);
            issues.insert(key, document);
        } else {
            next.put(noun.clone());
            nouns.insert(key, document);
        }
    }
    let mut decided = Decided {
        issued,
        seen: seen.clone(),
    };
    let mark = rand::random();
    if !issues.is_empty() {
        let version = seen.issued + 1;
        (decided.seen.issued, decided.seen.mark) = (version, mark);
        let own = put_rows(tx, (PUT_ISSUED, ISSUED), &issues, (version, mark)).await?;
        decided.seen.marks.issued = Some(own);
        let kept = version.saturating_sub(ISSUED_VERSIONS_KEPT);
        tx.execute(FORGET_ISSUED, &[&kept.cast_signed()]).await?;
    }
    if !nouns.is_empty() {
        revalidate(tx, catalog, &write.revalidate).await?;
        let version = catalog.version() + 1;
        next.set_version(version);
        let own = put_rows(tx, (PUT_NOUNS, CATALOG), &nouns, (version, mark)).await?;
        decided.seen.marks.catalog = Some(own);
        (decided.seen.catalog, decided.seen.mark) = (Arc::new(next), mark);
    }
    trail::remember(tx, &write.audit).await?;
    Ok(decided)
}

/// Puts in jobs that judge the records of datasets, where there is something to judge.
async fn revalidate(
    tx: &Transaction,
    catalog: &Catalog,
    asked: &[Revalidation],
) -> Result<(), Failure> {
    if asked.is_empty() {
        return Ok(());
    }
    // once for all of them: what is written meanwhile was written since they were asked for
    let log_head = jobs::log_head(tx).await?;
    for revalidation in asked {
        let Some(dataset) = catalog.datasets.get(&revalidation.dataset) else {
            continue;
        };
        let live = tx.row(LIVE, &[&vec![i64::from(dataset.number)]]).await?;
        if let Some(row) = live {
            let behind = (row.get(1), log_head);
            jobs::add_revalidation(tx, dataset, revalidation, behind).await?;
        }
    }
    Ok(())
}

/// The first of these datasets that holds live records.
async fn occupied(tx: &Transaction, datasets: &[u32]) -> Result<Option<u32>, Failure> {
    if datasets.is_empty() {
        return Ok(None);
    }
    let numbers: Vec<i64> = datasets.iter().copied().map(i64::from).collect();
    let rows = tx.rows(LIVE, &[&numbers]).await?;
    let live: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
    let is_live = |dataset: &&u32| live.contains(&i64::from(**dataset));
    Ok(datasets.iter().find(is_live).copied())
}

impl Inner {
    /// Makes decisions, which are then written in one transaction.
    async fn decide(
        &self,
        mut decision: Decision<String>,
    ) -> Result<Result<Arc<Catalog>, DecisionError>, Failure> {
        let cache = &self.cache;
        let _turn = cache.turn().await;
        let decided = transact!(&self.connections, tx => {
            let found = versions(&tx.rows(LOCK, &[]).await?);
            let seen = cache.bring_to(tx, found).await?;
            let decided = match decision(&seen.catalog) {
                Ok(decided) => decided,
                Err(words) => {
                    tx.keeps_nothing();
                    return Ok(Err(DecisionError::Refused(words)));
                }
            };
            if let Some(dataset) = occupied(tx, &decided.require_empty).await? {
                tx.keeps_nothing();
                return Ok(Err(DecisionError::Occupied { dataset }));
            }
            write(tx, cache, &seen, &decided).await.map(Ok)
        })?;
        Ok(decided.map(|decided| self.show(decided)))
    }

    /// Shows requests what was committed: first what ends, since the catalog may say already that it has.
    fn show(&self, decided: Decided) -> Arc<Catalog> {
        decided.issued.publish();
        self.cache.show(&decided.seen);
        decided.seen.catalog
    }

    /// Whether requests see what is committed.
    async fn is_current(&self) -> Result<bool, Failure> {
        let mut tries = Tries::default();
        loop {
            let looked = async {
                let connection = self.connections.get().await?;
                let found = versions(&connection.rows(VERSIONS, &[]).await?);
                Ok::<_, Failure>(self.cache.at(found, &connection).is_some())
            };
            match looked.await {
                Err(failure) if tries.has_another(&failure).await => {}
                looked => return looked,
            }
        }
    }

    /// Brings the catalog and what is issued up to what is committed.
    pub(crate) async fn be_current(&self) -> Result<(), Failure> {
        let steps = self.connections.steps();
        if steps.is_closed() {
            migrate::look_again(&self.connections).await?;
        }
        if self.is_current().await? {
            return Ok(());
        }
        let cache = &self.cache;
        let _turn = cache.turn().await;
        // who had the turn may have brought it
        if self.is_current().await? {
            return Ok(());
        }
        let brought: Result<(), Failure> = transact!(&self.connections, tx => {
            let found = versions(&tx.rows(LOCK, &[]).await?);
            cache.bring_to(tx, found).await?;
            tx.keeps_nothing();
            Ok(())
        });
        if let Err(Failure::Store(StoreError::Newer { found, known })) = &brought {
            steps.note(*found, *known);
        }
        brought
    }

    /// Changes a session that is still there, and tells whether one is. `None` leaves it as it is.
    pub(crate) async fn change_sessions(
        &self,
        changes: &[(String, SessionChange)],
    ) -> Result<bool, Failure> {
        let cache = &self.cache;
        let _turn = cache.turn().await;
        let (changed, is_there) = transact!(&self.connections, tx => {
            let found = versions(&tx.rows(LOCK, &[]).await?);
            let mut seen = cache.bring_to(tx, found).await?;
            let (mut rows, mut is_there) = (NounRows::new(), false);
            let mut issued = IssuedDraft::new(cache.issued.clone());
            for (hash, change) in changes {
                let Some(session) = issued.session(hash) else { continue };
                is_there = true;
                let mut session = (*session).clone();
                let before = session.clone();
                match change {
                    SessionChange::Used(at) => session.used_at = session.used_at.max(*at),
                    SessionChange::Proved(at) => session.proved_at = *at,
                }
                if session != before {
                    let noun = Noun::from(session);
                    rows.extend([row_of(&noun)?]);
                    issued.put(&noun);
                }
            }
            if rows.is_empty() {
                tx.keeps_nothing();
                return Ok((None, is_there));
            }
            (seen.issued, seen.mark) = (seen.issued + 1, rand::random());
            let next = (seen.issued, seen.mark);
            let own = put_rows(tx, (PUT_ISSUED, ISSUED), &rows, next).await?;
            seen.marks.issued = Some(own);
            Ok((Some((issued, seen)), is_there))
        })?;
        if let Some((issued, seen)) = changed {
            issued.publish();
            cache.show(&seen);
        }
        Ok(is_there)
    }
}

/// What is noted about a session.
#[derive(Clone, Copy)]
pub(crate) enum SessionChange {
    /// It was used.
    Used(wire::Timestamp),
    /// Its user showed the password.
    Proved(wire::Timestamp),
}

impl Catalogs for PostgresStore {
    fn catalog(&self) -> Arc<Catalog> {
        self.inner.cache.catalog()
    }

    fn be_current(&self) -> Option<StoreFuture<'_, ()>> {
        Some(Box::pin(self.freshness.be_current()))
    }

    fn hold_catalog(&self) -> Option<StoreFuture<'_, CatalogHold>> {
        Some(Box::pin(catalog_hold::hold(self.inner.clone())))
    }

    fn decide(
        &self,
        decision: Decision<String>,
    ) -> StoreFuture<'_, Result<Arc<Catalog>, DecisionError>> {
        let inner = self.inner.clone();
        self.see_through(async move { inner.decide(decision).await })
    }

    fn audit(
        &self,
        tenant: &str,
        before: Option<i64>,
        limit: PageLimit,
    ) -> StoreFuture<'_, Vec<(i64, AuditEntry)>> {
        let tenant = tenant.to_owned();
        self.read(|inner| async move {
            let most = crate::limit_of(limit.records);
            let before = before.unwrap_or(i64::MAX);
            let rows = inner
                .connections
                .read(AUDIT, &[&tenant, &before, &most])
                .await?;
            let (mut entries, mut bytes) = (Vec::new(), 0);
            for row in rows {
                if limit.is_reached(entries.len(), bytes) {
                    break;
                }
                let json: &str = row.get(1);
                let entry = serde_json::from_str(json).map_err(malformed("an audit entry"))?;
                bytes += json.len();
                entries.push((row.get(0), entry));
            }
            Ok(entries)
        })
    }
}

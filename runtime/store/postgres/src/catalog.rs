//! The catalog, and what is issued: in memory as of a version, and brought up to a newer one by the rows that are newer.
//! Decisions stand in one order, also those of other servers, by the lock of the versions' rows.

use crate::connections::{Connection, Transaction, transact};
use crate::error::{Failure, malformed};
use crate::{Inner, PostgresStore, jobs, trail};
use parking_lot::RwLock;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use store::catalog::{
    AuditEntry, Catalog, CatalogWrite, Catalogs, Decision, DecisionError, Kind, Noun, NounKey,
    Revalidation,
};
use store::issued_tables::{IssuedDraft, IssuedTables};
use store::records::PageLimit;
use store::{StoreError, StoreFuture};
use tokio_postgres::Row;

const LOCK: &str = "SELECT name, value FROM counters WHERE name IN ('catalog', 'issued')
   ORDER BY name FOR UPDATE";
const VERSIONS: &str = "SELECT name, value FROM counters WHERE name IN ('catalog', 'issued')";
const NEXT: &str = "UPDATE counters SET value = $2 WHERE name = $1";
const NEWER_NOUNS: &str = "SELECT kind, id, document FROM catalog WHERE version > $1";
const NEWER_ISSUED: &str = "SELECT kind, id, document FROM issued WHERE version > $1";
const ALL_ISSUED: &str = "SELECT kind, id, document FROM issued WHERE document IS NOT NULL";
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

/// So many versions later nothing is kept of tokens and sessions that went; a server that slept longer reads all anew.
const ISSUED_VERSIONS_KEPT: u64 = 10_000;

/// What is held in memory of the catalog, and of what is issued.
pub(crate) struct CatalogCache {
    catalog: RwLock<Arc<Catalog>>,
    pub(crate) issued: Arc<IssuedTables>,
    /// The version of what is issued. It is changed only by who has the turn.
    issued_version: AtomicU64,
    /// Of who changes what is issued, from the lock in the database to what requests see.
    turn: tokio::sync::Mutex<()>,
}

impl CatalogCache {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        CatalogCache {
            catalog: RwLock::default(),
            issued: Arc::default(),
            issued_version: AtomicU64::new(0),
            turn: tokio::sync::Mutex::default(),
        }
    }

    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        self.catalog.read().clone()
    }

    /// Shows a catalog, if it is newer than the one that is seen.
    fn publish(&self, next: &Arc<Catalog>) {
        let mut seen = self.catalog.write();
        if next.version() > seen.version() {
            *seen = next.clone();
        }
    }

    /// The catalog of a version that is committed, and locked against another.
    pub(crate) async fn as_of(
        &self,
        connection: &Connection,
        version: u64,
    ) -> Result<Arc<Catalog>, Failure> {
        let known = self.catalog();
        if known.version() >= version {
            return Ok(known);
        }
        let rows = connection
            .rows(NEWER_NOUNS, &[&known.version().cast_signed()])
            .await?;
        let mut next = (*known).clone();
        for row in &rows {
            match noun_of(row)? {
                Ok(noun) => next.put(noun),
                Err(key) => next.remove(&key),
            }
        }
        next.set_version(version);
        let next = Arc::new(next);
        self.publish(&next);
        Ok(next)
    }

    /// Brings what is issued up to a version that is committed, and locked against another. To be called by who has the
    /// turn.
    async fn bring_issued_to(&self, connection: &Connection, version: u64) -> Result<(), Failure> {
        let known = self.issued_version.load(Ordering::Acquire);
        if known >= version {
            return Ok(());
        }
        if known + ISSUED_VERSIONS_KEPT <= version || known == 0 {
            let rows = connection.rows(ALL_ISSUED, &[]).await?;
            let nouns = rows.iter().map(noun_of).collect::<Result<Vec<_>, _>>()?;
            let nouns: Vec<Noun> = nouns.into_iter().filter_map(Result::ok).collect();
            self.issued.replace(&nouns);
        } else {
            let rows = connection
                .rows(NEWER_ISSUED, &[&known.cast_signed()])
                .await?;
            let mut draft = IssuedDraft::new(self.issued.clone());
            for row in &rows {
                match noun_of(row)? {
                    Ok(noun) => draft.put(&noun),
                    Err(key) => draft.remove(&key),
                }
            }
            draft.publish();
        }
        self.issued_version.store(version, Ordering::Release);
        Ok(())
    }
}

/// A row's noun; of one that is gone, its key.
fn noun_of(row: &Row) -> Result<Result<Noun, NounKey>, StoreError> {
    let (kind, id): (&str, &str) = (row.get(0), row.get(1));
    let unknown = || StoreError::Damaged(format!("the catalog has an unknown kind, {kind}"));
    match row.get::<_, Option<&str>>(2) {
        Some(document) => {
            let noun =
                Noun::from_json(kind, document).map_err(malformed(&format!("the {kind} {id}")))?;
            Ok(Ok(noun.ok_or_else(unknown)?))
        }
        None => Ok(Err(NounKey {
            kind: Kind::parse(kind).ok_or_else(unknown)?,
            id: id.to_owned(),
        })),
    }
}

/// The versions of the catalog and of what is issued, from two rows.
fn versions(rows: &[Row]) -> (u64, u64) {
    let of = |name: &str| {
        let row = rows.iter().find(|row| row.get::<_, &str>(0) == name);
        row.map_or(0, |row| row.get::<_, i64>(1).cast_unsigned())
    };
    (of("catalog"), of("issued"))
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

async fn put_rows(
    tx: &Transaction,
    (sql, counter): (&str, &str),
    rows: &NounRows,
    version: u64,
) -> Result<(), Failure> {
    let kinds: Vec<&str> = rows.keys().map(|(kind, _)| *kind).collect();
    let ids: Vec<&str> = rows.keys().map(|(_, id)| &**id).collect();
    let documents: Vec<Option<&str>> = rows.values().map(Option::as_deref).collect();
    let version = version.cast_signed();
    tx.execute(sql, &[&kinds, &ids, &documents, &version])
        .await?;
    tx.execute(NEXT, &[&counter, &version]).await?;
    Ok(())
}

/// What a decision leaves to be shown, once it is committed.
struct Decided {
    catalog: Arc<Catalog>,
    issued: IssuedDraft,
    issued_version: u64,
}

/// Writes what was decided on a catalog.
async fn write(
    tx: &Transaction,
    cache: &CatalogCache,
    (catalog, issued_version): (&Arc<Catalog>, u64),
    write: &CatalogWrite,
) -> Result<Decided, Failure> {
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
        catalog: catalog.clone(),
        issued,
        issued_version,
    };
    if !issues.is_empty() {
        decided.issued_version += 1;
        put_rows(tx, (PUT_ISSUED, "issued"), &issues, decided.issued_version).await?;
        let kept = decided.issued_version.saturating_sub(ISSUED_VERSIONS_KEPT);
        tx.execute(FORGET_ISSUED, &[&kept.cast_signed()]).await?;
    }
    if !nouns.is_empty() {
        revalidate(tx, catalog, &write.revalidate).await?;
        next.set_version(catalog.version() + 1);
        put_rows(tx, (PUT_NOUNS, "catalog"), &nouns, next.version()).await?;
        decided.catalog = Arc::new(next);
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
    for revalidation in asked {
        let Some(dataset) = catalog.datasets.get(&revalidation.dataset) else {
            continue;
        };
        let live = tx.row(LIVE, &[&vec![i64::from(dataset.number)]]).await?;
        if let Some(row) = live {
            jobs::add_revalidation(tx, dataset, revalidation, row.get(1)).await?;
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
        let _turn = cache.turn.lock().await;
        let decided = transact!(&self.connections, tx => {
            let (version, issued_version) = versions(&tx.rows(LOCK, &[]).await?);
            let catalog = cache.as_of(tx, version).await?;
            cache.bring_issued_to(tx, issued_version).await?;
            let decided = match decision(&catalog) {
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
            write(tx, cache, (&catalog, issued_version), &decided).await.map(Ok)
        })?;
        Ok(decided.map(|decided| self.show(decided)))
    }

    /// Shows requests what was committed: first what ends, since the catalog may say already that it has.
    fn show(&self, decided: Decided) -> Arc<Catalog> {
        decided.issued.publish();
        let cache = &self.cache;
        cache
            .issued_version
            .store(decided.issued_version, Ordering::Release);
        cache.publish(&decided.catalog);
        decided.catalog
    }

    /// Brings the catalog and what is issued up to what is committed.
    pub(crate) async fn be_current(&self) -> Result<(), Failure> {
        let (version, issued) = versions(&self.connections.read(VERSIONS, &[]).await?);
        let cache = &self.cache;
        let is_known = || {
            cache.catalog.read().version() >= version
                && cache.issued_version.load(Ordering::Acquire) >= issued
        };
        if is_known() {
            return Ok(());
        }
        let _turn = cache.turn.lock().await;
        if is_known() {
            return Ok(());
        }
        transact!(&self.connections, tx => {
            let (version, issued) = versions(&tx.rows(LOCK, &[]).await?);
            cache.bring_issued_to(tx, issued).await?;
            cache.as_of(tx, version).await?;
            tx.keeps_nothing();
            Ok(())
        })
    }

    /// Changes a session that is still there, and tells whether one is. `None` leaves it as it is.
    pub(crate) async fn change_sessions(
        &self,
        changes: &[(String, SessionChange)],
    ) -> Result<bool, Failure> {
        let cache = &self.cache;
        let _turn = cache.turn.lock().await;
        let (changed, is_there) = transact!(&self.connections, tx => {
            let (_, version) = versions(&tx.rows(LOCK, &[]).await?);
            cache.bring_issued_to(tx, version).await?;
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
            put_rows(tx, (PUT_ISSUED, "issued"), &rows, version + 1).await?;
            Ok((Some((issued, version + 1)), is_there))
        })?;
        if let Some((issued, version)) = changed {
            issued.publish();
            cache.issued_version.store(version, Ordering::Release);
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
                if bytes >= limit.bytes {
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

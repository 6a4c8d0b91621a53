//! The catalog, and what is issued, in memory as of a version, and brought up to a newer one by the rows that are newer.

use crate::connection::Connection;
use crate::error::{Failure, malformed};
use crate::last_uses;
use crate::migrate;
use parking_lot::RwLock;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use store::StoreError;
use store::catalog::{Catalog, Kind, Noun, NounKey};
use store::issued_tables::{IssuedDraft, IssuedTables};
use tokio::sync::{Mutex, MutexGuard};
use tokio_postgres::Row;

const NEWER_NOUNS: &str = "SELECT kind, id, document FROM catalog WHERE version > $1";
const NEWER_ISSUED: &str = "SELECT kind, id, document FROM issued WHERE version > $1";
const ALL_ISSUED: &str = "SELECT kind, id, document FROM issued WHERE document IS NOT NULL";

/// So many versions later nothing is kept of tokens and sessions that went; a server that slept longer reads all anew.
pub(crate) const ISSUED_VERSIONS_KEPT: u64 = 10_000;

/// What is held in memory of the catalog, and of what is issued.
pub(crate) struct CatalogCache {
    catalog: RwLock<Arc<Catalog>>,
    pub(crate) issued: Arc<IssuedTables>,
    /// The version of what is issued. It is changed only by who has the turn.
    issued_version: AtomicU64,
    /// Of who changes what is issued, from the lock in the database to what requests see.
    turn: Mutex<()>,
}

impl CatalogCache {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        CatalogCache {
            catalog: RwLock::default(),
            issued: Arc::default(),
            issued_version: AtomicU64::new(0),
            turn: Mutex::default(),
        }
    }

    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        self.catalog.read().clone()
    }

    /// The turn of who changes what is issued.
    pub(crate) async fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().await
    }

    /// Notes which version of what is issued requests see. To be called by who has the turn.
    pub(crate) fn note_issued(&self, version: u64) {
        self.issued_version.store(version, Ordering::Release);
    }

    /// Whether requests see these versions, or newer ones.
    pub(crate) fn is_at(&self, version: u64, issued: u64) -> bool {
        self.catalog.read().version() >= version
            && self.issued_version.load(Ordering::Acquire) >= issued
    }

    /// Shows a catalog, if it is newer than the one that is seen.
    pub(crate) fn publish(&self, next: &Arc<Catalog>) {
        let mut seen = self.catalog.write();
        if next.version() > seen.version() {
            *seen = next.clone();
        }
    }

    /// Refuses tables that a newer program has changed, where the version of the catalog, which it then raised, is not the
    /// one that is known here.
    pub(crate) async fn require_known_tables(
        &self,
        connection: &Connection,
        version: u64,
    ) -> Result<(), Failure> {
        if self.catalog.read().version() >= version {
            return Ok(());
        }
        migrate::require_known(connection).await
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
        migrate::require_known(connection).await?;
        let rows = connection
            .rows(NEWER_NOUNS, &[&known.version().cast_signed()])
            .await?;
        let mut next = (*known).clone();
        for row in &rows {
            match noun_of(row)? {
                Ok(noun) => {
                    last_uses::take_over_from(&noun, &known);
                    next.put(noun);
                }
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
    pub(crate) async fn bring_issued_to(
        &self,
        connection: &Connection,
        version: u64,
    ) -> Result<(), Failure> {
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

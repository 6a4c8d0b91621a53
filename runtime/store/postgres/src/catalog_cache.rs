//! The catalog, and what is issued, in memory as of a version, and brought up to a newer one by the rows that are newer.
//!
//! A database may lose the newest of what it had: another one takes its place that lagged, or it is brought back to a moment of
//! before. Then numbers are given a second time, for something else. No session lives through that, so what is told by a
//! connection goes on from what is held here where that was told by no older one. What a newer one tells goes on from it where
//! the database has the mark of its version (`catalog_marks.rs`); else everything is read anew.

use crate::catalog_marks::{CATALOG, ISSUED, KnownMarks, Marks};
use crate::connection::Connection;
use crate::error::{Failure, malformed};
use crate::last_uses;
use crate::migrate;
use parking_lot::RwLock;
use std::sync::Arc;
use std::time::Instant;
use store::StoreError;
use store::catalog::{Catalog, Kind, Noun, NounKey};
use store::issued_tables::{IssuedDraft, IssuedTables};
use tokio::sync::{Mutex, MutexGuard};
use tokio_postgres::Row;

const NEWER_NOUNS: &str = "SELECT kind, id, document FROM catalog WHERE version > $1";
const ALL_NOUNS: &str = "SELECT kind, id, document FROM catalog WHERE document IS NOT NULL";
const NEWER_ISSUED: &str = "SELECT kind, id, document FROM issued WHERE version > $1";
const ALL_ISSUED: &str = "SELECT kind, id, document FROM issued WHERE document IS NOT NULL";

/// So many versions later nothing is kept of tokens and sessions that went; a server that slept longer reads all anew.
pub(crate) const ISSUED_VERSIONS_KEPT: u64 = 10_000;

/// The versions of the catalog and of what is issued, and the mark of the decision that left them so.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Versions {
    pub(crate) catalog: u64,
    pub(crate) issued: u64,
    pub(crate) mark: i64,
}

/// What requests see.
#[derive(Clone, Default)]
pub(crate) struct CatalogView {
    pub(crate) catalog: Arc<Catalog>,
    /// The version of what is issued. It is changed only by who has the turn, as the mark is.
    pub(crate) issued: u64,
    pub(crate) mark: i64,
    /// The marks of both versions.
    pub(crate) marks: KnownMarks,
    /// When the newest connection was made that told of all of it; `None` where it is to be read anew.
    told_by: Option<Instant>,
}

impl CatalogView {
    /// Whether what a connection tells goes on from it.
    fn goes_on_by(&self, connection: &Connection) -> bool {
        let made = connection.made();
        self.told_by.is_some_and(|told_by| made <= told_by)
    }

    /// When the newest connection was made that told of it, if it is of these versions.
    fn told_by_at(&self, found: Versions) -> Option<Instant> {
        let versions = Versions {
            catalog: self.catalog.version(),
            issued: self.issued,
            mark: self.mark,
        };
        // what was never told is seen of no version
        self.told_by.filter(|_| versions == found)
    }
}

/// What is held in memory of the catalog, and of what is issued.
pub(crate) struct CatalogCache {
    seen: RwLock<CatalogView>,
    pub(crate) issued: Arc<IssuedTables>,
    /// Of who changes what is issued, from the lock in the database to what requests see.
    turn: Mutex<()>,
}

impl CatalogCache {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        CatalogCache {
            seen: RwLock::default(),
            issued: Arc::default(),
            turn: Mutex::default(),
        }
    }

    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        self.seen.read().catalog.clone()
    }

    /// The turn of who changes what is issued.
    pub(crate) async fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().await
    }

    /// Shows what a decision left that is committed. To be called by who has the turn.
    pub(crate) fn show(&self, decided: &CatalogView) {
        let mut seen = self.seen.write();
        // a write may have read a later one already
        let is_newer = seen.catalog.version() > decided.catalog.version();
        let newer = is_newer.then(|| (seen.catalog.clone(), seen.marks.catalog));
        *seen = decided.clone();
        if let Some((catalog, mark)) = newer {
            seen.catalog = catalog;
            seen.marks.catalog = mark;
        }
    }

    /// What requests see, if it is what a connection tells of.
    pub(crate) fn at(&self, found: Versions, connection: &Connection) -> Option<CatalogView> {
        let made = connection.made();
        {
            // nearly every request asks this, and a connection is new only once
            let seen = self.seen.read();
            if seen.told_by_at(found)? >= made {
                return Some(seen.clone());
            }
        }
        let mut seen = self.seen.write();
        let told_by = seen.told_by_at(found)?;
        seen.told_by = Some(told_by.max(made));
        Some(seen.clone())
    }

    /// Refuses tables that a newer program has changed, where the version of the catalog, which it then raised, is not the
    /// one that is known here.
    pub(crate) async fn require_known_tables(
        &self,
        connection: &Connection,
        version: u64,
    ) -> Result<(), Failure> {
        if self.seen.read().catalog.version() == version {
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
        let seen = self.seen.read().clone();
        let known = seen.catalog.version();
        let is_told = seen.goes_on_by(connection);
        if is_told && known == version {
            return Ok(seen.catalog);
        }
        let marks = Marks::read(connection, &[(CATALOG, known), (CATALOG, version)]).await?;
        // where nothing else was decided either, this connection tells of all of it
        let found = Versions {
            catalog: version,
            issued: seen.issued,
            mark: marks.last(),
        };
        if let Some(seen) = self.at(found, connection) {
            return Ok(seen.catalog);
        }
        let has_known = is_told || marks.has(CATALOG, (known, seen.marks.catalog));
        let goes_on = has_known && known <= version;
        if goes_on && known == version {
            return Ok(seen.catalog);
        }
        migrate::require_known(connection).await?;
        let next = read_catalog(connection, (&seen.catalog, goes_on), version).await?;
        let mut shown = self.seen.write();
        if !goes_on || next.version() > shown.catalog.version() {
            shown.catalog = next.clone();
            shown.marks.catalog = marks.of(CATALOG, version);
        }
        if !goes_on {
            // what is issued is not known with it: the next look compares both
            shown.told_by = None;
        }
        Ok(next)
    }

    /// Brings the catalog and what is issued to versions that are committed, and locked against others. To be called by who has
    /// the turn.
    pub(crate) async fn bring_to(
        &self,
        connection: &Connection,
        found: Versions,
    ) -> Result<CatalogView, Failure> {
        if let Some(seen) = self.at(found, connection) {
            return Ok(seen);
        }
        let seen = self.seen.read().clone();
        let known = seen.catalog.version();
        let is_back = known > found.catalog || seen.issued > found.issued;
        if is_back {
            tracing::warn!(
                known,
                found = found.catalog,
                "the database does not have the newest of the catalog any more that this server knew: it is read anew"
            );
        }
        let asked = [
            (CATALOG, known),
            (CATALOG, found.catalog),
            (ISSUED, seen.issued),
            (ISSUED, found.issued),
        ];
        let marks = Marks::read(connection, &asked).await?;
        let is_told = seen.goes_on_by(connection) && !is_back;
        let has_catalog = is_told || marks.has(CATALOG, (known, seen.marks.catalog));
        let catalog_goes_on = has_catalog && known <= found.catalog;
        let has_issued = is_told || marks.has(ISSUED, (seen.issued, seen.marks.issued));
        let issued_goes_on = has_issued && seen.issued <= found.issued;
        if known != found.catalog || !catalog_goes_on {
            migrate::require_known(connection).await?;
        }
        // first what ends, since the catalog may say already that it has
        self.read_issued(connection, (seen.issued, issued_goes_on), found.issued)
            .await?;
        let before = (&seen.catalog, catalog_goes_on);
        let catalog = read_catalog(connection, before, found.catalog).await?;
        let told_by = if is_told {
            seen.told_by
        } else {
            Some(connection.made())
        };
        let brought = CatalogView {
            catalog,
            issued: found.issued,
            mark: found.mark,
            marks: KnownMarks {
                catalog: marks.of(CATALOG, found.catalog),
                issued: marks.of(ISSUED, found.issued),
            },
            told_by,
        };
        *self.seen.write() = brought.clone();
        Ok(brought)
    }

    /// Reads what is issued, of a version that goes on from the known one, or whole.
    async fn read_issued(
        &self,
        connection: &Connection,
        (known, goes_on): (u64, bool),
        version: u64,
    ) -> Result<(), Failure> {
        if goes_on && known == version {
            return Ok(());
        }
        // where the rest is not read, because the database went, this is of no version that is known here
        {
            let mut seen = self.seen.write();
            seen.marks.issued = None;
            seen.told_by = None;
        }
        if !goes_on || known + ISSUED_VERSIONS_KEPT <= version || known == 0 {
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
        Ok(())
    }
}

/// Reads the catalog, of a version that goes on from the known one, or whole.
async fn read_catalog(
    connection: &Connection,
    (known, goes_on): (&Arc<Catalog>, bool),
    version: u64,
) -> Result<Arc<Catalog>, Failure> {
    if goes_on && known.version() == version {
        return Ok(known.clone());
    }
    let (rows, mut next) = if goes_on {
        let after = known.version().cast_signed();
        let rows = connection.rows(NEWER_NOUNS, &[&after]).await?;
        (rows, Catalog::clone(known))
    } else {
        let rows = connection.rows(ALL_NOUNS, &[]).await?;
        (rows, Catalog::default())
    };
    for row in &rows {
        match noun_of(row)? {
            Ok(noun) => {
                last_uses::take_over_from(&noun, known);
                next.put(noun);
            }
            Err(key) => next.remove(&key),
        }
    }
    next.set_version(version);
    Ok(Arc::new(next))
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

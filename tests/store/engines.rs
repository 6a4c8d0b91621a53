//! The engines, and how a story gets an empty store of each. No story knows which one it has.

use runtime::store::deliveries::Deliveries;
use runtime::store::files::Files;
use runtime::store::search::{SearchIndex, SqliteSearch};
use runtime::store::sqlite::SqliteStore;
use runtime::store::{Catalogs, Copies, DailyCounts, Issued, Jobs, Records, Retention, StoreError};
use std::fs;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// The contracts of a store.
pub(crate) trait Store:
    Records + Catalogs + Issued + Copies + Files + Jobs + DailyCounts + Deliveries + Retention
{
}
impl<T> Store for T where
    T: Records + Catalogs + Issued + Copies + Files + Jobs + DailyCounts + Deliveries + Retention
{
}

struct Engine {
    open: fn(&Path) -> Result<Arc<dyn Store>, StoreError>,
    open_index: fn(&Path) -> Result<Arc<dyn SearchIndex>, StoreError>,
}

const ENGINES: &[Engine] = &[Engine {
    open: |folder| Ok(Arc::new(SqliteStore::open(folder)?)),
    open_index: |folder| Ok(Arc::new(SqliteSearch::open(folder)?)),
}];

/// Whether a store is nobody else's as long as it is open.
pub(crate) const IS_ALONE: bool = true;

/// A place where one engine keeps one store, from one opening to the next.
pub(crate) struct StoreFolder {
    folder: TempDir,
    engine: &'static Engine,
}

impl StoreFolder {
    pub(crate) fn open(&self) -> Arc<dyn Store> {
        (self.engine.open)(self.folder.path()).expect("the store opens")
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// What there is of throwaway copies.
    pub(crate) fn left_of_copies(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).expect("the folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        names.filter(|name| name.starts_with("trial-")).collect()
    }

    /// The full-text index beside the store.
    pub(crate) fn index(&self) -> Arc<dyn SearchIndex> {
        (self.engine.open_index)(self.folder.path()).expect("the index opens")
    }
}

/// Tells a story on an empty store of each engine.
pub(crate) fn each(story: impl Fn(&StoreFolder)) {
    for engine in ENGINES {
        story(&StoreFolder {
            folder: folder(),
            engine,
        });
    }
}

/// Lets time pass for leases by a clock that the engine itself has: this one has none, and takes each moment as it is told.
pub(crate) fn pass(_: &StoreFolder, _seconds: i64) {}

/// An empty folder on the disk that the build uses, so that a sync is a real one.
pub(crate) fn folder() -> TempDir {
    TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder")
}

/// Waits for an answer.
pub(crate) fn wait<T>(answer: impl Future<Output = Result<T, StoreError>>) -> T {
    try_wait(answer).expect("the store does its work")
}

/// Waits for an answer that may be an error.
pub(crate) fn try_wait<T>(answer: impl Future<Output = T>) -> T {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME
        .get_or_init(|| Runtime::new().expect("a runtime"))
        .block_on(answer)
}

//! PostgreSQL as the engine of the stories: how a story gets an empty store of it.

use runtime::store::files::Files;
use runtime::store::postgres::{PostgresOptions, PostgresStore};
use runtime::store::{Catalogs, Copies, Issued, Jobs, Records, Retention, StoreError};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use tempfile::TempDir;
use tests::cluster::{self, Cluster};
use tokio::runtime::Runtime;

/// The contracts of a store.
pub(crate) trait Store:
    Records + Catalogs + Issued + Copies + Files + Jobs + Retention
{
}
impl<T: Records + Catalogs + Issued + Copies + Files + Jobs + Retention> Store for T {}

/// Whether a store is nobody else's as long as it is open.
pub(crate) const IS_ALONE: bool = false;

/// A database that keeps one store, from one opening to the next.
pub(crate) struct StoreFolder {
    folder: TempDir,
    address: String,
}

impl StoreFolder {
    pub(crate) fn open(&self) -> Arc<dyn Store> {
        let opened = PostgresStore::open(&self.address, PostgresOptions::default());
        Arc::new(wait(opened))
    }

    /// A folder of its server.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Tells a story on an empty store.
pub(crate) fn each(story: impl Fn(&StoreFolder)) {
    static DATABASES: AtomicU32 = AtomicU32::new(1);
    let Some(cluster) = cluster() else {
        return;
    };
    let name = format!("story_{}", DATABASES.fetch_add(1, Ordering::Relaxed));
    let made = cluster.run(&format!("CREATE DATABASE {name};"));
    made.expect("a database");
    story(&StoreFolder {
        folder: folder(),
        address: cluster.address(&name),
    });
}

/// The cluster of the suite; none where the machine has no PostgreSQL.
fn cluster() -> Option<&'static Cluster> {
    static CLUSTER: OnceLock<Option<Cluster>> = OnceLock::new();
    let started = CLUSTER.get_or_init(|| {
        let is_ci = std::env::var("CI").is_ok_and(|value| !value.is_empty() && value != "false");
        let Some(programs) = cluster::programs() else {
            assert!(!is_ci, "there is no PostgreSQL");
            eprintln!("ignored, because there is no PostgreSQL; Debian's package is `postgresql`");
            return None;
        };
        let started = Cluster::start_with(&programs, "-c max_connections=400");
        let cluster = started.expect("a cluster");
        cluster.end_with_process();
        Some(cluster)
    });
    started.as_ref()
}

/// An empty folder.
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

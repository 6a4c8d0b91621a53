//! The engine that the stories of a suite are told on: SQLite, in a folder of each story's own, or, where
//! `FIELDSTONE_TESTS_ON` says so, a database for each story: `postgres` starts a cluster for the suite.
//! No story knows which one it has.

use crate::cluster::{self, Cluster};
use runtime::service::Store;
use runtime::store::deliveries::Deliveries;
use runtime::store::files::Files;
use runtime::store::postgres::{PostgresOptions, PostgresStore};
use runtime::store::search::{SearchIndex, SqliteSearch};
use runtime::store::sqlite::SqliteStore;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

/// What says which one.
const ENGINE: &str = "FIELDSTONE_TESTS_ON";
/// The database that others are copied of.
const FIRST: &str = "first";
/// Connections of one story's server: many stories share a cluster.
const CONNECTIONS: usize = 8;

/// An empty store, with what is beside its records.
pub struct Opened {
    /// Catalog and records.
    pub store: Arc<dyn Store>,
    /// What is known of files.
    pub files: Arc<dyn Files>,
    /// How far webhooks have come.
    pub deliveries: Arc<dyn Deliveries>,
    database: Option<Arc<PostgresStore>>,
}

impl Opened {
    /// An empty index; that of a folder is in this one.
    ///
    /// # Panics
    /// Where it can't be made.
    pub async fn index(&self, folder: &Path) -> Arc<dyn SearchIndex> {
        match &self.database {
            Some(store) => Arc::new(store.search().await.expect("an index")),
            None => Arc::new(SqliteSearch::open(folder).expect("an index")),
        }
    }
}

/// Whether the stories are told on a database.
pub fn is_database() -> bool {
    std::env::var(ENGINE).is_ok_and(|engine| !engine.is_empty() && engine != "sqlite")
}

/// An empty store, for whatever runtime is around it. That of a folder is in this one.
///
/// # Panics
/// Where it can't be made.
pub async fn open(folder: &Path) -> Opened {
    if !is_database() {
        let store = Arc::new(SqliteStore::open(folder).expect("a store"));
        return Opened {
            files: store.clone(),
            deliveries: store.clone(),
            store,
            database: None,
        };
    }
    in_database(&fresh_database("")).await
}

/// The store that others are copied of by [`open_copy`], empty as yet; for a suite on databases, once.
///
/// # Panics
/// Where it can't be made.
pub async fn open_first() -> Opened {
    let made = cluster().run(&format!("CREATE DATABASE {FIRST};"));
    made.expect("a database");
    in_database(&cluster().address(FIRST)).await
}

/// A copy of the first store: the one that is in a folder, else a database like the first one, which nobody has open.
///
/// # Panics
/// Where it can't be made.
pub async fn open_copy(folder: &Path) -> Opened {
    if !is_database() {
        return open(folder).await;
    }
    in_database(&fresh_database(&format!("TEMPLATE {FIRST}"))).await
}

async fn in_database(address: &str) -> Opened {
    let options = PostgresOptions {
        connections_max: CONNECTIONS,
        ..PostgresOptions::default()
    };
    let opened = PostgresStore::open(address, options).await;
    let store = Arc::new(opened.expect("a store"));
    Opened {
        files: store.clone(),
        deliveries: store.clone(),
        database: Some(store.clone()),
        store,
    }
}

/// The address of a new database.
fn fresh_database(of: &str) -> String {
    static DATABASES: AtomicU32 = AtomicU32::new(1);
    let cluster = cluster();
    let name = format!("story_{}", DATABASES.fetch_add(1, Ordering::Relaxed));
    let made = cluster.run(&format!("CREATE DATABASE {name} {of};"));
    made.expect("a database");
    cluster.address(&name)
}

/// The cluster of the suite.
fn cluster() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(|| {
        let programs = cluster::programs().expect("there is no PostgreSQL");
        let started = Cluster::start_with(&programs, "-c max_connections=900 -c fsync=off");
        let cluster = started.expect("a cluster");
        cluster.end_with_process();
        cluster
    })
}

//! PostgreSQL as the engine of the stories: how a story gets an empty store of it.

use runtime::service::{Parts, Schedule, Service};
use runtime::store::deliveries::Deliveries;
use runtime::store::files::Files;
use runtime::store::postgres::{PostgresOptions, PostgresStore};
use runtime::store::search::SearchIndex;
use runtime::store::{Catalogs, Copies, DailyCounts, Issued, Jobs, Records, Retention, StoreError};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use tests::cluster::{self, Cluster};
use tests::engine::passing;
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

/// Whether a store is nobody else's as long as it is open.
pub(crate) const IS_ALONE: bool = false;

/// A database that keeps one store, from one opening to the next.
pub(crate) struct StoreFolder {
    address: String,
    database: String,
}

impl StoreFolder {
    pub(crate) fn open(&self) -> Arc<dyn Store> {
        self.server()
    }

    /// A server of the store, one more each time.
    pub(crate) fn server(&self) -> Arc<PostgresStore> {
        open_at(&self.address)
    }

    /// The full-text index in the store's database, as one more server has it.
    pub(crate) fn index(&self) -> Arc<dyn SearchIndex> {
        Arc::new(wait(self.server().search()))
    }

    /// What opens the store.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Runs a script in its database.
    pub(crate) fn run(&self, script: &str) {
        self.told(script);
    }

    /// What a script prints that is run in its database.
    pub(crate) fn told(&self, script: &str) -> String {
        let ran = cluster().run(&format!("\\connect {}\n{script};", self.database));
        ran.unwrap_or_else(|why| panic!("{script}: {why}"))
    }

    /// What there is of throwaway copies.
    pub(crate) fn left_of_copies(&self) -> Vec<String> {
        let told = self.told(
            "SELECT 'there is ' || schema_name FROM information_schema.schemata
             WHERE schema_name LIKE 'fieldstone\\_trial\\_%'",
        );
        let names = told.lines().filter_map(|line| line.split_once("there is "));
        names.map(|(_, name)| name.trim().to_owned()).collect()
    }
}

/// Opens the store at an address.
pub(crate) fn open_at(address: &str) -> Arc<PostgresStore> {
    let opened = PostgresStore::open(address, PostgresOptions::default());
    Arc::new(wait(opened))
}

/// A service on one more server of the store, that sees to itself so often.
pub(crate) fn at_work(folder: &StoreFolder, schedule: Schedule) -> Arc<Service> {
    wait(Service::open(Parts {
        schedule: Some(schedule),
        ..Parts::new(folder.server())
    }))
}

/// Tells a story on an empty store.
pub(crate) fn each(story: impl Fn(&StoreFolder)) {
    static DATABASES: AtomicU32 = AtomicU32::new(1);
    let cluster = cluster();
    let name = format!("story_{}", DATABASES.fetch_add(1, Ordering::Relaxed));
    let made = cluster.run(&format!("CREATE DATABASE {name};"));
    made.expect("a database");
    story(&StoreFolder {
        address: cluster.address(&name),
        database: name,
    });
}

/// Lets so many seconds pass for leases and limits, which are by the clock of the database; a negative number is for one that was
/// ahead.
pub(crate) fn pass(folder: &StoreFolder, seconds: i64) {
    folder.run(&passing(seconds));
}

/// The cluster of the suite.
fn cluster() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(|| {
        let programs = cluster::programs().expect("there is no PostgreSQL");
        let elsewhere = std::env::var("FIELDSTONE_TESTS_ON").unwrap_or_default();
        if elsewhere.contains("://") || elsewhere.contains('=') {
            return Cluster::at(&programs, &elsewhere);
        }
        let started = Cluster::start_with(&programs, "-c max_connections=400");
        let cluster = started.expect("a cluster");
        cluster.end_with_process();
        cluster
    })
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

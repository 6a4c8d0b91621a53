//! The engine that the stories of a suite are told on: SQLite, in a folder of each story's own, or, where
//! `FIELDSTONE_TESTS_ON` says so, a database for each story: `postgres` starts a cluster for the suite; an address, as libpq
//! takes it, is that of another engine, on which databases named `story_…` are made and left for whoever looks.
//! No story knows which one it has.

use crate::cluster::{self, Cluster};
use crate::damage;
use crate::forged_rows::forge_row;
use runtime::service::Store;
use runtime::store::deliveries::Deliveries;
use runtime::store::files::Files;
use runtime::store::postgres::{PostgresOptions, PostgresStore};
use runtime::store::search::{SearchIndex, SqliteSearch};
use runtime::store::sqlite::SqliteStore;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Once, OnceLock};

/// What says which one.
const ENGINE: &str = "FIELDSTONE_TESTS_ON";
/// The database of a folder.
const DATABASE: &str = "fieldstone.db";
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
    database: Option<Database>,
}

/// The database of a story.
struct Database {
    store: Arc<PostgresStore>,
    name: String,
}

impl Opened {
    /// Takes the tables away from under a store, which is in this folder or in a database.
    ///
    /// # Panics
    /// Where there are none.
    pub fn drop_tables(&self, folder: &Path) {
        let Some(database) = &self.database else {
            damage::drop_tables(&folder.join(DATABASE));
            return;
        };
        // tables that an extension has placed would hold their schema; and of a ring with who reads shards just then nobody
        // tells, so it is not waited for long. Of one with who writes just then the database tells
        let dropped = "DROP EXTENSION IF EXISTS citus CASCADE;".repeat(5);
        let emptied = "DROP SCHEMA IF EXISTS public CASCADE;".repeat(5);
        database.run(&format!(
            "\\set ON_ERROR_STOP 0
             SET lock_timeout = '2s'; {dropped}
             SET lock_timeout = 0; {emptied}
             \\set ON_ERROR_STOP 1
             CREATE SCHEMA public;"
        ));
    }

    /// Takes the place to write away from under a store: the file that is in this folder, or all tables of a database.
    ///
    /// # Panics
    /// Where there is none.
    pub fn take_away(&self, folder: &Path) {
        if self.database.is_some() {
            self.drop_tables(folder);
            return;
        }
        let file = folder.join(DATABASE);
        std::fs::rename(&file, file.with_extension("aside")).expect("moved");
    }

    /// Changes one row behind the store's back, which is in this folder or in a database.
    ///
    /// # Panics
    /// Where it is not one.
    pub fn spoil(&self, folder: &Path, statement: &str) {
        match &self.database {
            None => damage::change_row(&folder.join(DATABASE), statement),
            Some(database) => spoil(&database.name, statement),
        }
    }

    /// The same with the row's checksum, where rows have one: its form alone tells then what is wrong with it.
    ///
    /// # Panics
    /// Where it is not one.
    pub fn forge(&self, folder: &Path, statement: &str) {
        match &self.database {
            None => forge_row(&mut damage::opened(&folder.join(DATABASE)), statement),
            Some(database) => spoil(&database.name, statement),
        }
    }

    /// All that is kept: the files in this folder, or what is in the database.
    ///
    /// # Panics
    /// Where it can't be read.
    pub fn kept(&self, folder: &Path) -> Vec<Vec<u8>> {
        if let Some(database) = &self.database {
            let dump = cluster().dump(&database.name).expect("a dump");
            return vec![dump.into_bytes()];
        }
        let files = std::fs::read_dir(folder).expect("the folder");
        let paths = files.flatten().map(|file| file.path());
        paths
            .filter(|path| path.is_file())
            .map(|path| std::fs::read(path).expect("a file"))
            .collect()
    }

    /// Lets so many seconds pass for the leases and the limits of a database, which are by its own clock; those of a folder are by
    /// the clock of its server.
    ///
    /// # Panics
    /// Where it can't be told.
    pub fn pass(&self, seconds: i64) {
        if let Some(database) = &self.database {
            database.run(&passing(seconds));
        }
    }

    /// The same store, which is in a database, as one more server has it.
    ///
    /// # Panics
    /// Where it is in none, or does not open.
    pub async fn another(&self) -> Opened {
        let database = self.database.as_ref().expect("a database");
        in_database(database.name.clone()).await
    }

    /// Where the log of statements ends, in a process that [`log_statements`]: in bytes.
    ///
    /// # Panics
    /// Where there is none.
    pub fn log_end(&self) -> u64 {
        let log = cluster().folder().join("log").metadata();
        log.expect("a log").len()
    }

    /// The statements that its database was sent after a position of that log, in order.
    ///
    /// # Panics
    /// Where the store is in no database.
    pub fn statements_after(&self, position: u64) -> Vec<String> {
        let database = self.database.as_ref().expect("a database");
        let mut log = File::open(cluster().folder().join("log")).expect("a log");
        log.seek(SeekFrom::Start(position)).expect("a position");
        let mut bytes = Vec::new();
        log.read_to_end(&mut bytes).expect("its end");
        // another session may be writing a line
        let text = String::from_utf8_lossy(&bytes);
        let beginning = format!("{}/", database.name);
        let lines = text
            .lines()
            .filter_map(|line| line.strip_prefix(&beginning)?.strip_prefix("LOG:  "));
        let is_statement =
            |line: &&str| line.starts_with("execute ") || line.starts_with("statement: ");
        lines.filter(is_statement).map(str::to_owned).collect()
    }

    /// An empty index; that of a folder is in this one.
    ///
    /// # Panics
    /// Where it can't be made.
    pub async fn index(&self, folder: &Path) -> Arc<dyn SearchIndex> {
        match &self.database {
            Some(database) => Arc::new(database.store.search().await.expect("an index")),
            None => Arc::new(SqliteSearch::open(folder).expect("an index")),
        }
    }
}

/// A script that lets so many seconds pass for the leases and the limits of a database; a negative number is for a clock that was
/// ahead.
pub fn passing(seconds: i64) -> String {
    let millis = seconds * 1000;
    format!(
        "UPDATE jobs SET lease_until = lease_until - ({millis}) WHERE state = 'running';
         UPDATE leases SET held_until = held_until - ({millis});
         UPDATE allowances SET whole_at = whole_at - ({millis})::bigint * 1000;"
    )
}

static LOGS_STATEMENTS: AtomicBool = AtomicBool::new(false);

/// Has the cluster of this process, which is not started yet, log each statement with its database.
pub fn log_statements() {
    LOGS_STATEMENTS.store(true, Ordering::Relaxed);
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
    place().open(folder).await
}

/// Where a store is that is opened more than once: in a database, unless it is in a folder.
pub struct Place(Option<String>);

/// One that is empty as yet.
///
/// # Panics
/// Where it can't be made.
pub fn place() -> Place {
    Place(is_database().then(|| {
        let of = migrated().map(|name| format!("TEMPLATE {name}"));
        fresh_database(&of.unwrap_or_default())
    }))
}

impl Place {
    /// Changes one row behind the back of who has the store open, which is in this folder or in a database.
    ///
    /// # Panics
    /// Where it is not one.
    pub fn spoil(&self, folder: &Path, statement: &str) {
        match &self.0 {
            None => damage::change_row(&folder.join(DATABASE), statement),
            Some(database) => spoil(database, statement),
        }
    }

    /// The store, for whatever runtime is around it. That of a folder is in this one, and must not be open any more.
    ///
    /// # Panics
    /// Where it does not open.
    pub async fn open(&self, folder: &Path) -> Opened {
        if let Some(name) = &self.0 {
            return in_database(name.clone()).await;
        }
        let store = Arc::new(SqliteStore::open(folder).expect("a store"));
        Opened {
            files: store.clone(),
            deliveries: store.clone(),
            store,
            database: None,
        }
    }
}

/// The database that others are copied of.
fn first() -> String {
    format!("story_{}_first", std::process::id())
}

/// The store that others are copied of by [`open_copy`], empty as yet; for a suite on databases, once.
///
/// # Panics
/// Where it can't be made.
pub async fn open_first() -> Opened {
    let name = first();
    let made = cluster().run(&format!("CREATE DATABASE {name};"));
    made.expect("a database");
    in_database(name).await
}

/// A copy of the first store: the one that is in a folder, else a database like the first one, which nobody has open.
///
/// # Panics
/// Where it can't be made.
pub async fn open_copy(folder: &Path) -> Opened {
    static LEFT: Once = Once::new();
    if !is_database() {
        return open(folder).await;
    }
    let first = first();
    LEFT.call_once(|| leave(&first));
    in_database(fresh_database(&format!("TEMPLATE {first}"))).await
}

/// A database with the tables of this version and nothing in them, of which those of stories are copied: each would make the same
/// tables, and whether they are made is asked by the suites of the store. None of an engine that is elsewhere, which may have
/// placed them on its nodes.
fn migrated() -> Option<&'static str> {
    static NAME: OnceLock<Option<String>> = OnceLock::new();
    let name = NAME.get_or_init(|| {
        if elsewhere().is_some() {
            return None;
        }
        let name = format!("story_{}_migrated", std::process::id());
        let made = cluster().run(&format!("CREATE DATABASE {name};"));
        made.expect("a database");
        let address = cluster().address(&name);
        // in a thread of its own: who asks has a runtime already
        let migrating = std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().expect("a runtime");
            let options = PostgresOptions::default();
            let migrated = runtime.block_on(PostgresStore::migrate(&address, &options));
            migrated.expect("tables");
        });
        migrating.join().expect("a database with tables");
        leave(&name);
        Some(name)
    });
    name.as_deref()
}

/// Has nobody open a database of which others are copied; what an engine itself has open there, such as a daemon of an extension,
/// is sent away.
fn leave(name: &str) {
    let left = cluster().run(&format!(
        "ALTER DATABASE {name} ALLOW_CONNECTIONS false;
         SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}';"
    ));
    left.expect("psql");
}

impl Database {
    fn run(&self, script: &str) -> String {
        run_in(&self.name, script)
    }
}

fn run_in(database: &str, script: &str) -> String {
    let script = format!("\\connect {database}\n{script}");
    cluster().run(&script).expect("psql")
}

fn spoil(database: &str, statement: &str) {
    let told = run_in(
        database,
        &format!("WITH c AS ({statement} RETURNING 1) SELECT 'rows: ' || count(*) FROM c;"),
    );
    assert!(told.contains("rows: 1"), "{statement}: {told}");
}

async fn in_database(name: String) -> Opened {
    let options = PostgresOptions {
        connections_max: CONNECTIONS,
        ..PostgresOptions::default()
    };
    let opened = PostgresStore::open(&cluster().address(&name), options).await;
    let store = Arc::new(opened.expect("a store"));
    Opened {
        files: store.clone(),
        deliveries: store.clone(),
        database: Some(Database {
            store: store.clone(),
            name,
        }),
        store,
    }
}

/// The name of a new database.
fn fresh_database(of: &str) -> String {
    static DATABASES: AtomicU32 = AtomicU32::new(1);
    let cluster = cluster();
    let number = DATABASES.fetch_add(1, Ordering::Relaxed);
    let name = format!("story_{}_{number}", std::process::id());
    let made = cluster.run(&format!("CREATE DATABASE {name} {of};"));
    made.expect("a database");
    name
}

/// The address of the engine that the stories are told on, where it is one that others have started.
fn elsewhere() -> Option<String> {
    let engine = std::env::var(ENGINE).ok()?;
    (engine.contains("://") || engine.contains('=')).then_some(engine)
}

/// The cluster of the suite.
fn cluster() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(|| {
        let programs = cluster::programs().expect("there is no PostgreSQL");
        if let Some(address) = elsewhere() {
            return Cluster::at(&programs, &address);
        }
        // what is committed is on disk, as where the service runs: these leave the settings that see to that as they are
        let mut settings = "-c max_connections=900".to_owned();
        if LOGS_STATEMENTS.load(Ordering::Relaxed) {
            settings += " -c log_statement=all -c log_line_prefix=%d/";
        }
        let started = Cluster::start_with(&programs, &settings);
        let cluster = started.expect("a cluster");
        cluster.end_with_process();
        cluster
    })
}

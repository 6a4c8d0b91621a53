//! The store in PostgreSQL: any number of servers on it at once, each without a state of
//! its own that others would miss. Catalog and what is issued are held in memory and compared by version; records are
//! read by key. Every table can be divided by Citus: no sequences, triggers, foreign
//! keys, advisory locks or notifications; every key of a table of records begins with the dataset.

mod address;
mod advice;
mod away;
mod catalog;
mod catalog_cache;
mod catalog_hold;
mod catalog_marks;
mod cause;
mod check;
mod citus;
mod connection;
mod connections;
mod connector;
mod contents_hold;
mod copies;
mod daily_counts;
mod deliveries;
mod disk_room;
mod durability;
mod error;
mod files;
mod freshness;
mod ground;
mod hosts;
mod issued;
mod job_room;
mod job_rows;
mod job_steps;
mod jobs;
mod last_uses;
mod leases;
mod log_row;
mod lookups;
mod migrate;
mod noted_jobs;
mod parameters;
mod password;
mod past;
mod past_states;
mod plans;
mod pooler;
mod primary;
mod proof;
mod records;
mod retention;
mod search;
mod session;
mod several;
mod shared_limits;
mod sql;
mod step_guard;
mod tls;
mod trail;
mod transfer;
mod tries;
mod version;
mod write;
mod writer;

pub use address::{has_password, is_address, shown};
pub use connections::ConnectionCounts;
pub use contents_hold::ContentsHold;
pub use password::Password;
pub use search::PostgresSearch;
pub use transfer::PostgresTransfer;

use catalog_cache::CatalogCache;
use connections::{Connections, Database, Transaction};
use connector::Connector;
use copies::CopyGuard;
use error::Failure;
use freshness::Freshness;
use lookups::Lookups;
use plans::Plans;
use primary::Primary;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use store::{StoreError, StoreFuture};
use tokio::runtime::Handle;
use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;
use write::RecordRooms;
use writer::Writer;

const SIZE: &str = "SELECT pg_database_size(current_database())";

/// What can be said of a store when it is opened.
#[derive(Clone)]
pub struct PostgresOptions {
    /// How many connections it has at most, 2 at least.
    pub connections_max: usize,
    /// How long a statement may go without an answer before its connection counts as lost; those that go through all
    /// rows take their time.
    pub answer: Duration,
    /// The password, in place of the one of the address.
    pub password: Option<Password>,
    /// A file of the root certificates (PEM) by which the database proves who it is, in place of those that the machine
    /// trusts.
    pub root_certificates: Option<PathBuf>,
}

impl std::fmt::Debug for PostgresOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PostgresOptions")
            .field("connections_max", &self.connections_max)
            .field("answer", &self.answer)
            .field("root_certificates", &self.root_certificates)
            .finish_non_exhaustive()
    }
}

impl Default for PostgresOptions {
    /// Sixteen connections, 15 seconds for an answer.
    fn default() -> Self {
        PostgresOptions {
            connections_max: 16,
            answer: Duration::from_secs(15),
            password: None,
            root_certificates: None,
        }
    }
}

/// A store in a database.
pub struct PostgresStore {
    inner: Arc<Inner>,
    writer: Writer,
    freshness: Freshness,
    lookups: Lookups,
    /// Of a copy: its tables go with the store.
    _copy: Option<CopyGuard>,
}

/// What the store's tasks share.
struct Inner {
    connections: Connections,
    cache: CatalogCache,
    rooms: RecordRooms,
    /// Of who holds the catalog.
    hold_turn: Arc<Mutex<()>>,
    /// The newest entry of the change log that this server knows of.
    head: watch::Sender<u64>,
    /// How its statements are planned, by the settings that the engine has.
    plans: Plans,
    /// Whether Citus divides the tables, so that entries of the log may be seen in another order than that of their numbers.
    is_divided: bool,
    /// Copies whose tables are being removed.
    removals: parking_lot::Mutex<Vec<JoinHandle<()>>>,
    /// Where its tasks live, wherever work is asked for.
    runtime: Handle,
}

impl Inner {
    /// Has a transaction that begins read one moment of the store, whatever is committed meanwhile.
    async fn take_moment(&self, tx: &Transaction) -> Result<(), Failure> {
        tx.batch("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            .await?;
        if self.is_divided {
            citus::take_moment(tx).await?;
        }
        Ok(())
    }
}

impl std::fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PostgresStore").finish_non_exhaustive()
    }
}

impl PostgresStore {
    /// Opens the store of a database by its address (`postgres://user:password@host:port/database?sslmode=require`, or as
    /// libpq writes it), and makes or migrates its tables. To be called in a runtime, where the store's tasks then live.
    ///
    /// # Errors
    /// When the address can't be read, the database can't be reached, or the tables are of a newer version.
    pub async fn open(address: &str, options: PostgresOptions) -> Result<Self, StoreError> {
        let connections = connect(address, &options).await?;
        migrate(&connections).await?;
        Ok(Self::open_whole(connections, address).await?)
    }

    /// The same of a database that has the tables of a store; `None` where it has none, and nothing is made there.
    ///
    /// # Errors
    /// As [`open`](Self::open), and as [`is_in`](Self::is_in).
    pub async fn open_if_there(
        address: &str,
        options: &PostgresOptions,
    ) -> Result<Option<Self>, StoreError> {
        match connect_brought_up(address, options).await? {
            Some(connections) => Ok(Some(Self::open_whole(connections, address).await?)),
            None => Ok(None),
        }
    }

    async fn open_whole(connections: Connections, address: &str) -> Result<Self, Failure> {
        transfer::require_whole(&connections, &shown(address)).await?;
        durability::warn_of_risks(&connections).await?;
        let store = Self::open_by(connections, None).await?;
        store.inner.remove_left_behind();
        store.inner.watch_hosts();
        Ok(store)
    }

    /// Makes the tables of a database, or brings them to this version, and divides them where it has Citus; tells what was
    /// done. Any number of programs may do so at once: each step is done by one of them.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub async fn migrate(address: &str, options: &PostgresOptions) -> Result<Migrated, StoreError> {
        Ok(migrate(&connect(address, options).await?).await?)
    }

    /// Runs migrations that follow those of this program, as a later version would; returns how many were done. Made for tests.
    #[doc(hidden)]
    pub async fn migrate_further(
        address: &str,
        options: &PostgresOptions,
        more: &[&str],
    ) -> Result<usize, StoreError> {
        let connections = connect(address, options).await?;
        Ok(migrate::migrate_further(&connections, more).await?)
    }

    /// Whether a database has the tables of a store, which are then of this version or can be brought to it.
    ///
    /// # Errors
    /// When the address can't be read, the database can't be reached, or its store is in a schema that comes behind the one
    /// in which it was looked for.
    pub async fn is_in(address: &str, options: &PostgresOptions) -> Result<bool, StoreError> {
        Ok(connect_to_store(address, options).await?.is_some())
    }

    /// How many bytes the database has: its tables and their indexes, without the write-ahead log. On Citus they are those of
    /// the coordinator.
    ///
    /// # Errors
    /// When the database can't be asked.
    pub async fn bytes(&self) -> Result<u64, StoreError> {
        let row = self.inner.connections.read_one(SIZE, &[]).await?;
        Ok(row.map_or(0, |row| row.get::<_, i64>(0).cast_unsigned()))
    }

    /// What its connections do now.
    pub fn connection_counts(&self) -> ConnectionCounts {
        self.inner.connections.counts()
    }

    async fn open_by(connections: Connections, copy: Option<CopyGuard>) -> Result<Self, Failure> {
        metrics::counter!(tries::RETRIES).increment(0);
        let is_divided = citus::is_there(&connections).await?;
        let plans = Plans::of(&connections.read(plans::KNOWN, &[]).await?);
        let inner = Arc::new(Inner {
            connections,
            plans,
            is_divided,
            cache: CatalogCache::new(),
            rooms: RecordRooms::new(),
            hold_turn: Arc::default(),
            head: watch::Sender::new(0),
            removals: parking_lot::Mutex::default(),
            runtime: Handle::current(),
        });
        inner.be_current().await?;
        Ok(PostgresStore {
            writer: Writer::start(inner.clone()),
            freshness: Freshness::start(&inner),
            lookups: Lookups::start(inner.connections.clone()),
            inner,
            _copy: copy,
        })
    }

    /// Reads something.
    fn read<'a, T, F>(&self, work: impl FnOnce(Arc<Inner>) -> F) -> StoreFuture<'a, T>
    where
        F: Future<Output = Result<T, Failure>> + Send + 'a,
    {
        let work = work(self.inner.clone());
        Box::pin(async move { Ok(work.await?) })
    }

    /// Does work to its end in a task of its own, also when nobody waits for it any more.
    fn see_through<'a, T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Failure>> + Send + 'static,
    ) -> StoreFuture<'a, T> {
        let task = self.inner.runtime.spawn(work);
        Box::pin(async move { Ok(task.await.map_err(|_| StoreError::Panicked)??) })
    }
}

/// What a program did to the tables of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migrated {
    /// Steps to this version.
    pub steps: usize,
    /// Tables that were placed on the nodes of Citus.
    pub placed: usize,
}

/// Brings the tables to this version and to where they belong; makes them where there are none, and may be some.
async fn migrate(connections: &Connections) -> Result<Migrated, Failure> {
    if !ground::require(connections).await? {
        migrate::begin(connections).await?;
    }
    bring_up(connections).await
}

/// The same of tables that are there.
async fn bring_up(connections: &Connections) -> Result<Migrated, Failure> {
    // an old one may refuse the steps
    version::warn_of_age(connections).await?;
    let steps = migrate::migrate(connections).await?;
    let placed = citus::place(connections).await?;
    Ok(Migrated { steps, placed })
}

/// The connections to a database by its address, each of which has a session.
async fn connect(address: &str, options: &PostgresOptions) -> Result<Connections, Failure> {
    let tls = tls::connector(options.root_certificates.as_deref())?;
    let config = address::config(address)?;
    let most = options.connections_max.max(2);
    let database = Database {
        primary: Primary::of(&address::names_of_hosts(&config).join(",")),
        config: Arc::new(config),
        connector: Connector {
            tls,
            password: options.password.clone(),
        },
        answer: options.answer,
    };
    let connections = Connections::new(database, most)?;
    pooler::require_sessions(&connections).await?;
    Ok(connections)
}

/// The connections to a database that has the tables of a store; `None` where it has none.
async fn connect_to_store(
    address: &str,
    options: &PostgresOptions,
) -> Result<Option<Connections>, StoreError> {
    let connections = connect(address, options).await?;
    if migrate::is_begun(&connections).await? {
        return Ok(Some(connections));
    }
    ground::require_first(&connections).await?;
    Ok(None)
}

/// The same, with its tables brought to this version.
async fn connect_brought_up(
    address: &str,
    options: &PostgresOptions,
) -> Result<Option<Connections>, StoreError> {
    let connections = connect_to_store(address, options).await?;
    if let Some(connections) = &connections {
        bring_up(connections).await?;
    }
    Ok(connections)
}

/// As the database counts rows.
fn limit_of(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

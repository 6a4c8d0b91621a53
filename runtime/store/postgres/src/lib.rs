//! The store in a database that speaks PostgreSQL's protocol: any number of servers on it at once, each without a state of
//! its own that others would miss. Catalog and what is issued are held in memory and compared by version; records are
//! read by key. Nothing here asks for more of the database than what its kin have too: no sequences, triggers, foreign
//! keys, advisory locks or notifications; every key of a table of records begins with the dataset.

mod catalog;
mod catalog_cache;
mod check;
mod connections;
mod copies;
mod deliveries;
mod error;
mod files;
mod freshness;
mod issued;
mod jobs;
mod log_row;
mod migrate;
mod noted_jobs;
mod records;
mod retention;
mod search;
mod trail;
mod write;
mod writer;

pub use search::PostgresSearch;

use catalog_cache::CatalogCache;
use connections::Connections;
use copies::CopyGuard;
use error::Failure;
use freshness::Freshness;
use std::sync::Arc;
use store::{StoreError, StoreFuture};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio_postgres::Config;
use writer::Writer;

/// What can be said of a store when it is opened.
#[derive(Clone, Copy, Debug)]
pub struct PostgresOptions {
    /// How many connections it has at most, 2 at least.
    pub connections_max: usize,
}

impl Default for PostgresOptions {
    /// Sixteen connections.
    fn default() -> Self {
        PostgresOptions {
            connections_max: 16,
        }
    }
}

/// A store in a database.
pub struct PostgresStore {
    inner: Arc<Inner>,
    writer: Writer,
    freshness: Freshness,
    /// Of a copy: its tables go with the store.
    _copy: Option<CopyGuard>,
}

/// What the store's tasks share.
struct Inner {
    connections: Connections,
    cache: CatalogCache,
    /// The newest entry of the change log that this server knows of.
    head: watch::Sender<u64>,
    /// Where its tasks live, wherever work is asked for.
    runtime: Handle,
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
        let config: Config = address.parse().map_err(Failure::Database)?;
        Ok(Self::open_by(config, options, None).await?)
    }

    async fn open_by(
        mut config: Config,
        options: PostgresOptions,
        copy: Option<CopyGuard>,
    ) -> Result<Self, Failure> {
        if config.get_application_name().is_none() {
            config.application_name("fieldstone");
        }
        let connections = Connections::new(config, options.connections_max.max(2))?;
        migrate::migrate(&connections).await?;
        let inner = Arc::new(Inner {
            connections,
            cache: CatalogCache::new(),
            head: watch::Sender::new(0),
            runtime: Handle::current(),
        });
        inner.be_current().await?;
        Ok(PostgresStore {
            writer: Writer::start(inner.clone()),
            freshness: Freshness::start(&inner),
            inner,
            _copy: copy,
        })
    }

    /// Brings the catalog, and what is issued, up to what is committed, also by others. Those who ask together share one
    /// look at the database.
    ///
    /// # Errors
    /// When the database can't be asked.
    pub async fn be_current(&self) -> Result<(), StoreError> {
        self.freshness.be_current().await
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

/// As the database counts rows.
fn limit_of(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

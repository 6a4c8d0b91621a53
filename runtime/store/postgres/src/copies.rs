//! Throwaway copies of a store: its tables once more, in a database schema of their own, filled as of one commit while
//! others write. They go with the copy's last handle; what a killed server left behind goes when a day has passed.

use crate::connection::Values;
use crate::connections::{Connections, transact};
use crate::error::Failure;
use crate::{Inner, PostgresStore, migrate};
use std::sync::Arc;
use store::{Copies, StoreFuture, ThrowawayCopy};
use tokio::task::JoinHandle;

/// How the schemas of copies begin. A number follows that rises with time, so that old ones are known.
const PREFIX: &str = "fieldstone_trial_";
/// Tables whose rows are copied; `migrations` are made, and `commits` are of no use to anyone else.
const TABLES: &[&str] = &[
    "counters",
    "catalog",
    "issued",
    "audit_state",
    "audit",
    "dataset_state",
    "daily_counts",
    "records",
    "change_log",
    "past_states",
    "files",
    "jobs",
    "deliveries",
    "dead_letters",
];
/// How many connections a copy has.
const CONNECTIONS: usize = 4;

const HERE: &str =
    "SELECT current_schema()::text, (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
const OLD: &str = "SELECT schema_name::text FROM information_schema.schemata
   WHERE schema_name LIKE 'fieldstone\\_trial\\_%' AND schema_name < $1";
/// How long the tables of a copy may be read by somebody else before they are left to another time.
const LOCK_WAIT: &str = "SET LOCAL lock_timeout = '10s'";
const DAY_MILLIS: i64 = 86_400_000;

/// Removes the tables of a copy when it is dropped.
pub(crate) struct CopyGuard {
    schema: String,
    owner: Arc<Inner>,
}

impl Drop for CopyGuard {
    fn drop(&mut self) {
        let (schema, owner) = (std::mem::take(&mut self.schema), self.owner.clone());
        let runtime = owner.runtime.clone();
        let removal = runtime.spawn(async move {
            if let Err(failure) = remove(&owner.connections, &schema).await {
                tracing::warn!(
                    ?failure,
                    schema,
                    "the tables of a copy can't be removed; they go later"
                );
            }
        });
        self.owner.note_removal(removal);
    }
}

/// Removes a copy's tables, unless somebody reads them for long, as a dump of the whole database does.
async fn remove(connections: &Connections, schema: &str) -> Result<(), Failure> {
    let connection = connections.get().await?;
    connection.take_time();
    let sql = format!("BEGIN; {LOCK_WAIT}; DROP SCHEMA IF EXISTS {schema} CASCADE; COMMIT");
    let removed = connection.batch(&sql).await;
    if removed.is_err() {
        connection.take_back().await;
    }
    removed
}

/// The schema that the store is in, and the time.
async fn here(connections: &Connections) -> Result<(String, i64), Failure> {
    let row = connections.read_one(HERE, &[]).await?;
    Ok(row.map_or((String::new(), 0), |row| (row.get(0), row.get(1))))
}

/// Removes what others left behind a day ago or earlier. What can't be removed stays, and is told.
async fn remove_old(connections: &Connections) -> Result<(), Failure> {
    let (_, now) = here(connections).await?;
    let before = name(now - DAY_MILLIS, 0);
    let given: Values<'_> = &[&before];
    for row in connections.read(OLD, given).await? {
        let schema: &str = row.get(0);
        if let Err(failure) = remove(connections, schema).await {
            tracing::warn!(
                ?failure,
                schema,
                "the tables of an old copy can't be removed"
            );
        }
    }
    Ok(())
}

/// The name of a copy that is made at a moment.
fn name(millis: i64, random: u32) -> String {
    format!("{PREFIX}{millis:015}_{random:08x}")
}

impl Inner {
    /// Removes what others left behind, beside all else: tables that somebody reads are waited for. Nothing is done beside a
    /// removal that is under way: that of all does it for this one, and behind that of one copy the next who asks does it.
    pub(crate) fn remove_left_behind(&self) {
        let is_under_way = |removal: &JoinHandle<()>| !removal.is_finished();
        if self.removals.lock().iter().any(is_under_way) {
            return;
        }
        let connections = self.connections.clone();
        let removal = self.runtime.spawn(async move {
            if let Err(failure) = remove_old(&connections).await {
                tracing::warn!(?failure, "old copies can't be looked for; they go later");
            }
        });
        self.note_removal(removal);
    }

    fn note_removal(&self, removal: JoinHandle<()>) {
        let mut removals = self.removals.lock();
        removals.retain(|removal| !removal.is_finished());
        removals.push(removal);
    }

    async fn copy(self: Arc<Self>) -> Result<PostgresStore, Failure> {
        self.remove_left_behind();
        let (here, now) = here(&self.connections).await?;
        let schema = name(now, rand::random());
        let guard = CopyGuard {
            schema: schema.clone(),
            owner: self.clone(),
        };
        self.connections
            .get()
            .await?
            .batch(&format!("CREATE SCHEMA {schema}"))
            .await?;
        let connections = self.connections.within(&schema, CONNECTIONS)?;
        migrate::begin(&connections).await?;
        migrate::migrate(&connections).await?;
        transact!(&self.connections, tx => {
            tx.take_time();
            self.take_moment(tx).await?;
            for table in TABLES {
                let quoted = here.replace('"', "\"\"");
                tx.batch(&format!(
                    "DELETE FROM {schema}.{table}; INSERT INTO {schema}.{table} SELECT * FROM \"{quoted}\".{table}"
                )).await?;
            }
            Ok(())
        })?;
        PostgresStore::open_by(connections, Some(guard)).await
    }
}

impl Copies for PostgresStore {
    fn throwaway_copy(&self) -> StoreFuture<'_, Option<ThrowawayCopy>> {
        let inner = self.inner.clone();
        self.see_through(async move {
            let store = Arc::new(inner.copy().await?);
            Ok(Some(ThrowawayCopy {
                store: store.clone(),
                files: store,
            }))
        })
    }

    fn copies_gone(&self) -> StoreFuture<'_, ()> {
        self.read(|inner| async move {
            let removals = std::mem::take(&mut *inner.removals.lock());
            for removal in removals {
                // one that panicked has ended, too
                let _ = removal.await;
            }
            Ok(())
        })
    }
}

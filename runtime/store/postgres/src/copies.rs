//! Throwaway copies of a store: its tables once more, in a database schema of their own, filled as of one commit while
//! others write. They go with the copy's last handle; what a killed server left behind goes when a day has passed.

use crate::connection::Values;
use crate::connections::{Connections, transact};
use crate::error::Failure;
use crate::{Inner, PostgresStore, migrate};
use std::sync::Arc;
use store::{Copies, StoreFuture, ThrowawayCopy};

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
        runtime.spawn(async move {
            if let Err(failure) = remove(&owner.connections, &schema).await {
                tracing::warn!(
                    ?failure,
                    schema,
                    "the tables of a copy can't be removed; they go later"
                );
            }
        });
    }
}

async fn remove(connections: &Connections, schema: &str) -> Result<(), Failure> {
    let sql = format!("DROP SCHEMA IF EXISTS {schema} CASCADE");
    let connection = connections.get().await?;
    connection.take_time();
    connection.batch(&sql).await
}

/// The name of a copy that is made at a moment.
fn name(millis: i64, random: u32) -> String {
    format!("{PREFIX}{millis:015}_{random:08x}")
}

impl Inner {
    async fn copy(self: Arc<Self>) -> Result<PostgresStore, Failure> {
        let row = self.connections.read_one(HERE, &[]).await?;
        let (here, now): (String, i64) =
            row.map_or((String::new(), 0), |row| (row.get(0), row.get(1)));
        let before = name(now - DAY_MILLIS, 0);
        let given: Values<'_> = &[&before];
        for row in self.connections.read(OLD, given).await? {
            remove(&self.connections, row.get(0)).await?;
        }
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
        let mut config = self.connections.config().clone();
        let path = format!("-c search_path={schema}");
        let options = config
            .get_options()
            .map_or_else(|| path.clone(), |it| format!("{it} {path}"));
        config.options(options);
        let connections = Connections::new(
            config,
            self.connections.tls(),
            CONNECTIONS,
            self.connections.answer(),
        )?;
        migrate::migrate(&connections).await?;
        transact!(&self.connections, tx => {
            tx.take_time();
            // one state of the store, whatever is committed meanwhile
            tx.batch("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ").await?;
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
}

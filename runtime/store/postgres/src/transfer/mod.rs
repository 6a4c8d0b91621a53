//! A store in a database as one that is moved, or moved into: its rows in the portable form of the contract. All reads see
//! one moment. Where nobody else may write meanwhile, the row is held that every write asks for first, as by a step of the tables,
//! and then those that who decides asks for; a server that is started then waits.

mod moment;
mod read;
mod write;

use crate::citus;
use crate::connections::{Connections, Reads, transact};
use crate::contents_hold::{self, ContentsHold};
use crate::error::Failure;
use crate::ground;
use crate::migrate;
use crate::tries::Tries;
use crate::{PostgresOptions, connect, connect_brought_up, limit_of};
use moment::Moment;
use std::time::Duration;
use store::transfer::{
    Begun, Part, RowKey, TransferRow, TransferSource, TransferTarget, not_alone,
};
use store::{StoreError, StoreFuture};
use tokio::runtime::Handle;
use tokio::sync::Mutex;

const PROGRESS: &str = "SELECT document FROM moves WHERE id = 1";
const HELD_PROGRESS: &str = "SELECT document FROM moves WHERE id = 1 FOR UPDATE";
const BEGIN: &str = "INSERT INTO moves (id, document) VALUES (1, $1)";
/// What a new store has whose move has not begun.
const MARK: &str = "INSERT INTO moves (id, document) VALUES (1, '');";
const GO_ON: &str = "UPDATE moves SET document = $2 WHERE id = 1 AND document = $1";
const END: &str = "DELETE FROM moves";
const IS_EMPTY: &str =
    "SELECT NOT EXISTS (SELECT 1 FROM catalog) AND NOT EXISTS (SELECT 1 FROM dataset_state)
   AND NOT EXISTS (SELECT 1 FROM change_log) AND NOT EXISTS (SELECT 1 FROM audit)";
// nobody writes any more: who has other locks lets go of them by himself
const HAVE_TIME: &str = "SET LOCAL lock_timeout = 0";
const HOLD: &str = "SELECT name FROM counters ORDER BY name FOR UPDATE";
// of the same user and name, which is what servers and commands of this program have
const OTHERS: &str = "SELECT count(*) FROM pg_stat_activity a
   JOIN pg_stat_activity own ON own.pid = pg_backend_pid()
   WHERE a.pid <> own.pid AND a.datname = own.datname AND a.usename = own.usename
     AND a.application_name = own.application_name";
/// How long connections are waited for that are about to end.
const OTHERS_END: Duration = Duration::from_secs(3);
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// The store of a database that is moved, or moved into.
pub struct PostgresTransfer {
    connections: Connections,
    /// The moment that is read, while something is.
    moment: Mutex<Option<Moment>>,
    shown: String,
    runtime: Handle,
}

impl std::fmt::Debug for PostgresTransfer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PostgresTransfer").finish_non_exhaustive()
    }
}

/// Refuses a store that a move into it did not fill yet.
pub(crate) async fn require_whole(connections: &Connections, shown: &str) -> Result<(), Failure> {
    match connections.read_one(PROGRESS, &[]).await? {
        Some(_) => Err(StoreError::HalfMoved(shown.to_owned()).into()),
        None => Ok(()),
    }
}

impl PostgresTransfer {
    /// Opens the store of a database by its address, and makes or migrates its tables.
    ///
    /// # Errors
    /// Those of [`PostgresStore::open`](crate::PostgresStore::open), but that of a store that is not whole.
    pub async fn open(address: &str, options: &PostgresOptions) -> Result<Self, StoreError> {
        let connections = connect(address, options).await?;
        migrate(&connections).await?;
        Ok(Self::of(connections, address))
    }

    /// The same to move a store into it: tables that it makes are a store that is not whole, until the move is over.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub async fn open_to_move(
        address: &str,
        options: &PostgresOptions,
    ) -> Result<Self, StoreError> {
        let connections = connect(address, options).await?;
        if !ground::require(&connections).await? {
            migrate::begin(&connections).await?;
            migrate::migrate_to_move(&connections, MARK).await?;
        }
        migrate(&connections).await?;
        Ok(Self::of(connections, address))
    }

    /// The same of a database that has the tables of a store; `None` where it has none, and nothing is made there.
    ///
    /// # Errors
    /// As [`open`](Self::open), and as [`PostgresStore::is_in`](crate::PostgresStore::is_in).
    pub async fn open_if_there(
        address: &str,
        options: &PostgresOptions,
    ) -> Result<Option<Self>, StoreError> {
        let connections = connect_brought_up(address, options).await?;
        Ok(connections.map(|connections| Self::of(connections, address)))
    }

    fn of(connections: Connections, address: &str) -> Self {
        PostgresTransfer {
            connections,
            moment: Mutex::new(None),
            shown: crate::shown(address),
            runtime: Handle::current(),
        }
    }

    /// How many connections others have, who have a moment to end them.
    ///
    /// # Errors
    /// When the database can't be asked.
    pub async fn others(&self) -> Result<i64, StoreError> {
        let began = std::time::Instant::now();
        loop {
            let row = self.connections.read_one(OTHERS, &[]).await?;
            let count = row.map_or(0, |row| row.get(0));
            if count == 0 || began.elapsed() > OTHERS_END {
                return Ok(count);
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    /// Holds the moment that is read from here on, and everyone else off who would write; waits for who is at it.
    ///
    /// # Errors
    /// When the database can't be asked, or others decide something whenever it is tried.
    pub async fn hold(&self) -> Result<(), StoreError> {
        let mut tries = Tries::default();
        loop {
            match self.held().await {
                Err(failure) if migrate::comes_again("a move", &failure).await => {}
                Err(failure) if tries.has_another(&failure).await => {}
                ended => return Ok(ended?),
            }
        }
    }

    async fn held(&self) -> Result<(), Failure> {
        let mut under_way = self.moment.lock().await;
        let is_divided = citus::is_there(&self.connections).await?;
        let moment = Moment::begin(&self.connections).await?;
        let held = async {
            migrate::be_alone(&moment).await?;
            moment.batch(HAVE_TIME).await?;
            moment.rows(HOLD, &[]).await?;
            if is_divided {
                citus::settle(Reads::One(&moment)).await?;
            }
            Ok(())
        }
        .await;
        match held {
            Ok(()) => {
                *under_way = Some(moment);
                Ok(())
            }
            Err(failure) => {
                moment.end().await;
                Err(failure)
            }
        }
    }

    /// Holds the contents of files: no server of the store removes one from here on, until what this gives is dropped.
    ///
    /// # Errors
    /// When the database can't be asked.
    pub async fn hold_contents(&self) -> Result<ContentsHold, StoreError> {
        let connections = self.connections.clone();
        self.see_through(async move { contents_hold::begin(connections).await })
            .await
    }

    /// Refuses a store that a move into it did not fill yet.
    ///
    /// # Errors
    /// [`StoreError::HalfMoved`]; when the database can't be asked.
    pub async fn require_whole(&self) -> Result<(), StoreError> {
        Ok(require_whole(&self.connections, &self.shown).await?)
    }

    /// Ends the moment that is read.
    pub async fn release(&self) {
        if let Some(moment) = self.moment.lock().await.take() {
            moment.end().await;
        }
    }

    async fn read(
        &self,
        part: Part,
        after: Option<RowKey>,
        max: usize,
    ) -> Result<Vec<TransferRow>, Failure> {
        let mut under_way = self.moment.lock().await;
        let moment = match under_way.take() {
            Some(moment) => moment,
            None => Moment::begin_beside_writers(&self.connections).await?,
        };
        let found = read::rows(&moment, part, after, limit_of(max)).await;
        match found {
            Ok(rows) => {
                *under_way = Some(moment);
                Ok(rows)
            }
            Err(failure) => {
                moment.end().await;
                Err(failure)
            }
        }
    }

    /// Does work of a transaction to its end, also when nobody waits for it any more.
    fn see_through<'a, T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Failure>> + Send + 'static,
    ) -> StoreFuture<'a, T> {
        let task = self.runtime.spawn(work);
        Box::pin(async move { Ok(task.await.map_err(|_| StoreError::Panicked)??) })
    }
}

impl TransferSource for PostgresTransfer {
    fn rows(
        &self,
        part: Part,
        after: Option<RowKey>,
        max: usize,
    ) -> StoreFuture<'_, Vec<TransferRow>> {
        Box::pin(async move { Ok(self.read(part, after, max).await?) })
    }
}

impl TransferTarget for PostgresTransfer {
    fn begin(&self, progress: String) -> StoreFuture<'_, Begun> {
        let connections = self.connections.clone();
        self.see_through(async move {
            transact!(&connections, tx => {
                if let Some(row) = tx.row(HELD_PROGRESS, &[]).await? {
                    let before: String = row.get(0);
                    if before.is_empty() {
                        tx.execute(GO_ON, &[&before, &progress]).await?;
                        return Ok(Begun::New);
                    }
                    return Ok(Begun::Before(before));
                }
                let row = tx.row(IS_EMPTY, &[]).await?;
                if !row.is_some_and(|row| row.get(0)) {
                    return Ok(Begun::Occupied);
                }
                tx.execute(BEGIN, &[&progress]).await?;
                Ok(Begun::New)
            })
        })
    }

    fn put(&self, rows: Vec<TransferRow>, from: String, progress: String) -> StoreFuture<'_, ()> {
        let connections = self.connections.clone();
        self.see_through(async move {
            transact!(&connections, tx => {
                if tx.execute(GO_ON, &[&from, &progress]).await? == 0 {
                    return Err(not_alone().into());
                }
                write::put(tx, &rows).await
            })
        })
    }

    fn settle(&self) -> StoreFuture<'_, ()> {
        let connections = self.connections.clone();
        self.see_through(async move {
            transact!(&connections, tx => {
                tx.take_time();
                write::settle(tx).await
            })
        })
    }

    fn finish(&self) -> StoreFuture<'_, ()> {
        let connections = self.connections.clone();
        self.see_through(async move {
            transact!(&connections, tx => {
                tx.execute(END, &[]).await?;
                Ok(())
            })
        })
    }
}

//! Connections to the database: a pool of them, reads that are done again when a connection was lost, and transactions
//! whose outcome is known also when the connection was lost while they committed.

use crate::address;
use crate::connection::{Connection, Given, Values};
use crate::connector::Connector;
use crate::disk_room::DiskRoom;
use crate::error::Failure;
use crate::hosts::Hosts;
use crate::plans::Plans;
use crate::primary::Primary;
use crate::session::Beginning;
use crate::step_guard::StepGuard;
use crate::tries::Tries;
use deadpool_postgres::{
    Hook, HookError, Manager, ManagerConfig, Pool, RecyclingMethod, Runtime, Timeouts,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use store::{StoreError, TakesNoWrites};
use tokio::sync::Semaphore;
use tokio_postgres::{Config, Row};

/// How long it is asked whether work was committed, and the pause between two questions.
const SETTLE_MAX: Duration = Duration::from_secs(30);
const SETTLE_PAUSE: Duration = Duration::from_millis(250);
/// How long a connection is waited for, how long it may take to be made, and its session to begin.
const CONNECTION_WAIT: Duration = Duration::from_secs(10);
const NO_SESSION_IN_TIME: &str = "the database, or what is before it, let a connection in and began no session for it within ten seconds; \
     a pooler must have as many sessions (`default_pool_size` in PgBouncer) as all servers and commands may have connections \
     (`--database-connections`, and four for a dry run)";

// a row of one's own: inserted again by who lost the connection, it tells whether the first one was committed, and keeps
// it from being committed later. The time is an even one of what was committed, and an odd one of what was given up: who
// lost the connection once more finds out which
const NOTE_COMMIT: &str = "INSERT INTO commits (id, at)
   VALUES ($1, (extract(epoch FROM clock_timestamp()) * 500)::bigint * 2)";
const SETTLE: &str = "INSERT INTO commits (id, at)
   VALUES ($1, (extract(epoch FROM clock_timestamp()) * 500)::bigint * 2 + 1) ON CONFLICT DO NOTHING";
// a commit that ended without its connection may be seen before a standby has it. One that comes later, of a row that is
// written though it stays as it is, is answered once the standby has both
const CONFIRM: &str = "UPDATE commits SET at = at WHERE id = $1 AND at % 2 = 0";

/// Does work in a transaction, again where it was overtaken or lost its connection before it was committed.
macro_rules! transact {
    ($connections:expr, $tx:ident => $work:expr) => {{
        let mut tries = $crate::tries::Tries::default();
        loop {
            let begun = $crate::connections::Transaction::begin($connections).await;
            let ended = match begun {
                Ok(transaction) => {
                    let done = {
                        let $tx = &transaction;
                        async { $work }.await
                    };
                    transaction.end(done).await
                }
                Err(failure) => Err(failure),
            };
            match ended {
                Err(failure) if tries.has_another(&failure).await => {}
                ended => break ended,
            }
        }
    }};
}
pub(crate) use transact;

/// The connections of a store.
#[derive(Clone)]
pub(crate) struct Connections {
    pool: Pool,
    database: Database,
    /// Of an address with several.
    hosts: Option<Hosts>,
    steps: StepGuard,
    room: DiskRoom,
    /// Of reads that may take long, as searches: others find half of the connections, whatever is looked for.
    long_reads: Arc<Semaphore>,
}

/// Connections of a store, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionCounts {
    /// Those at work.
    pub in_use: usize,
    /// Those that are open and at rest.
    pub idle: usize,
    /// How much work waits for one.
    pub waiting: usize,
}

/// How a database is reached.
#[derive(Clone)]
pub(crate) struct Database {
    pub(crate) config: Arc<Config>,
    pub(crate) connector: Connector,
    pub(crate) answer: Duration,
    pub(crate) primary: Primary,
}

impl Connections {
    /// So many connections at most, made as they are needed; each answer comes within a time, or the connection is lost.
    pub(crate) fn new(database: Database, connections_max: usize) -> Result<Self, Failure> {
        let session = Beginning::of(&database.config);
        Self::with_session(database, connections_max, session)
    }

    /// Others to the same database, whose sessions are in a schema of it. It is no setting that they are opened with: a pooler
    /// takes none of those.
    pub(crate) fn within(&self, schema: &str, connections_max: usize) -> Result<Self, Failure> {
        let session = Beginning::within(schema, &self.database.config);
        Self::with_session(self.database.clone(), connections_max, session)
    }

    fn with_session(
        database: Database,
        connections_max: usize,
        session: Beginning,
    ) -> Result<Self, Failure> {
        let setting = ManagerConfig {
            recycling_method: RecyclingMethod::Fast,
        };
        let session = Arc::new(session);
        let (config, connector) = ((*database.config).clone(), database.connector.clone());
        let primary = database.primary.clone();
        let hosts = address::each_host(&config);
        let hosts = (hosts.len() > 1)
            .then(|| Hosts::new(hosts, connector.clone(), session.clone(), primary.clone()));
        let manager = match hosts.clone() {
            Some(hosts) => Manager::from_connect(config, hosts, setting),
            None => Manager::from_connect(config, connector, setting),
        };
        let timeouts = Timeouts {
            wait: Some(CONNECTION_WAIT),
            create: Some(CONNECTION_WAIT),
            recycle: Some(CONNECTION_WAIT),
        };
        let outdated = primary.clone();
        let begin = Hook::async_fn(move |client, _| {
            let (session, primary) = (session.clone(), primary.clone());
            Box::pin(async move {
                let begun = async {
                    session.run(client).await?;
                    primary.look(client).await
                };
                // the pool's own time for the making does not hold here
                let begun = tokio::time::timeout(CONNECTION_WAIT, begun).await;
                let begun = begun.map_err(|_| HookError::message(NO_SESSION_IN_TIME))?;
                let facts = begun.map_err(HookError::Backend)?;
                let required = facts.map_or(Ok(()), |facts| primary.require(&facts));
                required.map_err(HookError::message)
            })
        });
        let leave_old = Hook::sync_fn(move |_, session| {
            if outdated.is_outdated(session.created) {
                return Err(HookError::message("the database has a new primary"));
            }
            Ok(())
        });
        let pool = Pool::builder(manager)
            .max_size(connections_max)
            .runtime(Runtime::Tokio1)
            .timeouts(timeouts)
            .post_create(begin)
            .pre_recycle(leave_old)
            .build()
            .map_err(|error| StoreError::Database(Box::new(error)))?;
        Ok(Connections {
            pool,
            database,
            hosts,
            steps: StepGuard::default(),
            room: DiskRoom::default(),
            long_reads: Arc::new(Semaphore::new((connections_max / 2).max(1))),
        })
    }

    /// What they do now.
    pub(crate) fn counts(&self) -> ConnectionCounts {
        let status = self.pool.status();
        ConnectionCounts {
            in_use: status.size.saturating_sub(status.available),
            idle: status.available,
            waiting: status.waiting,
        }
    }

    /// Whether the tables are newer than this program.
    pub(crate) fn steps(&self) -> &StepGuard {
        &self.steps
    }

    /// The hosts of an address with several.
    pub(crate) fn hosts(&self) -> Option<&Hosts> {
        self.hosts.as_ref()
    }

    /// Refuses a database of which two hosts take writes.
    pub(crate) fn require_one_primary(&self) -> Result<(), Failure> {
        let required = self.database.primary.require_one();
        let several = |why| StoreError::Unreachable(Box::new(TakesNoWrites::SeveralPrimaries(why)));
        Ok(required.map_err(several)?)
    }

    /// What is known of the disk.
    pub(crate) fn room(&self) -> &DiskRoom {
        &self.room
    }

    /// A connection.
    pub(crate) async fn get(&self) -> Result<Connection, Failure> {
        self.steps.require_known()?;
        self.get_anyway().await
    }

    /// A connection also where the tables are newer than this program: to look again, and to learn what became of a commit.
    pub(crate) async fn get_anyway(&self) -> Result<Connection, Failure> {
        Ok(Connection::new(
            self.pool.get().await?,
            self.database.answer,
            self.room.clone(),
        ))
    }

    /// The rows of one statement that only reads; a lost connection is made again.
    pub(crate) async fn read(&self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, Failure> {
        let mut tries = Tries::default();
        loop {
            let read = async { self.get().await?.rows(sql, values).await };
            match read.await {
                // no row has a text that the database can't hold
                Err(failure) if failure.is_of_an_impossible_text() => return Ok(Vec::new()),
                Err(failure) if tries.has_another(&failure).await => {}
                ended => return ended,
            }
        }
    }

    /// The first row of one statement that only reads.
    pub(crate) async fn read_one(
        &self,
        sql: &str,
        values: Values<'_>,
    ) -> Result<Option<Row>, Failure> {
        Ok(self.read(sql, values).await?.into_iter().next())
    }

    /// The rows of one statement that only reads for each of these values, all asked at once.
    pub(crate) async fn read_each(
        &self,
        sql: &str,
        all: &[Given<'_>],
    ) -> Result<Vec<Vec<Row>>, Failure> {
        let mut tries = Tries::default();
        loop {
            let read = async { self.get().await?.rows_each(sql, all).await };
            match read.await {
                Err(failure) if tries.has_another(&failure).await => {}
                ended => return ended,
            }
        }
    }

    /// A connection whose reads see one moment, planned in this way; a statement that takes longer than what is left of this time,
    /// behind the wait for a place, is cut off. A first one, which has no values, goes along, and gives a text. Whoever begins reads
    /// ends them, in a task of its own.
    pub(crate) async fn begin_reads(
        &self,
        time: Duration,
        plans: &Plans,
        first: &str,
    ) -> Result<(Connection, String), Failure> {
        let began = Instant::now();
        let place = self.long_reads.clone().acquire_owned();
        // nobody closes them
        let Ok(Ok(place)) = tokio::time::timeout(time, place).await else {
            return Err(StoreError::TimedOut.into());
        };
        let time = time.saturating_sub(began.elapsed());
        let connection = self.get().await?.wait_longer(time).in_place(place);
        let begin = format!(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = {}; {}{first}",
            time.as_millis().max(1),
            plans.settings()
        );
        match connection.batch_told(&begin).await {
            Ok(told) => Ok((connection, told)),
            Err(failure) => {
                connection.take_back().await;
                Err(failure)
            }
        }
    }

    /// How many rows one statement changed, which is committed by itself.
    pub(crate) async fn change(&self, sql: &str, values: Values<'_>) -> Result<u64, Failure> {
        transact!(self, tx => tx.execute(sql, values).await)
    }
}

/// Whom statements are asked of that only read.
#[derive(Clone, Copy)]
pub(crate) enum Reads<'c> {
    /// Whichever connection there is: each sees what was committed when it was asked.
    Any(&'c Connections),
    /// This one, which may see one moment.
    One(&'c Connection),
}

impl Reads<'_> {
    /// The rows of a statement.
    pub(crate) async fn rows(self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, Failure> {
        match self {
            Reads::Any(connections) => connections.read(sql, values).await,
            Reads::One(connection) => connection.rows(sql, values).await,
        }
    }

    /// The rows of a statement for each of these values.
    pub(crate) async fn rows_each(
        self,
        sql: &str,
        all: &[Given<'_>],
    ) -> Result<Vec<Vec<Row>>, Failure> {
        match self {
            Reads::Any(connections) => connections.read_each(sql, all).await,
            Reads::One(connection) => connection.rows_each(sql, all).await,
        }
    }
}

/// A transaction under way. It must not be dropped before it ended: whoever begins one sees it through in a task of its
/// own, so that nobody who stops to wait leaves one behind.
pub(crate) struct Transaction {
    connection: Option<Connection>,
    connections: Connections,
    id: i64,
    /// Whether there is nothing to commit.
    is_idle: AtomicBool,
}

impl Transaction {
    pub(crate) async fn begin(connections: &Connections) -> Result<Self, Failure> {
        let transaction = Transaction {
            connection: Some(connections.get().await?),
            connections: connections.clone(),
            id: rand::random(),
            is_idle: AtomicBool::new(false),
        };
        transaction.batch("BEGIN").await?;
        Ok(transaction)
    }

    /// Says that nothing of it is to be kept, though it ends well.
    pub(crate) fn keeps_nothing(&self) {
        self.is_idle.store(true, Ordering::Relaxed);
    }

    /// Commits what was done if it was done well, else takes it back. A failure to commit whose outcome is not known is
    /// settled: it is one only where nothing was committed, and nothing will be.
    pub(crate) async fn end<T>(mut self, ended: Result<T, Failure>) -> Result<T, Failure> {
        let connection = self.connection.take();
        // INVARIANT: it is taken here alone
        let connection = connection.ok_or(StoreError::Closed)?;
        let committed = match &ended {
            Ok(_) if self.is_idle.load(Ordering::Relaxed) => {
                connection.take_back().await;
                return ended;
            }
            Ok(_) => connection.commit_with(NOTE_COMMIT, &[&self.id]).await,
            Err(_) => {
                connection.take_back().await;
                return ended;
            }
        };
        let (failure, is_of_the_commit) = match committed {
            Ok(Ok(())) => return ended,
            Ok(Err(failure)) => (failure, true),
            Err(failure) => (failure, false),
        };
        connection.take_back().await;
        // PostgreSQL cuts a commit off before it happens; an engine of several nodes may do so while it does
        let is_unknown =
            failure.leaves_a_commit_unknown() || (is_of_the_commit && failure.is_cut_off());
        let unsettled = |why| Failure::Unsettled(Box::new(why));
        if is_unknown && self.is_committed().await.map_err(unsettled)? {
            return ended;
        }
        Err(failure)
    }

    /// Whether it was committed, asked on another connection: for as long as a database takes that begins anew, since until
    /// then nobody can be told what became of the work.
    async fn is_committed(&self) -> Result<bool, Failure> {
        let began = Instant::now();
        loop {
            match self.settle().await {
                Err(failure) if is_asked_again(&failure) && began.elapsed() < SETTLE_MAX => {
                    tokio::time::sleep(SETTLE_PAUSE).await;
                }
                settled => return settled,
            }
        }
    }

    /// Keeps it from being committed later, or waits until what it committed is where every acknowledged commit is; which of
    /// both it was.
    async fn settle(&self) -> Result<bool, Failure> {
        let connection = self.connections.get_anyway().await?;
        if connection.execute(SETTLE, &[&self.id]).await? > 0 {
            return Ok(false);
        }
        Ok(connection.execute(CONFIRM, &[&self.id]).await? > 0)
    }
}

/// Whether a failure to learn what became of a commit is worth another question.
fn is_asked_again(failure: &Failure) -> bool {
    failure.is_unreachable()
        || failure.is_of_a_race()
        || failure.is_of_an_unknown_end()
        || failure.is_cut_off()
}

impl std::ops::Deref for Transaction {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        // INVARIANT: only `end`, which consumes it, takes the connection
        self.connection.as_ref().expect("it is under way")
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        // one that never ended: its connection is closed, which takes it back
        if let Some(connection) = self.connection.take() {
            connection.close();
        }
    }
}

//! Citus, where a database has it: the tables that are a dataset's are divided over its nodes, those of one dataset beside
//! each other; the catalog is on each node. What is asked of them is the same as without.

use crate::connection::Connection;
use crate::connections::{Connections, Reads, transact};
use crate::error::Failure;
use crate::migrate;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use store::StoreError;

/// The tables that are divided by `dataset`, the one that the others are beside first.
const DIVIDED: &[&str] = &[
    "dataset_state",
    "records",
    "change_log",
    "past_states",
    "search_records",
    "search_words",
    "search_keys",
    "search_marks",
    "daily_counts",
];
/// The tables that each node has whole.
const REFERENCE: &[&str] = &["catalog"];

const IS_THERE: &str = "SELECT count(*) FROM pg_extension WHERE extname = 'citus'";
const PLACED: &str = "SELECT logicalrelid::text FROM pg_dist_partition";
const DIVIDE_FIRST: &str = "SELECT create_distributed_table($1::text::regclass, 'dataset')";
const DIVIDE: &str =
    "SELECT create_distributed_table($1::text::regclass, 'dataset', colocate_with => $2)";
const REFER: &str = "SELECT create_reference_table($1::text::regclass)";
// what a node has prepared is committed, or soon will be, and seen by nobody yet
const PREPARED: &str = "SELECT success, result FROM run_command_on_all_nodes(
   'SELECT coalesce(string_agg(gid, '' ''), '''') FROM pg_prepared_xacts
     WHERE database = current_database() AND left(gid, 5) = ''citus''')";

// one connection to each node: another one would see a moment of its own
const BEGIN_MOMENT: &str =
    "SET LOCAL citus.max_adaptive_executor_pool_size = 1; SAVEPOINT writers_wait";
const READ_ALL_NODES: &str = "SELECT count(*) FROM dataset_state";
// the locks since then are released, and the snapshots stay
const RELEASE_WRITERS: &str = "ROLLBACK TO SAVEPOINT writers_wait";

/// How long it is waited for what is prepared, and the pause between two looks.
const SETTLE_MAX: Duration = Duration::from_secs(2);
const SETTLE_PAUSE: Duration = Duration::from_millis(100);

/// Whether a database has Citus.
pub(crate) async fn is_there(connections: &Connections) -> Result<bool, Failure> {
    let row = connections.read_one(IS_THERE, &[]).await?;
    Ok(row.is_some_and(|row| row.get::<_, i64>(0) > 0))
}

/// Places what is not placed yet, with the rows that it has; how many tables that were. Who does so at once waits for
/// who began, and all for who uses a table, as a step of the tables does.
pub(crate) async fn place(connections: &Connections) -> Result<usize, Failure> {
    if !is_there(connections).await? {
        return Ok(0);
    }
    while !missing(connections).await?.is_empty() {
        match place_missing(connections).await {
            Err(failure) if migrate::comes_again("a step", &failure).await => {}
            ended => return ended,
        }
    }
    Ok(0)
}

async fn place_missing(connections: &Connections) -> Result<usize, Failure> {
    transact!(connections, tx => {
        tx.take_time();
        migrate::be_alone(tx).await?;
        let placed = tx.rows(PLACED, &[]).await?;
        let missing = without(&placed);
        for table in &missing {
            if REFERENCE.contains(table) {
                tx.rows(REFER, &[table]).await?;
            } else if *table == DIVIDED[0] {
                tx.rows(DIVIDE_FIRST, &[table]).await?;
            } else {
                tx.rows(DIVIDE, &[table, &DIVIDED[0]]).await?;
            }
        }
        Ok(missing.len())
    })
}

async fn missing(connections: &Connections) -> Result<Vec<&'static str>, Failure> {
    Ok(without(&connections.read(PLACED, &[]).await?))
}

/// The tables that are to be placed but for these, in order.
fn without(placed: &[tokio_postgres::Row]) -> Vec<&'static str> {
    let placed: Vec<&str> = placed.iter().map(|row| row.get(0)).collect();
    let tables = DIVIDED.iter().chain(REFERENCE).copied();
    tables.filter(|table| !placed.contains(table)).collect()
}

/// Waits until each node shows what was committed before. A node that went away between both phases of a commit shows it when
/// Citus has looked after it (`citus.recover_2pc_interval`).
pub(crate) async fn settle(reads: Reads<'_>) -> Result<(), Failure> {
    let began = Instant::now();
    let mut unseen = prepared(reads).await?;
    while !unseen.is_empty() {
        if began.elapsed() > SETTLE_MAX {
            let words = "a node of Citus does not show yet what was committed";
            return Err(StoreError::Unreachable(words.into()).into());
        }
        tokio::time::sleep(SETTLE_PAUSE).await;
        let there = prepared(reads).await?;
        unseen.retain(|it| there.contains(it));
    }
    Ok(())
}

/// Gives a transaction that reads one moment (REPEATABLE READ) the same moment on every node. A node takes its snapshot at its
/// first statement, so writers wait until each node has one.
pub(crate) async fn take_moment(tx: &Connection) -> Result<(), Failure> {
    tx.batch(BEGIN_MOMENT).await?;
    loop {
        match read_beside_nobody(tx).await {
            Err(failure) if migrate::comes_again("a copy or check", &failure).await => {}
            Err(failure) => return Err(failure),
            Ok(()) => return tx.batch(RELEASE_WRITERS).await,
        }
        tx.batch(RELEASE_WRITERS).await?;
    }
}

async fn read_beside_nobody(tx: &Connection) -> Result<(), Failure> {
    migrate::be_alone(tx).await?;
    settle(Reads::One(tx)).await?;
    tx.rows(READ_ALL_NODES, &[]).await?;
    Ok(())
}

/// The names of what the nodes have prepared.
async fn prepared(reads: Reads<'_>) -> Result<BTreeSet<String>, Failure> {
    let mut names = BTreeSet::new();
    for row in reads.rows(PREPARED, &[]).await? {
        let told: Option<String> = row.get(1);
        let told = told.unwrap_or_default();
        if !row.get::<_, bool>(0) {
            return Err(StoreError::Unreachable(told.into()).into());
        }
        names.extend(told.split_whitespace().map(str::to_owned));
    }
    Ok(names)
}

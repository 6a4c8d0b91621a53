//! Citus, where a database has it: the tables that are a dataset's are divided over its nodes, those of one dataset beside
//! each other; the catalog is on each node. What is asked of them is the same as without.

use crate::connections::{Connections, transact};
use crate::error::Failure;
use crate::migrate::WAIT;

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

/// Places what is not placed yet, with the rows that it has; how many tables that were. Who does so at once waits for
/// who began.
pub(crate) async fn place(connections: &Connections) -> Result<usize, Failure> {
    let row = connections.read_one(IS_THERE, &[]).await?;
    if row.is_none_or(|row| row.get::<_, i64>(0) == 0) || missing(connections).await?.is_empty() {
        return Ok(0);
    }
    transact!(connections, tx => {
        tx.take_time();
        tx.rows(WAIT, &[]).await?;
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

//! The tables, made and brought to this program's version. Any number of servers may do so at once: each waits for who
//! began, and finds it done.

use crate::connection::Connection;
use crate::connections::{Connections, transact};
use crate::error::Failure;
use crate::tries::Tries;
use std::time::Duration;
use store::StoreError;
use tokio_postgres::Row;

/// The migrations, oldest first, each in its own transaction. A published one never changes.
const MIGRATIONS: &[&str] = &[include_str!("../migrations/0001_start.sql")];

// number 0 is what they wait for one another by
const BEGIN: &str = "CREATE TABLE IF NOT EXISTS migrations (number bigint PRIMARY KEY);
   INSERT INTO migrations (number) VALUES (0) ON CONFLICT DO NOTHING";
const WAIT: &str = "SELECT number FROM migrations WHERE number = 0 FOR UPDATE";
/// What each write shares until it is committed, before it has any other lock: no step is done beside it.
pub(crate) const SHARE: &str = "SELECT number FROM migrations WHERE number = 0 FOR SHARE";
const NEWEST: &str = "SELECT max(number) FROM migrations";
const NOTE: &str = "INSERT INTO migrations (number) VALUES ($1)";
// servers hold the catalog in memory: who finds a newer version of it looks for steps that it does not know, as every write does
// that waited for the step. Those of programs that share nothing wait for this row. Where there is no catalog yet, there is no
// server that would write
const TELL: &str = "UPDATE counters SET value = value + 1 WHERE name = 'catalog' AND value > 0";
// those who share a row pass by one who waits to have it alone, and nobody passes by one who waits for a table
const STAND_IN_LINE: &str = "LOCK TABLE migrations IN EXCLUSIVE MODE";
/// How long a step waits for others that use a table, before it lets go of all it has and comes again.
const LOCK_WAIT: &str = "SET LOCAL lock_timeout = '2s'";
/// How long it rests between.
const PAUSE: Duration = Duration::from_secs(3);
// others have a table of that name, too, and ours is known by its column; who may not read it finds it all the same
const IS_BEGUN: &str = "SELECT count(*) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
   JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE n.nspname = current_schema() AND c.relname = 'migrations' AND a.attname = 'number'";

/// Brings the tables of a store that was begun to this version; how many steps this program did for it.
pub(crate) async fn migrate(connections: &Connections) -> Result<usize, Failure> {
    migrate_by(connections, MIGRATIONS).await
}

/// The same of a database that a move is to fill: tables that it makes have the mark of the move from their first moment.
pub(crate) async fn migrate_to_move(
    connections: &Connections,
    mark: &str,
) -> Result<usize, Failure> {
    let (first, others) = MIGRATIONS.split_first().expect("there is one");
    let marked = format!("{first}\n{mark}");
    migrate_by(connections, &[&[&*marked], others].concat()).await
}

/// The same by a program of this version that has some migrations more.
pub(crate) async fn migrate_further(
    connections: &Connections,
    more: &[&str],
) -> Result<usize, Failure> {
    migrate_by(connections, &[MIGRATIONS, more].concat()).await
}

async fn migrate_by(connections: &Connections, migrations: &[&str]) -> Result<usize, Failure> {
    let mut done = 0;
    loop {
        let row = connections.read_one(NEWEST, &[]).await?;
        if known(row.as_ref(), migrations)? == newest_of(migrations) {
            return Ok(done);
        }
        match step(connections, migrations).await {
            Err(failure) if comes_again("a step", &failure).await => {}
            ended => done += usize::from(ended?),
        }
    }
}

/// Whether a step, or what waits as one does, comes again after this, since others used its tables for too long; rests before it says
/// yes. A backup or a check reads them, or somebody writes, or does a step: meanwhile it has no place in the queue, where all wait
/// behind.
pub(crate) async fn comes_again(who: &str, failure: &Failure) -> bool {
    let is_of_a_wait = failure.is_of_a_wait();
    if is_of_a_wait {
        tracing::info!("{who} waits for who uses the database's tables");
        tokio::time::sleep(PAUSE).await;
    }
    is_of_a_wait
}

/// Waits until nobody writes or does a step, and keeps all from it until the transaction ends; for a while, as for whatever else it
/// locks.
pub(crate) async fn be_alone(tx: &Connection) -> Result<(), Failure> {
    tx.batch(LOCK_WAIT).await?;
    tx.batch(STAND_IN_LINE).await?;
    tx.rows(WAIT, &[]).await?;
    Ok(())
}

/// The names of all tables that the steps make, and of the one that notes them.
pub(crate) fn tables() -> impl Iterator<Item = &'static str> {
    let made = MIGRATIONS
        .iter()
        .flat_map(|sql| sql.split("CREATE TABLE ").skip(1));
    let names = made.filter_map(|rest| rest.split([' ', '(']).next());
    std::iter::once("migrations").chain(names)
}

/// Whether there are tables of a store, whether or not the user may read them.
pub(crate) async fn is_begun(connections: &Connections) -> Result<bool, Failure> {
    let row = connections.read_one(IS_BEGUN, &[]).await?;
    Ok(row.is_some_and(|row| row.get::<_, i64>(0) > 0))
}

fn newest_of(migrations: &[&str]) -> i64 {
    i64::try_from(migrations.len()).unwrap_or(i64::MAX)
}

/// The newest step that was done, by what was found of it; one that is not among the known ones is refused.
fn known(row: Option<&Row>, migrations: &[&str]) -> Result<i64, StoreError> {
    let found: i64 = row.and_then(|row| row.get(0)).unwrap_or(0);
    let known = newest_of(migrations);
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    Ok(found)
}

/// Refuses tables of which a newer program has done a step that this one does not know.
pub(crate) async fn require_known(connection: &Connection) -> Result<(), Failure> {
    known(connection.row(NEWEST, &[]).await?.as_ref(), MIGRATIONS)?;
    Ok(())
}

/// Looks once more at tables that were found to be newer: the database may have been brought back to a moment of before.
pub(crate) async fn look_again(connections: &Connections) -> Result<(), Failure> {
    require_known(&connections.get_anyway().await?).await?;
    connections.steps().forget();
    Ok(())
}

/// Begins a store. Who makes the same table at the same moment gets an error of the database's own catalog, and tries again.
pub(crate) async fn begin(connections: &Connections) -> Result<(), Failure> {
    let mut tries = Tries::default();
    loop {
        let made = async { connections.get().await?.batch(BEGIN).await };
        match made.await {
            Err(failure)
                if tries
                    .has_another_where(&failure, Failure::is_of_a_name)
                    .await => {}
            ended => return ended,
        }
    }
}

/// Does the next migration that is not done yet; whether there was one.
async fn step(connections: &Connections, migrations: &[&str]) -> Result<bool, Failure> {
    transact!(connections, tx => {
        tx.take_time();
        be_alone(tx).await?;
        let newest: i64 = tx.row(NEWEST, &[]).await?.and_then(|row| row.get(0)).unwrap_or(0);
        let next = usize::try_from(newest).ok().and_then(|done| migrations.get(done));
        if let Some(sql) = next {
            if newest > 0 {
                // before anything else of it: nobody who does not know the step writes beside it
                tx.execute(TELL, &[]).await?;
            }
            tx.batch(sql).await?;
            tx.execute(NOTE, &[&(newest + 1)]).await?;
        }
        Ok(next.is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_all_tables_are_read_of_the_steps() {
        let names: Vec<_> = tables().collect();
        for name in ["migrations", "records", "jobs", "leases", "past_states"] {
            assert!(names.contains(&name), "{name}: {names:?}");
        }
        let is_name = |it: &str| it.chars().all(|it| it.is_ascii_lowercase() || it == '_');
        assert!(names.iter().all(|name| is_name(name)), "{names:?}");
    }
}

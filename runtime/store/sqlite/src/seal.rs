//! How a write-ahead log ends: all that was committed comes into the database first, and then a commit of the mark
//! alone. So a database that has this last commit has everything, whenever its other pages were read. It is the
//! writer's, between two transactions; what is long is brought over before, beside it (`checkpoints.rs`).

use super::commit_mark::CommitMark;
use super::open::Readers;
use crate::error::Failure;
use rusqlite::Connection;
use std::time::{Duration, Instant};

/// A reader's look at the page of the marks, by which it holds the moment fast.
pub(super) const HOLD: &str = "SELECT length(mark) FROM commit_mark WHERE id = 1";

/// How long the writer waits at most for who reads what was there before the seal.
const WAIT_MAX: Duration = Duration::from_millis(5);
const PAUSE: Duration = Duration::from_micros(200);

/// How far a log is: its pages, and how many of them the database has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) pages: i64,
    pub(super) done: i64,
}

impl Extent {
    /// As it is.
    pub(super) fn of(connection: &Connection) -> Result<Self, Failure> {
        Extent::after(connection, "NOOP")
    }

    /// After as much was brought over as can be without waiting for anyone.
    pub(super) fn brought(connection: &Connection) -> Result<Self, Failure> {
        Extent::after(connection, "PASSIVE")
    }

    fn after(connection: &Connection, mode: &str) -> Result<Self, Failure> {
        let sql = format!("PRAGMA wal_checkpoint({mode})");
        let mut statement = connection.prepare_cached(&sql)?;
        let extent = statement.query_row([], |row| {
            Ok(Extent {
                pages: row.get(1)?,
                done: row.get(2)?,
            })
        });
        Ok(extent?)
    }

    /// Pages that the database lacks.
    pub(super) fn left(self) -> i64 {
        self.pages - self.done
    }
}

/// What became of a log that was to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// All of it was over already.
    Before,
    /// Someone reads what was there before: not all came over.
    Not,
    /// All came over, but for the seal: the log goes on.
    AllButSeal,
    /// It begins anew with the next commit.
    Sealed,
}

/// Ends the log of a connection that alone writes, and counts the seal as a commit in `mark`.
pub(super) fn end_log(
    connection: &Connection,
    readers: &Readers,
    mark: &mut CommitMark,
) -> Result<Ended, Failure> {
    if Extent::of(connection)?.left() <= 0 {
        return Ok(Ended::Before);
    }
    readers.rest();
    // while one reads what is there now, no commit begins the log anew
    let is_over = readers.with(|holder| {
        holder.prepare_cached(HOLD)?.query_row([], |_| Ok(()))?;
        if Extent::brought(connection)?.left() > 0 {
            return Ok(false);
        }
        seal(connection, mark)?;
        Ok(true)
    })?;
    if !is_over {
        return Ok(Ended::Not);
    }
    let began = Instant::now();
    loop {
        readers.rest();
        if Extent::brought(connection)?.left() <= 0 {
            return Ok(Ended::Sealed);
        }
        if began.elapsed() > WAIT_MAX {
            return Ok(Ended::AllButSeal);
        }
        std::thread::sleep(PAUSE);
    }
}

/// A commit of the mark alone.
pub(super) fn seal(connection: &Connection, mark: &mut CommitMark) -> Result<(), Failure> {
    let next = mark.next(false);
    let transaction = connection.unchecked_transaction()?;
    next.write_seal(&transaction)?;
    transaction.commit()?;
    *mark = next;
    Ok(())
}

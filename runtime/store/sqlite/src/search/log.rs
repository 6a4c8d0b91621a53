//! The index's write-ahead log comes into its file by whoever writes, between two transactions. SQLite would do so by
//! itself, and have the disk take all of it at once: the store's commits would wait for it. So it is done here, a few pages at a
//! time, in the same order: first the log is on the disk, then its pages are in the file, then those are on the disk, and only
//! then the log begins anew, with the next transaction.

use crate::error::Failure;
use crate::opened_files::beside;
use crate::seal::Extent;
use crate::write_back::LogFile;
use rusqlite::Connection;
use std::fs::File;
use std::path::Path;
use std::time::Duration;
use store::StoreError;

/// How many pages the log has when they are brought over. The pages of a record's facts lie anywhere, so a change costs
/// less the longer the log is in which they meet again.
const PAGES: i64 = 8000;
/// How many more it has at the next attempt, where somebody read what was there before.
const MORE_PAGES: i64 = 1000;

/// The connection that writes, and the files behind it: closing those gives up the locks of connections, so they are closed
/// last.
pub(super) struct Writing {
    pub(super) connection: Connection,
    bringing: Option<Bringing>,
}

struct Bringing {
    /// One that syncs nothing by itself.
    connection: Connection,
    /// How long the log is when it is brought over.
    pages: i64,
    /// From how many pages on it is tried next.
    next: i64,
    log: LogFile,
    file: File,
}

impl Writing {
    /// Of a connection that was opened just now, and nobody else writes.
    pub(super) fn of(connection: Connection, file: &Path) -> Result<Self, Failure> {
        connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        let bringing = Bringing::of(file)?;
        Ok(Writing {
            connection,
            bringing: Some(bringing),
        })
    }

    /// Of no file, so that the one before can be removed.
    pub(super) fn none() -> Result<Self, Failure> {
        Ok(Writing {
            connection: Connection::open_in_memory()?,
            bringing: None,
        })
    }

    /// Brings the log over if it is long.
    pub(super) fn bring(&mut self) -> Result<(), Failure> {
        match &mut self.bringing {
            Some(bringing) => bringing.bring(),
            None => Ok(()),
        }
    }
}

impl Bringing {
    fn of(file: &Path) -> Result<Self, Failure> {
        let connection = Connection::open(file)?;
        connection.execute_batch("PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0;")?;
        // the log is opened by the first look
        connection.query_row("PRAGMA user_version", [], |_| Ok(()))?;
        Ok(Bringing {
            connection,
            pages: PAGES,
            next: PAGES,
            log: LogFile::open(&beside(file, "-wal"), &beside(file, "-shm"))?,
            // writing, since elsewhere only who may write can sync
            file: File::options().read(true).write(true).open(file)?,
        })
    }

    fn bring(&mut self) -> Result<(), Failure> {
        let before = Extent::of(&self.connection)?;
        if before.pages < self.next || before.left() <= 0 {
            return Ok(());
        }
        let rest = |time: Duration| {
            std::thread::sleep(time);
            true
        };
        let all = Extent {
            done: before.pages,
            ..before
        };
        // what is not handed over, the sync takes
        let _ = self.log.hand_over(before.brought_until(all), rest);
        self.log.sync()?;
        let after = Extent::brought(&self.connection)?;
        let frames = before.brought_until(after);
        let _ = self.log.hand_over_brought(&self.file, frames, rest);
        // the log may begin anew now, over what a disk that fails did not take: SQLite would not have noted that it is over
        self.file.sync_data().map_err(|error| {
            let text = format!("its file can't be synced: {error}");
            StoreError::Damaged(text)
        })?;
        self.next = match after.left() {
            0 => self.pages,
            _ => after.pages + MORE_PAGES,
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::open;
    use super::*;

    const PUT: &str = "INSERT INTO progress (name, value) VALUES (?1, hex(zeroblob(4000)))";

    fn writing(file: &Path) -> Writing {
        let mut writing = Writing::of(open::writer_connection(file).unwrap(), file).unwrap();
        let bringing = writing.bringing.as_mut().unwrap();
        (bringing.pages, bringing.next) = (100, 100);
        writing
    }

    fn put(writing: &Writing, name: &str) {
        writing.connection.execute(PUT, [name]).unwrap();
    }

    #[test]
    fn the_log_is_brought_over_when_it_is_long_and_begins_anew() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(open::FILE);
        let mut writing = writing(&file);
        let log = beside(&file, "-wal");
        for number in 0..1000 {
            put(&writing, &number.to_string());
            writing.bring().unwrap();
            let bytes = std::fs::metadata(&log).unwrap().len();
            assert!(bytes < 200 * 4120, "{bytes} bytes after {number}");
        }
        drop(writing);
        let connection = open::existing(&file).unwrap();
        let count: i64 = connection
            .query_row("SELECT count(*) FROM progress", [], |row| row.get(0))
            .unwrap();
        assert_eq!(count, 1000);
    }

    #[test]
    fn who_reads_what_was_there_before_keeps_it_and_the_log_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(open::FILE);
        let mut writing = writing(&file);
        put(&writing, "a");
        let reader = Connection::open(&file).unwrap();
        let count = || -> i64 {
            let sql = "SELECT count(*) FROM progress";
            reader.query_row(sql, [], |row| row.get(0)).unwrap()
        };
        reader.execute_batch("BEGIN").unwrap();
        assert_eq!(count(), 1);
        for number in 0..200 {
            put(&writing, &number.to_string());
            writing.bring().unwrap();
        }
        assert_eq!(count(), 1, "what it began with");
        let bringing = writing.bringing.as_ref().unwrap();
        let left = || Extent::of(&bringing.connection).unwrap().left();
        assert!(left() > 100 && bringing.next > 100);
        reader.execute_batch("COMMIT").unwrap();
        assert_eq!(count(), 201);
        for number in 200..2000 {
            put(&writing, &number.to_string());
            writing.bring().unwrap();
        }
        let bringing = writing.bringing.as_ref().unwrap();
        assert_eq!(bringing.next, 100, "nobody was in the way");
    }
}

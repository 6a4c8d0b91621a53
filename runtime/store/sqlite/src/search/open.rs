//! Opening the index: it is made anew rather than repaired or migrated.

use super::begun;
use super::columns::{COLUMNS, Columns};
use crate::access::{ReadAccess, is_of_the_disk};
use crate::data_folder::make_file;
use crate::error::Failure;
use parking_lot::{Mutex, RwLock};
use rusqlite::{Connection, OpenFlags};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use store::StoreError;
use store::search::Progress;

/// The index's name in the data folder.
pub(crate) const FILE: &str = "search.db";

/// Rises with everything that changes what the index holds and how, its words included.
const VERSION: i64 = 10;

const COLUMN_NUMBERS: &str = "SELECT schema, field, slot FROM slots";
const PROGRESS: &str = "SELECT name, value FROM progress";

/// The connection that writes, on an index of this version.
pub(super) fn writer_connection(file: &Path) -> Result<Connection, Failure> {
    match existing(file) {
        Ok(connection) => return Ok(connection),
        // what the disk does not let be written is no worse for it
        Err(Failure::Database(error)) if is_of_the_disk(&error) && file.try_exists()? => {
            return Err(error.into());
        }
        Err(failure) if file.try_exists()? => tracing::warn!(
            error = %failure,
            "the search index can't be used as it is; it is made anew from the records"
        ),
        Err(_) => {}
    }
    anew(file)
}

/// An empty index in place of whatever is there.
pub(super) fn anew(file: &Path) -> Result<Connection, Failure> {
    for end in ["", "-wal", "-shm"] {
        let mut name = file.as_os_str().to_owned();
        name.push(end);
        match std::fs::remove_file(&name) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    make_file(file)?;
    let connection = Connection::open(file)?;
    settle(&connection)?;
    connection.execute_batch(&tables())?;
    Ok(connection)
}

fn version(connection: &Connection) -> Result<i64, Failure> {
    Ok(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// Whether an index can be read, and is one that is made anew when it is opened to be written.
pub(super) fn is_of_another_version(file: &Path) -> bool {
    let found = || version(&ReadAccess::of(file)?.connect(file)?);
    found().is_ok_and(|found| found != VERSION)
}

fn of_this_version(connection: &Connection) -> Result<(), Failure> {
    let found = version(connection)?;
    let meant = VERSION;
    match found {
        VERSION => Ok(()),
        // an empty file: what it is made of comes in one transaction, its version the last
        0 => Err(StoreError::IndexUnmade.into()),
        found => Err(StoreError::IndexVersion { found, meant }.into()),
    }
}

pub(super) fn existing(file: &Path) -> Result<Connection, Failure> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    of_this_version(&connection)?;
    settle(&connection)?;
    read_columns(&connection)?;
    progress(&connection)?;
    connection.query_row(
        "SELECT count(*) FROM words WHERE words MATCH '\"0_\"'",
        [],
        |_| Ok(()),
    )?;
    Ok(connection)
}

/// A connection that only reads an index of this version, and how others are made.
pub(super) fn reading(file: &Path) -> Result<(Connection, ReadAccess), Failure> {
    let access = ReadAccess::of(file)?;
    let connection = access.connect(file)?;
    of_this_version(&connection)?;
    Ok((connection, access))
}

/// What a crash loses of the index, the log still has: no sync at every commit. The pages of a record's facts lie
/// anywhere, so a change costs less the more of them stay in memory, and the longer the log is in which they meet again:
/// measured, a changed record costs the indexer a tenth less with twice as much of each. The log's file stays as long as it
/// gets: what is cut off would be given new blocks each time, and the store's commits wait for the file system to note them.
fn settle(connection: &Connection) -> Result<(), Failure> {
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8000;
         PRAGMA journal_size_limit = 50331648;
         PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY;",
    )?;
    Ok(())
}

/// A connection that searches. What it tells of words is a table of its own, in memory.
pub(super) fn reader_connection(file: &Path, access: ReadAccess) -> Result<Connection, Failure> {
    let connection = access.connect(file)?;
    connection.execute_batch("PRAGMA cache_size = -4096; PRAGMA temp_store = MEMORY;")?;
    connection.execute_batch(begun::TABLE)?;
    connection.execute_batch("PRAGMA query_only = ON;")?;
    Ok(connection)
}

fn columns() -> String {
    let mut columns = String::from("marker");
    for number in 0..COLUMNS {
        // INVARIANT: writing to a String cannot fail
        let _ = write!(columns, ", c{number}");
    }
    columns.push_str(", rest");
    columns
}

/// The statement that puts a record in.
pub(super) fn words_row(verb: &str) -> String {
    let places = ", ?".repeat(COLUMNS + 2);
    format!(
        "{verb} INTO words (rowid, {}) VALUES (?{places})",
        columns()
    )
}

/// Words come ready: the tokenizer only has to part them at the spaces. `facts` is what is known of a record beside
/// its words, in order of places; `keys`, for the fields in `orders`, and `faults` say the same in their own order, where
/// ranges, sorted pages and counts begin. The index joins eight of the parts
/// that it is written in and not four, gathers the words of a whole batch before it writes a part, and writes one anew when two fifths of its records have changed and
/// not when a tenth have. Measured, a changed record then costs two thirds and a new one nine tenths; after
/// many changes, a search for a common word costs a tenth to a half more.
fn tables() -> String {
    format!(
        "BEGIN;
         CREATE VIRTUAL TABLE words USING fts5(
           {}, content = '', contentless_delete = 1, tokenize = 'ascii tokenchars _');
         INSERT INTO words (words, rank) VALUES ('automerge', 8), ('deletemerge', 40),
           ('hashsize', 4194304);
         CREATE TABLE slots (schema TEXT NOT NULL, field TEXT NOT NULL, slot INTEGER NOT NULL,
           PRIMARY KEY (schema, field)) STRICT, WITHOUT ROWID;
         CREATE TABLE facts (place INTEGER PRIMARY KEY, facts BLOB NOT NULL) STRICT;
         CREATE TABLE keys (field INTEGER NOT NULL, key ANY NOT NULL, sequence INTEGER NOT NULL,
           PRIMARY KEY (field, key, sequence)) STRICT, WITHOUT ROWID;
         CREATE TABLE orders (field INTEGER PRIMARY KEY) STRICT;
         CREATE TABLE faults (field INTEGER NOT NULL, rule TEXT NOT NULL, sequence INTEGER NOT NULL,
           PRIMARY KEY (field, rule, sequence)) STRICT, WITHOUT ROWID;
         CREATE TABLE progress (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
         PRAGMA user_version = {VERSION};
         COMMIT;",
        columns()
    )
}

pub(super) fn read_columns(connection: &Connection) -> Result<Columns, Failure> {
    let mut columns = Columns::default();
    let mut statement = connection.prepare(COLUMN_NUMBERS)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (schema, field): (String, String) = (row.get(0)?, row.get(1)?);
        columns.put(schema.into(), field.into(), row.get(2)?);
    }
    Ok(columns)
}

pub(super) fn progress(connection: &Connection) -> Result<Option<Progress>, Failure> {
    let unreadable = |source| StoreError::Document {
        what: "the index's progress".to_owned(),
        source,
    };
    let mut progress = None;
    let mut statement = connection.prepare(PROGRESS)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (name, value): (String, String) = (row.get(0)?, row.get(1)?);
        let progress = progress.get_or_insert_with(Progress::default);
        match name.as_str() {
            "applied" => progress.applied = serde_json::from_str(&value).map_err(unreadable)?,
            "mark" => progress.mark = value,
            "walks" => progress.walks = serde_json::from_str(&value).map_err(unreadable)?,
            "versions" => progress.versions = serde_json::from_str(&value).map_err(unreadable)?,
            _ => {}
        }
    }
    Ok(progress)
}

/// How long a connection is kept that nobody uses.
const IDLE_MAX: Duration = Duration::from_secs(10);

/// Connections for searching; as many as there are searches at once, kept for the next.
pub(super) struct Readers {
    file: PathBuf,
    access: ReadAccess,
    idle: Mutex<Vec<(Connection, Instant)>>,
    /// Read by who reads the file, written by who puts another in its place.
    file_in_use: RwLock<()>,
}

impl Readers {
    pub(super) fn new(file: PathBuf, access: ReadAccess) -> Self {
        Readers {
            file,
            access,
            idle: Mutex::new(Vec::new()),
            file_in_use: RwLock::new(()),
        }
    }

    pub(super) fn with<T>(
        &self,
        read: impl FnOnce(&mut Connection) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let _in_use = self.file_in_use.read();
        let idle = || self.idle.lock();
        let taken = idle().pop();
        let mut connection = match taken {
            Some((connection, _)) => connection,
            None => self.connection()?,
        };
        let result = read(&mut connection);
        idle().push((connection, Instant::now()));
        result
    }

    /// Puts another file in place of this one, once nobody reads it any more.
    pub(super) fn renew(
        &self,
        put: impl FnOnce(&Path) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let _in_use = self.file_in_use.write();
        self.close();
        put(&self.file)
    }

    /// Closes the connections that nobody uses.
    pub(super) fn close(&self) {
        self.idle.lock().clear();
    }

    /// Closes the connections that were not used for a while. The one that was used last is taken first, so those
    /// that are not needed are never used.
    pub(super) fn rest(&self) {
        let mut idle = self.idle.lock();
        idle.retain(|(_, used)| used.elapsed() < IDLE_MAX);
    }

    fn connection(&self) -> Result<Connection, Failure> {
        reader_connection(&self.file, self.access)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_that_nobody_uses_are_closed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(FILE);
        writer_connection(&file).unwrap();
        let readers = Readers::new(file, ReadAccess::Shared);
        readers
            .with(|_| readers.with(|_| readers.with(|_| Ok(()))))
            .unwrap();
        let idle = || readers.idle.lock().len();
        readers.rest();
        assert_eq!(idle(), 3, "they were used just now");
        for (_, used) in readers.idle.lock().iter_mut().take(2) {
            *used = used.checked_sub(IDLE_MAX).unwrap();
        }
        readers.rest();
        assert_eq!(idle(), 1);
    }
}

//! Opening: connections with their settings, migrations, the connections that read.

use super::access::ReadAccess;
use super::data_folder;
use super::opened_files::OpenedFiles;
use crate::error::Failure;
use parking_lot::{Mutex, MutexGuard};
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use store::StoreError;

/// Older ones can corrupt a database when its write-ahead log is reset.
const SQLITE_VERSION_MIN: i32 = 3_051_003;

/// More than there are different statements, so that each is prepared once a connection.
const STATEMENTS_MAX: usize = 64;

/// The writer's cache. After each commit that split a page, SQLite looks through all pages in it (a split
/// borrows a page number behind the end of the file for a moment), so a larger one makes writes slower.
const WRITER_CACHE_KIB: u32 = 8 << 10;

/// How many pages of 4 KiB the write-ahead log has when they are brought into the database, unless said.
pub(super) const CHECKPOINT_PAGES: u32 = 16_000;

/// What is kept of the write-ahead log's file when it begins anew: as long as it gets without a long reader, with what is
/// written while it is brought over. A log that is written over what is there gets no new blocks, which the file system
/// would have to note before a commit is on disk.
pub(super) const LOG_BYTES_KEPT: u32 = 96 << 20;

/// A reader's cache: the upper pages of every tree of a large store, a few megabytes for some million records. Nobody maps the file into memory: a block
/// that can't be read is an error there, and not the end of the process.
const READER_CACHE_KIB: u32 = 4 << 10;

/// How many connections for reading are opened before the first request.
const READERS_AT_START: usize = 4;

/// The migrations, oldest first. A store's version is the number of migrations that it has had. A published one never changes.
pub(super) const MIGRATIONS: &[&str] = &[include_str!("../migrations/0001_start.sql")];

/// The connection that writes, on a store of this program's version. It brings its log over when it is told to.
pub(super) fn writer_connection(file: &Path) -> Result<Connection, Failure> {
    writer_connection_by(file, MIGRATIONS)
}

/// The same by a list of migrations.
pub(super) fn writer_connection_by(
    file: &Path,
    migrations: &[&str],
) -> Result<Connection, Failure> {
    if rusqlite::version_number() < SQLITE_VERSION_MIN {
        let found = rusqlite::version();
        return Err(StoreError::Damaged(format!(
            "the SQLite library {found} is too old to be trusted"
        ))
        .into());
    }
    data_folder::make_file(file)?;
    let connection = Connection::open(file)?;
    // before anything is written: a newer store is left as it is
    version(&connection)?;
    connection.execute_batch(&format!(
        "PRAGMA journal_mode = WAL;
         PRAGMA synchronous = FULL;
         PRAGMA wal_autocheckpoint = 0;
         PRAGMA journal_size_limit = {LOG_BYTES_KEPT};
         PRAGMA cache_size = -{WRITER_CACHE_KIB};
         PRAGMA temp_store = MEMORY;",
    ))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    migrate_by(&connection, migrations)?;
    Ok(connection)
}

/// A connection that brings the write-ahead log into a database that the writer has opened, and does nothing else.
pub(super) fn checkpoint_connection(file: &Path) -> Result<Connection, Failure> {
    let connection = Connection::open(file)?;
    connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;")?;
    // the log is opened by the first look
    version(&connection)?;
    Ok(connection)
}

/// A connection for reading a store that is there, beside whoever has it.
pub(super) fn existing(folder: &Path) -> Result<Connection, Failure> {
    let missing = || StoreError::Missing(folder.display().to_string());
    if !data_folder::holds_store(folder)? {
        return Err(missing().into());
    }
    let file = folder.join(data_folder::FILE);
    let connection = reader_connection(&file, ReadAccess::of(&file)?)?;
    match version(&connection)? {
        0 => Err(missing().into()),
        _ => Ok(connection),
    }
}

pub(super) fn reader_connection(file: &Path, access: ReadAccess) -> Result<Connection, Failure> {
    let connection = access.connect(file)?;
    connection.execute_batch(&format!(
        "PRAGMA cache_size = -{READER_CACHE_KIB}; PRAGMA mmap_size = 0; PRAGMA query_only = ON;"
    ))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    Ok(connection)
}

/// A store's version. A store of a newer program is refused.
pub(super) fn version(connection: &Connection) -> Result<i64, Failure> {
    version_by(connection, MIGRATIONS)
}

fn version_by(connection: &Connection, migrations: &[&str]) -> Result<i64, Failure> {
    let known = i64::try_from(migrations.len()).unwrap_or(i64::MAX);
    let found: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if found > known {
        return Err(StoreError::Newer { found, known }.into());
    }
    Ok(found)
}

/// Refuses a store that would have to be brought to this program's version first.
pub(super) fn require_current(connection: &Connection) -> Result<(), Failure> {
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    match version(connection)? {
        found if found < known => Err(StoreError::Older { found, known }.into()),
        _ => Ok(()),
    }
}

/// Runs the migrations of a list that a store has not had, each in one transaction.
pub(super) fn migrate_by(connection: &Connection, migrations: &[&str]) -> Result<(), Failure> {
    let done = usize::try_from(version_by(connection, migrations)?).unwrap_or(0);
    for (number, migration) in (1_i64..).zip(migrations).skip(done) {
        let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
        transaction.execute_batch(migration)?;
        transaction.pragma_update(None, "user_version", number)?;
        transaction.commit()?;
    }
    Ok(())
}

/// Connections for reading; as many as there are readers at once, kept for the next. Each stays in its
/// transaction until something was committed: a look-up between two commits takes no lock of the database.
pub(super) struct Readers {
    file: PathBuf,
    access: ReadAccess,
    idle: Mutex<Vec<Reader>>,
    commits: AtomicU64,
    /// What was opened first: a name that leads elsewhere by now is not opened.
    files: Arc<OpenedFiles>,
}

/// A connection, and how many commits its open transaction has seen at least.
struct Reader {
    connection: Connection,
    has_seen: Option<u64>,
}

impl Readers {
    pub(super) fn open(
        file: &Path,
        access: ReadAccess,
        files: Arc<OpenedFiles>,
    ) -> Result<Self, Failure> {
        let open = |_| Ok(Reader::of(reader_connection(file, access)?));
        let idle: Result<_, Failure> = (0..READERS_AT_START).map(open).collect();
        Ok(Readers {
            file: file.to_owned(),
            access,
            files,
            idle: Mutex::new(idle?),
            commits: AtomicU64::new(0),
        })
    }

    /// The database's file.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// What makes a connection of its own, for who reads long.
    pub(super) fn another(&self) -> impl FnOnce() -> Result<Connection, Failure> + Send + use<> {
        let (file, files) = (self.file.clone(), self.files.clone());
        let access = self.access;
        move || opened(&file, access, &files)
    }

    /// Runs `read` on a connection that sees every commit that was noted.
    pub(super) fn with<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let taken = self.idle().pop();
        let mut reader = match taken {
            Some(reader) => reader,
            None => Reader::of(opened(&self.file, self.access, &self.files)?),
        };
        // one that fails is not used again
        reader.look(self.commits.load(Ordering::Acquire))?;
        let found = read(&reader.connection)?;
        self.idle().push(reader);
        Ok(found)
    }

    /// Notes that something was committed: before who wrote it gets an answer.
    pub(super) fn note_commit(&self) {
        self.commits.fetch_add(1, Ordering::Release);
    }

    /// Ends the transactions of connections that nobody uses: while one is open, the write-ahead log can't
    /// begin anew.
    pub(super) fn rest(&self) {
        self.idle().retain_mut(|reader| reader.rest().is_ok());
    }

    /// Closes the connections that nobody uses.
    pub(super) fn close(&self) {
        self.idle().clear();
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Reader>> {
        self.idle.lock()
    }
}

/// A connection for reading the file that was opened first. It opens its files by their names, so these are
/// looked at behind it.
fn opened(file: &Path, access: ReadAccess, files: &OpenedFiles) -> Result<Connection, Failure> {
    let connection = reader_connection(file, access)?;
    // the log is opened by the first look
    version(&connection)?;
    files.verify()?;
    Ok(connection)
}

impl Reader {
    fn of(connection: Connection) -> Self {
        Reader {
            connection,
            has_seen: None,
        }
    }

    /// Sees what is committed now. The snapshot is taken by the first statement, so never before `commits`
    /// were counted.
    fn look(&mut self, commits: u64) -> Result<(), Failure> {
        if self.has_seen != Some(commits) {
            self.rest()?;
            self.connection.prepare_cached("BEGIN")?.execute([])?;
            self.has_seen = Some(commits);
        }
        Ok(())
    }

    fn rest(&mut self) -> Result<(), Failure> {
        if self.has_seen.take().is_some() {
            self.connection.prepare_cached("COMMIT")?.execute([])?;
        }
        Ok(())
    }
}

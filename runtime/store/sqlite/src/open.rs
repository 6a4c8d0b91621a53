//! Opening: the folder's lock, connections with their settings, migrations.

use crate::error::Failure;
use parking_lot::{Mutex, MutexGuard};
use rusqlite::{Connection, OpenFlags};
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use store::StoreError;

/// The database's name in the data folder.
pub(super) const FILE: &str = "fieldstone.db";
const LOCK_FILE: &str = "fieldstone.lock";

/// Older ones can corrupt a database when its write-ahead log is reset.
const SQLITE_VERSION_MIN: i32 = 3_051_003;

/// More than there are different statements, so that each is prepared once a connection.
const STATEMENTS_MAX: usize = 64;

/// The writer's cache. After each commit that split a page, SQLite looks through all pages in it (a split
/// borrows a page number behind the end of the file for a moment), so a larger one makes writes slower.
const WRITER_CACHE_KIB: u32 = 8 << 10;

/// Bytes of the file that readers see through the system's cache, without copies of their own: as much as
/// SQLite allows. A look-up in a large store costs three quarters of what it does without. The writer maps
/// nothing: what it writes, it checks.
const MAPPED_MAX: u32 = 0x7fff_0000;

/// How many connections for reading are opened before the first request.
const READERS_AT_START: usize = 4;

/// The migrations, oldest first; the store's version is how many of them it has had.
const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_start.sql"),
    include_str!("../migrations/0002_files.sql"),
    include_str!("../migrations/0003_gaps.sql"),
    include_str!("../migrations/0004_catalog_version.sql"),
    include_str!("../migrations/0005_audit_numbers.sql"),
];

/// Makes the data folder where there is none, for this user alone: it holds the deployment's secret.
pub(super) fn make_folder(folder: &Path) -> Result<(), Failure> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    Ok(builder.recursive(true).create(folder)?)
}

/// Makes a file for this user alone where there is none; SQLite gives the files beside a database the mode of the
/// database. One that is there is not opened: closing it would give up the locks that this process has on it.
pub(super) fn make_file(file: &Path) -> Result<(), Failure> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(file) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error.into()),
        _ => Ok(()),
    }
}

/// Holds the data folder for this process.
pub(super) struct FolderLock {
    _file: File,
}

impl FolderLock {
    pub(super) fn take(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(LOCK_FILE);
        make_file(&path)?;
        let file = OpenOptions::new().write(true).open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(FolderLock { _file: file }),
            Err(TryLockError::WouldBlock) => {
                Err(StoreError::InUse(folder.display().to_string()).into())
            }
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }
}

/// The connection that writes, on a store of this program's version.
pub(super) fn writer_connection(file: &Path) -> Result<Connection, Failure> {
    if rusqlite::version_number() < SQLITE_VERSION_MIN {
        let found = rusqlite::version();
        return Err(StoreError::Damaged(format!(
            "the SQLite library {found} is too old to be trusted"
        ))
        .into());
    }
    make_file(file)?;
    let connection = Connection::open(file)?;
    // before anything is written: a newer store is left as it is
    version(&connection)?;
    connection.execute_batch(&format!(
        "PRAGMA journal_mode = WAL;
         PRAGMA synchronous = FULL;
         PRAGMA wal_autocheckpoint = 16000;
         PRAGMA cache_size = -{WRITER_CACHE_KIB};
         PRAGMA temp_store = MEMORY;",
    ))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    migrate(&connection)?;
    Ok(connection)
}

/// A connection for reading a store that is there, beside whoever has it.
pub(super) fn existing(folder: &Path) -> Result<Connection, Failure> {
    let missing = || StoreError::Missing(folder.display().to_string());
    let file = folder.join(FILE);
    if !file.try_exists()? {
        return Err(missing().into());
    }
    let connection = reader_connection(&file)?;
    match version(&connection)? {
        0 => Err(missing().into()),
        _ => Ok(connection),
    }
}

pub(super) fn reader_connection(file: &Path) -> Result<Connection, Failure> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    connection.execute_batch(&format!(
        "PRAGMA cache_size = -16384; PRAGMA mmap_size = {MAPPED_MAX}; PRAGMA query_only = ON;"
    ))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    Ok(connection)
}

/// A store's version: how many migrations it has had.
pub(super) fn version(connection: &Connection) -> Result<i64, Failure> {
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    let found: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if found > known {
        return Err(StoreError::Newer { found, known }.into());
    }
    Ok(found)
}

/// Brings a store to this program's version.
pub(super) fn migrate(connection: &Connection) -> Result<(), Failure> {
    migrate_to(connection, i64::MAX)
}

/// Brings a store to a version, or to this program's if that is older.
pub(super) fn migrate_to(connection: &Connection, version_max: i64) -> Result<(), Failure> {
    let done = usize::try_from(version(connection)?).unwrap_or(0);
    let wanted = usize::try_from(version_max).unwrap_or(0);
    let all = MIGRATIONS.iter().enumerate();
    for (index, migration) in all.take(wanted).skip(done) {
        connection.execute_batch(&format!(
            "BEGIN IMMEDIATE; {migration} PRAGMA user_version = {}; COMMIT;",
            index + 1
        ))?;
    }
    Ok(())
}

/// Connections for reading; as many as there are readers at once, kept for the next. Each stays in its
/// transaction until something was committed: a look-up between two commits takes no lock of the database.
pub(super) struct Readers {
    file: PathBuf,
    idle: Mutex<Vec<Reader>>,
    commits: AtomicU64,
}

/// A connection, and how many commits its open transaction has seen at least.
struct Reader {
    connection: Connection,
    has_seen: Option<u64>,
}

impl Readers {
    pub(super) fn open(file: &Path) -> Result<Self, Failure> {
        let idle: Result<_, _> = (0..READERS_AT_START).map(|_| Reader::open(file)).collect();
        Ok(Readers {
            file: file.to_owned(),
            idle: Mutex::new(idle?),
            commits: AtomicU64::new(0),
        })
    }

    /// The file they read.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// Runs `read` on a connection that sees every commit that was noted.
    pub(super) fn with<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let taken = self.idle().pop();
        let mut reader = match taken {
            Some(reader) => reader,
            None => Reader::open(&self.file)?,
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

impl Reader {
    fn open(file: &Path) -> Result<Self, Failure> {
        Ok(Reader {
            connection: reader_connection(file)?,
            has_seen: None,
        })
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

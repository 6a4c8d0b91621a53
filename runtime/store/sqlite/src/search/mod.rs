//! The index beside the embedded store: FTS5 in a file of its own, so that it never competes with the
//! one writer. Each word stands there with its dataset's number before it, so that a search costs what
//! its own datasets hold and can't reach into others; each field of a schema has a column. The file may
//! be deleted at any time.

mod begun;
mod check;
mod clear;
mod columns;
mod compact;
mod compile;
mod counting;
mod damage;
mod facts;
mod few;
mod finding;
mod key_counts;
mod looking;
mod looks;
mod open;
mod ordered_key;
mod orders;
#[cfg(test)]
mod plans;
mod sorting;
mod sql_key;
mod streams;
mod sums;
mod values;
mod verify;
mod write;

use crate::access::{ReadAccess, Untouched};
use crate::data_folder::FolderLock;
pub(crate) use check::check;
pub(crate) use compact::compact;
pub(crate) use open::FILE;

use crate::error::Failure;
use columns::Columns;
use finding::Quickness;
use looks::QuickLooks;
use parking_lot::{Mutex, MutexGuard, RwLock};
use rusqlite::{Connection, params};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use store::search::{Count, Document, Progress, Search, SearchIndex, SearchPage, Tally};
use store::{StoreError, StoreFuture};
use tracing::{Span, debug_span, trace_span};

const PUT_PROGRESS: &str = "INSERT INTO progress (name, value) VALUES (?1, ?2)
   ON CONFLICT (name) DO UPDATE SET value = excluded.value";

/// The index of a data folder.
#[derive(Clone)]
pub struct SqliteSearch {
    inner: Arc<Inner>,
}

struct Inner {
    /// Where it is not only read.
    writer: Option<Mutex<Connection>>,
    readers: open::Readers,
    damage: damage::Damage,
    looks: QuickLooks,
    columns: RwLock<Columns>,
    progress: RwLock<Option<Arc<Progress>>>,
    /// How often it was emptied.
    emptied: AtomicU64,
    // behind the connections
    _untouched: Option<Untouched>,
    /// Where no store in the folder has it already.
    _lock: Option<FolderLock>,
}

impl std::fmt::Debug for SqliteSearch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SqliteSearch").finish_non_exhaustive()
    }
}

impl SqliteSearch {
    /// Opens the index of a folder. One that is missing, damaged or of another version begins empty.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        Self::open_with(folder, None)
    }

    /// Opens the index of a folder that has no store, as [`open`](Self::open) does, and locks the folder.
    ///
    /// # Errors
    /// When another process has the folder; when the disk fails.
    pub fn open_alone(folder: &Path) -> Result<Self, StoreError> {
        std::fs::create_dir_all(folder)?;
        let lock = FolderLock::take(folder, true)?;
        Self::open_with(folder, Some(lock))
    }

    fn open_with(folder: &Path, lock: Option<FolderLock>) -> Result<Self, StoreError> {
        std::fs::create_dir_all(folder)?;
        let file = folder.join(FILE);
        let writer = open::writer_connection(&file)?;
        let inner = Inner {
            columns: RwLock::new(open::read_columns(&writer)?),
            progress: RwLock::new(open::progress(&writer)?.map(Arc::new)),
            readers: open::Readers::new(file, ReadAccess::Shared),
            emptied: AtomicU64::default(),
            damage: damage::Damage::default(),
            looks: QuickLooks::default(),
            writer: Some(Mutex::new(writer)),
            _untouched: None,
            _lock: lock,
        };
        Ok(SqliteSearch {
            inner: Arc::new(inner),
        })
    }

    /// Opens the index of a folder to read it, and leaves the folder as it is.
    ///
    /// # Errors
    /// When there is none, it is damaged or of another version; when the disk fails.
    pub fn open_to_read(folder: &Path) -> Result<Self, StoreError> {
        let file = folder.join(FILE);
        let untouched = Untouched::of(&file);
        let (connection, access) = open::reading(&file)?;
        let inner = Inner {
            columns: RwLock::new(open::read_columns(&connection)?),
            progress: RwLock::new(open::progress(&connection)?.map(Arc::new)),
            readers: open::Readers::new(file, access),
            emptied: AtomicU64::default(),
            damage: damage::Damage::default(),
            looks: QuickLooks::default(),
            writer: None,
            _untouched: untouched,
            _lock: None,
        };
        Ok(SqliteSearch {
            inner: Arc::new(inner),
        })
    }

    /// Runs work on the thread of who asks: one that may take its time, or work that takes none.
    fn here<T: Send + 'static>(
        &self,
        span: &Span,
        work: impl FnOnce(&Inner) -> Result<T, Failure>,
    ) -> StoreFuture<'_, T> {
        let done = span.in_scope(|| work(&self.inner));
        let done = done.map_err(|failure| match &self.inner.writer {
            // one that is only read is never made anew
            None => failure.into(),
            Some(_) => self.inner.damage.noted(failure).into(),
        });
        Box::pin(std::future::ready(done))
    }

    /// Runs work that takes its time beside the threads that answer.
    fn run<T: Send + 'static>(
        &self,
        span: Span,
        work: impl FnOnce(&Inner) -> Result<T, Failure> + Send + 'static,
    ) -> StoreFuture<'_, T> {
        let inner = self.inner.clone();
        let task = tokio::task::spawn_blocking(move || {
            span.in_scope(|| match work(&inner) {
                // one that is only read is never made anew
                Err(failure) if inner.writer.is_some() => Err(inner.damage.noted(failure)),
                done => done,
            })
        });
        Box::pin(async move { Ok(task.await.map_err(|_| StoreError::Panicked)??) })
    }
}

impl SearchIndex for SqliteSearch {
    fn is_read_only(&self) -> bool {
        self.inner.writer.is_none()
    }

    fn is_damaged(&self) -> bool {
        self.inner.damage.is_there()
    }

    fn progress(&self) -> Option<Arc<Progress>> {
        let progress = self.inner.progress.read();
        progress.clone()
    }

    fn emptied(&self) -> u64 {
        self.inner.emptied.load(Ordering::SeqCst)
    }

    fn clear(&self) -> StoreFuture<'_, ()> {
        self.here(&debug_span!("search.clear"), Inner::clear)
    }

    fn apply(&self, documents: Vec<Document>, progress: Progress) -> StoreFuture<'_, ()> {
        let span = debug_span!(
            "search.apply",
            documents = documents.len(),
            progress.applied
        );
        self.here(&span, move |inner| inner.apply(documents, progress))
    }

    fn find(&self, search: Search) -> StoreFuture<'_, SearchPage> {
        let span = trace_span!("search.find", datasets = search.aims.len(), search.limit);
        let (quickness, began) = (
            finding::quickness(&search, &self.inner.columns()),
            Instant::now(),
        );
        match quickness {
            // done before another thread would be awake
            Quickness::Always => self.here(&span, |inner| inner.find(&search)),
            Quickness::MostOften if self.inner.looks.may_be_here(began) => {
                self.here(&span, |inner| {
                    let found = inner.find(&search);
                    inner.looks.done(began, Instant::now());
                    found
                })
            }
            Quickness::MostOften | Quickness::Never => {
                self.run(span, move |inner| inner.find(&search))
            }
        }
    }

    fn count(&self, count: Count) -> StoreFuture<'_, Tally> {
        let span = trace_span!("search.count", datasets = count.aims.len());
        self.run(span, move |inner| {
            inner.order(count.deadline, |columns| orders::of_count(&count, columns))?;
            inner.read(count.deadline, |connection, columns| {
                counting::count(connection, columns, &count)
            })
        })
    }

    fn rest(&self) {
        self.inner.readers.rest();
    }

    fn verify(&self, is_stopped: Box<dyn Fn() -> bool + Send>) -> StoreFuture<'_, ()> {
        self.here(&debug_span!("search.verify"), |inner| {
            inner.verify(is_stopped)
        })
    }
}

/// Steps of a statement between two looks at the clock.
const STEPS_BETWEEN_LOOKS: i32 = 1000;

/// Does work on a connection that is given up when its time is over.
fn until<T>(
    deadline: Instant,
    connection: &mut Connection,
    work: impl FnOnce(&Connection) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let is_over = move || Instant::now() >= deadline;
    if is_over() {
        return Err(StoreError::TimedOut.into());
    }
    connection.progress_handler(STEPS_BETWEEN_LOOKS, Some(is_over))?;
    let done = work(connection);
    connection.progress_handler(0, None::<fn() -> bool>)?;
    match done {
        Err(Failure::Database(error)) if is_interrupted(&error) => Err(StoreError::TimedOut.into()),
        done => done,
    }
}

fn is_interrupted(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::OperationInterrupted)
}

impl Drop for Inner {
    /// An orderly end leaves no log behind: whoever closes last can only tidy up if it writes.
    fn drop(&mut self) {
        self.readers.close();
        if let Some(writer) = &self.writer {
            // what stays is read the next time
            let _ = writer
                .lock()
                .execute_batch("PRAGMA wal_checkpoint(TRUNCATE);");
        }
    }
}

impl Inner {
    fn writer(&self) -> Result<MutexGuard<'_, Connection>, Failure> {
        let writer = self.writer.as_ref().ok_or(StoreError::ReadOnly)?;
        Ok(writer.lock())
    }

    fn find(&self, search: &Search) -> Result<SearchPage, Failure> {
        self.order(search.deadline, |columns| {
            orders::of_search(search, columns)
        })?;
        self.read(search.deadline, |connection, columns| {
            finding::find(connection, columns, search)
        })
    }

    /// Compares all that the index holds with its sums, unless it is stopped. What differs is damage.
    fn verify(&self, is_stopped: Box<dyn Fn() -> bool + Send>) -> Result<(), Failure> {
        self.damage.refuse()?;
        self.readers.with(|connection| {
            connection.progress_handler(STEPS_BETWEEN_LOOKS, Some(is_stopped))?;
            let is_as_written = verify::is_as_written(connection);
            connection.progress_handler(0, None::<fn() -> bool>)?;
            match is_as_written {
                Ok(true) => Ok(()),
                Ok(false) => Err(self.damage.report_difference()),
                Err(Failure::Database(error)) if is_interrupted(&error) => Ok(()),
                Err(failure) => Err(failure),
            }
        })
    }

    /// Reads until a deadline.
    fn read<T>(
        &self,
        deadline: Instant,
        read: impl FnOnce(&Connection, &Columns) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.damage.refuse()?;
        let columns = self.columns().clone();
        self.readers.with(|connection| {
            until(deadline, connection, |connection| {
                read(connection, &columns)
            })
        })
    }

    /// Makes the order of fields that are asked for it the first time. An index that is only read stays as it is.
    fn order(
        &self,
        deadline: Instant,
        asked: impl FnOnce(&Columns) -> BTreeSet<orders::OrderedField>,
    ) -> Result<(), Failure> {
        let asked = asked(&self.columns());
        if asked.is_empty() || self.writer.is_none() {
            return Ok(());
        }
        let missing = self.read(deadline, |connection, _| orders::missing(connection, asked))?;
        for field in missing {
            let mut writer = self.writer()?;
            self.damage.refuse()?;
            orders::make(&mut writer, field)?;
        }
        Ok(())
    }

    fn apply(&self, mut documents: Vec<Document>, progress: Progress) -> Result<(), Failure> {
        // FTS5 writes out what it has gathered whenever a row comes that is before the last one
        documents.sort_unstable_by_key(|document| document.place);
        let mut writer = self.writer()?;
        self.damage.refuse()?;
        let mut columns = self.columns().clone();
        let transaction = writer.transaction()?;
        write::write_documents(&transaction, &documents, &mut columns)?;
        self.write_progress(&transaction, &progress)?;
        transaction.commit()?;
        self.remember(columns, Some(Arc::new(progress)));
        Ok(())
    }

    /// Only what is new: the versions of all schemas would be much for every batch.
    fn write_progress(&self, connection: &Connection, new: &Progress) -> Result<(), Failure> {
        let unreadable = |source| StoreError::Document {
            what: "the index's progress".to_owned(),
            source,
        };
        let old = self.progress.read().clone();
        let mut statement = connection.prepare_cached(PUT_PROGRESS)?;
        statement.execute(params!["applied", new.applied.to_string()])?;
        statement.execute(params!["mark", new.mark])?;
        if old.as_ref().is_none_or(|old| old.walks != new.walks) {
            let walks = serde_json::to_string(&new.walks).map_err(unreadable)?;
            statement.execute(params!["walks", walks])?;
        }
        if old.as_ref().is_none_or(|old| old.versions != new.versions) {
            let versions = serde_json::to_string(&new.versions).map_err(unreadable)?;
            statement.execute(params!["versions", versions])?;
        }
        Ok(())
    }

    fn remember(&self, columns: Columns, progress: Option<Arc<Progress>>) {
        *self.columns.write() = columns;
        *self.progress.write() = progress;
    }

    fn columns(&self) -> parking_lot::RwLockReadGuard<'_, Columns> {
        self.columns.read()
    }
}

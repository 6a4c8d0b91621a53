//! Brings the write-ahead log into the database beside the writer, by a thread of its own, so that no write waits
//! for it. It writes no rows and decides nothing: what it brings over was committed before.
//!
//! A log begins anew when all of it is in the database, and while someone writes there is always a little more. So
//! the thread brings over what there is, then what came meanwhile, and leaves the last pages to the writer, between
//! two transactions: milliseconds instead of a tenth of a second.

use super::open::{Readers, checkpoint_connection};
use super::opened_files::OpenedFiles;
use crate::error::Failure;
use parking_lot::{Condvar, Mutex};
use rusqlite::Connection;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the log's length is looked at while someone writes.
const LOOK: Duration = Duration::from_millis(20);
/// How long nobody writes before all of the log is brought over.
const IDLE: Duration = Duration::from_secs(1);
/// How often what came meanwhile is brought over before the writer takes the rest.
const TURNS_MAX: usize = 4;
/// How many pages the writer may be left with.
const REST_PAGES: i64 = 200;

/// What the thread and the writer tell each other.
#[derive(Default)]
struct Signals {
    /// Something was committed since the thread looked.
    has_commits: AtomicBool,
    /// The writer is to bring the last pages over.
    has_rest: AtomicBool,
    has_ended: Mutex<bool>,
    wake: Condvar,
}

/// The thread, as the writer has it.
pub(super) struct Checkpoints {
    signals: Arc<Signals>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpoints {
    /// Begins to watch the log of a database that the writer has opened; it is brought over when it has so many pages.
    pub(super) fn start(
        database: &Path,
        pages: u32,
        files: Arc<OpenedFiles>,
        readers: Arc<Readers>,
    ) -> Result<Self, Failure> {
        let signals = Arc::new(Signals::default());
        let bringer = Bringer {
            connection: checkpoint_connection(database)?,
            pages: pages.into(),
            files,
            readers,
            signals: signals.clone(),
        };
        let thread = std::thread::Builder::new()
            .name("fieldstone-checkpoints".to_owned())
            .spawn(move || bringer.run())?;
        Ok(Checkpoints {
            signals,
            thread: Some(thread),
        })
    }

    /// Notes that something was committed.
    pub(super) fn note_commit(&self) {
        // a notice costs more than a look, and the thread looks by itself while it knows of commits
        if !self.signals.has_commits.swap(true, Ordering::AcqRel) {
            self.signals.wake.notify_one();
        }
    }

    /// Whether the writer is to bring the last pages over now.
    pub(super) fn take_rest(&self) -> bool {
        self.signals.has_rest.load(Ordering::Acquire)
            && self.signals.has_rest.swap(false, Ordering::AcqRel)
    }

    /// Ends the thread, and waits for it.
    pub(super) fn end(&mut self) {
        *self.signals.has_ended.lock() = true;
        self.signals.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        self.end();
    }
}

/// How far a log is: its pages, and how many of them the database has.
#[derive(Clone, Copy)]
struct Extent {
    pages: i64,
    done: i64,
}

impl Extent {
    fn left(self) -> i64 {
        self.pages - self.done
    }
}

struct Bringer {
    connection: Connection,
    pages: i64,
    files: Arc<OpenedFiles>,
    readers: Arc<Readers>,
    signals: Arc<Signals>,
}

impl Bringer {
    fn run(self) {
        while self.wait_for_commits() {
            let mut newest = Instant::now();
            while newest.elapsed() < IDLE {
                if self.has_ended_after(LOOK) {
                    return;
                }
                if self.signals.has_commits.swap(false, Ordering::AcqRel) {
                    newest = Instant::now();
                }
                told(self.look());
            }
            // what rots in a log is lost without a word, so it holds nothing for longer than it must
            self.readers.rest();
            told(self.bring().map(|_| ()));
        }
    }

    /// Waits until something is committed; whether that came before the end.
    fn wait_for_commits(&self) -> bool {
        let mut has_ended = self.signals.has_ended.lock();
        while !*has_ended && !self.signals.has_commits.load(Ordering::Acquire) {
            // a notice between the look and the wait is lost: whoever commits holds no lock
            let _ = self.signals.wake.wait_for(&mut has_ended, IDLE);
        }
        !*has_ended
    }

    fn has_ended_after(&self, time: Duration) -> bool {
        let mut has_ended = self.signals.has_ended.lock();
        if !*has_ended {
            let _ = self.signals.wake.wait_for(&mut has_ended, time);
        }
        *has_ended
    }

    /// Brings the log over if it is long.
    fn look(&self) -> Result<(), Failure> {
        let mut extent = self.extent("NOOP")?;
        if extent.pages < self.pages {
            return Ok(());
        }
        for _ in 0..TURNS_MAX {
            if extent.left() <= REST_PAGES {
                break;
            }
            let before = extent;
            extent = self.bring()?;
            if extent.done <= before.done {
                // someone reads what was there before
                break;
            }
        }
        self.signals.has_rest.store(true, Ordering::Release);
        Ok(())
    }

    /// Brings over what can be, and waits for nobody.
    fn bring(&self) -> Result<Extent, Failure> {
        self.files.verify()?;
        self.extent("PASSIVE")
    }

    fn extent(&self, mode: &str) -> Result<Extent, Failure> {
        let sql = format!("PRAGMA wal_checkpoint({mode})");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let extent = statement.query_row([], |row| {
            Ok(Extent {
                pages: row.get(1)?,
                done: row.get(2)?,
            })
        });
        Ok(extent?)
    }
}

fn told(ended: Result<(), Failure>) {
    if let Err(error) = ended {
        tracing::warn!(error = %error, "the write-ahead log stays longer: it can't be brought into the database");
    }
}

//! Brings the write-ahead log into the database beside the writer, by a thread of its own, so that no write waits
//! for it. It writes no rows and decides nothing: what it brings over was committed before.
//!
//! A log begins anew when all of it is in the database, and while someone writes there is always a little more. So
//! the thread brings over what there is, then what came meanwhile, has the disk take it, and leaves the last pages to the
//! writer, between two transactions: milliseconds instead of a tenth of a second. It never brings over the last commit: that is the
//! writer's seal (`seal.rs`), also when nobody writes any more.

use super::open::{Readers, checkpoint_connection};
use super::opened_files::OpenedFiles;
use super::seal::{Extent, HOLD};
use crate::error::Failure;
use parking_lot::{Condvar, Mutex};
use rusqlite::Connection;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the log's length is looked at while someone writes.
pub(super) const LOOK: Duration = Duration::from_millis(20);
/// How long nobody writes before all of the log is brought over.
const IDLE: Duration = Duration::from_secs(1);
/// How often what came meanwhile is brought over before the writer takes the rest.
const TURNS_MAX: usize = 6;
/// How many pages the writer may be left with.
const REST_PAGES: i64 = 100;

/// How long the thread waits for one more commit, or for the writer to take the rest.
const ANSWER_MAX: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(1);

/// What the thread and the writer tell each other.
#[derive(Default)]
struct Signals {
    /// Something was committed since the thread looked.
    has_commits: AtomicBool,
    /// The writer is to bring the last pages over.
    has_rest: AtomicBool,
    /// The writer is to commit a mark, if nothing else.
    needs_mark: AtomicBool,
    /// The thread may want something of the writer.
    may_ask: AtomicBool,
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
            holder: readers.another()()?,
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
            self.signals.may_ask.store(true, Ordering::Release);
            self.signals.wake.notify_one();
        }
    }

    /// Whether the writer is to bring the last pages over now.
    pub(super) fn take_rest(&self) -> bool {
        self.signals.has_rest.load(Ordering::Acquire)
            && self.signals.has_rest.swap(false, Ordering::AcqRel)
    }

    /// Whether the thread may want something before the next commit.
    pub(super) fn may_ask(&self) -> bool {
        self.signals.may_ask.load(Ordering::Acquire)
    }

    /// Whether the writer is to commit a mark now.
    pub(super) fn take_mark(&self) -> bool {
        self.signals.needs_mark.swap(false, Ordering::AcqRel)
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

struct Bringer {
    connection: Connection,
    /// Reads what there is, so that no more is brought over and the log does not begin anew meanwhile.
    holder: Connection,
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
            told(self.bring_all());
            self.signals.may_ask.store(false, Ordering::Release);
            if self.signals.has_commits.load(Ordering::Acquire) {
                self.signals.may_ask.store(true, Ordering::Release);
            }
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
        let extent = Extent::of(&self.connection)?;
        if extent.pages < self.pages {
            return Ok(());
        }
        self.bring(extent)?;
        self.signals.has_rest.store(true, Ordering::Release);
        Ok(())
    }

    /// Brings all of it over, the rest by the writer.
    fn bring_all(&self) -> Result<(), Failure> {
        let extent = Extent::of(&self.connection)?;
        if extent.left() <= 0 {
            return Ok(());
        }
        self.bring(extent)?;
        self.signals.has_rest.store(true, Ordering::Release);
        self.wait_until(|| Ok(!self.signals.has_rest.load(Ordering::Acquire)))?;
        Ok(())
    }

    /// Brings over what is more than the writer may be left with.
    fn bring(&self, mut extent: Extent) -> Result<(), Failure> {
        for _ in 0..TURNS_MAX {
            if extent.left() <= REST_PAGES {
                break;
            }
            let before = extent;
            self.files.verify()?;
            self.bring_what_there_is()?;
            // SQLite does so when the last page is there, and that would be the writer
            self.files.sync_database()?;
            extent = Extent::of(&self.connection)?;
            if extent.done <= before.done {
                // someone reads what was there before
                break;
            }
        }
        Ok(())
    }

    /// Brings over all that is committed now, and waits for nobody who reads. There is another commit behind it before it
    /// begins, so that it is not the last.
    fn bring_what_there_is(&self) -> Result<(), Failure> {
        let held = self.holder.unchecked_transaction()?;
        held.prepare_cached(HOLD)?.query_row([], |_| Ok(()))?;
        let now = Extent::of(&self.connection)?;
        self.signals.needs_mark.store(true, Ordering::Release);
        let has_more = self.wait_until(|| Ok(Extent::of(&self.connection)?.pages > now.pages));
        self.signals.needs_mark.store(false, Ordering::Release);
        if has_more? {
            Extent::brought(&self.connection)?;
        }
        held.commit()?;
        Ok(())
    }

    /// Looks again and again, until the end of the thread or of patience; whether it came.
    fn wait_until(&self, came: impl Fn() -> Result<bool, Failure>) -> Result<bool, Failure> {
        let began = Instant::now();
        while !came()? {
            if began.elapsed() > ANSWER_MAX || self.has_ended_after(PAUSE) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Tells the operator what failed.
pub(super) fn told(ended: Result<(), Failure>) {
    if let Err(error) = ended {
        tracing::warn!(error = %error, "the write-ahead log stays longer: it can't be brought into the database");
    }
}

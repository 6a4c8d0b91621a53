//! The one thread that writes. It takes everything that waits, puts it into one transaction, syncs
//! once, and then answers each. A write that loses, fails or panics costs the others nothing.

use super::changes::Changes;
use super::checkpoints::{Checkpoints, LOOK, told};
use super::commit_mark::CommitMark;
use super::open::Readers;
use super::opened_files::OpenedFiles;
use super::pace::Pace;
use super::queued_job::{Job, Task};
use super::seal::{self, Ended};
use super::write::Tally;
use crate::error::Failure;
use metrics::{Counter, Gauge, Histogram};
use parking_lot::RwLock;
use rusqlite::{Connection, TransactionBehavior};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use store::catalog::Catalog;
use store::issued_tables::{IssuedDraft, IssuedTables};
use store::{StoreError, StoreFuture};
use tokio::sync::oneshot;
use tracing::Span;

pub(super) use super::queued_job::State;

/// How often connections that nobody reads with are made to let go of what they saw.
pub(super) const READERS_REST: Duration = Duration::from_secs(1);

/// How long the first commit waits until the database's own file says that it is in use.
const MARK_WAIT_MAX: Duration = Duration::from_secs(2);

/// What the writer shares with those who read.
pub(super) struct Shared {
    /// The catalog that they see.
    pub(super) catalog: Arc<RwLock<Arc<Catalog>>>,
    /// The tokens and sessions that they see.
    pub(super) issued: Arc<IssuedTables>,
    /// Their connections.
    pub(super) readers: Arc<Readers>,
    /// The files that are written, which must be where they were.
    pub(super) files: Arc<OpenedFiles>,
    /// How often those that nobody uses let go of what they saw.
    pub(super) readers_rest: Duration,
    /// Which records were written.
    pub(super) changes: Arc<Changes>,
    /// What brings the log into the database.
    pub(super) checkpoints: Checkpoints,
    /// Whether those that were just answered are waited for.
    pub(super) gathers: bool,
}

/// Commits in figures.
#[derive(Clone)]
struct WriterMetrics {
    seconds: Histogram,
    jobs: Histogram,
    failures: Counter,
    waiting: Gauge,
}

impl WriterMetrics {
    fn new() -> Self {
        WriterMetrics {
            seconds: metrics::histogram!("fieldstone_commit_duration_seconds"),
            jobs: metrics::histogram!("fieldstone_commit_jobs"),
            failures: metrics::counter!("fieldstone_failed_commits_total"),
            waiting: metrics::gauge!("fieldstone_writer_queue_jobs"),
        }
    }
}

pub(super) struct Writer {
    jobs: Option<Sender<Box<dyn Job>>>,
    waiting: Gauge,
    queued: Arc<AtomicUsize>,
    thread: Option<JoinHandle<()>>,
    transactions: Arc<AtomicU64>,
}

impl Writer {
    pub(super) fn start(connection: Connection, shared: Shared) -> Result<Self, Failure> {
        let (jobs, queue) = channel();
        let transactions = Arc::new(AtomicU64::new(0));
        let mark = CommitMark::of(&connection)?;
        let mark = mark.ok_or_else(|| StoreError::Damaged("it has no commit mark".to_owned()))?;
        let metrics = WriterMetrics::new();
        let waiting = metrics.waiting.clone();
        let queued = Arc::new(AtomicUsize::new(0));
        let worker = Worker {
            metrics,
            pace: Pace::new(queued.clone(), shared.gathers),
            mark,
            is_marked: false,
            is_sealed: false,
            connection,
            shared,
            readers_rested: Instant::now(),
            transactions: transactions.clone(),
        };
        let thread = std::thread::Builder::new()
            .name("fieldstone-writer".to_owned())
            .spawn(move || worker.run(&queue))?;
        Ok(Writer {
            jobs: Some(jobs),
            waiting,
            queued,
            thread: Some(thread),
            transactions,
        })
    }

    /// The writer of a store that is only read: it does nothing.
    pub(super) fn none() -> Self {
        Writer {
            jobs: None,
            waiting: Gauge::noop(),
            queued: Arc::default(),
            thread: None,
            transactions: Arc::default(),
        }
    }

    pub(super) fn is_read_only(&self) -> bool {
        self.jobs.is_none()
    }

    /// Queues work; its answer comes once it is on disk. It is done even if nobody waits for the answer,
    /// and may run more than once before it is.
    pub(super) fn run<'a, T: Send + 'static>(
        &self,
        span: Span,
        work: impl FnMut(&Connection, &mut State) -> Result<T, Failure> + Send + 'static,
    ) -> StoreFuture<'a, T> {
        self.queue(span, false, work)
    }

    /// The same for work that writes a record, and asks nothing of the tables that are written at the end of the transaction.
    pub(super) fn run_write<'a, T: Send + 'static>(
        &self,
        span: Span,
        work: impl FnMut(&Connection, &mut State) -> Result<T, Failure> + Send + 'static,
    ) -> StoreFuture<'a, T> {
        self.queue(span, true, work)
    }

    fn queue<'a, T: Send + 'static>(
        &self,
        span: Span,
        is_of_a_record: bool,
        work: impl FnMut(&Connection, &mut State) -> Result<T, Failure> + Send + 'static,
    ) -> StoreFuture<'a, T> {
        if self.is_read_only() {
            return Box::pin(std::future::ready(Err(StoreError::ReadOnly)));
        }
        let (reply, answer) = oneshot::channel();
        let task = Task {
            work,
            is_of_a_record,
            span,
            outcome: None,
            reply,
        };
        if let Some(jobs) = &self.jobs {
            // first the number: it is never less than what is taken
            self.queued.fetch_add(1, Ordering::Relaxed);
            // a queue without its thread drops the task, and that ends the wait
            let _ = jobs.send(Box::new(task));
            self.waiting.increment(1.0);
        }
        Box::pin(async move { Ok(answer.await.map_err(|_| StoreError::Closed)??) })
    }

    pub(super) fn transactions(&self) -> u64 {
        self.transactions.load(Ordering::Relaxed)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // closing the queue lets the thread finish what is in it
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Worker {
    connection: Connection,
    metrics: WriterMetrics,
    pace: Pace,
    /// That of the last commit.
    mark: CommitMark,
    /// Whether the database's own file says that it is in use.
    is_marked: bool,
    /// Whether the last commit is a seal that is in the database.
    is_sealed: bool,
    shared: Shared,
    readers_rested: Instant,
    transactions: Arc<AtomicU64>,
}

impl Worker {
    fn run(mut self, queue: &Receiver<Box<dyn Job>>) {
        while let Some(first) = self.next(queue) {
            let jobs = self.pace.gather(first, queue);
            #[allow(clippy::cast_precision_loss, reason = "at most a batch")]
            let count = jobs.len() as f64;
            self.metrics.waiting.decrement(count);
            let began = Instant::now();
            self.commit(jobs);
            self.metrics.seconds.record(began.elapsed());
            self.metrics.jobs.record(count);
            self.shared.checkpoints.note_commit();
            if self.shared.checkpoints.take_rest() {
                self.end_log();
            }
        }
        self.close();
    }

    /// The next job; until it comes, what is asked for by the thread that brings the log over. `None` at the end.
    fn next(&mut self, queue: &Receiver<Box<dyn Job>>) -> Option<Box<dyn Job>> {
        while self.shared.checkpoints.may_ask() {
            match queue.recv_timeout(LOOK) {
                Ok(job) => return Some(job),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.shared.checkpoints.take_mark() && self.shared.files.verify().is_ok() {
                self.is_sealed = false;
                told(seal::seal(&self.connection, &mut self.mark));
            }
            if self.shared.checkpoints.take_rest() {
                self.end_log();
            }
        }
        queue.recv().ok()
    }

    /// An orderly end, which leaves no log behind.
    fn close(mut self) {
        self.shared.checkpoints.end();
        self.shared.readers.close();
        self.end_log();
        self.shared.readers.close();
        let mark = CommitMark {
            follows_seal: self.is_sealed,
            ..self.mark.next(true)
        };
        // the last commit of all; where it fails, the log stays and is read when the store is opened next
        if self.mark.is_closed || mark.write(&self.connection).is_ok() {
            let _ = self
                .connection
                .execute_batch("PRAGMA wal_checkpoint(TRUNCATE);");
        }
    }

    /// Has the database's own file say that it is in use: a copy without the log is not to pass for one that was
    /// closed. Only the first commit waits for that, and only for who began to read before it.
    fn mark_in_use(&mut self) {
        let began = Instant::now();
        let is_first = self.transactions.load(Ordering::Relaxed) == 0;
        while !self.is_marked {
            self.end_log();
            if !is_first || began.elapsed() >= MARK_WAIT_MAX {
                return;
            }
            if !self.is_marked {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
    }

    /// Brings the last pages of the log into the database, so that it begins anew with the next transaction.
    fn end_log(&mut self) {
        if self.mark.is_closed || self.shared.files.verify().is_err() {
            return;
        }
        match seal::end_log(&self.connection, &self.shared.readers, &mut self.mark) {
            Ok(ended) => {
                self.is_marked |= ended != Ended::Not;
                if ended != Ended::Before {
                    self.is_sealed = ended == Ended::Sealed;
                }
            }
            Err(error) => told(Err(error)),
        }
    }

    /// One transaction for all jobs. If that fails, one of its own for each: the job at fault gets its
    /// error, and the others are none the worse. If none can be begun, that is no job's fault, and all are told:
    /// a lock that fails takes seconds each time.
    fn commit(&mut self, mut jobs: Vec<Box<dyn Job>>) {
        let ended = self.transaction(&mut jobs);
        self.pace.note_answers(jobs.len());
        match ended {
            Err(error) if jobs.len() > 1 && error.is_of_a_lock() => {
                for job in jobs {
                    job.answer(Err(error.of_another()));
                }
            }
            Err(_) if jobs.len() > 1 => {
                for mut job in jobs {
                    let ended = self.transaction(std::slice::from_mut(&mut job));
                    job.answer(ended);
                }
            }
            Err(error) => {
                if let Some(job) = jobs.pop() {
                    job.answer(Err(error));
                }
            }
            Ok(()) => jobs.into_iter().for_each(|job| job.answer(Ok(()))),
        }
    }

    /// One transaction; one that fails is counted, whatever it fails by.
    fn transaction(&mut self, jobs: &mut [Box<dyn Job>]) -> Result<(), Failure> {
        let ended = self.within_own_files(jobs);
        if ended.is_err() {
            self.metrics.failures.increment(1);
        }
        ended
    }

    /// Nothing is begun in files that were removed or replaced, and nothing acknowledged if they were
    /// meanwhile.
    fn within_own_files(&mut self, jobs: &mut [Box<dyn Job>]) -> Result<(), Failure> {
        self.shared.files.verify()?;
        let ended = self.run_all(jobs);
        self.shared.changes.end();
        ended?;
        self.shared.files.verify()
    }

    fn run_all(&mut self, jobs: &mut [Box<dyn Job>]) -> Result<(), Failure> {
        let mut state = State {
            catalog: self.shared.catalog.read().clone(),
            issued: IssuedDraft::new(self.shared.issued.clone()),
            tally: Tally::default(),
        };
        let before = Arc::as_ptr(&state.catalog);
        // dropped without a commit, it rolls back
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let before_jobs = transaction.total_changes();
        for job in jobs {
            if !job.is_of_a_record() {
                state.tally.write(&transaction)?;
            }
            job.run(&transaction, &mut state)?;
        }
        state.tally.write(&transaction)?;
        let mark = CommitMark {
            follows_seal: self.is_sealed,
            ..self.mark.next(false)
        };
        // what wrote nothing is no commit
        let writes = transaction.total_changes() != before_jobs;
        if writes {
            mark.write(&transaction)?;
        }
        if self.readers_rested.elapsed() >= self.shared.readers_rest {
            self.readers_rested = Instant::now();
            self.shared.readers.rest();
        }
        let began = Instant::now();
        transaction.commit()?;
        if writes {
            self.pace.note_sync(began.elapsed());
            self.mark = mark;
            self.is_sealed = false;
            self.mark_in_use();
        }
        self.shared.readers.note_commit();
        self.transactions.fetch_add(1, Ordering::Relaxed);
        // first of all what ends: the catalog may say already that it has
        state.issued.publish();
        if Arc::as_ptr(&state.catalog) != before {
            let mut shared = self.shared.catalog.write();
            let old = std::mem::replace(&mut *shared, state.catalog);
            // readers need not wait until the old one is taken apart
            drop(shared);
            drop(old);
        }
        Ok(())
    }
}

//! The one thread that writes: what is asked of it, and what it shares with those who read. How it works, `worker.rs` tells.

mod worker;

use super::changes::Changes;
use super::checkpoints::Checkpoints;
use super::commit_mark::CommitMark;
use super::open::Readers;
use super::opened_files::OpenedFiles;
use super::pace::Pace;
use super::queued_job::{Job, Task};
use crate::error::Failure;
use metrics::{Counter, Gauge, Histogram};
use parking_lot::RwLock;
use rusqlite::Connection;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use store::catalog::Catalog;
use store::issued_tables::IssuedTables;
use store::{StoreError, StoreFuture};
use tokio::sync::oneshot;
use tracing::Span;
use worker::Worker;

pub(super) use super::queued_job::State;

/// How often connections that nobody reads with are made to let go of what they saw.
pub(super) const READERS_REST: Duration = Duration::from_secs(1);

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
        let metrics = WriterMetrics::new();
        let waiting = metrics.waiting.clone();
        let queued = Arc::new(AtomicUsize::new(0));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let worker = Worker {
            metrics,
            pace: Pace::new(queued.clone(), shared.gathers, cores),
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

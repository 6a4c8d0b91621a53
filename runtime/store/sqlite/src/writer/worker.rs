//! What the thread that writes does: it takes everything that waits, puts it into one transaction, syncs
//! once, and then answers each. A write that loses, fails or panics costs the others nothing.

use super::{Shared, WriterMetrics};
use crate::checkpoints::{LOOK, told};
use crate::commit_mark::CommitMark;
use crate::error::Failure;
use crate::pace::Pace;
use crate::queued_job::{Job, State};
use crate::seal::{self, Ended};
use crate::write::Tally;
use rusqlite::{Connection, TransactionBehavior};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use store::issued_tables::IssuedDraft;

/// How long the first commit waits until the database's own file says that it is in use.
const MARK_WAIT_MAX: Duration = Duration::from_secs(2);

pub(super) struct Worker {
    pub(super) connection: Connection,
    pub(super) metrics: WriterMetrics,
    pub(super) pace: Pace,
    /// That of the last commit.
    pub(super) mark: CommitMark,
    /// Whether the database's own file says that it is in use.
    pub(super) is_marked: bool,
    /// Whether the last commit is a seal that is in the database.
    pub(super) is_sealed: bool,
    pub(super) shared: Shared,
    pub(super) readers_rested: Instant,
    pub(super) transactions: Arc<AtomicU64>,
}

impl Worker {
    pub(super) fn run(mut self, queue: &Receiver<Box<dyn Job>>) {
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

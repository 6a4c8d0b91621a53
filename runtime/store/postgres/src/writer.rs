//! Group commit: one task takes every write that waits, and every note about one, and commits them together, then answers
//! each. A write that loses or fails costs the others nothing.

use crate::Inner;
use crate::connections::transact;
use crate::error::Failure;
use crate::noted_jobs::note;
use crate::write::{Together, Written, write_all};
use metrics::Gauge;
use std::sync::Arc;
use std::time::Instant;
use store::jobs::Job;
use store::records::{Write, WriteVerdict};
use store::{StoreError, StoreFuture};
use tokio::sync::{mpsc, oneshot};

/// How many writes one transaction takes at most.
const BATCH_MAX: usize = 256;

type Answer<T> = oneshot::Sender<Result<T, StoreError>>;

/// What waits.
#[allow(clippy::large_enum_variant, reason = "nearly all are writes")]
enum Asked {
    Write(Write, Answer<WriteVerdict>),
    Note(Box<Job>, Answer<()>),
}

/// Where writes wait.
pub(crate) struct Writer {
    queue: mpsc::UnboundedSender<Asked>,
    /// How many do.
    waiting: Gauge,
}

impl Writer {
    /// Starts the task, which ends when nobody can queue any more and all that waited is done.
    pub(crate) fn start(inner: Arc<Inner>) -> Self {
        let (queue, mut queued) = mpsc::unbounded_channel();
        let waiting = metrics::gauge!("fieldstone_writer_queue_jobs");
        // it is shown before anything waits
        waiting.increment(0.0);
        let left = waiting.clone();
        tokio::spawn(async move {
            let mut asked = Vec::with_capacity(BATCH_MAX);
            while queued.recv_many(&mut asked, BATCH_MAX).await > 0 {
                left.decrement(count_of(&asked));
                let mut batch = Batch::default();
                for one in asked.drain(..) {
                    batch.put(one);
                }
                batch.commit(&inner).await;
            }
        });
        Writer { queue, waiting }
    }

    /// Queues a write; its answer comes once it is committed.
    pub(crate) fn write(&self, write: Write) -> StoreFuture<'static, WriteVerdict> {
        self.ask(|answer| Asked::Write(write, answer))
    }

    /// Queues a note, which is committed before or with the writes that are queued behind it.
    pub(crate) fn note(&self, job: Job) -> StoreFuture<'static, ()> {
        self.ask(|answer| Asked::Note(Box::new(job), answer))
    }

    fn ask<T: Send + 'static>(
        &self,
        asked: impl FnOnce(Answer<T>) -> Asked,
    ) -> StoreFuture<'static, T> {
        let (answer, answered) = oneshot::channel();
        self.waiting.increment(1.0);
        // a queue without its task drops the answer, and that ends the wait
        let _ = self.queue.send(asked(answer));
        Box::pin(async move { answered.await.map_err(|_| StoreError::Closed)? })
    }
}

/// What is committed together: notes first.
#[derive(Default)]
struct Batch {
    jobs: Vec<Job>,
    noted: Vec<Answer<()>>,
    writes: Vec<Write>,
    answers: Vec<Answer<WriteVerdict>>,
}

impl Batch {
    fn put(&mut self, asked: Asked) {
        match asked {
            Asked::Write(write, answer) => {
                self.writes.push(write);
                self.answers.push(answer);
            }
            Asked::Note(job, answer) => {
                self.jobs.push(*job);
                self.noted.push(answer);
            }
        }
    }

    /// One transaction for all. If that fails for a reason of its own, one for each: the one at fault gets its error.
    async fn commit(self, inner: &Inner) {
        let began = Instant::now();
        metrics::histogram!("fieldstone_commit_jobs").record(count_of(&self.writes));
        match inner.write_all(&self.jobs, &self.writes).await {
            Ok(verdicts) => {
                // who no longer waits needs no answer
                for noted in self.noted {
                    let _ = noted.send(Ok(()));
                }
                for (answer, verdict) in self.answers.into_iter().zip(verdicts) {
                    let _ = answer.send(verdict);
                }
            }
            Err(failure)
                if self.is_one() || failure.is_unreachable() || failure.is_of_a_newer_step() =>
            {
                metrics::counter!("fieldstone_failed_commits_total").increment(1);
                self.fail(failure);
            }
            Err(_) => self.commit_each(inner).await,
        }
        metrics::histogram!("fieldstone_commit_duration_seconds").record(began.elapsed());
    }

    fn is_one(&self) -> bool {
        self.jobs.len() + self.writes.len() == 1
    }

    async fn commit_each(self, inner: &Inner) {
        for (job, noted) in self.jobs.into_iter().zip(self.noted) {
            let ended = inner.write_all(&[job], &[]).await;
            let _ = noted.send(ended.map(drop).map_err(StoreError::from));
        }
        for (write, answer) in self.writes.into_iter().zip(self.answers) {
            let ended = inner.write_all(&[], &[write]).await;
            let ended = ended.map_err(StoreError::from);
            let verdict =
                ended.and_then(|all| all.into_iter().next().unwrap_or(Err(StoreError::Closed)));
            let _ = answer.send(verdict);
        }
    }

    /// Answers all with one failure: the first gets it, the others its words.
    fn fail(self, failure: Failure) {
        let failure = StoreError::from(failure);
        let count = self.noted.len() + self.answers.len();
        let others: Vec<StoreError> = (1..count).map(|_| another(&failure)).collect();
        let mut failures = std::iter::once(failure).chain(others);
        // INVARIANT: there is one for each
        let mut next = || failures.next().unwrap_or(StoreError::Closed);
        for noted in self.noted {
            let _ = noted.send(Err(next()));
        }
        for answer in self.answers {
            let _ = answer.send(Err(next()));
        }
    }
}

/// The same failure for one more who waits.
fn another(failure: &StoreError) -> StoreError {
    let words = failure.to_string();
    match failure {
        StoreError::Unreachable(_) => StoreError::Unreachable(words.into()),
        StoreError::Unsettled(_) => StoreError::Unsettled(words.into()),
        StoreError::Newer { found, known } => StoreError::Newer {
            found: *found,
            known: *known,
        },
        _ => StoreError::Database(words.into()),
    }
}

#[allow(clippy::cast_precision_loss, reason = "at most a batch")]
fn count_of<T>(some: &[T]) -> f64 {
    some.len() as f64
}

impl Inner {
    /// Commits notes and writes, and says what became of each write.
    async fn write_all(
        &self,
        jobs: &[Job],
        writes: &[Write],
    ) -> Result<Vec<Result<WriteVerdict, StoreError>>, Failure> {
        let written = transact!(&self.connections, tx => {
            note(tx, jobs).await?;
            let written = write_all(tx, self, writes, Together::Each).await?;
            if written.head.is_none() && jobs.is_empty() {
                tx.keeps_nothing();
            }
            Ok(written)
        })?;
        self.note_head(&written);
        Ok(written.verdicts)
    }

    /// Tells who waits for changes that there are some.
    pub(crate) fn note_head(&self, written: &Written) {
        if let Some(head) = written.head {
            self.head.send_if_modified(|seen| {
                let is_newer = head > *seen;
                *seen = head.max(*seen);
                is_newer
            });
        }
    }
}

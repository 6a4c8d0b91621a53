//! Group commit: one task takes every write that waits, and every note about one, and commits them together, then answers
//! each. A write that loses or fails costs the others nothing; nor does one whose dataset is on a node that is away
//! (`away.rs`), where they are divided over several.

use crate::Inner;
use crate::away::Away;
use crate::connections::transact;
use crate::error::{Failure, Told};
use crate::noted_jobs::note;
use crate::write::{Together, Written, write_all};
use metrics::Gauge;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;
use store::jobs::Job;
use store::records::{Write, WriteVerdict};
use store::{StoreError, StoreFuture};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::task::JoinSet;

/// How many writes one transaction takes at most.
const BATCH_MAX: usize = 256;
/// How many datasets are committed at once where each is tried by itself.
const APART_AT_ONCE: usize = 4;

type Answer<T> = oneshot::Sender<Result<T, StoreError>>;

/// What waits.
#[allow(clippy::large_enum_variant, reason = "nearly all are writes")]
enum QueuedWork {
    Write(Write, Answer<WriteVerdict>),
    Note(Box<Job>, Answer<()>),
}

/// Where writes wait.
pub(crate) struct Writer {
    queue: mpsc::UnboundedSender<QueuedWork>,
    /// How many do.
    waiting: Gauge,
}

impl Writer {
    /// Starts the task, which ends when nobody can queue any more and all that waited is done.
    pub(crate) fn start(inner: Arc<Inner>) -> Self {
        let (queue, mut queued) = mpsc::unbounded_channel();
        let waiting = metrics::gauge!("fieldstone_writer_queue_jobs");
        // they are shown before anything waits or fails
        waiting.increment(0.0);
        count_failures(0);
        let left = waiting.clone();
        tokio::spawn(async move {
            let mut asked = Vec::with_capacity(BATCH_MAX);
            let mut away = Away::default();
            while queued.recv_many(&mut asked, BATCH_MAX).await > 0 {
                left.decrement(count_of(&asked));
                let mut batch = Batch::default();
                for one in asked.drain(..) {
                    match one {
                        QueuedWork::Write(write, answer) if away.has(write.dataset) => {
                            let _ = answer.send(Err(Away::error()));
                        }
                        one => batch.put(one),
                    }
                }
                away.note(batch.commit(&inner).await);
            }
        });
        Writer { queue, waiting }
    }

    /// Queues a write; its answer comes once it is committed.
    pub(crate) fn write(&self, write: Write) -> StoreFuture<'static, WriteVerdict> {
        self.ask(|answer| QueuedWork::Write(write, answer))
    }

    /// Queues a note, which is committed before or with the writes that are queued behind it.
    pub(crate) fn note(&self, job: Job) -> StoreFuture<'static, ()> {
        self.ask(|answer| QueuedWork::Note(Box::new(job), answer))
    }

    fn ask<T: Send + 'static>(
        &self,
        asked: impl FnOnce(Answer<T>) -> QueuedWork,
    ) -> StoreFuture<'static, T> {
        let (answer, answered) = oneshot::channel();
        self.waiting.increment(1.0);
        // a queue without its task drops the answer, and that ends the wait
        let _ = self.queue.send(asked(answer));
        Box::pin(async move { answered.await.map_err(|_| StoreError::Closed)? })
    }
}

/// What is committed together.
#[derive(Default)]
struct Batch {
    jobs: Vec<Job>,
    noted: Vec<Answer<()>>,
    writes: Vec<Write>,
    answers: Vec<Answer<WriteVerdict>>,
}

impl Batch {
    fn put(&mut self, asked: QueuedWork) {
        match asked {
            QueuedWork::Write(write, answer) => {
                self.writes.push(write);
                self.answers.push(answer);
            }
            QueuedWork::Note(job, answer) => {
                self.jobs.push(*job);
                self.noted.push(answer);
            }
        }
    }

    /// One transaction for all; tells the datasets whose node is away.
    async fn commit(self, inner: &Arc<Inner>) -> Vec<u32> {
        if self.jobs.is_empty() && self.writes.is_empty() {
            return Vec::new();
        }
        let began = Instant::now();
        metrics::histogram!("fieldstone_commit_jobs").record(count_of(&self.writes));
        let mut away = Vec::new();
        match inner.write_all(&self.jobs, &self.writes).await {
            Ok(verdicts) => self.answer(verdicts),
            Err(failure) if inner.is_divided && failure.is_of_a_node() => {
                away = self.commit_by_dataset(failure, inner).await;
            }
            Err(failure) => self.give_up(failure, inner).await,
        }
        metrics::histogram!("fieldstone_commit_duration_seconds").record(began.elapsed());
        away
    }

    /// One transaction for each dataset, where a node did not answer: only what is on that one fails. Tells which datasets are.
    async fn commit_by_dataset(self, failure: Failure, inner: &Arc<Inner>) -> Vec<u32> {
        let (notes, mut parts) = self.by_dataset();
        if notes.jobs.is_empty()
            && parts.len() == 1
            && let Some((dataset, part)) = parts.pop_first()
        {
            part.give_up(failure, inner).await;
            return vec![dataset];
        }
        if !notes.jobs.is_empty() {
            notes.commit_part(inner).await;
        }
        let permits = Arc::new(Semaphore::new(APART_AT_ONCE));
        let mut under_way = JoinSet::new();
        for (dataset, part) in parts {
            let (inner, permits) = (inner.clone(), permits.clone());
            under_way.spawn(async move {
                // nobody closes it
                let _permit = permits.acquire_owned().await;
                part.commit_part(&inner).await.then_some(dataset)
            });
        }
        let mut away = Vec::new();
        while let Some(ended) = under_way.join_next().await {
            away.extend(ended.ok().flatten());
        }
        away
    }

    /// Commits what is of one dataset; whether the node is away that it needs.
    async fn commit_part(self, inner: &Inner) -> bool {
        match inner.write_all(&self.jobs, &self.writes).await {
            Ok(verdicts) => {
                self.answer(verdicts);
                false
            }
            Err(failure) => {
                let is_away = failure.is_of_a_node();
                self.give_up(failure, inner).await;
                is_away
            }
        }
    }

    /// The notes, which are of no dataset, and the writes of each.
    fn by_dataset(self) -> (Batch, BTreeMap<u32, Batch>) {
        let mut parts = BTreeMap::<u32, Batch>::new();
        for (write, answer) in self.writes.into_iter().zip(self.answers) {
            let part = parts.entry(write.dataset).or_default();
            part.put(QueuedWork::Write(write, answer));
        }
        let notes = Batch {
            jobs: self.jobs,
            noted: self.noted,
            ..Batch::default()
        };
        (notes, parts)
    }

    fn answer(self, verdicts: Vec<Result<WriteVerdict, StoreError>>) {
        // who no longer waits needs no answer
        for noted in self.noted {
            let _ = noted.send(Ok(()));
        }
        for (answer, verdict) in self.answers.into_iter().zip(verdicts) {
            let _ = answer.send(verdict);
        }
    }

    /// If it failed for a reason of its own, one transaction for each: the one at fault gets its error.
    async fn give_up(self, failure: Failure, inner: &Inner) {
        if self.is_one() || failure.is_unreachable() || failure.is_of_a_newer_step() {
            count_failures(1);
            self.fail(failure.into());
        } else {
            self.commit_each(inner).await;
        }
    }

    fn is_one(&self) -> bool {
        self.jobs.len() + self.writes.len() == 1
    }

    /// Each is committed by itself, until the database is away, or gives one up however often it is tried, or cuts a second one off:
    /// those behind are not begun then, each of which would be waited for in vain, hundreds of them for minutes. The first that is
    /// cut off may be too large alone, or have waited for a row that the others do not need.
    async fn commit_each(self, inner: &Inner) {
        let mut left = self.into_each();
        let mut has_cut_one_off = false;
        while let Some(one) = left.next() {
            let failure = match inner.write_all(&one.jobs, &one.writes).await {
                Ok(verdicts) => {
                    one.answer(verdicts);
                    continue;
                }
                Err(failure) => failure,
            };
            count_failures(1);
            // the others may be on other nodes
            let is_of_a_node = inner.is_divided && failure.is_of_a_node();
            let is_cut_off = failure.is_cut_off();
            let is_of_all = failure.is_unreachable()
                || failure.is_of_a_newer_step()
                || failure.is_given_up()
                || (is_cut_off && has_cut_one_off);
            has_cut_one_off |= is_cut_off;
            let failure = StoreError::from(failure);
            if is_of_all && !is_of_a_node {
                for unbegun in left {
                    unbegun.fail(behind(&failure));
                }
                one.fail(failure);
                return;
            }
            one.fail(failure);
        }
    }

    /// Each by itself, notes first.
    fn into_each(self) -> impl Iterator<Item = Batch> {
        let notes = self.jobs.into_iter().zip(self.noted);
        let notes = notes.map(|(job, noted)| QueuedWork::Note(Box::new(job), noted));
        let writes = self.writes.into_iter().zip(self.answers);
        let writes = writes.map(|(write, answer)| QueuedWork::Write(write, answer));
        notes.chain(writes).map(|one| {
            let mut alone = Batch::default();
            alone.put(one);
            alone
        })
    }

    /// Answers all with one failure: the first gets it, the others its words.
    fn fail(self, failure: StoreError) {
        let count = self.noted.len() + self.answers.len();
        let told = Told::from(&failure);
        let others = (1..count).map(|_| StoreError::from(told.clone()));
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

/// What is told of a write that was not begun because of how one before it failed.
fn behind(failure: &StoreError) -> StoreError {
    match failure {
        StoreError::Unsettled(_) => {
            StoreError::Unreachable("it went away while another write was committed".into())
        }
        failure => Told::from(failure).into(),
    }
}

/// Counts transactions that failed for good.
fn count_failures(count: u64) {
    metrics::counter!("fieldstone_failed_commits_total").increment(count);
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
            let written = write_all(tx, self, writes, Together::Each).await?;
            note(tx, jobs).await?;
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
            // it may be lower than one that a database of before gave
            self.head.send_replace(head);
        }
    }
}

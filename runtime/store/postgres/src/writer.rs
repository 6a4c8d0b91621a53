//! Group commit: one task takes every write that waits and commits them together, then answers each. A write that loses
//! or fails costs the others nothing.

use crate::Inner;
use crate::connections::transact;
use crate::error::Failure;
use crate::write::{Together, Written, write_all};
use std::sync::Arc;
use std::time::Instant;
use store::records::{Write, WriteVerdict};
use store::{StoreError, StoreFuture};
use tokio::sync::{mpsc, oneshot};

/// How many writes one transaction takes at most.
const BATCH_MAX: usize = 256;

type Answer = oneshot::Sender<Result<WriteVerdict, StoreError>>;

/// Where writes wait.
pub(crate) struct Writer(mpsc::UnboundedSender<(Write, Answer)>);

impl Writer {
    /// Starts the task, which ends when nobody can queue any more and all that waited is done.
    pub(crate) fn start(inner: Arc<Inner>) -> Self {
        let (queue, mut waiting) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut batch = Vec::with_capacity(BATCH_MAX);
            while waiting.recv_many(&mut batch, BATCH_MAX).await > 0 {
                let (writes, answers) = batch.drain(..).unzip();
                commit(&inner, writes, answers).await;
            }
        });
        Writer(queue)
    }

    /// Queues a write; its answer comes once it is committed.
    pub(crate) fn write(&self, write: Write) -> StoreFuture<'static, WriteVerdict> {
        let (answer, verdict) = oneshot::channel();
        // a queue without its task drops the answer, and that ends the wait
        let _ = self.0.send((write, answer));
        Box::pin(async move { verdict.await.map_err(|_| StoreError::Closed)? })
    }
}

/// One transaction for all. If that fails for a reason of its own, one for each: the one at fault gets its error.
async fn commit(inner: &Inner, writes: Vec<Write>, answers: Vec<Answer>) {
    let began = Instant::now();
    metrics::histogram!("fieldstone_commit_jobs").record(count_of(&writes));
    match inner.write_all(&writes).await {
        Ok(verdicts) => {
            for (answer, verdict) in answers.into_iter().zip(verdicts) {
                // who no longer waits needs no answer
                let _ = answer.send(verdict);
            }
        }
        Err(failure) if writes.len() == 1 || failure.is_of_the_connection() => {
            metrics::counter!("fieldstone_failed_commits_total").increment(1);
            let mut failure = Some(StoreError::from(failure));
            let words = failure
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default();
            for answer in answers {
                let another = || StoreError::Database(words.clone().into());
                let _ = answer.send(Err(failure.take().unwrap_or_else(another)));
            }
        }
        Err(_) => {
            for (write, answer) in writes.into_iter().zip(answers) {
                let ended = inner.write_all(&[write]).await;
                let ended = ended.map_err(StoreError::from);
                let verdict =
                    ended.and_then(|all| all.into_iter().next().unwrap_or(Err(StoreError::Closed)));
                let _ = answer.send(verdict);
            }
        }
    }
    metrics::histogram!("fieldstone_commit_duration_seconds").record(began.elapsed());
}

#[allow(clippy::cast_precision_loss, reason = "at most a batch")]
fn count_of(writes: &[Write]) -> f64 {
    writes.len() as f64
}

impl Inner {
    /// Commits writes, and says what became of each.
    async fn write_all(
        &self,
        writes: &[Write],
    ) -> Result<Vec<Result<WriteVerdict, StoreError>>, Failure> {
        let written = transact!(&self.connections, tx => {
            let written = write_all(tx, &self.cache, writes, Together::Each).await?;
            if written.head.is_none() {
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

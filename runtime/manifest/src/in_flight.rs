//! Work that is under way at once, and goes on while something else is waited for: a store may need several steps for a
//! write, and what nobody polls would keep what the others wait for, such as a connection.

use futures_util::StreamExt as _;
use futures_util::stream::FuturesOrdered;
use std::pin::pin;
use std::task::Poll;

/// Work under way, and what came of the work that is done, in the order in which it was begun.
pub(crate) struct InFlight<F: Future> {
    under_way: FuturesOrdered<F>,
    done: Vec<F::Output>,
}

impl<F: Future> InFlight<F> {
    pub(crate) fn new() -> Self {
        InFlight {
            under_way: FuturesOrdered::new(),
            done: Vec::new(),
        }
    }

    pub(crate) fn begin(&mut self, work: F) {
        self.under_way.push_back(work);
    }

    /// Waits for something else while the work goes on; what was begun has taken its first step before.
    pub(crate) async fn beside<T>(&mut self, other: impl Future<Output = T>) -> T {
        let mut other = pin!(other);
        std::future::poll_fn(|context| {
            while let Poll::Ready(Some(done)) = self.under_way.poll_next_unpin(context) {
                self.done.push(done);
            }
            other.as_mut().poll(context)
        })
        .await
    }

    /// What is done by now, once no more than so many are under way.
    pub(crate) async fn done(&mut self, under_way_max: usize) -> Vec<F::Output> {
        while self.under_way.len() > under_way_max {
            self.done.extend(self.under_way.next().await);
        }
        std::mem::take(&mut self.done)
    }
}

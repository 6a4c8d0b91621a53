//! Keeps what is held in memory as new as what is committed: at once for who asks, with one look for all who ask together;
//! and now and then for who does not ask, such as what looks for webhooks that have something to send.

use crate::Inner;
use crate::error::Told;
use std::sync::{Arc, Weak};
use std::time::Duration;
use store::StoreError;
use tokio::sync::{mpsc, oneshot};

/// How long a change that another server made may stay unseen where nobody asks.
const LOOK_AGAIN: Duration = Duration::from_millis(500);
/// How many share a look at most.
const TOGETHER_MAX: usize = 4096;

type Answer = oneshot::Sender<Result<(), Told>>;

/// Where those wait who ask for the newest.
pub(crate) struct Freshness(mpsc::UnboundedSender<Answer>);

impl Freshness {
    /// Starts the task, which ends with the store.
    pub(crate) fn start(inner: &Arc<Inner>) -> Self {
        let (asked, waiting) = mpsc::unbounded_channel();
        tokio::spawn(look(Arc::downgrade(inner), waiting));
        Freshness(asked)
    }

    /// Waits until a look that began after this was asked is done.
    pub(crate) async fn be_current(&self) -> Result<(), StoreError> {
        let (answer, done) = oneshot::channel();
        // a queue without its task drops the answer, and that ends the wait
        let _ = self.0.send(answer);
        Ok(done.await.map_err(|_| StoreError::Closed)??)
    }
}

async fn look(inner: Weak<Inner>, mut waiting: mpsc::UnboundedReceiver<Answer>) {
    let mut together = Vec::new();
    loop {
        let asked = waiting.recv_many(&mut together, TOGETHER_MAX);
        if let Ok(0) = tokio::time::timeout(LOOK_AGAIN, asked).await {
            return;
        }
        let Some(inner) = inner.upgrade() else { return };
        let done = inner.be_current().await.map_err(Told::from);
        for answer in together.drain(..) {
            // who no longer waits needs no answer
            let _ = answer.send(done.clone());
        }
    }
}

//! The verifier: once at the start and then each day it has the index compare what it holds with what was written. Damage that
//! no search meets would hide records without a word; once it is found, the indexer rebuilds the index.

use super::signals::IndexSignals;
use std::sync::Arc;
use std::time::Duration;
use store::search::SearchIndex;
use store::{StoreError, chain};
use tokio::runtime::Handle;

const BETWEEN: Duration = Duration::from_secs(24 * 3600);

/// Works until it is told to stop.
pub(super) fn run(index: &Arc<dyn SearchIndex>, signals: &Arc<IndexSignals>, threads: &Handle) {
    while !signals.is_stopped() && !index.is_read_only() {
        let own = signals.clone();
        let verified = threads.block_on(index.verify(Box::new(move || own.is_stopped())));
        match verified {
            Ok(()) => {}
            Err(StoreError::IndexDamaged) => signals.wake(),
            Err(error) => {
                tracing::warn!(error = chain(&error), "the search index can't be verified");
            }
        }
        threads.block_on(async {
            tokio::select! {
                () = tokio::time::sleep(BETWEEN) => {}
                () = signals.stopped() => {}
            }
        });
    }
}

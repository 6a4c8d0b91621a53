//! A search index that can't be written while a story says so, as on a full disk, or that takes its time.

use runtime::store::search::{Count, Document, Progress, Search, SearchIndex, SearchPage, Tally};
use runtime::store::{StoreError, StoreFuture};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// An index that is full while it is told to be, and takes its time for documents.
pub struct StuckIndex {
    inner: Arc<dyn SearchIndex>,
    is_full: AtomicBool,
    pause: Duration,
}

impl StuckIndex {
    /// Before another index; one that has room.
    pub fn of(inner: Arc<dyn SearchIndex>) -> Self {
        StuckIndex {
            inner,
            is_full: AtomicBool::new(false),
            pause: Duration::ZERO,
        }
    }

    /// The same, which needs so long for documents.
    #[must_use]
    pub fn with_pause(self, pause: Duration) -> Self {
        StuckIndex { pause, ..self }
    }

    /// Refuses what is to be written from now on.
    pub fn fill_up(&self) {
        self.is_full.store(true, Ordering::SeqCst);
    }

    /// Has room again.
    pub fn make_room(&self) {
        self.is_full.store(false, Ordering::SeqCst);
    }
}

impl SearchIndex for StuckIndex {
    fn progress(&self) -> Option<Arc<Progress>> {
        self.inner.progress()
    }

    fn clear(&self) -> StoreFuture<'_, ()> {
        self.inner.clear()
    }

    fn apply(&self, documents: Vec<Document>, progress: Progress) -> StoreFuture<'_, ()> {
        if self.is_full.load(Ordering::SeqCst) {
            return Box::pin(async { Err(StoreError::Damaged("the disk is full".to_owned())) });
        }
        Box::pin(async move {
            if !documents.is_empty() {
                tokio::time::sleep(self.pause).await;
            }
            self.inner.apply(documents, progress).await
        })
    }

    fn find(&self, search: Search) -> StoreFuture<'_, SearchPage> {
        self.inner.find(search)
    }

    fn count(&self, count: Count) -> StoreFuture<'_, Tally> {
        self.inner.count(count)
    }
}

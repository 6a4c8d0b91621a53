//! A search index that can't be written while a story says so, as on a full disk, whose database does not answer what is written
//! or cuts it off, that takes its time or stands still, or whose searches are held where they begin. It remembers what it got at
//! a time.

use runtime::store::search::{Count, Document, Progress, Search, SearchIndex, SearchPage, Tally};
use runtime::store::{Lack, StoreError, StoreFuture};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// An index that is full while it is told to be, and takes its time for documents.
pub struct StuckIndex {
    inner: Arc<dyn SearchIndex>,
    is_full: AtomicBool,
    /// How often something was refused because it is full.
    refused: AtomicUsize,
    is_away: AtomicBool,
    is_cut_off: AtomicBool,
    stands_still: AtomicBool,
    holds_finds: AtomicBool,
    /// Searches that are held.
    held_finds: AtomicUsize,
    pause: Mutex<Duration>,
    /// How many documents it got at a time, as often as it got any.
    batches: Mutex<Vec<usize>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no panic holds it")
}

impl StuckIndex {
    /// Before another index; one that has room.
    pub fn of(inner: Arc<dyn SearchIndex>) -> Self {
        StuckIndex {
            inner,
            is_full: AtomicBool::new(false),
            refused: AtomicUsize::new(0),
            is_away: AtomicBool::new(false),
            is_cut_off: AtomicBool::new(false),
            stands_still: AtomicBool::new(false),
            holds_finds: AtomicBool::new(false),
            held_finds: AtomicUsize::new(0),
            pause: Mutex::default(),
            batches: Mutex::default(),
        }
    }

    /// The same, which needs so long for documents.
    #[must_use]
    pub fn with_pause(self, pause: Duration) -> Self {
        self.take_time(pause);
        self
    }

    /// Needs so long for documents from now on.
    pub fn take_time(&self, pause: Duration) {
        *locked(&self.pause) = pause;
    }

    /// How many documents it got at a time since this was asked last.
    pub fn taken_batches(&self) -> Vec<usize> {
        std::mem::take(&mut *locked(&self.batches))
    }

    /// Refuses what is to be written from now on.
    pub fn fill_up(&self) {
        self.is_full.store(true, Ordering::SeqCst);
    }

    /// How often it refused something because it is full.
    pub fn refused(&self) -> usize {
        self.refused.load(Ordering::SeqCst)
    }

    /// Answers nothing that is to be written from now on.
    pub fn go_away(&self) {
        self.is_away.store(true, Ordering::SeqCst);
    }

    /// Is cut off in whatever is to be written from now on.
    pub fn be_cut_off(&self) {
        self.is_cut_off.store(true, Ordering::SeqCst);
    }

    /// Is there again, and has time.
    pub fn come_back(&self) {
        self.is_away.store(false, Ordering::SeqCst);
        self.is_cut_off.store(false, Ordering::SeqCst);
    }

    /// Ends nothing that is to be written, from now on.
    pub fn stand_still(&self) {
        self.stands_still.store(true, Ordering::SeqCst);
    }

    /// Goes on with it.
    pub fn go_on(&self) {
        self.stands_still.store(false, Ordering::SeqCst);
    }

    /// Holds searches where they look into the index, from now on.
    pub fn hold_finds(&self) {
        self.holds_finds.store(true, Ordering::SeqCst);
    }

    /// Whether one is held.
    pub fn is_find_held(&self) -> bool {
        self.held_finds.load(Ordering::SeqCst) > 0
    }

    /// Lets them go on.
    pub fn let_finds_go(&self) {
        self.holds_finds.store(false, Ordering::SeqCst);
    }

    /// Has room again.
    pub fn make_room(&self) {
        self.is_full.store(false, Ordering::SeqCst);
    }
}

fn lacking(what: Lack, told: &'static str) -> StoreFuture<'static, ()> {
    let source = told.into();
    Box::pin(std::future::ready(Err(StoreError::Lacking {
        what,
        source,
    })))
}

impl SearchIndex for StuckIndex {
    fn progress(&self) -> Option<Arc<Progress>> {
        self.inner.progress()
    }

    fn emptied(&self) -> u64 {
        self.inner.emptied()
    }

    fn clear(&self) -> StoreFuture<'_, ()> {
        self.inner.clear()
    }

    fn apply(&self, documents: Vec<Document>, progress: Progress) -> StoreFuture<'_, ()> {
        if self.is_full.load(Ordering::SeqCst) {
            self.refused.fetch_add(1, Ordering::SeqCst);
            return lacking(Lack::Room, "the disk is full");
        }
        if self.is_away.load(Ordering::SeqCst) {
            return Box::pin(async { Err(StoreError::Unreachable("nobody answers".into())) });
        }
        if self.is_cut_off.load(Ordering::SeqCst) {
            return lacking(Lack::Time, "it took too long");
        }
        Box::pin(async move {
            while self.stands_still.load(Ordering::SeqCst) {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            if !documents.is_empty() {
                locked(&self.batches).push(documents.len());
                let pause = *locked(&self.pause);
                tokio::time::sleep(pause).await;
            }
            self.inner.apply(documents, progress).await
        })
    }

    fn find(&self, search: Search) -> StoreFuture<'_, SearchPage> {
        Box::pin(async move {
            self.held_finds.fetch_add(1, Ordering::SeqCst);
            while self.holds_finds.load(Ordering::SeqCst) {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            self.held_finds.fetch_sub(1, Ordering::SeqCst);
            self.inner.find(search).await
        })
    }

    fn count(&self, count: Count) -> StoreFuture<'_, Tally> {
        self.inner.count(count)
    }
}

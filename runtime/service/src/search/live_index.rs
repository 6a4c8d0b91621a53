//! The index while it is used: the thread that feeds it, how far it is, and the waiting of searches until it
//! has what was written before they came.

use super::indexer::Indexer;
use super::low_priority;
use super::places::SearchPlaces;
use super::signals::{IndexPace, IndexSignals, Steps};
use super::verifier;
use crate::ids::IdCipher;
use crate::{Refusal, Service, Store};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Duration;
use store::search::{Aim, Progress, SearchIndex};
use store::{StoreError, own_thread};
use tokio::runtime::Handle;
use tokio::time::Instant;

/// How long a search may take: waiting for the index and for a place, and looking.
pub const WAIT_MAX: Duration = Duration::from_secs(10);
/// What may be set at most, a year: what is added to a moment is to be one, too.
const SET_MAX: Duration = Duration::from_secs(365 * 24 * 3600);
/// When to come back after a search waited in vain.
pub(super) const RETRY_SECONDS: u64 = 5;

/// Whether the index has what a search waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Freshness {
    /// All that was written before the search came.
    Current,
    /// It can't be written, and lacks what was written last.
    Behind,
}

/// How the index stands.
#[derive(Clone, Debug)]
pub struct SearchState {
    /// Up to which entry of the change log it has all, but for the datasets that are being read.
    pub applied: u64,
    /// Entries of the change log that are not in it yet.
    pub behind: u64,
    /// Datasets that are being read from the first record to the last.
    pub reading: usize,
    /// Whether the indexer has seen since it began that the index is of this store, and it knows the schemas as they are now:
    /// before, datasets may be still to be read.
    pub is_known: bool,
    /// Whether it is only read, so that it stays as it is.
    pub is_read_only: bool,
    /// Why the indexer's last step failed, if it did.
    pub failure: Option<String>,
}

/// The index of a service and the thread that feeds it.
pub(crate) struct LiveIndex {
    pub(super) index: Arc<dyn SearchIndex>,
    signals: Arc<IndexSignals>,
    thread: Mutex<Option<JoinHandle<()>>>,
    verifier: Mutex<Option<JoinHandle<()>>>,
    pub(super) time_max: Duration,
    pub(super) places: SearchPlaces,
}

impl LiveIndex {
    /// Starts the indexer. Needs a tokio runtime around it.
    fn start(
        store: Arc<dyn Store>,
        index: Arc<dyn SearchIndex>,
        ids: IdCipher,
        time_max: Duration,
        pace: IndexPace,
    ) -> Self {
        let signals = Arc::new(IndexSignals::new(pace));
        let indexer = Indexer {
            store,
            index: index.clone(),
            signals: signals.clone(),
            ids,
            documents: None,
        };
        let threads = Handle::current();
        let started = std::thread::Builder::new()
            .name("fieldstone-indexer".to_owned())
            .spawn(move || {
                low_priority::take();
                own_thread::do_it_here();
                indexer.run(&threads);
            });
        if let Err(error) = &started {
            tracing::error!(%error, "the search index can't be fed: its thread does not start");
        }
        LiveIndex {
            index,
            signals,
            thread: Mutex::new(started.ok()),
            verifier: Mutex::default(),
            time_max: time_max.min(SET_MAX),
            places: SearchPlaces::default(),
        }
    }

    /// Starts the thread that looks for damage. Needs a tokio runtime around it.
    fn start_verifier(&self) {
        let (index, signals) = (self.index.clone(), self.signals.clone());
        let threads = Handle::current();
        let started = std::thread::Builder::new()
            .name("fieldstone-verifier".to_owned())
            .spawn(move || {
                low_priority::take();
                verifier::run(&index, &signals, &threads);
            });
        match started {
            Ok(thread) => *self.verifier.lock() = Some(thread),
            Err(error) => {
                tracing::error!(%error, "damage to the search index is not looked for: its thread does not start");
            }
        }
    }

    /// Waits until the index has what the log says up to `head`, and the aims as they are now. While it can't be
    /// written, what it has of them is all there is: then it may be behind, which is answered, with how often it had been emptied
    /// by then.
    pub(super) async fn wait(
        &self,
        head: u64,
        versions: &BTreeMap<&str, i64>,
        aims: &[Aim],
        deadline: Instant,
    ) -> Result<(Freshness, u64), Refusal> {
        let knows_all = |progress: &Progress| {
            let is_read = |aim: &Aim| !progress.walks.contains_key(&aim.dataset);
            let is_current = |(schema, version): (&&str, &i64)| {
                progress
                    .versions
                    .get(*schema)
                    .is_some_and(|known| known >= version)
            };
            versions.iter().all(is_current) && aims.iter().all(is_read)
        };
        let is_up_to_head = |progress: &Progress| progress.applied >= head;
        let mut steps = self.signals.steps.subscribe();
        // before its first step, the indexer has not seen yet whether the index is of this store
        let is_up = |steps: Steps, is_final: bool| {
            steps.done > 0
                && self.index.progress().is_some_and(|progress| {
                    knows_all(&progress) && (is_final || is_up_to_head(&progress))
                })
        };
        let before = *steps.borrow();
        loop {
            // before the progress is looked at: what is emptied behind that has another number
            let emptied = self.index.emptied();
            let now = *steps.borrow_and_update();
            // it tried since, or never will
            let is_final = now.failed > before.failed || self.index.is_read_only();
            // what it lacks then is not known to be lacking for long
            let is_unanswered = now.unanswered > before.unanswered;
            if is_up(now, is_final && !is_unanswered) {
                let progress = self.index.progress();
                let is_current = progress.is_some_and(|progress| is_up_to_head(&progress));
                let freshness = if is_current {
                    Freshness::Current
                } else {
                    Freshness::Behind
                };
                return Ok((freshness, emptied));
            }
            if is_final {
                return Err(Refusal::NotReady {
                    seconds: RETRY_SECONDS,
                });
            }
            self.signals.wake();
            let step = tokio::time::timeout_at(deadline, steps.changed()).await;
            if !matches!(step, Ok(Ok(()))) {
                return Err(Refusal::NotReady {
                    seconds: RETRY_SECONDS,
                });
            }
        }
    }
}

impl LiveIndex {
    /// Has the index made anew, and waits until it is empty.
    async fn begin_anew(&self) -> Result<(), Refusal> {
        if self.index.is_read_only() {
            return Err(StoreError::ReadOnly.into());
        }
        let is_at_work = |thread: &JoinHandle<()>| !thread.is_finished();
        let is_fed = self.thread.lock().as_ref().is_some_and(is_at_work);
        if is_fed && self.signals.empty_anew().await {
            return Ok(());
        }
        Err(Refusal::NotReady {
            seconds: RETRY_SECONDS,
        })
    }

    /// Whether a dataset's records are being read from the first to the last, so that nothing is told of it yet.
    pub(super) fn is_reading(&self, dataset: u32) -> bool {
        let progress = self.index.progress();
        progress.is_some_and(|progress| progress.walks.contains_key(&dataset))
    }

    /// Tells the indexer that there is something to do.
    pub(super) fn wake(&self) {
        self.signals.wake();
    }
}

impl Drop for LiveIndex {
    fn drop(&mut self) {
        self.signals.stop();
        for thread in [&self.thread, &self.verifier] {
            if let Some(thread) = thread.lock().take() {
                // one that panicked has ended too
                let _ = thread.join();
            }
        }
    }
}

impl Service {
    /// Gives the service an index and starts the thread that feeds it; the first one stays. Needs a tokio
    /// runtime around it. A search takes at most `time_max`, see [`WAIT_MAX`].
    pub fn start_search(&self, index: Arc<dyn SearchIndex>, time_max: Duration) {
        self.live_index.get_or_init(|| {
            let (store, ids) = (self.store.clone(), self.ids.clone());
            let pace = self.settings.index_pace;
            let live_index = LiveIndex::start(store, index, ids, time_max, pace);
            // a command ends too soon to read all of the index
            if !self.is_of_command.load(Ordering::Relaxed) {
                live_index.start_verifier();
            }
            live_index
        });
    }

    /// Has the search index made anew, from the records, whatever is in it; searches wait until it has been. Answers once it
    /// is empty, with the number of datasets that are to be read. Of servers that share it each learns of it by itself.
    ///
    /// # Errors
    /// [`Refusal::NotReady`] where there is none, and where it can't be emptied now; that it is only read.
    pub async fn rebuild_index(&self) -> Result<usize, Refusal> {
        let live_index = self.live_index.get().ok_or(Refusal::NotReady {
            seconds: RETRY_SECONDS,
        })?;
        live_index.begin_anew().await?;
        Ok(self.store.catalog().datasets.len())
    }

    /// Ends the indexer and waits for it, so that the store can be closed.
    pub async fn stop_search(&self) {
        let Some(live_index) = self.live_index.get() else {
            return;
        };
        live_index.signals.stop();
        let threads = [&live_index.thread, &live_index.verifier].map(|it| it.lock().take());
        for thread in threads.into_iter().flatten() {
            // one that panicked has ended too
            let _ = tokio::task::spawn_blocking(move || thread.join()).await;
        }
    }

    /// Notes writes of records that were done, and waits while the index is too far behind them.
    pub(crate) async fn pace_writes(&self, writes: u64) {
        if let Some(live_index) = self.live_index.get() {
            live_index.signals.pace(writes).await;
        }
    }

    /// Up to which entry of the change log the index has all; `None` without one, and where it can't follow.
    pub(crate) fn indexed(&self) -> Option<u64> {
        let live_index = self.live_index.get()?;
        if live_index.index.is_read_only() {
            return None;
        }
        let progress = live_index.index.progress();
        Some(progress.map_or(0, |progress| progress.applied))
    }

    /// How the index stands; `None` without one.
    ///
    /// # Errors
    /// The store's.
    pub async fn search_state(&self) -> Result<Option<SearchState>, StoreError> {
        let Some(live_index) = self.live_index.get() else {
            return Ok(None);
        };
        let head = self.store.log_head().await?;
        let progress = live_index.index.progress();
        let failure = live_index.signals.failure.lock().clone();
        let applied = progress.as_ref().map_or(0, |progress| progress.applied);
        let has_begun = live_index.signals.steps.borrow().done > 0;
        let catalog = self.store.catalog();
        let knows_schemas = |progress: &Arc<Progress>| {
            catalog.schemas.values().all(|entry| {
                let known = progress.versions.get(&entry.id);
                known.is_some_and(|known| *known >= entry.current().number)
            })
        };
        Ok(Some(SearchState {
            applied,
            behind: head.saturating_sub(applied),
            is_known: has_begun && progress.as_ref().is_some_and(knows_schemas),
            is_read_only: live_index.index.is_read_only(),
            reading: progress.map_or(0, |progress| progress.walks.len()),
            failure,
        }))
    }
}

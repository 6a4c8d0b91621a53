//! What the indexer and those who wait for it tell each other: that there is something to do, how far it has come, and how
//! far it is behind, by which writers are slowed down.

use parking_lot::{Condvar, Mutex};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::watch;

/// How long the indexer rests when it has seen everything and nobody waits: what is written meanwhile goes
/// into the index together, which is less work than piece by piece.
pub(super) const REST: Duration = Duration::from_millis(200);
/// How long it rests after a failure.
pub(super) const REST_AFTER_FAILURE: Duration = Duration::from_secs(1);

/// How writers are slowed down while the index is far behind them.
#[derive(Clone, Copy, Debug)]
pub struct IndexPace {
    /// From how many entries behind the log on writers wait.
    pub behind_max: u64,
    /// How long one write waits at most: an index that stands still stops nobody.
    pub wait_max: Duration,
}

impl Default for IndexPace {
    fn default() -> Self {
        IndexPace {
            behind_max: 20_000,
            wait_max: Duration::from_millis(500),
        }
    }
}

/// How many steps there were.
#[derive(Clone, Copy, Default)]
pub(super) struct Steps {
    /// Those that were done; the first one says that the index is of this store.
    pub(super) done: u64,
    /// Those that failed.
    pub(super) failed: u64,
    /// Of these, those to which the store's database did not answer: nothing says that the index can't be written.
    pub(super) unanswered: u64,
    /// Those that emptied the index, because it is to be made anew.
    pub(super) emptied: u64,
    /// Those that failed and were to empty it: of a step that was under way when it was asked for, nothing follows.
    pub(super) not_emptied: u64,
}

#[derive(Default)]
struct Calls {
    wake: bool,
    stop: bool,
    anew: bool,
}

/// What the indexer and those who wait for it share.
pub(super) struct IndexSignals {
    pace: IndexPace,
    calls: Mutex<Calls>,
    bell: Condvar,
    /// Set with the call to stop: a step may have to wait for something.
    stopped: watch::Sender<bool>,
    /// Changes with every step.
    pub(super) steps: watch::Sender<Steps>,
    /// Why the last step failed.
    pub(super) failure: Mutex<Option<String>>,
    /// Entries of the log that are not in the index, as of the last step, and those written since.
    behind: AtomicU64,
}

impl IndexSignals {
    pub(super) fn new(pace: IndexPace) -> Self {
        IndexSignals {
            pace,
            calls: Mutex::default(),
            bell: Condvar::new(),
            stopped: watch::Sender::new(false),
            steps: watch::Sender::new(Steps::default()),
            failure: Mutex::new(None),
            behind: AtomicU64::new(0),
        }
    }

    /// Ends the indexer's rest.
    pub(super) fn wake(&self) {
        self.calls.lock().wake = true;
        self.bell.notify_one();
    }

    /// Has the indexer make the index anew, and waits until it is empty. `false` where the step failed that was to empty it, or
    /// the indexer is to end before.
    pub(super) async fn empty_anew(&self) -> bool {
        let mut steps = self.steps.subscribe();
        let before = *steps.borrow_and_update();
        self.calls.lock().anew = true;
        self.wake();
        loop {
            let is_at_work = tokio::select! {
                changed = steps.changed() => changed.is_ok(),
                () = self.stopped() => false,
            };
            let now = *steps.borrow_and_update();
            if now.emptied > before.emptied {
                return true;
            }
            if now.not_emptied > before.not_emptied || !is_at_work {
                return false;
            }
        }
    }

    /// Whether the index is to be made anew.
    pub(super) fn is_asked_anew(&self) -> bool {
        self.calls.lock().anew
    }

    /// Notes that the index is empty.
    pub(super) fn note_emptied(&self) {
        self.calls.lock().anew = false;
        self.steps.send_modify(|steps| steps.emptied += 1);
    }

    /// Ends the indexer after the step under way, or while that waits.
    pub(super) fn stop(&self) {
        self.calls.lock().stop = true;
        self.stopped.send_replace(true);
        self.bell.notify_one();
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.calls.lock().stop
    }

    /// Waits until the indexer is to end.
    pub(super) async fn stopped(&self) {
        let mut stopped = self.stopped.subscribe();
        // the sender lives as long as this
        let _ = stopped.wait_for(|stopped| *stopped).await;
    }

    /// Rests for a time, or until somebody wakes or stops the indexer, or did since it rested last.
    pub(super) fn rest(&self, time: Duration) {
        let mut calls = self.calls.lock();
        self.bell
            .wait_while_for(&mut calls, |calls| !calls.wake && !calls.stop, time);
        calls.wake = false;
    }

    /// How many entries count as behind: to be asked before one looks how many there are.
    pub(super) fn counted(&self) -> u64 {
        self.behind.load(Ordering::Relaxed)
    }

    /// Notes how far the index is behind, in place of what was counted before one looked; what was counted since counts still.
    /// Who waits for it is told, though the step found nothing to do.
    pub(super) fn set_behind(&self, entries: u64, counted: u64) {
        // up before down: those who count meanwhile never see less than there is
        let before = self.behind.fetch_add(entries, Ordering::Relaxed);
        self.behind.fetch_sub(counted, Ordering::Relaxed);
        if before > self.pace.behind_max {
            self.steps.send_modify(|_| {});
        }
    }

    /// Notes writes, and waits while the index is too far behind, unless it stands still.
    pub(super) async fn pace(&self, writes: u64) {
        let behind = self.behind.fetch_add(writes, Ordering::Relaxed) + writes;
        let IndexPace {
            behind_max,
            wait_max,
        } = self.pace;
        if behind <= behind_max {
            return;
        }
        let mut steps = self.steps.subscribe();
        // it may rest, so that more comes together
        self.wake();
        let is_near = async {
            while self.counted() > behind_max
                && self.failure.lock().is_none()
                && steps.changed().await.is_ok()
            {}
        };
        // one that takes longer has something else to do first
        let _ = tokio::time::timeout(wait_max, is_near).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::time::Instant;

    #[tokio::test]
    async fn writers_wait_only_while_the_index_is_far_behind_and_moves() {
        // so long that a machine which does something else meanwhile is none that waited
        let wait_max = Duration::from_secs(60);
        let pace = IndexPace {
            wait_max,
            ..IndexPace::default()
        };
        let behind_max = pace.behind_max;
        let signals = Arc::new(IndexSignals::new(pace));
        let began = Instant::now();
        signals.pace(behind_max).await;
        assert!(began.elapsed() < wait_max, "it is near enough");
        let waiting = tokio::spawn({
            let signals = signals.clone();
            async move { signals.pace(1).await }
        });
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert!(!waiting.is_finished());
        signals.set_behind(10, signals.counted());
        waiting.await.unwrap();
        // one that fails stops nobody
        *signals.failure.lock() = Some("no room".to_owned());
        let began = Instant::now();
        signals.pace(2 * behind_max).await;
        assert!(began.elapsed() < wait_max);
    }

    #[tokio::test]
    async fn what_is_written_while_one_looks_how_far_the_index_is_counts_still() {
        let signals = IndexSignals::new(IndexPace::default());
        signals.pace(3).await;
        let counted = signals.counted();
        signals.pace(2).await;
        signals.set_behind(1, counted);
        assert_eq!(signals.counted(), 3);
        signals.set_behind(0, signals.counted());
        assert_eq!(signals.counted(), 0);
    }

    #[tokio::test]
    async fn who_has_the_index_made_anew_waits_until_it_is_empty_and_for_no_indexer_that_ends() {
        let fail = |it: &IndexSignals| it.steps.send_modify(|steps| steps.not_emptied += 1);
        for (last, expected) in [("emptied", true), ("failed", false), ("stopped", false)] {
            let signals = Arc::new(IndexSignals::new(IndexPace::default()));
            let waiting = tokio::spawn({
                let signals = signals.clone();
                async move { signals.empty_anew().await }
            });
            tokio::time::sleep(Duration::from_millis(20)).await;
            // any other step, also one that was under way and fails
            signals.steps.send_modify(|steps| {
                steps.done += 1;
                steps.failed += 1;
            });
            tokio::time::sleep(Duration::from_millis(20)).await;
            assert!(signals.is_asked_anew() && !waiting.is_finished());
            match last {
                "emptied" => signals.note_emptied(),
                "failed" => fail(&signals),
                _ => signals.stop(),
            }
            let ended = tokio::time::timeout(Duration::from_secs(30), waiting).await;
            assert_eq!(ended.expect("it ends").unwrap(), expected, "{last}");
        }
    }

    #[test]
    fn a_call_that_came_before_the_rest_is_not_lost() {
        let signals = IndexSignals::new(IndexPace::default());
        signals.wake();
        let began = Instant::now();
        signals.rest(Duration::from_secs(60));
        signals.stop();
        signals.rest(Duration::from_secs(60));
        assert!(began.elapsed() < Duration::from_secs(30) && signals.is_stopped());
    }
}

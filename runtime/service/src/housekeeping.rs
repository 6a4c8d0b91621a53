//! What is done beside answering, again and again: tasks with a name and a pace. It ends when it is told to,
//! and waits for what is under way. It does not know what a task does, or of which service: `chores.rs` does.

use std::pin::Pin;
use std::time::Duration;
use store::StoreError;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tracing::Instrument as _;

/// How long a task that is under way is waited for at the end. One that takes longer is cut off, and does
/// the rest the next time.
const STOP_TIME_MAX: Duration = Duration::from_secs(10);

/// One turn of a task.
pub(super) type Turn = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send>>;

/// Something to do again and again.
pub(super) struct PeriodicTask {
    /// What the log calls it.
    pub(super) name: &'static str,
    /// How long after the start the first turn is.
    pub(super) first: Duration,
    /// How long after the turn before the next one is.
    pub(super) pause: Box<dyn Fn() -> Duration + Send + Sync>,
    /// Takes a turn.
    pub(super) turn: Box<dyn Fn() -> Turn + Send + Sync>,
}

/// Tasks at work. They end with it.
pub(super) struct Housekeeping {
    stop: watch::Sender<bool>,
    tasks: tokio::sync::Mutex<JoinSet<()>>,
}

impl Housekeeping {
    /// Starts the tasks. Needs a tokio runtime around it.
    pub(super) fn start(tasks: Vec<PeriodicTask>) -> Self {
        let stop = watch::Sender::new(false);
        let mut set = JoinSet::new();
        for task in tasks {
            let span = tracing::debug_span!("housekeeping", task = task.name);
            set.spawn(task.run(stop.subscribe()).instrument(span));
        }
        Housekeeping {
            stop,
            tasks: tokio::sync::Mutex::new(set),
        }
    }

    /// Ends the tasks; waits for turns that are under way.
    pub(super) async fn stop(&self) {
        self.stop.send_replace(true);
        let mut tasks = self.tasks.lock().await;
        // a task that panicked has ended too
        let all = async { while tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(STOP_TIME_MAX, all).await.is_err() {
            tracing::warn!("housekeeping takes long, and is cut off");
            tasks.shutdown().await;
        }
    }
}

impl PeriodicTask {
    async fn run(self, mut stop: watch::Receiver<bool>) {
        let mut pause = self.first;
        loop {
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                // a sender that is gone means the end as well
                _ = stop.wait_for(|is_stopping| *is_stopping) => return,
            }
            if let Err(error) = (self.turn)().await {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    task = self.name,
                    "housekeeping failed"
                );
            }
            pause = (self.pause)();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    const MOMENT: Duration = Duration::from_millis(1);

    /// A task that counts its turns as they begin and as they end, and the counts.
    fn counting(
        takes: Duration,
        result: fn() -> Result<(), StoreError>,
    ) -> (PeriodicTask, Arc<[AtomicU32; 2]>) {
        let counts = Arc::<[AtomicU32; 2]>::default();
        let shared = counts.clone();
        let task = PeriodicTask {
            name: "counting",
            first: MOMENT,
            pause: Box::new(|| MOMENT),
            turn: Box::new(move || {
                let counts = shared.clone();
                Box::pin(async move {
                    counts[0].fetch_add(1, Ordering::Relaxed);
                    tokio::time::sleep(takes).await;
                    counts[1].fetch_add(1, Ordering::Relaxed);
                    result()
                })
            }),
        };
        (task, counts)
    }

    async fn reach(count: &AtomicU32, least: u32) {
        while count.load(Ordering::Relaxed) < least {
            tokio::time::sleep(MOMENT).await;
        }
    }

    #[tokio::test]
    async fn a_turn_that_fails_costs_neither_the_next_nor_the_other_tasks() {
        let (failing, failed) = counting(MOMENT, || Err(StoreError::Panicked));
        let (working, worked) = counting(MOMENT, || Ok(()));
        let housekeeping = Housekeeping::start(vec![failing, working]);
        reach(&failed[1], 3).await;
        reach(&worked[1], 3).await;
        housekeeping.stop().await;
    }

    #[tokio::test]
    async fn the_end_waits_for_a_turn_under_way_and_none_follows() {
        let (task, counts) = counting(Duration::from_secs(2), || Ok(()));
        let housekeeping = Housekeeping::start(vec![task]);
        reach(&counts[0], 1).await;
        housekeeping.stop().await;
        let [begun, ended] = [&counts[0], &counts[1]].map(|count| count.load(Ordering::Relaxed));
        assert_eq!((begun, ended), (1, 1));
        tokio::time::sleep(20 * MOMENT).await;
        assert_eq!(counts[0].load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn a_task_that_rests_does_not_hold_up_the_end() {
        let (mut task, counts) = counting(MOMENT, || Ok(()));
        task.first = Duration::from_secs(3600);
        Housekeeping::start(vec![task]).stop().await;
        assert_eq!(counts[0].load(Ordering::Relaxed), 0);
    }
}

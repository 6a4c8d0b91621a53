//! What a service does by itself, again and again, and how often: each server what is about its own memory and folders, one
//! server at a time what is for all that share the store. `housekeeping.rs` runs it; what a turn does is a function of the
//! room it is about.

use crate::Service;
use crate::housekeeping::{PeriodicTask, Turn};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;
use store::StoreError;

/// For how long a server that is at work for all has the task without another word of it, and for how much longer than its
/// pause once it is done: so long after a turn that broke off, or did not come, another one may take it over.
const LEASE: Duration = Duration::from_secs(60);
/// How often it says that it is at work.
const RENEW_PAUSE: Duration = Duration::from_secs(20);
/// How often those look at most who would take it over.
const LOOK_PAUSE: Duration = Duration::from_secs(60);
/// How often the server's clock is compared with the database's.
const COMPARE_PAUSE: Duration = Duration::from_secs(60);

/// How often a service sees to itself.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// How long after one writing of the times of use the next one is.
    pub flush_pause: Duration,
    /// How long after the start files that no record refers to are looked for: early enough that a service
    /// which is started every hour cleans, too.
    pub clean_first: Duration,
    /// How long after one cleaning of files the next one is.
    pub clean_pause: Duration,
    /// How long after one keeping of the day's counts the next one is: what is written at the end of a day and before
    /// the next one begins is counted as of the next.
    pub count_pause: Duration,
}

impl Default for Schedule {
    fn default() -> Self {
        Schedule {
            flush_pause: Duration::from_secs(5),
            clean_first: Duration::from_secs(5 * 60),
            clean_pause: Duration::from_secs(3 * 3600),
            count_pause: Duration::from_secs(5 * 60),
        }
    }
}

/// Something that a service does again and again.
struct Chore {
    /// What the log calls it.
    name: &'static str,
    /// Whether it is done for all and removes something by its age: a server whose clock is off leaves it to others.
    is_by_age: bool,
    /// How long after the start the first turn is.
    first: Duration,
    /// How long after a turn the next one is.
    pause: Duration,
    /// Takes a turn.
    turn: fn(Arc<Service>) -> Turn,
}

impl Chore {
    /// The task of a server that does it for itself.
    fn of_each(self, service: &Arc<Service>) -> PeriodicTask {
        let turn = turn_of(service, self.turn);
        self.task(turn)
    }

    /// The task of a server that does it for all, as long as it has the lease, which is of those that are told the same.
    fn of_one(self, service: &Arc<Service>, told: &str) -> PeriodicTask {
        let pause = self.pause;
        let lease = Arc::new(ChoreLease {
            name: format!("housekeeping {}{told}", self.name),
            is_by_age: self.is_by_age,
            pause,
            renew_pause: RENEW_PAUSE,
            is_elsewhere: AtomicBool::new(false),
        });
        let turn = turn_of_one(service, lease.clone(), self.turn);
        PeriodicTask {
            pause: Box::new(move || lease.pause()),
            ..self.task(turn)
        }
    }

    fn task(self, turn: Box<dyn Fn() -> Turn + Send + Sync>) -> PeriodicTask {
        let pause = self.pause;
        PeriodicTask {
            name: self.name,
            first: self.first,
            pause: Box::new(move || pause),
            turn,
        }
    }
}

/// What says that a server does something for all.
struct ChoreLease {
    name: String,
    /// Whether it is of a chore that removes something by its age.
    is_by_age: bool,
    /// How long after a turn the next one is.
    pause: Duration,
    /// How often it is said that a turn is under way.
    renew_pause: Duration,
    /// Whether another server had it when it was asked for last, or may have it, because nobody could be asked.
    is_elsewhere: AtomicBool,
}

impl ChoreLease {
    /// How long after a look the next one is: who does not have it looks soon enough to take it over.
    fn pause(&self) -> Duration {
        if self.is_elsewhere.load(Ordering::Relaxed) {
            self.pause.min(LOOK_PAUSE)
        } else {
            self.pause
        }
    }

    async fn hold(&self, service: &Service, time: Duration) -> Result<bool, StoreError> {
        let longest = self.pause.saturating_add(LEASE);
        service.hold_lease(&self.name, time, longest).await
    }

    /// Takes it for a turn, if no other server has it.
    async fn take(&self, service: &Service) -> Result<bool, StoreError> {
        let taken = self.hold(service, LEASE).await;
        self.note(&taken);
        taken
    }

    /// Notes whose it is.
    fn note(&self, held: &Result<bool, StoreError>) {
        let is_own = matches!(held, Ok(true));
        self.is_elsewhere.store(!is_own, Ordering::Relaxed);
    }

    /// Holds it until a turn is over, and if that was done well until behind the next one. A turn that another server has by
    /// now is left to that one: what is done is done, and the rest it does.
    async fn hold_for<H>(
        &self,
        mut turn: Turn,
        hold: impl Fn(Duration) -> H,
    ) -> Result<(), StoreError>
    where
        H: Future<Output = Result<bool, StoreError>>,
    {
        loop {
            let taken = tokio::time::timeout(self.renew_pause, &mut turn).await;
            let time = match &taken {
                Err(_) => Some(LEASE),
                Ok(Ok(())) if self.pause > self.renew_pause => {
                    Some(self.pause.saturating_add(LEASE))
                }
                // of one that lasts until the next turn, that one says so
                Ok(_) => None,
            };
            if let Some(time) = time {
                let held = hold(time).await;
                self.note(&held);
                if taken.is_err() && matches!(held, Ok(false)) {
                    tracing::info!(lease = self.name, "left to another server midway");
                    return Ok(());
                }
                self.runs_out(held.err());
            }
            if let Ok(taken) = taken {
                return taken;
            }
        }
    }

    /// Leaves it to another server, and looks soon whether it may take it back.
    async fn leave(&self, service: &Service) {
        self.let_go(service).await;
        self.note(&Ok(false));
    }

    /// Lets go of it: another one may have more luck, and need not wait until it has run out.
    async fn let_go(&self, service: &Service) {
        self.runs_out(service.let_go_of_lease(&self.name).await.err());
    }

    /// Notes that nothing could be said of it; what two do at once then is harmless.
    fn runs_out(&self, error: Option<StoreError>) {
        if let Some(error) = error {
            tracing::debug!(
                error = &error as &dyn std::error::Error,
                lease = self.name,
                "a lease runs out"
            );
        }
    }
}

/// What a service does by itself.
pub(super) fn tasks(service: &Arc<Service>, schedule: Schedule) -> Vec<PeriodicTask> {
    let of_each = chores_of_each_server(schedule).into_iter();
    let of_each = of_each.map(|chore| chore.of_each(service));
    let of_one = chores_of_one_server(service, schedule).into_iter();
    let of_one = of_one.map(|(chore, told)| chore.of_one(service, &told));
    of_each.chain(of_one).collect()
}

/// What each server does: it is about what that server has in its memory, or in a folder of its own.
fn chores_of_each_server(schedule: Schedule) -> Vec<Chore> {
    vec![
        Chore {
            name: "comparing clocks",
            is_by_age: false,
            first: Duration::ZERO,
            pause: COMPARE_PAUSE,
            turn: |service| Box::pin(async move { service.compare_clocks().await }),
        },
        Chore {
            name: "noting times of use",
            is_by_age: false,
            first: schedule.flush_pause,
            pause: schedule.flush_pause,
            turn: |service| {
                Box::pin(async move {
                    service.remove_ended().await?;
                    service.flush_last_used().await
                })
            },
        },
        Chore {
            name: "writing what was refused",
            is_by_age: false,
            first: schedule.flush_pause,
            pause: schedule.flush_pause,
            turn: |service| Box::pin(async move { service.flush_incidents().await }),
        },
        Chore {
            name: "cleaning up behind jobs",
            is_by_age: false,
            first: schedule.clean_first,
            pause: schedule.clean_pause,
            turn: |service| Box::pin(async move { service.clean_jobs().await }),
        },
    ]
}

/// What one server at a time does for all that share the store, each with what the settings say of it: servers that are told
/// otherwise have leases of their own.
fn chores_of_one_server(service: &Service, schedule: Schedule) -> Vec<(Chore, String)> {
    let kept = service.settings().retention;
    let kept = [kept.changes, kept.trail, kept.deleted];
    let files = service.file_backend.get();
    let grace = files.map(|files| files.settings.grace_seconds);
    vec![
        (
            Chore {
                name: "forgetting tries that are back",
                is_by_age: false,
                first: schedule.clean_first,
                pause: schedule.flush_pause,
                turn: |service| {
                    Box::pin(async move { service.store().forget_whole_allowances().await })
                },
            },
            String::new(),
        ),
        (
            Chore {
                name: "forgetting marks of commits",
                is_by_age: false,
                first: schedule.clean_first,
                pause: schedule.clean_pause,
                turn: |service| Box::pin(async move { service.store().forget_commits().await }),
            },
            String::new(),
        ),
        (
            Chore {
                name: "removing what is older than it is kept",
                is_by_age: true,
                first: schedule.clean_first,
                pause: schedule.clean_pause,
                turn: |service| Box::pin(async move { service.remove_old().await.map(drop) }),
            },
            format!(" {kept:?}"),
        ),
        (
            Chore {
                name: "keeping the day's counts",
                is_by_age: true,
                first: schedule.clean_first,
                pause: schedule.count_pause,
                turn: |service| Box::pin(async move { service.keep_daily_counts().await }),
            },
            String::new(),
        ),
        (
            Chore {
                name: "cleaning up files",
                is_by_age: true,
                first: schedule.clean_first,
                pause: schedule.clean_pause,
                turn: clean_files,
            },
            format!(" {grace:?}"),
        ),
    ]
}

fn clean_files(service: Arc<Service>) -> Turn {
    Box::pin(async move {
        let cleaned = service.clean_files().await?;
        tracing::debug!(?cleaned, "looked for files without a record");
        Ok(())
    })
}

/// A turn on a service that its task does not keep alive: between turns its owner may drop it.
fn turn_of(
    service: &Arc<Service>,
    turn: fn(Arc<Service>) -> Turn,
) -> Box<dyn Fn() -> Turn + Send + Sync> {
    let service: Weak<Service> = Arc::downgrade(service);
    Box::new(move || match service.upgrade() {
        Some(service) => turn(service),
        None => Box::pin(std::future::ready(Ok(()))),
    })
}

/// The same of a service that has a lease, or none where another server has it.
fn turn_of_one(
    service: &Arc<Service>,
    lease: Arc<ChoreLease>,
    turn: fn(Arc<Service>) -> Turn,
) -> Box<dyn Fn() -> Turn + Send + Sync> {
    let service: Weak<Service> = Arc::downgrade(service);
    Box::new(move || {
        let (service, lease) = (service.upgrade(), lease.clone());
        Box::pin(async move {
            let Some(service) = service else {
                return Ok(());
            };
            if lease.is_by_age && service.now_for_ages().await?.is_none() {
                lease.leave(&service).await;
                return Ok(());
            }
            if !lease.take(&service).await? {
                return Ok(());
            }
            let hold = |time| lease.hold(&service, time);
            let taken = lease.hold_for(turn(service.clone()), hold).await;
            if taken.is_err() {
                lease.let_go(&service).await;
            }
            taken
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::ready;

    const PAUSE: Duration = Duration::from_secs(3 * 3600);
    const MOMENT: Duration = Duration::from_millis(1);

    fn lease(pause: Duration) -> ChoreLease {
        ChoreLease {
            name: "a chore".to_owned(),
            is_by_age: false,
            pause,
            renew_pause: MOMENT,
            is_elsewhere: AtomicBool::new(false),
        }
    }

    fn turn(ended: Result<(), StoreError>) -> Turn {
        Box::pin(ready(ended))
    }

    #[tokio::test]
    async fn a_turn_that_another_server_has_by_now_is_left_to_it_and_looked_for_soon() {
        let own = lease(PAUSE);
        let alive = Arc::new(());
        let held = alive.clone();
        let endless: Turn = Box::pin(async move {
            std::future::pending::<()>().await;
            drop(held);
            Ok(())
        });
        let ended = own.hold_for(endless, |_| ready(Ok(false))).await;
        assert!(ended.is_ok(), "{ended:?}");
        assert_eq!(Arc::strong_count(&alive), 1, "nothing more of it is done");
        assert_eq!(own.pause(), LOOK_PAUSE);
    }

    #[tokio::test]
    async fn who_may_have_lost_a_lease_at_the_end_of_a_turn_looks_for_it_soon() {
        let own = lease(PAUSE);
        for (held, pause) in [
            (Some(true), PAUSE),
            (Some(false), LOOK_PAUSE),
            (Some(true), PAUSE),
            (None, LOOK_PAUSE),
        ] {
            let hold = |_| ready(held.ok_or(StoreError::Closed));
            let ended = own.hold_for(turn(Ok(())), hold).await;
            assert!(ended.is_ok(), "{held:?}: {ended:?}");
            assert_eq!(own.pause(), pause, "{held:?}");
        }
    }

    #[tokio::test]
    async fn a_turn_goes_on_while_nobody_can_be_asked_whose_it_is() {
        let own = lease(PAUSE);
        let slow: Turn = Box::pin(async {
            tokio::time::sleep(20 * MOMENT).await;
            Err(StoreError::Panicked)
        });
        let ended = own.hold_for(slow, |_| ready(Err(StoreError::Closed))).await;
        assert!(matches!(ended, Err(StoreError::Panicked)), "{ended:?}");
        assert_eq!(own.pause(), LOOK_PAUSE);
    }
}

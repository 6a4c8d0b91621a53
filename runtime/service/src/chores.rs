//! What a service does by itself, again and again, and how often: each server what is about its own memory and folders, one
//! server at a time what is for all that share the store. `housekeeping.rs` runs it; what a turn does is a function of the
//! room it is about.

use self::TakeTurn::{ByAge, Plain};
use crate::Service;
use crate::housekeeping::{PeriodicTask, Turn};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;
use store::StoreError;
use wire::Timestamp;

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

/// How a turn is taken.
#[derive(Clone, Copy)]
enum TakeTurn {
    Plain(fn(Arc<Service>) -> Turn),
    /// It removes something by its age as of a moment: a server whose clock is off leaves it to others.
    ByAge(fn(Arc<Service>, Timestamp) -> Turn),
}

/// Something that a service does again and again.
struct Chore {
    /// What the log calls it.
    name: &'static str,
    /// What the settings say of it.
    settings: String,
    /// How long after the start the first turn is.
    first: Duration,
    /// How long after a turn the next one is.
    pause: Duration,
    turn: TakeTurn,
}

impl Chore {
    fn new(name: &'static str, [first, pause]: [Duration; 2], turn: TakeTurn) -> Self {
        Chore {
            name,
            settings: String::new(),
            first,
            pause,
            turn,
        }
    }

    /// The task of a server that does it for itself.
    fn of_each(self, service: &Arc<Service>) -> PeriodicTask {
        PeriodicTask {
            name: self.name,
            first: self.first,
            pause: Box::new(move || self.pause),
            turn: turn_of(service, None, self.turn),
        }
    }

    /// The task of a server that does it for all, as long as it has the lease, which is of those that are told the same.
    fn of_one(self, service: &Arc<Service>) -> PeriodicTask {
        let lease = Arc::new(ChoreLease {
            name: format!("housekeeping {}{}", self.name, self.settings),
            pause: self.pause,
            renew_pause: RENEW_PAUSE,
            is_elsewhere: AtomicBool::new(false),
        });
        PeriodicTask {
            turn: turn_of(service, Some(lease.clone()), self.turn),
            pause: Box::new(move || lease.pause()),
            ..self.of_each(service)
        }
    }
}

/// What says that a server does something for all.
struct ChoreLease {
    name: String,
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

    /// Takes a turn, if no other server has it.
    async fn take_turn(&self, service: &Service, turn: Turn) -> Result<(), StoreError> {
        let held = self.hold(service, LEASE).await;
        self.note(&held);
        if !held? {
            return Ok(());
        }
        let taken = self.hold_for(turn, |time| self.hold(service, time)).await;
        if taken.is_err() {
            self.let_go(service).await;
        }
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
    let of_one = of_one.map(|chore| chore.of_one(service));
    of_each.chain(of_one).collect()
}

/// What each server does: it is about what that server has in its memory, or in a folder of its own.
fn chores_of_each_server(schedule: Schedule) -> Vec<Chore> {
    let flush = [schedule.flush_pause; 2];
    vec![
        Chore::new(
            "comparing clocks",
            [Duration::ZERO, COMPARE_PAUSE],
            Plain(|service| Box::pin(async move { service.compare_clocks().await })),
        ),
        Chore::new(
            "noting times of use",
            flush,
            Plain(|service| {
                Box::pin(async move {
                    service.remove_ended().await?;
                    service.flush_last_used().await
                })
            }),
        ),
        Chore::new(
            "writing what was refused",
            flush,
            Plain(|service| Box::pin(async move { service.flush_incidents().await })),
        ),
        Chore::new(
            "cleaning up behind jobs",
            [schedule.clean_first, schedule.clean_pause],
            Plain(|service| Box::pin(async move { service.clean_jobs().await })),
        ),
    ]
}

/// What one server at a time does for all that share the store, each with what the settings say of it: servers that are told
/// otherwise have leases of their own.
fn chores_of_one_server(service: &Service, schedule: Schedule) -> Vec<Chore> {
    let kept = service.settings().retention;
    let kept = [kept.changes, kept.trail, kept.deleted];
    let files = service.file_backend.get();
    let grace = files.map(|files| files.settings.grace_seconds);
    let (first, pause) = (schedule.clean_first, schedule.clean_pause);
    vec![
        Chore::new(
            "forgetting tries that are back",
            [first, schedule.flush_pause],
            Plain(|service| {
                Box::pin(async move { service.store().forget_whole_allowances().await })
            }),
        ),
        Chore::new(
            "forgetting marks of commits",
            [first, pause],
            Plain(|service| Box::pin(async move { service.store().forget_commits().await })),
        ),
        Chore {
            settings: format!(" {kept:?}"),
            ..Chore::new(
                "removing what is older than it is kept",
                [first, pause],
                ByAge(|service, now| {
                    Box::pin(async move { service.remove_old(now).await.map(drop) })
                }),
            )
        },
        Chore::new(
            "keeping the day's counts",
            [first, schedule.count_pause],
            ByAge(|service, now| Box::pin(async move { service.keep_daily_counts(now).await })),
        ),
        Chore {
            settings: format!(" {grace:?}"),
            ..Chore::new("cleaning up files", [first, pause], ByAge(clean_files))
        },
    ]
}

fn clean_files(service: Arc<Service>, now: Timestamp) -> Turn {
    Box::pin(async move {
        let cleaned = service.clean_files(now).await?;
        tracing::debug!(?cleaned, "looked for files without a record");
        Ok(())
    })
}

/// A turn on a service that its task does not keep alive: between turns its owner may drop it. One that takes a lease is none
/// where another server has that.
fn turn_of(
    service: &Arc<Service>,
    lease: Option<Arc<ChoreLease>>,
    turn: TakeTurn,
) -> Box<dyn Fn() -> Turn + Send + Sync> {
    let service: Weak<Service> = Arc::downgrade(service);
    Box::new(move || {
        let (service, lease) = (service.upgrade(), lease.clone());
        Box::pin(async move {
            let Some(service) = service else {
                return Ok(());
            };
            let turn = match turn {
                Plain(turn) => Some(turn(service.clone())),
                ByAge(turn) => {
                    let now = service.now_for_ages().await?;
                    now.map(|now| turn(service.clone(), now))
                }
            };
            match (turn, lease) {
                (Some(turn), None) => turn.await,
                (Some(turn), Some(lease)) => lease.take_turn(&service, turn).await,
                (None, lease) => {
                    if let Some(lease) = lease {
                        lease.leave(&service).await;
                    }
                    Ok(())
                }
            }
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

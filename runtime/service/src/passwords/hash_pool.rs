//! Where passwords are hashed and compared: off the threads that answer requests, a few at a time. What waits has a
//! limit, and each tenant a part of it. It knows nothing of passwords.

use crate::Refusal;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use store::StoreError;
use tokio::sync::Semaphore;

/// How many are hashed at the same time: each takes 19 MiB.
const AT_WORK_MAX: usize = 4;
/// How many of them may be new passwords: the rest is kept for those who sign in.
const NEW_AT_WORK_MAX: usize = 2;
/// How many are there at the same time, at work or waiting.
const INSIDE_MAX: usize = 64;
/// How many of them one tenant may have there: of those who sign in, and of new passwords.
const OF_TENANT_MAX: [usize; 2] = [24, 8];
/// Seconds after which one that found no room may come again.
const FULL_SECONDS: u64 = 1;

/// What a password is hashed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Purpose {
    /// Someone shows the password it has.
    SignIn,
    /// Someone is to have another.
    New,
}

/// Where costly work is done: a few at a time, and not too many that wait; no tenant takes the places of all others,
/// and no one who makes passwords those of all who sign in.
pub(crate) struct HashPool {
    inside: Arc<Semaphore>,
    at_work: Arc<Semaphore>,
    new_at_work: Arc<Semaphore>,
    of_tenants: Mutex<BTreeMap<(Purpose, String), usize>>,
}

/// A tenant's place, until it is dropped.
struct TenantPlace {
    pool: Arc<HashPool>,
    holder: (Purpose, String),
}

impl Drop for TenantPlace {
    fn drop(&mut self) {
        let mut of_tenants = self.pool.of_tenants.lock();
        if let Some(count) = of_tenants.get_mut(&self.holder) {
            *count -= 1;
            if *count == 0 {
                of_tenants.remove(&self.holder);
            }
        }
    }
}

impl Default for HashPool {
    fn default() -> Self {
        HashPool::of(AT_WORK_MAX, INSIDE_MAX)
    }
}

impl HashPool {
    fn of(at_work: usize, inside: usize) -> Self {
        let places = |count| Arc::new(Semaphore::new(count));
        HashPool {
            inside: places(inside),
            at_work: places(at_work),
            new_at_work: places(NEW_AT_WORK_MAX),
            of_tenants: Mutex::new(BTreeMap::new()),
        }
    }

    fn place_of(self: &Arc<Self>, purpose: Purpose, tenant: &str) -> Result<TenantPlace, Refusal> {
        let holder = (purpose, tenant.to_owned());
        let mut of_tenants = self.of_tenants.lock();
        let count = of_tenants.entry(holder.clone()).or_default();
        if *count >= OF_TENANT_MAX[purpose as usize] {
            return Err(FULL);
        }
        *count += 1;
        let pool = Arc::clone(self);
        Ok(TenantPlace { pool, holder })
    }

    /// Does it when there is a place, and gives what comes of it.
    ///
    /// # Errors
    /// [`Refusal::TooOften`] where too many wait.
    pub(super) async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        purpose: Purpose,
        tenant: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let closed = |_| Refusal::Store(StoreError::Closed);
        let place = self.place_of(purpose, tenant)?;
        let inside = self.inside.clone().try_acquire_owned().map_err(|_| FULL)?;
        // first its own queue, so that none that waits there holds a place of the other
        let own = match purpose {
            Purpose::New => Some(
                self.new_at_work
                    .clone()
                    .acquire_owned()
                    .await
                    .map_err(closed)?,
            ),
            Purpose::SignIn => None,
        };
        let permit = self.at_work.clone().acquire_owned().await.map_err(closed)?;
        // the work has the permit, not who waits for it: whoever hangs up frees none before it is done
        let done = tokio::task::spawn_blocking(move || {
            let _held = (place, inside, own, permit);
            work()
        });
        done.await.map_err(|_| Refusal::Store(StoreError::Panicked))
    }
}

const FULL: Refusal = Refusal::TooOften {
    seconds: FULL_SECONDS,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn new_passwords_of_one_tenant_leave_places_for_sign_in_and_for_others() {
        let pool = Arc::new(HashPool::default());
        let (purpose, tenant) = (Purpose::New, "one that makes many");
        let begun = Arc::new(Semaphore::new(0));
        let go_on = Arc::new(Semaphore::new(0));
        let mut waiting = Vec::new();
        for _ in 0..OF_TENANT_MAX[Purpose::New as usize] {
            let (tell, wait) = (begun.clone(), go_on.clone());
            let pool = pool.clone();
            let work = move || {
                tell.add_permits(1);
                while wait.try_acquire().is_err() {
                    std::thread::yield_now();
                }
            };
            waiting.push(tokio::spawn(async move {
                pool.work(purpose, tenant, work).await
            }));
        }
        let both = u32::try_from(NEW_AT_WORK_MAX).unwrap();
        let _ = begun.acquire_many(both).await.unwrap();
        while pool.inside.available_permits() > INSIDE_MAX - waiting.len() {
            tokio::task::yield_now().await;
        }
        let more = pool.work(purpose, tenant, || ()).await;
        assert!(matches!(more, Err(Refusal::TooOften { .. })));
        // they hold two places of four, however many there are
        assert_eq!(pool.work(Purpose::SignIn, tenant, || 5).await.unwrap(), 5);
        assert_eq!(
            pool.work(Purpose::SignIn, "another", || 6).await.unwrap(),
            6
        );
        go_on.add_permits(waiting.len());
        for asked in waiting {
            assert!(asked.await.unwrap().is_ok());
        }
        assert!(pool.of_tenants.lock().is_empty());
    }

    /// Work that says when it began, and goes on when it is told to.
    fn slow(
        pool: Arc<HashPool>,
    ) -> (
        tokio::task::JoinHandle<Result<(), Refusal>>,
        [Arc<Semaphore>; 2],
    ) {
        let [began, go_on] = [(); 2].map(|()| Arc::new(Semaphore::new(0)));
        let (tell, wait) = (began.clone(), go_on.clone());
        let work = move || {
            tell.add_permits(1);
            while wait.try_acquire().is_err() {
                std::thread::yield_now();
            }
        };
        let asked = tokio::spawn(async move { pool.work(Purpose::SignIn, "t", work).await });
        (asked, [began, go_on])
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn work_keeps_its_place_also_when_nobody_waits_for_it_any_more() {
        let pool = Arc::new(HashPool::of(1, 2));
        let (asked, [began, go_on]) = slow(pool.clone());
        let _ = began.acquire().await.unwrap();
        // as when a client hangs up
        asked.abort();
        assert!(asked.await.unwrap_err().is_cancelled());
        assert_eq!(pool.at_work.available_permits(), 0, "it is still at work");
        go_on.add_permits(1);
        assert_eq!(
            pool.work(Purpose::SignIn, "t", || 5).await.unwrap(),
            5,
            "its place is free again"
        );
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn who_finds_too_many_waiting_is_told_when_to_come_again() {
        let pool = Arc::new(HashPool::of(1, 2));
        let (first, [began, go_on]) = slow(pool.clone());
        let _ = began.acquire().await.unwrap();
        let (second, [_, go_on_too]) = slow(pool.clone());
        while pool.inside.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let third = pool.work(Purpose::SignIn, "t", || ()).await;
        assert!(matches!(third, Err(Refusal::TooOften { seconds: 1 })));
        go_on.add_permits(1);
        go_on_too.add_permits(1);
        for asked in [first, second] {
            assert!(asked.await.unwrap().is_ok());
        }
        assert!(pool.work(Purpose::SignIn, "t", || ()).await.is_ok());
    }
}

//! Passwords: Argon2id, off the threads that answer requests, a few at a time. One that is wrong costs as
//! much time as one that is right, also where there is no such user.

use crate::Entropy;
use crate::Refusal;
use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use store::StoreError;
use tokio::sync::Semaphore;
use wire::manage::{Password, Problem};

/// Characters a password has at least.
const LENGTH_MIN: usize = 12;
/// Bytes a password has at most.
const BYTES_MAX: usize = 1024;

/// How many are hashed at the same time: each takes 19 MiB.
const AT_WORK_MAX: usize = 4;
/// How many are there at the same time, at work or waiting.
const INSIDE_MAX: usize = 64;
/// Seconds after which one that found no room may come again.
const FULL_SECONDS: u64 = 1;

static POOL: HashPool = HashPool::new(AT_WORK_MAX, INSIDE_MAX);

/// A hash that no password has, with the costs of the real ones: what is verified for a user that is
/// not there.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// What is wrong with a password that is to be someone's.
pub(crate) fn problem(password: &Password, path: &str) -> Option<Problem> {
    let text = password.reveal();
    if text.chars().count() < LENGTH_MIN {
        let message = format!("is too short; choose one of at least {LENGTH_MIN} characters");
        return Some(Problem::new(path, message));
    }
    (text.len() > BYTES_MAX).then(|| {
        Problem::new(
            path,
            format!("is too long; choose one of at most {BYTES_MAX} bytes"),
        )
    })
}

/// The hash of a password, in PHC form.
pub(crate) async fn hashed(password: &Password, entropy: &dyn Entropy) -> Result<String, Refusal> {
    let mut salt = [0; 16];
    entropy.fill(&mut salt);
    let text = password.reveal().to_owned();
    let made = POOL.work(move || {
        Argon2::default()
            .hash_password_with_salt(text.as_bytes(), &salt)
            .map(|hash| hash.to_string())
    });
    let made = made.await?;
    made.map_err(|error| {
        Refusal::Store(StoreError::Damaged(format!(
            "a password could not be hashed: {error}"
        )))
    })
}

/// Whether the password is the one of the hash; of nobody's, without a hash.
pub(crate) async fn is_right(password: &Password, hash: Option<String>) -> Result<bool, Refusal> {
    if password.reveal().len() > BYTES_MAX {
        return Ok(false);
    }
    let text = password.reveal().to_owned();
    let verified = POOL.work(move || {
        let stored = hash.as_deref().unwrap_or(NOBODY);
        let fits = Argon2::default().verify_password(text.as_bytes(), stored);
        fits.is_ok() && hash.is_some()
    });
    verified.await
}

/// Where costly work is done: a few at a time, and not too many that wait.
struct HashPool {
    inside: Semaphore,
    at_work: Semaphore,
}

impl HashPool {
    const fn new(at_work: usize, inside: usize) -> Self {
        HashPool {
            inside: Semaphore::const_new(inside),
            at_work: Semaphore::const_new(at_work),
        }
    }

    async fn work<T: Send + 'static>(
        &'static self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let full = |_| Refusal::TooOften {
            seconds: FULL_SECONDS,
        };
        let closed = |_| Refusal::Store(StoreError::Closed);
        let inside = self.inside.try_acquire().map_err(full)?;
        let permit = self.at_work.acquire().await.map_err(closed)?;
        // the work has the permit, not who waits for it: whoever hangs up frees none before it is done
        let done = tokio::task::spawn_blocking(move || {
            let _held = (inside, permit);
            work()
        });
        done.await.map_err(|_| Refusal::Store(StoreError::Panicked))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    struct Zeros;

    impl Entropy for Zeros {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(0);
        }
    }

    #[tokio::test]
    async fn a_password_fits_its_own_hash_only_and_nobody_has_one() {
        let (right, wrong) = (
            Password::from("correct horse"),
            Password::from("battery staple"),
        );
        let hash = hashed(&right, &Zeros).await.unwrap();
        assert!(
            hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{hash}"
        );
        assert!(is_right(&right, Some(hash.clone())).await.unwrap());
        assert!(!is_right(&wrong, Some(hash)).await.unwrap());
        assert!(!is_right(&right, None).await.unwrap());
        // a dummy that can't be read would be refused at once, and tell that there is no such user
        assert!(argon2::password_hash::phc::PasswordHash::new(NOBODY).is_ok());
        assert_eq!(format!("{right:?}"), "Password(…)");
    }

    /// Work that says when it began, and goes on when it is told to.
    fn slow(
        pool: &'static HashPool,
    ) -> (
        tokio::task::JoinHandle<Result<(), Refusal>>,
        [Arc<Semaphore>; 2],
    ) {
        let [began, go_on] = [(); 2].map(|()| Arc::new(Semaphore::new(0)));
        let (tell, wait) = (began.clone(), go_on.clone());
        let asked = tokio::spawn(pool.work(move || {
            tell.add_permits(1);
            while wait.try_acquire().is_err() {
                std::thread::yield_now();
            }
        }));
        (asked, [began, go_on])
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn work_keeps_its_place_also_when_nobody_waits_for_it_any_more() {
        static POOL: HashPool = HashPool::new(1, 2);
        let (asked, [began, go_on]) = slow(&POOL);
        let _ = began.acquire().await.unwrap();
        // as when a client hangs up
        asked.abort();
        assert!(asked.await.unwrap_err().is_cancelled());
        assert_eq!(POOL.at_work.available_permits(), 0, "it is still at work");
        go_on.add_permits(1);
        assert_eq!(POOL.work(|| 5).await.unwrap(), 5, "its place is free again");
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn who_finds_too_many_waiting_is_told_when_to_come_again() {
        static POOL: HashPool = HashPool::new(1, 2);
        let (first, [began, go_on]) = slow(&POOL);
        let _ = began.acquire().await.unwrap();
        let (second, [_, go_on_too]) = slow(&POOL);
        while POOL.inside.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let third = POOL.work(|| ()).await;
        assert!(matches!(third, Err(Refusal::TooOften { seconds: 1 })));
        go_on.add_permits(1);
        go_on_too.add_permits(1);
        for asked in [first, second] {
            assert!(asked.await.unwrap().is_ok());
        }
        assert!(POOL.work(|| ()).await.is_ok());
    }
}

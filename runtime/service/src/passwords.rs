//! Passwords: Argon2id, off the threads that answer requests, a few at a time. One that is wrong costs as
//! much time as one that is right, also where there is no such user.

use crate::Entropy;
use crate::Refusal;
use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use store::StoreError;
use tokio::sync::Semaphore;
use wire::manage::limits::{PASSWORD_BYTES_MAX as BYTES_MAX, PASSWORD_LENGTH_MIN as LENGTH_MIN};
use wire::manage::{Password, Problem};

/// How many guesses a password has to stand: more than can be tried online in its life.
const GUESSES_MIN: u64 = 1_000_000;
/// Characters of a password that are judged by what they are: the cost rises with the square.
const JUDGED_MAX: usize = 128;

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

static POOL: HashPool = HashPool::new(AT_WORK_MAX, INSIDE_MAX);

/// What a password is hashed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Purpose {
    /// Someone shows the password it has.
    SignIn,
    /// Someone is to have another.
    New,
}

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

/// What is wrong with a password that whoever tries a few thousand would find: common ones, rows of keys, repeated
/// or counted ones, and those that are little more than the words that anyone would try for this user.
pub(crate) fn common_problem(password: &Password, path: &str, words: &[&str]) -> Option<Problem> {
    let text: String = password.reveal().chars().take(JUDGED_MAX).collect();
    // a long one may well go on better than it begins
    let is_cut = text.len() < password.reveal().len();
    // what stands between its words makes it no stranger
    let joined: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
    let guesses = [&text, &joined].map(|text| zxcvbn::zxcvbn(text, words).guesses());
    let is_common = guesses.into_iter().any(|guesses| guesses < GUESSES_MIN);
    (!is_cut && is_common).then(|| {
        let message = "is among the first that anyone would guess; choose a longer or an unusual one, without \
            names that stand near it";
        Problem::new(path, message)
    })
}

/// The hash of a password of someone in a tenant, in PHC form.
pub(crate) async fn hashed(
    password: &Password,
    tenant: &str,
    entropy: &dyn Entropy,
) -> Result<String, Refusal> {
    let mut salt = [0; 16];
    entropy.fill(&mut salt);
    let text = password.reveal().to_owned();
    let made = POOL.work(Purpose::New, tenant, move || {
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

/// Whether the password is the one of the hash; of nobody's, without a hash. The tenant is that of the hash, and
/// empty without one.
pub(crate) async fn is_right(
    password: &Password,
    hash: Option<String>,
    purpose: Purpose,
    tenant: &str,
) -> Result<bool, Refusal> {
    if password.reveal().len() > BYTES_MAX {
        return Ok(false);
    }
    let text = password.reveal().to_owned();
    let verified = POOL.work(purpose, tenant, move || {
        let stored = hash.as_deref().unwrap_or(NOBODY);
        let fits = Argon2::default().verify_password(text.as_bytes(), stored);
        fits.is_ok() && hash.is_some()
    });
    verified.await
}

/// Where costly work is done: a few at a time, and not too many that wait; no tenant takes the places of all others,
/// and no one who makes passwords those of all who sign in.
struct HashPool {
    inside: Semaphore,
    at_work: Semaphore,
    new_at_work: Semaphore,
    of_tenants: Mutex<BTreeMap<(Purpose, String), usize>>,
}

/// A tenant's place, until it is dropped.
struct TenantPlace {
    pool: &'static HashPool,
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

impl HashPool {
    const fn new(at_work: usize, inside: usize) -> Self {
        HashPool {
            inside: Semaphore::const_new(inside),
            at_work: Semaphore::const_new(at_work),
            new_at_work: Semaphore::const_new(NEW_AT_WORK_MAX),
            of_tenants: Mutex::new(BTreeMap::new()),
        }
    }

    fn place_of(&'static self, purpose: Purpose, tenant: &str) -> Result<TenantPlace, Refusal> {
        let holder = (purpose, tenant.to_owned());
        let mut of_tenants = self.of_tenants.lock();
        let count = of_tenants.entry(holder.clone()).or_default();
        if *count >= OF_TENANT_MAX[purpose as usize] {
            return Err(FULL);
        }
        *count += 1;
        Ok(TenantPlace { pool: self, holder })
    }

    async fn work<T: Send + 'static>(
        &'static self,
        purpose: Purpose,
        tenant: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let closed = |_| Refusal::Store(StoreError::Closed);
        let place = self.place_of(purpose, tenant)?;
        let inside = self.inside.try_acquire().map_err(|_| FULL)?;
        // first its own queue, so that none that waits there holds a place of the other
        let own = match purpose {
            Purpose::New => Some(self.new_at_work.acquire().await.map_err(closed)?),
            Purpose::SignIn => None,
        };
        let permit = self.at_work.acquire().await.map_err(closed)?;
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
        let hash = hashed(&right, "t", &Zeros).await.unwrap();
        assert!(
            hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{hash}"
        );
        assert!(
            is_right(&right, Some(hash.clone()), Purpose::SignIn, "t")
                .await
                .unwrap()
        );
        assert!(
            !is_right(&wrong, Some(hash), Purpose::SignIn, "t")
                .await
                .unwrap()
        );
        assert!(!is_right(&right, None, Purpose::SignIn, "").await.unwrap());
        // a dummy that can't be read would be refused at once, and tell that there is no such user
        assert!(argon2::password_hash::phc::PasswordHash::new(NOBODY).is_ok());
        assert_eq!(format!("{right:?}"), "Password(…)");
    }

    #[test]
    fn what_anyone_would_guess_is_refused_and_what_is_only_plain_is_not() {
        let words = [
            "bobsleigh",
            "Bob Sleigh",
            "bob@example.org",
            "Acme",
            "fieldstone",
        ];
        let is_refused =
            |text: &str| common_problem(&Password::from(text), "$.password", &words).is_some();
        let long = format!("{}{}", "a".repeat(JUDGED_MAX), "x7#kQ0");
        for weak in [
            "123456789012",
            "password1234",
            "            ",
            "aaaaaaaaaaaaaaaa",
            "qwertyuiop123",
            "fieldstone12",
            "Fieldstone2026",
            "bobsleigh123",
            "bobsleigh2026",
            "Acme Acme 2026",
            "passwordpassword",
            "abcdefghijklmnop",
            "P@ssw0rd1234",
        ] {
            assert!(is_refused(weak), "{weak}");
        }
        for fine in ["seven grey owls", "xK3!mmQ0vz4&", &long] {
            assert!(!is_refused(fine), "{fine}");
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn new_passwords_of_one_tenant_leave_places_for_sign_in_and_for_others() {
        static POOL: HashPool = HashPool::new(AT_WORK_MAX, INSIDE_MAX);
        let (purpose, tenant) = (Purpose::New, "one that makes many");
        let begun = Arc::new(Semaphore::new(0));
        let go_on = Arc::new(Semaphore::new(0));
        let mut waiting = Vec::new();
        for _ in 0..OF_TENANT_MAX[Purpose::New as usize] {
            let (tell, wait) = (begun.clone(), go_on.clone());
            waiting.push(tokio::spawn(POOL.work(purpose, tenant, move || {
                tell.add_permits(1);
                while wait.try_acquire().is_err() {
                    std::thread::yield_now();
                }
            })));
        }
        let both = u32::try_from(NEW_AT_WORK_MAX).unwrap();
        let _ = begun.acquire_many(both).await.unwrap();
        while POOL.inside.available_permits() > INSIDE_MAX - waiting.len() {
            tokio::task::yield_now().await;
        }
        let more = POOL.work(purpose, tenant, || ()).await;
        assert!(matches!(more, Err(Refusal::TooOften { .. })));
        // they hold two places of four, however many there are
        assert_eq!(POOL.work(Purpose::SignIn, tenant, || 5).await.unwrap(), 5);
        assert_eq!(
            POOL.work(Purpose::SignIn, "another", || 6).await.unwrap(),
            6
        );
        go_on.add_permits(waiting.len());
        for asked in waiting {
            assert!(asked.await.unwrap().is_ok());
        }
        assert!(POOL.of_tenants.lock().is_empty());
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
        let asked = tokio::spawn(pool.work(Purpose::SignIn, "t", move || {
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
        assert_eq!(
            POOL.work(Purpose::SignIn, "t", || 5).await.unwrap(),
            5,
            "its place is free again"
        );
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
        let third = POOL.work(Purpose::SignIn, "t", || ()).await;
        assert!(matches!(third, Err(Refusal::TooOften { seconds: 1 })));
        go_on.add_permits(1);
        go_on_too.add_permits(1);
        for asked in [first, second] {
            assert!(asked.await.unwrap().is_ok());
        }
        assert!(POOL.work(Purpose::SignIn, "t", || ()).await.is_ok());
    }
}

//! Passwords: Argon2id, off the threads that answer requests, a few at a time. One that is wrong costs as
//! much time as one that is right, also where there is no such user.

mod breached;
mod hash_pool;

pub use breached::{BreachedPasswords, BreachedPasswordsError};
pub(crate) use hash_pool::{HashPool, Purpose};

use crate::Entropy;
use crate::Refusal;
use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use std::sync::Arc;
use store::StoreError;
use wire::manage::limits::{PASSWORD_BYTES_MAX as BYTES_MAX, PASSWORD_LENGTH_MIN as LENGTH_MIN};
use wire::manage::{Password, Problem};

/// How many guesses a password has to stand: more than can be tried online in its life.
const GUESSES_MIN: u64 = 1_000_000;
/// Characters of a password that are judged by what they are: the cost rises with the square.
const JUDGED_MAX: usize = 128;

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

/// Whether a hash was made with other costs than hashes are made with today, and is to be made anew when the
/// password is known.
pub(crate) fn is_outdated(hash: &str) -> bool {
    // all but salt and result
    let costs = |hash: &str| hash.rsplitn(3, '$').last().map(str::to_owned);
    costs(hash) != costs(NOBODY)
}

/// The hash of a password of someone in a tenant, in PHC form.
pub(crate) async fn hashed(
    pool: &Arc<HashPool>,
    password: &Password,
    tenant: &str,
    entropy: &dyn Entropy,
) -> Result<String, Refusal> {
    let mut salt = [0; 16];
    entropy.fill(&mut salt);
    let text = password.reveal().to_owned();
    let made = pool.work(Purpose::New, tenant, move || {
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
    pool: &Arc<HashPool>,
    password: &Password,
    hash: Option<String>,
    purpose: Purpose,
    tenant: &str,
) -> Result<bool, Refusal> {
    if password.reveal().len() > BYTES_MAX {
        return Ok(false);
    }
    let text = password.reveal().to_owned();
    let verified = pool.work(purpose, tenant, move || {
        let stored = hash.as_deref().unwrap_or(NOBODY);
        let fits = Argon2::default().verify_password(text.as_bytes(), stored);
        fits.is_ok() && hash.is_some()
    });
    verified.await
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let pool = Arc::new(HashPool::default());
        let hash = hashed(&pool, &right, "t", &Zeros).await.unwrap();
        assert!(
            hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{hash}"
        );
        assert!(
            is_right(&pool, &right, Some(hash.clone()), Purpose::SignIn, "t")
                .await
                .unwrap()
        );
        assert!(
            !is_right(&pool, &wrong, Some(hash.clone()), Purpose::SignIn, "t")
                .await
                .unwrap()
        );
        assert!(
            !is_right(&pool, &right, None, Purpose::SignIn, "")
                .await
                .unwrap()
        );
        // a dummy that can't be read would be refused at once, and tell that there is no such user
        assert!(argon2::password_hash::phc::PasswordHash::new(NOBODY).is_ok());
        assert!(!is_outdated(&hash));
        for other in [
            ("t=2", "t=1"),
            ("m=19456", "m=8192"),
            ("argon2id", "argon2i"),
        ] {
            assert!(is_outdated(&hash.replace(other.0, other.1)), "{other:?}");
        }
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
}

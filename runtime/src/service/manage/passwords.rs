//! Passwords: Argon2id, off the threads that answer requests, a few at a time. One that is wrong costs as
//! much time as one that is right, also where there is no such user.

use super::{Denied, Problem};
use crate::store::StoreError;
use crate::value::Entropy;
use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use serde::Deserialize;
use tokio::sync::Semaphore;

/// Characters a password has at least.
const LENGTH_MIN: usize = 12;
/// Bytes a password has at most.
const BYTES_MAX: usize = 1024;

/// How many are hashed at the same time: each takes 19 MiB.
static PLACES: Semaphore = Semaphore::const_new(4);

/// A hash that no password has, with the costs of the real ones: what is verified for a user that is
/// not there.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// A password as it was sent. It is never shown.
#[derive(Clone, Deserialize)]
#[cfg_attr(feature = "server", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Password(String);

impl Password {
    /// A password.
    pub fn new(text: impl Into<String>) -> Self {
        Password(text.into())
    }

    pub(super) fn problem(&self, path: &str) -> Option<Problem> {
        if self.0.chars().count() < LENGTH_MIN {
            let message = format!("is too short; choose one of at least {LENGTH_MIN} characters");
            return Some(Problem::new(path, message));
        }
        (self.0.len() > BYTES_MAX).then(|| {
            Problem::new(
                path,
                format!("is too long; choose one of at most {BYTES_MAX} bytes"),
            )
        })
    }
}

impl std::fmt::Debug for Password {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Password(…)")
    }
}

impl From<&str> for Password {
    fn from(text: &str) -> Self {
        Password::new(text)
    }
}

/// The hash of a password, in PHC form.
pub(super) async fn hashed(password: &Password, entropy: &dyn Entropy) -> Result<String, Denied> {
    let mut salt = [0; 16];
    entropy.fill(&mut salt);
    let text = password.0.clone();
    let made = off_thread(move || {
        Argon2::default()
            .hash_password_with_salt(text.as_bytes(), &salt)
            .map(|hash| hash.to_string())
    });
    let made = made.await?;
    made.map_err(|error| {
        Denied::Store(StoreError::Damaged(format!(
            "a password could not be hashed: {error}"
        )))
    })
}

/// Whether the password is the one of the hash; of nobody's, without a hash.
pub(super) async fn is_right(password: &Password, hash: Option<String>) -> Result<bool, Denied> {
    if password.0.len() > BYTES_MAX {
        return Ok(false);
    }
    let text = password.0.clone();
    let verified = off_thread(move || {
        let kept = hash.as_deref().unwrap_or(NOBODY);
        let fits = Argon2::default().verify_password(text.as_bytes(), kept);
        fits.is_ok() && hash.is_some()
    });
    verified.await
}

async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Denied> {
    let closed = |_| Denied::Store(StoreError::Closed);
    let _place = PLACES.acquire().await.map_err(closed)?;
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| Denied::Store(StoreError::Panicked))
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
}

//! A user's own password and e-mail address: changed by who knows the password it has.

use super::own_sessions::user_of;
use crate::nouns::replace;
use crate::passwords::{self, Purpose};
use crate::{Caller, Refusal, Service};
use std::sync::Arc;
use store::StoreError;
use store::catalog::User;
use tracing::Instrument as _;
use wire::Timestamp;
use wire::manage::Password;

/// What a user is told whose password ended while it was signed in.
const ENDED: &str = "the password was chosen by someone else and was to be changed in time; it has ended, so ask who \
    manages users for another";

/// Whether the password of a user, which someone else chose, was not changed in time and works no more.
pub(super) fn has_ended(user: &User, now: Timestamp) -> bool {
    user.password_ends_at.is_some_and(|end| now >= end)
}

impl Service {
    /// Gives the calling user a new password, if it knows the one it has. All its sessions end.
    ///
    /// # Errors
    /// The caller is no user, the password it has is another or was guessed at too often, or the new one
    /// is the same, too short, or easily guessed.
    pub async fn change_own_password(
        &self,
        by: &Caller,
        old: &Password,
        new: &Password,
    ) -> Result<(), Refusal> {
        let span = tracing::debug_span!("sessions.change_own_password", user = by.id());
        let changed = self.replace_password(by, old, new);
        changed.instrument(span).await
    }

    async fn replace_password(
        &self,
        by: &Caller,
        old: &Password,
        new: &Password,
    ) -> Result<(), Refusal> {
        const PATH: &str = "$.newPassword";
        if let Some(problem) = passwords::problem(new, PATH) {
            return Err(Refusal::Invalid(vec![problem]));
        }
        let user = user_of(by)?;
        let words = [&*user.username, &user.full_name, &user.email];
        self.require_fit_password(by.tenant(), new, PATH, &words)
            .await?;
        if old.reveal() == new.reveal() {
            return Err(Refusal::invalid(
                PATH,
                "is the one you have; choose another",
            ));
        }
        let user = self.own_user(by, old).await?;
        let hashing = passwords::hashed(&self.hash_pool, new, &user.tenant, self.entropy());
        let password_hash = hashing.await?;
        self.change_own(by, &user, move |user| User {
            password_hash: password_hash.clone(),
            must_change_password: false,
            password_ends_at: None,
            invitation: None,
            ..user
        })
        .await
    }

    /// Gives the calling user another e-mail address, if it knows its password.
    ///
    /// # Errors
    /// The caller is no user, the password is another or was guessed at too often, or the address is none.
    pub async fn change_own_email(
        &self,
        by: &Caller,
        password: &Password,
        email: &str,
    ) -> Result<(), Refusal> {
        if engine::Email::parse(email).is_err() {
            return Err(Refusal::invalid("$.email", "must be an e-mail address"));
        }
        let span = tracing::debug_span!("sessions.change_own_email", user = by.id());
        async {
            let user = self.own_user(by, password).await?;
            let email = email.to_owned();
            self.change_own(by, &user, move |user| User {
                email: email.clone(),
                ..user
            })
            .await
        }
        .instrument(span)
        .await
    }

    /// Refuses a password that is easily guessed: a common one, or one made of the user's words, the tenant's name or
    /// the product's; and one that became known elsewhere, where there is a list of those.
    ///
    /// # Errors
    /// [`Refusal::Invalid`] at the path; the list can't be read.
    pub(crate) async fn require_fit_password(
        &self,
        tenant: &str,
        password: &Password,
        path: &str,
        words: &[&str],
    ) -> Result<(), Refusal> {
        let catalog = self.store().catalog();
        let name = catalog.tenants.get(tenant).map(|tenant| &*tenant.name);
        let words = words.iter().copied().chain(name).chain(["fieldstone"]);
        // each word of a name alone, too
        let words: Vec<&str> = words
            .flat_map(|name| name.split(|c: char| !c.is_alphanumeric()).chain([name]))
            .filter(|word| !word.is_empty())
            .collect();
        if let Some(problem) = passwords::common_problem(password, path, &words) {
            return Err(Refusal::Invalid(vec![problem]));
        }
        let Some(breached) = self.settings().breached_passwords.clone() else {
            return Ok(());
        };
        let text = password.reveal().to_owned();
        let asked = tokio::task::spawn_blocking(move || breached.have(&text));
        let is_known = asked.await.map_err(|_| StoreError::Panicked)?;
        let is_known = is_known.map_err(|error| StoreError::File(std::io::Error::other(error)))?;
        if is_known {
            let message =
                "became known when another service was broken into; choose another, here and there";
            return Err(Refusal::invalid(path, message));
        }
        Ok(())
    }

    /// The calling user, if this is its password.
    ///
    /// # Errors
    /// The caller is no user, the password is another, or was guessed at too often.
    pub(super) async fn own_user(
        &self,
        by: &Caller,
        password: &Password,
    ) -> Result<Arc<User>, Refusal> {
        let user = user_of(by)?;
        if has_ended(user, self.now()) {
            return Err(Refusal::Forbidden(ENDED.into()));
        }
        let wanted = self.attempts.of_user(&user.id);
        let attempt = wanted.take(&**self.store(), self.now()).await?;
        let hash = Some(user.password_hash.clone());
        let is_right = passwords::is_right(
            &self.hash_pool,
            password,
            hash,
            Purpose::SignIn,
            &user.tenant,
        )
        .await;
        if matches!(is_right, Ok(false)) {
            return Err(Refusal::invalid(
                "$.password",
                "is not the password you have",
            ));
        }
        attempt.give_back().await;
        is_right?;
        Ok(user.clone())
    }

    /// Changes the calling user, whose password was shown to be right.
    async fn change_own(
        &self,
        by: &Caller,
        user: &Arc<User>,
        work: impl Fn(User) -> User + Send + 'static,
    ) -> Result<(), Refusal> {
        let (id, shown) = (user.id.clone(), user.password_hash.clone());
        self.change(by, move |change| {
            let now = change.catalog.users.get(&id).cloned();
            let now = now.ok_or(Refusal::Unauthenticated)?;
            if now.password_hash != shown {
                return Err(Refusal::Conflict(
                    "the password was changed at the same moment".into(),
                ));
            }
            let changed = work(User::clone(&now));
            replace(change, &*now, changed).map(|_| ())
        })
        .await
    }
}

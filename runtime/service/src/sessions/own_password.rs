//! A user's own password and e-mail address: changed by who knows the password it has.

use super::own_sessions::user_of;
use crate::nouns::replace;
use crate::passwords::{self, Purpose};
use crate::{Caller, Refusal, Service};
use std::sync::Arc;
use store::catalog::User;
use tracing::Instrument as _;
use wire::manage::Password;

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
        self.require_unguessable(
            by.tenant(),
            new,
            PATH,
            &[&user.username, &user.full_name, &user.email],
        )?;
        if old.reveal() == new.reveal() {
            return Err(Refusal::invalid(
                PATH,
                "is the one you have; choose another",
            ));
        }
        let user = self.own_user(by, old).await?;
        let hashing = passwords::hashed(new, &user.tenant, self.entropy());
        let password_hash = hashing.await?;
        self.change_own(by, &user, move |user| User {
            password_hash: password_hash.clone(),
            must_change_password: false,
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
    /// the product's.
    ///
    /// # Errors
    /// [`Refusal::Invalid`] at the path.
    pub(crate) fn require_unguessable(
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
        let problem = passwords::common_problem(password, path, &words);
        problem.map_or(Ok(()), |problem| Err(Refusal::Invalid(vec![problem])))
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
        let attempt = self.attempts.of_user(&user.id, self.now())?;
        let hash = Some(user.password_hash.clone());
        let is_right = passwords::is_right(password, hash, Purpose::SignIn, &user.tenant).await;
        if matches!(is_right, Ok(false)) {
            return Err(Refusal::invalid(
                "$.password",
                "is not the password you have",
            ));
        }
        attempt.give_back();
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

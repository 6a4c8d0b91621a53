//! A user's own password: changed by who knows the one it has.

use crate::nouns::replace;
use crate::passwords;
use crate::{Caller, Refusal, Service};
use store::catalog::{ActorKind, User};
use tracing::Instrument as _;
use wire::manage::Password;

impl Service {
    /// Gives the calling user a new password, if it knows the one it has. All its sessions end.
    ///
    /// # Errors
    /// The caller is no user, the password it has is another or was guessed at too often, or the new one
    /// is too short.
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
        if let Some(problem) = passwords::problem(new, "$.newPassword") {
            return Err(Refusal::Invalid(vec![problem]));
        }
        let id = by.actor().id.clone();
        let is_user = by.actor().kind == ActorKind::User;
        let user = by.catalog().users.get(&id).filter(|_| is_user).cloned();
        let user = user.ok_or_else(|| Refusal::Forbidden("only users have passwords".into()))?;
        let attempt = self.attempts.of_user(&id, self.now())?;
        let is_right = passwords::is_right(old, Some(user.password_hash.clone())).await;
        if matches!(is_right, Ok(false)) {
            return Err(Refusal::invalid(
                "$.password",
                "is not the password you have",
            ));
        }
        attempt.give_back();
        is_right?;
        let password_hash = passwords::hashed(new, self.entropy()).await?;
        self.change(by, move |change| {
            let now = change
                .catalog
                .users
                .get(&id)
                .cloned()
                .ok_or(Refusal::Unauthenticated)?;
            if now.password_hash != user.password_hash {
                return Err(Refusal::Conflict(
                    "the password was changed at the same moment".into(),
                ));
            }
            let changed = User {
                password_hash: password_hash.clone(),
                ..(*now).clone()
            };
            replace(change, &*now, changed).map(|_| ())
        })
        .await
    }
}

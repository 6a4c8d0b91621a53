//! Proofs of who asks: what gives rights or takes them asks a session for the password anew, when it was shown
//! too long ago. Whoever finds a browser open changes no rights with it. Programs have no one to ask, so keys,
//! clients and the operator are never asked.

use crate::{Caller, Refusal, Service};
use store::catalog::{Resource, User, Verb};
use store::leases::is_ahead;
use tracing::Instrument as _;
use wire::manage::Password;

/// What a proof has to be fresh for.
fn is_sensitive(resource: Resource) -> bool {
    matches!(
        resource,
        Resource::Users | Resource::Roles | Resource::ApiKeys | Resource::Apps
    )
}

impl Service {
    /// Asks a session that is about to do this for a fresh proof; who may not do it at all, is told that.
    ///
    /// # Errors
    /// [`Refusal::ProofRequired`]; [`Refusal::Forbidden`] by role, [`Refusal::Unauthenticated`].
    pub(crate) fn require_proof(
        &self,
        by: &Caller,
        resource: Resource,
        verb: Verb,
    ) -> Result<(), Refusal> {
        if !is_sensitive(resource) || by.session().is_none() {
            return Ok(());
        }
        self.newest(by)?.rights().require(resource, verb)?;
        self.require_fresh_session(by)
    }

    /// Asks a session for a fresh proof, whatever it is about to do.
    ///
    /// # Errors
    /// [`Refusal::ProofRequired`].
    pub(super) fn require_fresh_session(&self, by: &Caller) -> Result<(), Refusal> {
        let Some(session) = by.session() else {
            return Ok(());
        };
        let newest = self.store().session(&session.hash);
        let newest = newest.as_ref().unwrap_or(session);
        let age = self.now().millis() - newest.proved_at.millis();
        let age_max = i64::try_from(self.settings().proof_age_max.as_millis()).unwrap_or(i64::MAX);
        // one that is to come was given while the clock was ahead
        if age >= age_max || is_ahead(newest.proved_at, self.now()) {
            return Err(Refusal::ProofRequired);
        }
        Ok(())
    }

    /// Proves that it is still its user who has the session: by the password, and by a code where there is a
    /// second factor.
    ///
    /// # Errors
    /// The caller is no user, the password is another or was guessed at too often, the code is missing, wrong or
    /// was used before.
    pub async fn prove_session(
        &self,
        by: &Caller,
        password: &Password,
        code: Option<&str>,
    ) -> Result<(), Refusal> {
        let span = tracing::debug_span!("sessions.prove", user = by.id());
        async {
            let user = self.own_user(by, password).await?;
            if user.second_factor.as_ref().is_some_and(|own| own.confirmed) {
                let code = code.ok_or(Refusal::SecondFactorRequired)?;
                self.take_own_code(by, &user, code).await?;
            }
            let session = by.session().ok_or(Refusal::Unauthenticated)?;
            let proved = self.store().note_proof(&session.hash, self.now()).await?;
            proved.then_some(()).ok_or(Refusal::Unauthenticated)
        }
        .instrument(span)
        .await
    }

    /// Takes a code of the caller's second factor, which is good for one time.
    async fn take_own_code(&self, by: &Caller, user: &User, code: &str) -> Result<(), Refusal> {
        let wanted = self.attempts.of_user(&user.id);
        let attempt = wanted.take(&**self.store(), self.now()).await?;
        let (id, code) = (user.id.clone(), code.to_owned());
        let taken = self.change(by, move |change| {
            let user = change.catalog.users.get(&id);
            let taken = user.and_then(|user| super::second_factor::take(user, &code, change.at));
            let wrong = || Refusal::invalid("$.code", "is wrong, or was used before");
            change.put(taken.ok_or_else(wrong)?);
            Ok(())
        });
        taken.await?;
        attempt.give_back().await;
        Ok(())
    }
}

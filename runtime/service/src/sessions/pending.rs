//! Signing in by two steps, as a page asks for them: the password, and then the code of a second factor. What stands
//! between them is no session: a token that the page sends along and a secret that its browser keeps, both for a few minutes
//! and good for one sign-in. Codes are counted as those are that come with the password.

use super::own_password::has_ended;
use super::pending_tokens::SentToken;
use super::second_factor;
use super::session::{NewSession, RightPassword};
use super::sign_in_name::{SignInName, SignInOrigin, account};
use crate::ended::is_too_late;
use crate::rights::Principal;
use crate::{Refusal, Service, secrets};
use std::sync::Arc;
use store::catalog::User;
use tracing::Instrument as _;
use wire::manage::Password;

/// Seconds in which the code has to follow.
const SECONDS: u32 = 5 * 60;
/// Letters and digits of what the browser keeps.
const BROWSER_SECRET: usize = 40;

/// What a right password leads to.
#[derive(Debug)]
pub enum SignInStep {
    /// A session.
    Session(Box<NewSession>),
    /// The user has a second factor.
    CodeRequired(CodeRequest),
}

/// What goes along to the step in which a code is sent. It is good for nothing without one.
pub struct CodeRequest {
    /// What the page sends along.
    pub token: String,
    /// What the browser keeps, out of reach of the page.
    pub browser_secret: String,
    /// How long both are good for.
    pub seconds: u32,
}

impl std::fmt::Debug for CodeRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CodeRequest")
            .field("seconds", &self.seconds)
            .finish_non_exhaustive()
    }
}

/// A sign-in of which the password was right and the code is awaited.
pub struct PendingSignIn {
    user: Arc<User>,
    tenant: Option<String>,
}

impl PendingSignIn {
    /// The names of its user.
    pub fn name(&self) -> SignInName<'_> {
        SignInName {
            tenant: self.tenant.as_deref(),
            username: &self.user.username,
        }
    }
}

impl std::fmt::Debug for PendingSignIn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PendingSignIn")
            .field("user", &self.user.id)
            .finish_non_exhaustive()
    }
}

impl Service {
    /// Takes the password of a sign-in. No code comes with it: [`finish_sign_in`](Self::finish_sign_in) takes that.
    ///
    /// # Errors
    /// Those of [`sign_in`](Self::sign_in) but [`Refusal::SecondFactorRequired`].
    pub async fn begin_sign_in(
        &self,
        name: SignInName<'_>,
        password: &Password,
        origin: &SignInOrigin,
    ) -> Result<SignInStep, Refusal> {
        let origin = SignInOrigin {
            code: None,
            ..origin.clone()
        };
        let user = match self.take_password(name, password, &origin).await? {
            RightPassword::Session(session) => return Ok(SignInStep::Session(session)),
            RightPassword::CodeAwaited(user) => user,
        };
        // the code comes without the password, so this is the moment for a hash of today's costs
        let user = self.with_renewed_hash(user, password).await?;
        let browser_secret = secrets::random_text(self.entropy(), BROWSER_SECRET);
        let until = self.now().plus_seconds(SECONDS.into());
        let token = self.pending_tokens.token(&user, &browser_secret, until);
        Ok(SignInStep::CodeRequired(CodeRequest {
            token,
            browser_secret,
            seconds: SECONDS,
        }))
    }

    /// The sign-in that a token is of; `None` once it is too old or was used, its password was changed, all sessions of
    /// its user were ended, its user may not sign in any more, or where another browser sends it.
    pub fn pending_sign_in(&self, token: &str, browser_secret: &str) -> Option<PendingSignIn> {
        let now = self.now();
        let sent = SentToken::parse(token)?;
        let catalog = self.store().catalog();
        let user = catalog.users.get(sent.user)?;
        let is_right = self.pending_tokens.is_of(&sent, user, browser_secret);
        let may_enter = user.active && !has_ended(user, now);
        let tenant = catalog.tenants.get(&user.tenant);
        let is_in_time = now < sent.until && !is_too_late(sent.until, SECONDS.into(), now);
        (is_right && may_enter && is_in_time).then(|| PendingSignIn {
            user: user.clone(),
            tenant: tenant.map(|tenant| tenant.name.clone()),
        })
    }

    /// Takes the code of a sign-in; `None` where it was used at the same moment, or its user was changed.
    ///
    /// # Errors
    /// [`Refusal::Unauthenticated`] for a wrong code; [`Refusal::TooOften`] after many; the store's.
    pub async fn finish_sign_in(
        &self,
        pending: &PendingSignIn,
        code: &str,
        origin: &SignInOrigin,
    ) -> Result<Option<NewSession>, Refusal> {
        let user = &pending.user;
        let origin = SignInOrigin {
            code: Some(code.to_owned()),
            ..origin.clone()
        };
        let span = tracing::debug_span!("sessions.finish_sign_in", user = user.id);
        async {
            let account = account(&user.tenant, &user.username);
            let known = self.known(user, &origin);
            let attempt = self.attempt(known, &account, &origin).await?;
            if second_factor::take(user, code, self.now()).is_none() {
                return Err(Refusal::Unauthenticated);
            }
            attempt.give_back().await;
            let begun = self.begin_session(user, None, is_as_it_was, &origin);
            begun.await
        }
        .instrument(span)
        .await
    }

    /// The user with a hash of today's costs, where it had one of others.
    async fn with_renewed_hash(
        &self,
        user: Arc<User>,
        password: &Password,
    ) -> Result<Arc<User>, Refusal> {
        let Some(password_hash) = self.renewed_hash(&user, password).await else {
            return Ok(user);
        };
        let (id, shown) = (user.id.clone(), user.password_hash.clone());
        let stored = self.change(Principal::User(user.clone()), move |change| {
            let now = change.catalog.users.get(&id);
            let Some(now) = now.filter(|now| now.password_hash == shown) else {
                return Ok(None);
            };
            let renewed = User {
                password_hash: password_hash.clone(),
                ..User::clone(now)
            };
            change.put(renewed.clone());
            Ok(Some(renewed))
        });
        // of a hash that is another by now, the token is void
        Ok(stored.await?.map_or(user, Arc::new))
    }
}

/// Whether neither the password nor the second factor is another, so that no sign-in comes of one password twice, and its
/// sessions were not ended meanwhile.
fn is_as_it_was(now: &User, shown: &User) -> bool {
    now.active
        && now.password_hash == shown.password_hash
        && now.second_factor == shown.second_factor
        && now.sign_outs == shown.sign_outs
}

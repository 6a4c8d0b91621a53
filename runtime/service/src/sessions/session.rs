//! Sign-in and sign-out. A failed sign-in tells nothing: not whether the user is there, is switched off,
//! or has another password, and takes the same time for all. So does one that comes too often.

use super::attempts::Attempt;
use super::own_password::has_ended;
use super::second_factor;
use super::sign_in_name::{SignInName, SignInOrigin};
use crate::nouns::{Change, Noun as _};
use crate::passwords::{self, Purpose};
use crate::rights::Principal;
use crate::{Refusal, Service, secrets};
use std::sync::Arc;
use store::catalog::{AuditAction, Ending, Holder, Kind, Session, User};
use tracing::Instrument as _;
use wire::Timestamp;
use wire::manage::{Password, UserView};

/// How long a session lives at most, in seconds.
pub(super) const SESSION_SECONDS: i64 = 12 * 3600;
/// Sessions a user has at most; the one that ends first makes room.
const SESSIONS_MAX: usize = 32;
/// Characters that are kept of what a browser calls itself.
const USER_AGENT_CHARS: usize = 200;

/// A session that was just made. Its secrets are shown this once.
#[derive(Clone)]
pub struct NewSession {
    /// The session's secret: a browser's cookie, or a token for the `Authorization` header.
    pub secret: String,
    /// What a page sends along with changes, so that no other site can make them.
    pub csrf_token: String,
    /// What the browser shows when it signs in again. It lets nobody in, but its owner's tries are told
    /// from those of strangers.
    pub browser: String,
    /// When the session ends at the latest; one that nobody uses ends before.
    pub expires_at: Timestamp,
    /// Who signed in.
    pub user: UserView,
}

impl std::fmt::Debug for NewSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewSession")
            .field("expires_at", &self.expires_at)
            .finish_non_exhaustive()
    }
}

/// What a right password leads to.
pub(super) enum RightPassword {
    /// A session.
    Session(Box<NewSession>),
    /// A code of the second factor is needed as well, and none was sent.
    CodeAwaited(Arc<User>),
}

/// The token that guards a session against cross-site requests. It follows from the session's secret and
/// tells nothing of it, so that a page can ask for it again.
pub fn csrf_token(session_secret: &str) -> String {
    secrets::hash(&format!("csrf token of {session_secret}"))
}

impl Service {
    /// Signs a user in.
    ///
    /// # Errors
    /// [`Refusal::Invalid`] without a tenant where there are several; [`Refusal::TooOften`] after many that failed;
    /// [`Refusal::SecondFactorRequired`] where the password is right and no code was sent; else
    /// [`Refusal::Unauthenticated`], for every reason there is.
    pub async fn sign_in(
        &self,
        name: SignInName<'_>,
        password: &Password,
        origin: &SignInOrigin,
    ) -> Result<NewSession, Refusal> {
        match self.take_password(name, password, origin).await? {
            RightPassword::Session(session) => Ok(*session),
            RightPassword::CodeAwaited(_) => Err(Refusal::SecondFactorRequired),
        }
    }

    /// Looks at a password, and at the code that came with it.
    ///
    /// # Errors
    /// Those of [`sign_in`](Self::sign_in) but a code that is missing.
    pub(super) async fn take_password(
        &self,
        name: SignInName<'_>,
        password: &Password,
        origin: &SignInOrigin,
    ) -> Result<RightPassword, Refusal> {
        let catalog = self.store().catalog();
        let tenant = name.tenant_in(&catalog)?;
        let user = tenant.and_then(|tenant| catalog.user_named(tenant, name.username));
        let user = user.cloned();
        // a name that nobody has may be a password in the wrong field
        let id = user.as_ref().map(|user| user.id.as_str());
        let span = tracing::debug_span!("sessions.sign_in", user = id);
        let account = name.account(tenant);
        let signed_in = self.sign_in_as(user, &account, password, origin);
        signed_in.instrument(span).await
    }

    async fn sign_in_as(
        &self,
        user: Option<Arc<User>>,
        account: &str,
        password: &Password,
        origin: &SignInOrigin,
    ) -> Result<RightPassword, Refusal> {
        let known = user.as_ref().and_then(|user| self.known(user, origin));
        let attempt = self.attempt(known, account, origin).await?;
        let user = match self.shown_by(user, password).await {
            Ok(user) => user,
            Err(Refusal::Unauthenticated) => return Err(Refusal::Unauthenticated),
            Err(denied) => {
                attempt.give_back().await;
                return Err(denied);
            }
        };
        if user.second_factor.as_ref().is_some_and(|own| own.confirmed) {
            let Some(code) = &origin.code else {
                attempt.give_back().await;
                return Ok(RightPassword::CodeAwaited(user));
            };
            if second_factor::take(&user, code, self.now()).is_none() {
                return Err(Refusal::Unauthenticated);
            }
        }
        attempt.give_back().await;
        let renewed = self.renewed_hash(&user, password).await;
        let begun = self.begin_session(&user, renewed, has_same_password, origin);
        if let Some(begun) = begun.await? {
            return Ok(RightPassword::Session(Box::new(begun)));
        }
        // its hash is another by now: of another password, or of this one, made anew by a sign-in at the same moment
        let newest = self.store().catalog().users.get(&user.id).cloned();
        let newest = self.shown_by(newest, password).await?;
        let renewed = self.renewed_hash(&newest, password).await;
        let begun = self.begin_session(&newest, renewed, has_same_password, origin);
        let begun = begun.await?.ok_or(Refusal::Unauthenticated)?;
        Ok(RightPassword::Session(Box::new(begun)))
    }

    /// The id of the browser that a sign-in comes from, if this user signed in there before.
    pub(super) fn known<'o>(&self, user: &User, origin: &'o SignInOrigin) -> Option<&'o str> {
        self.browsers.id_of(&user.id, origin.browser.as_deref()?)
    }

    /// The user, if this is its password and it may sign in. Takes the same time for nobody.
    ///
    /// # Errors
    /// [`Refusal::Unauthenticated`]; [`Refusal::TooOften`] when nobody looked at the password.
    async fn shown_by(
        &self,
        user: Option<Arc<User>>,
        password: &Password,
    ) -> Result<Arc<User>, Refusal> {
        let hash = user.as_ref().map(|user| user.password_hash.clone());
        let tenant = user.as_ref().map_or("", |user| &user.tenant);
        let is_right =
            passwords::is_right(&self.hash_pool, password, hash, Purpose::SignIn, tenant).await?;
        let now = self.now();
        let user = user.filter(|user| is_right && user.active && !has_ended(user, now));
        user.ok_or(Refusal::Unauthenticated)
    }

    /// Takes a try. A browser that signed in before is told from strangers, whose guesses cost it nothing.
    pub(super) async fn attempt(
        &self,
        known: Option<&str>,
        account: &str,
        origin: &SignInOrigin,
    ) -> Result<Attempt<'_>, Refusal> {
        let now = self.now();
        if let Some(browser) = known {
            let wanted = self.attempts.of_browser(browser);
            return wanted.take(&**self.store(), now).await;
        }
        let with_code = origin.code.is_some();
        let attempts = &self.attempts;
        let wanted = attempts.of_stranger(account, with_code, origin.address);
        wanted.take(&**self.store(), now).await
    }

    /// Begins a session of a user who showed the password, and stores the hash that was made anew with it; `None` where
    /// the user is by now not what it was.
    pub(super) async fn begin_session(
        &self,
        user: &Arc<User>,
        renewed: Option<String>,
        is_as_it_was: fn(&User, &User) -> bool,
        origin: &SignInOrigin,
    ) -> Result<Option<NewSession>, Refusal> {
        let browser = match &origin.browser {
            Some(shown) if self.known(user, origin).is_some() => shown.clone(),
            _ => self.browsers.token(&user.id, self.entropy()),
        };
        let room = self.require_session_room(user)?;
        let replaced = origin.session.as_deref().map(secrets::hash);
        let code = origin.code.clone().unwrap_or_default();
        let text = secrets::random_text(self.entropy(), 40);
        let secret = format!("{}{text}", secrets::SESSION_PREFIX);
        let csrf = csrf_token(&secret);
        let now = self.now();
        let session = Session {
            hash: secrets::hash(&secret),
            user: user.id.clone(),
            csrf_hash: secrets::hash(&csrf),
            expires_at: now.plus_seconds(SESSION_SECONDS),
            used_at: now,
            begun_at: now,
            proved_at: now,
            address: origin.address.map(|address| address.to_string()),
            user_agent: user_agent_of(origin),
        };
        let (expires_at, view) = (session.expires_at, user.view());
        let user = user.clone();
        let begun = self.change(Principal::User(user.clone()), move |change| {
            let now = change.catalog.users.get(&user.id);
            let now = now.ok_or(Refusal::Unauthenticated)?;
            if !is_as_it_was(now, &user) {
                return Ok(false);
            }
            if let Some(room) = &room {
                room.require(change.catalog, &user, change.at)?;
            }
            let mut changed = None;
            if now.second_factor.as_ref().is_some_and(|own| own.confirmed) {
                let taken = second_factor::take(now, &code, change.at);
                changed = Some(taken.ok_or(Refusal::Unauthenticated)?);
            }
            if let Some(password_hash) = renewed.clone() {
                changed
                    .get_or_insert_with(|| User::clone(now))
                    .password_hash = password_hash;
            }
            if let Some(changed) = changed {
                change.put(changed);
            }
            if let Some(replaced) = &replaced {
                change.remove(Kind::Session, replaced);
            }
            make_room(change, &user.id);
            change.put(session.clone());
            change.note(AuditAction::SignIn, Kind::User, &user.id, [None, None]);
            Ok(true)
        });
        Ok(begun.await?.then_some(NewSession {
            secret,
            csrf_token: csrf,
            browser,
            expires_at,
            user: view,
        }))
    }

    /// A hash of today's costs of a password that was shown, if the user's has others. Where there is no place for
    /// that work, the next sign-in does it.
    pub(super) async fn renewed_hash(&self, user: &User, password: &Password) -> Option<String> {
        if !passwords::is_outdated(&user.password_hash) {
            return None;
        }
        let hashed = passwords::hashed(&self.hash_pool, password, &user.tenant, self.entropy());
        hashed.await.ok()
    }

    /// Ends a session; one that has ended already stays so.
    ///
    /// # Errors
    /// The store's.
    pub async fn sign_out(&self, session_secret: &str) -> Result<(), Refusal> {
        let hash = secrets::hash(session_secret);
        let catalog = self.store().catalog();
        let session = self.store().session(&hash);
        let Some(user) = session.and_then(|session| catalog.users.get(&session.user)) else {
            return Ok(());
        };
        let span = tracing::debug_span!("sessions.sign_out", user = user.id);
        let id = user.id.clone();
        let ended = self.change(Principal::User(user.clone()), move |change| {
            change.remove(Kind::Session, &hash);
            change.note(AuditAction::SignOut, Kind::User, &id, [None, None]);
            Ok(())
        });
        ended.instrument(span).await
    }

    /// Whether the token is the one that guards this session.
    pub fn is_csrf_token(&self, session_secret: &str, token: &str) -> bool {
        let session = self.store().session(&secrets::hash(session_secret));
        // hashes are compared, so the time tells nothing of the token
        session.is_some_and(|session| session.csrf_hash == secrets::hash(token))
    }
}

/// What is kept of what a browser calls itself: anyone may send any text as that.
fn user_agent_of(origin: &SignInOrigin) -> Option<String> {
    let sent = origin.user_agent.as_deref()?.trim();
    let kept: String = sent.chars().take(USER_AGENT_CHARS).collect();
    Some(kept).filter(|kept| !kept.is_empty())
}

fn has_same_password(now: &User, shown: &User) -> bool {
    now.password_hash == shown.password_hash
}

/// Removes sessions that have run out, and the user's oldest when it has too many.
fn make_room(change: &mut Change<'_>, user: &str) {
    change.end(Ending::Surplus {
        holder: Holder::User(user.to_owned()),
        at: change.at,
        max: SESSIONS_MAX,
    });
}

//! Who is calling: a credential becomes a [`Caller`]. Every reason to refuse one gives the same answer.
//! docs/interface.md, "Credentials".

use super::caller::{Caller, Principal};
use super::usable::is_usable;
use crate::ended::is_too_late;
use crate::{Refusal, Service, secrets};
use std::fmt;
use std::sync::Arc;
use store::catalog::{
    App, Catalog, CatalogWrite, Ending, Holder, Kind, ReplacedKey, Session, Token,
};
use subtle::ConstantTimeEq as _;
use tracing::Instrument as _;
use wire::Timestamp;

/// Live tokens a client has at most; with one more, the one that ends first stops working. More than any
/// fleet of programs keeps, so that it meets only a client that asks for a token with each request.
const TOKENS_MAX: usize = 1000;

/// A token that was just issued.
#[derive(Clone)]
pub struct IssuedToken {
    /// The token, shown this once.
    pub token: String,
    /// Seconds until it stops working.
    pub expires_in: i64,
}

impl fmt::Debug for IssuedToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IssuedToken")
            .field("expires_in", &self.expires_in)
            .finish_non_exhaustive()
    }
}

impl Service {
    /// The caller of a credential: the whole value of the `Authorization` header, without a scheme.
    ///
    /// # Errors
    /// [`Refusal::Unauthenticated`], for every reason there is.
    pub fn authenticate(&self, credential: &str) -> Result<Caller, Refusal> {
        let catalog = self.store.catalog();
        let now = self.clock.now();
        let known = self.recognise(&catalog, credential, now);
        let (principal, session) = known.ok_or(Refusal::Unauthenticated)?;
        let caller = Caller::new(principal, catalog).with_session(session);
        if let Some(kind) = caller.kind() {
            self.last_used.note(kind, caller.id(), now);
        }
        Ok(caller)
    }

    /// Exchanges client credentials for an access token. docs/interface.md, "Tokens".
    ///
    /// # Errors
    /// [`Refusal::Unauthenticated`] for an unknown client, a wrong secret and a client that is switched off.
    pub async fn issue_token(
        &self,
        client_id: &str,
        client_secret: &str,
    ) -> Result<IssuedToken, Refusal> {
        let now = self.clock.now();
        let secret_hash = secrets::hash(client_secret);
        // a guess is refused without bothering the one writer
        if client(&self.store.catalog(), client_id, &secret_hash).is_none() {
            return Err(Refusal::Unauthenticated);
        }
        let token = format!(
            "{}{}",
            secrets::TOKEN_PREFIX,
            secrets::random_text(&*self.entropy, 40)
        );
        let hash = secrets::hash(&token);
        let id = client_id.to_owned();
        let span = tracing::debug_span!("tokens.issue", app = client_id);
        let decided = self
            .store
            .decide(Box::new(move |catalog| {
                let app = client(catalog, &id, &secret_hash).ok_or_else(String::new)?;
                let expires_at = now.plus_seconds(app.token_seconds);
                let end = vec![Ending::Surplus {
                    holder: Holder::App(id.clone()),
                    at: now,
                    max: TOKENS_MAX,
                }];
                let put = vec![
                    Token {
                        hash: hash.clone(),
                        app: id.clone(),
                        expires_at,
                    }
                    .into(),
                ];
                Ok(CatalogWrite {
                    end,
                    put,
                    ..CatalogWrite::default()
                })
            }))
            .instrument(span)
            .await?;
        let catalog = decided.map_err(|_| Refusal::Unauthenticated)?;
        let seconds = catalog
            .apps
            .get(client_id)
            .map_or(0, |app| app.token_seconds);
        self.last_used.note(Kind::App, client_id, now);
        Ok(IssuedToken {
            token,
            expires_in: seconds,
        })
    }

    /// Whether a token still opens anything.
    pub(crate) fn is_running(&self, token: &Token, now: Timestamp) -> bool {
        // behind the token: a client's tokens may have been made to last longer just before it was issued
        let catalog = self.store.catalog();
        let app = catalog.apps.get(&token.app);
        let is_late = |app: &Arc<App>| is_too_late(token.expires_at, app.token_seconds, now);
        if now >= token.expires_at || app.is_some_and(is_late) {
            // a clock that goes back makes it no younger
            self.ended.note(Kind::Token, &token.hash);
            return false;
        }
        !self.ended.has(Kind::Token, &token.hash)
    }

    /// Whose credential this is, if it still opens anything; and the session that it is, if it is one.
    fn recognise(
        &self,
        catalog: &Catalog,
        credential: &str,
        now: Timestamp,
    ) -> Option<(Principal, Option<Arc<Session>>)> {
        let hash = || secrets::hash(credential);
        if credential.starts_with(secrets::API_KEY_PREFIX) {
            // a mistyped key costs no look-up
            let hash = secrets::is_api_key(credential).then(hash)?;
            let key = catalog.keys_by_hash.get(&hash)?;
            let is_replaced = |old: &ReplacedKey| old.hash == hash && old.until <= now;
            if !is_usable(key, catalog, now) || key.replaced.iter().any(is_replaced) {
                return None;
            }
            return Some((Principal::Key(key.clone()), None));
        }
        if credential.starts_with(secrets::TOKEN_PREFIX) {
            let token = self.store.token(&hash());
            let token = token.filter(|token| self.is_running(token, now))?;
            let app = catalog.apps.get(&token.app).filter(|app| app.active)?;
            return Some((Principal::App(app.clone()), None));
        }
        if credential.starts_with(secrets::SESSION_PREFIX) {
            let session = self.store.session(&hash());
            let session = session.filter(|session| self.use_session(session, now))?;
            let user = catalog
                .users
                .get(&session.user)
                .filter(|user| user.active)?;
            return Some((Principal::User(user.clone()), Some(session)));
        }
        None
    }
}

/// The client that these credentials are, if it is switched on.
fn client<'c>(catalog: &'c Catalog, id: &str, secret_hash: &str) -> Option<&'c Arc<App>> {
    let app = catalog.apps.get(id).filter(|app| app.active)?;
    let same = app.secret_hash.as_bytes().ct_eq(secret_hash.as_bytes());
    bool::from(same).then_some(app)
}

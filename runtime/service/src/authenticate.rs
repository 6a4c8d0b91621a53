//! Who is calling: a credential becomes a [`Caller`]. Every reason to refuse one gives the same answer.
//! Interface, "Authentication".

use super::{Refusal, Service, secrets};
use std::fmt;
use std::sync::{Arc, OnceLock};
use store::catalog::{
    Actor, ActorKind, ApiKey, App, Catalog, CatalogWrite, Ending, Grant, Holder, Kind, Resource,
    Token, User, Verb,
};
use subtle::ConstantTimeEq as _;
use wire::Timestamp;

/// Live tokens a client has at most; with one more, the one that ends first stops working. More than any
/// fleet of programs keeps, so that it meets only a client that asks for a token with each request.
const TOKENS_MAX: usize = 1000;

/// A caller whose credential was judged, and the catalog it was judged by. Made here only. What it may
/// do is read from that catalog when it is asked for, so that a request pays for its own question alone.
#[derive(Clone)]
pub struct Caller {
    who: Who,
    catalog: Arc<Catalog>,
    actor: OnceLock<Actor>,
}

#[derive(Clone)]
enum Who {
    Key(Arc<ApiKey>),
    App(Arc<App>),
    User(Arc<User>),
    Operator { tenant: String, actor: Actor },
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caller")
            .field("tenant", &self.tenant())
            .field("id", &self.id())
            .finish_non_exhaustive()
    }
}

impl Caller {
    fn new(who: Who, catalog: Arc<Catalog>) -> Self {
        Caller {
            who,
            catalog,
            actor: OnceLock::new(),
        }
    }

    /// The operator in one tenant; `None` when there is no such tenant. Its proof is
    /// [`Operator`](super::manage::Operator).
    pub(super) fn of_operator(actor: Actor, catalog: Arc<Catalog>, tenant: &str) -> Option<Self> {
        let tenant = catalog.tenants.get(tenant)?.id.clone();
        Some(Caller::new(Who::Operator { tenant, actor }, catalog))
    }

    /// The same caller by a newer catalog, if it may still call at all.
    ///
    /// # Errors
    /// [`Refusal::Unauthenticated`].
    pub(super) fn renewed(&self, catalog: Arc<Catalog>, now: Timestamp) -> Result<Self, Refusal> {
        let who = match &self.who {
            Who::Key(key) => {
                let key = catalog.api_keys.get(&key.id);
                key.filter(|key| is_usable(key, now)).cloned().map(Who::Key)
            }
            Who::App(app) => {
                let app = catalog.apps.get(&app.id).filter(|app| app.active);
                app.cloned().map(Who::App)
            }
            Who::User(user) => {
                let user = catalog.users.get(&user.id).filter(|user| user.active);
                user.cloned().map(Who::User)
            }
            Who::Operator { tenant, .. } => {
                let is_there = catalog.tenants.contains_key(tenant);
                is_there.then(|| self.who.clone())
            }
        };
        Ok(Caller::new(who.ok_or(Refusal::Unauthenticated)?, catalog))
    }

    /// The tenant it belongs to.
    pub fn tenant(&self) -> &str {
        match &self.who {
            Who::Key(key) => &key.tenant,
            Who::App(app) => &app.tenant,
            Who::User(user) => &user.tenant,
            Who::Operator { tenant, .. } => tenant,
        }
    }

    /// The id of the key, client or user.
    pub fn id(&self) -> &str {
        match &self.who {
            Who::Key(key) => &key.id,
            Who::App(app) => &app.id,
            Who::User(user) => &user.id,
            Who::Operator { actor, .. } => &actor.id,
        }
    }

    /// How it is remembered.
    pub fn actor(&self) -> &Actor {
        self.actor.get_or_init(|| match &self.who {
            Who::Key(key) => actor(ActorKind::ApiKey, &key.id, &key.name),
            Who::App(app) => actor(ActorKind::App, &app.id, &app.name),
            Who::User(user) => Actor {
                email: Some(user.email.clone()),
                full_name: Some(user.full_name.clone()),
                ..actor(ActorKind::User, &user.id, &user.username)
            },
            Who::Operator { actor, .. } => actor.clone(),
        })
    }

    /// The catalog as of this request.
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// Whether one of its roles allows the verb on the resource.
    pub fn may(&self, resource: Resource, verb: Verb) -> bool {
        let Some((roles, _)) = self.rights() else {
            return true;
        };
        let mut own = roles.iter().filter_map(|id| self.catalog.roles.get(id));
        own.any(|role| role.tenant == self.tenant() && role.verbs(resource).has(verb))
    }

    /// Whether it may do so in the area, as far as its areas go.
    pub fn reaches(&self, area: &str, verb: Verb) -> bool {
        let Some((_, grants)) = self.rights() else {
            let own = self.catalog.areas.get(area);
            return own.is_some_and(|area| area.tenant == self.tenant() && !area.deleted);
        };
        grants
            .iter()
            .any(|grant| grant.area == area && grant.verbs.has(verb))
    }

    /// Its roles and areas; `None` for the operator, who has them all.
    fn rights(&self) -> Option<(&[String], &[Grant])> {
        match &self.who {
            Who::Key(key) => Some((&key.roles, &key.grants)),
            Who::App(app) => Some((&app.roles, &app.grants)),
            Who::User(user) => Some((&user.roles, &user.grants)),
            Who::Operator { .. } => None,
        }
    }

    /// The kind of its place in the catalog.
    fn kind(&self) -> Option<Kind> {
        match &self.who {
            Who::Key(_) => Some(Kind::ApiKey),
            Who::App(_) => Some(Kind::App),
            Who::User(_) => Some(Kind::User),
            Who::Operator { .. } => None,
        }
    }
}

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
        let who = self.recognise(&catalog, credential, now);
        let who = who.ok_or(Refusal::Unauthenticated)?;
        let caller = Caller::new(who, catalog);
        if let Some(kind) = caller.kind() {
            self.last_used.note(kind, caller.id(), now);
        }
        Ok(caller)
    }

    /// Exchanges client credentials for an access token. Interface, "Token".
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

    /// Whose credential this is, if it still opens anything.
    fn recognise(&self, catalog: &Catalog, credential: &str, now: Timestamp) -> Option<Who> {
        let hash = || secrets::hash(credential);
        if credential.starts_with(secrets::API_KEY_PREFIX) {
            // a mistyped key costs no look-up
            let known = secrets::is_api_key(credential).then(|| catalog.keys_by_hash.get(&hash()));
            let key = known.flatten().filter(|key| is_usable(key, now))?;
            return Some(Who::Key(key.clone()));
        }
        if credential.starts_with(secrets::TOKEN_PREFIX) {
            let token = self.store.token(&hash());
            let token = token.filter(|token| now < token.expires_at)?;
            let app = catalog.apps.get(&token.app).filter(|app| app.active)?;
            return Some(Who::App(app.clone()));
        }
        if credential.starts_with(secrets::SESSION_PREFIX) {
            let session = self.store.session(&hash());
            let session = session.filter(|session| self.use_session(session, now))?;
            let user = catalog
                .users
                .get(&session.user)
                .filter(|user| user.active)?;
            return Some(Who::User(user.clone()));
        }
        None
    }
}

fn is_usable(key: &ApiKey, now: Timestamp) -> bool {
    key.active && key.expires_at.is_none_or(|end| now < end)
}

/// The client that these credentials are, if it is switched on.
fn client<'c>(catalog: &'c Catalog, id: &str, secret_hash: &str) -> Option<&'c Arc<App>> {
    let app = catalog.apps.get(id).filter(|app| app.active)?;
    let same = app.secret_hash.as_bytes().ct_eq(secret_hash.as_bytes());
    bool::from(same).then_some(app)
}

fn actor(kind: ActorKind, id: &str, name: &str) -> Actor {
    Actor {
        kind,
        id: id.to_owned(),
        name: name.to_owned(),
        email: None,
        full_name: None,
    }
}

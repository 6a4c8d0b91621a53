//! Who is calling: a credential becomes a [`Caller`]. Every reason to refuse one gives the same answer.
//! Interface, "Authentication".

use super::{Refusal, Service, secrets};
use crate::store::catalog::{
    Actor, ActorKind, ApiKey, App, Catalog, CatalogWrite, Grant, Place, Resource, Role, Token,
    User, Verb,
};
use std::sync::Arc;

/// A caller whose credential was judged, and the catalog it was judged by. Made here only.
#[derive(Clone, Debug)]
pub struct Caller {
    tenant: String,
    actor: Actor,
    roles: Vec<Arc<Role>>,
    grants: Vec<Grant>,
    catalog: Arc<Catalog>,
}

impl Caller {
    /// The tenant it belongs to.
    pub fn tenant(&self) -> &str {
        &self.tenant
    }

    /// How it is remembered.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// The catalog as of this request.
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// Whether one of its roles allows the verb on the resource.
    pub fn may(&self, resource: Resource, verb: Verb) -> bool {
        self.roles.iter().any(|role| role.verbs(resource).has(verb))
    }

    /// Whether it may do so in the area, as far as its areas go.
    pub fn reaches(&self, area: &str, verb: Verb) -> bool {
        self.grants
            .iter()
            .any(|grant| grant.area == area && grant.verbs.has(verb))
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

impl std::fmt::Debug for IssuedToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
        let (caller, place) = self
            .caller(&catalog, credential)
            .ok_or(Refusal::Unauthenticated)?;
        self.note_used(place);
        Ok(caller)
    }

    fn caller(&self, catalog: &Arc<Catalog>, credential: &str) -> Option<(Caller, Place)> {
        let now = self.clock.now();
        if secrets::is_api_key(credential) {
            let key = catalog.keys_by_hash.get(&secrets::hash(credential))?;
            let usable = key.active && key.expires_at.is_none_or(|end| now < end);
            return usable.then(|| {
                (
                    of_key(catalog, key),
                    Place {
                        kind: "api_key",
                        id: key.id.clone(),
                    },
                )
            });
        }
        let hash = || secrets::hash(credential);
        if credential.starts_with(secrets::TOKEN_PREFIX) {
            let token = catalog
                .tokens
                .get(&hash())
                .filter(|token| now < token.expires_at)?;
            let app = catalog.apps.get(&token.app).filter(|app| app.active)?;
            return Some((
                of_app(catalog, app),
                Place {
                    kind: "app",
                    id: app.id.clone(),
                },
            ));
        }
        if credential.starts_with(secrets::SESSION_PREFIX) {
            let session = catalog
                .sessions
                .get(&hash())
                .filter(|session| now < session.expires_at)?;
            let user = catalog
                .users
                .get(&session.user)
                .filter(|user| user.active)?;
            return Some((
                of_user(catalog, user),
                Place {
                    kind: "user",
                    id: user.id.clone(),
                },
            ));
        }
        None
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
        let token = format!(
            "{}{}",
            secrets::TOKEN_PREFIX,
            secrets::random_text(&*self.entropy, 40)
        );
        let hash = secrets::hash(&token);
        let client = client_id.to_owned();
        let decided = self
            .store
            .decide(Box::new(move |catalog| {
                let app = catalog
                    .apps
                    .get(&client)
                    .filter(|app| app.active && app.secret_hash == secret_hash);
                let app = app.ok_or_else(String::new)?;
                let expires_at = now.plus_seconds(app.token_seconds);
                // tokens that have run out leave with the next one that comes
                let old = catalog
                    .tokens
                    .values()
                    .filter(|token| token.expires_at <= now)
                    .take(64);
                let remove = old
                    .map(|token| Place {
                        kind: "token",
                        id: token.hash.clone(),
                    })
                    .collect();
                let put = vec![
                    Token {
                        hash: hash.clone(),
                        app: client.clone(),
                        expires_at,
                    }
                    .into(),
                ];
                Ok(CatalogWrite {
                    put,
                    remove,
                    audit: Vec::new(),
                })
            }))
            .await?;
        let catalog = decided.map_err(|_| Refusal::Unauthenticated)?;
        let seconds = catalog
            .apps
            .get(client_id)
            .map_or(0, |app| app.token_seconds);
        Ok(IssuedToken {
            token,
            expires_in: seconds,
        })
    }
}

fn roles_of(catalog: &Catalog, tenant: &str, ids: &[String]) -> Vec<Arc<Role>> {
    let found = ids.iter().filter_map(|id| catalog.roles.get(id));
    found
        .filter(|role| role.tenant == tenant)
        .cloned()
        .collect()
}

fn of_key(catalog: &Arc<Catalog>, key: &ApiKey) -> Caller {
    Caller {
        tenant: key.tenant.clone(),
        actor: actor(ActorKind::ApiKey, &key.id, &key.name),
        roles: roles_of(catalog, &key.tenant, &key.roles),
        grants: key.grants.clone(),
        catalog: catalog.clone(),
    }
}

fn of_app(catalog: &Arc<Catalog>, app: &App) -> Caller {
    Caller {
        tenant: app.tenant.clone(),
        actor: actor(ActorKind::App, &app.id, &app.name),
        roles: roles_of(catalog, &app.tenant, &app.roles),
        grants: app.grants.clone(),
        catalog: catalog.clone(),
    }
}

fn of_user(catalog: &Arc<Catalog>, user: &User) -> Caller {
    Caller {
        tenant: user.tenant.clone(),
        actor: Actor {
            email: Some(user.email.clone()),
            full_name: Some(user.full_name.clone()),
            ..actor(ActorKind::User, &user.id, &user.username)
        },
        roles: roles_of(catalog, &user.tenant, &user.roles),
        grants: user.grants.clone(),
        catalog: catalog.clone(),
    }
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

//! Who is calling, by one catalog: an API key, an application client, a signed-in user, or the machine's
//! operator. What it may do, [`Rights`] reads from the same catalog.

use super::access::{Rights, named_roles};
use super::usable::is_usable;
use crate::{Owner, Refusal};
use std::fmt;
use std::sync::{Arc, OnceLock};
use store::catalog::{Actor, ActorKind, ApiKey, App, Catalog, Grant, Kind, Session, User, Via};
use wire::Timestamp;

/// A caller whose credential was judged, and the catalog it was judged by. Made in this room only. What it
/// may do is read from that catalog when it is asked for, so that a request pays for its own question alone.
#[derive(Clone)]
pub struct Caller {
    principal: Principal,
    catalog: Arc<Catalog>,
    /// The session that it came in with.
    session: Option<Arc<Session>>,
    /// By what it works.
    via: Option<Via>,
    /// The job that it works for.
    job: Option<String>,
    actor: OnceLock<Actor>,
}

/// Who has roles and areas; the operator has them all.
#[derive(Clone)]
pub(crate) enum Principal {
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
    pub(crate) fn new(principal: Principal, catalog: Arc<Catalog>) -> Self {
        Caller {
            principal,
            catalog,
            session: None,
            via: None,
            job: None,
            actor: OnceLock::new(),
        }
    }

    /// The same caller, which came in with a session.
    pub(super) fn with_session(self, session: Option<Arc<Session>>) -> Self {
        Caller { session, ..self }
    }

    /// The same caller by a newer catalog, if it may still call at all.
    ///
    /// # Errors
    /// [`Refusal::Unauthenticated`].
    pub(crate) fn renewed(&self, catalog: Arc<Catalog>, now: Timestamp) -> Result<Self, Refusal> {
        let principal = self.principal.newest(&catalog, now)?;
        Ok(Caller {
            session: self.session.clone(),
            via: self.via,
            job: self.job.clone(),
            ..Caller::new(principal, catalog)
        })
    }

    /// The same caller, by whose writes of records it is remembered by what it works.
    #[must_use]
    pub fn working_by(self, via: Via) -> Self {
        Caller {
            via: Some(via),
            actor: OnceLock::new(),
            ..self
        }
    }

    /// The same caller, whose writes of records are remembered as those of a job.
    pub(crate) fn working_for(self, via: Via, job: &str) -> Self {
        Caller {
            job: Some(job.to_owned()),
            ..self.working_by(via)
        }
    }

    /// The tenant it belongs to.
    pub fn tenant(&self) -> &str {
        self.principal.tenant()
    }

    /// The id of the key, client or user.
    pub fn id(&self) -> &str {
        self.principal.id()
    }

    /// Whose memory it takes.
    pub fn owner(&self) -> Owner {
        Owner::of(self.tenant(), self.id())
    }

    /// The name of the key or client; of a user the one it signs in with.
    pub fn name(&self) -> &str {
        self.principal.name()
    }

    /// How it is remembered.
    pub fn actor(&self) -> &Actor {
        self.actor.get_or_init(|| Actor {
            via: self.via,
            job: self.job.clone(),
            ..self.principal.actor()
        })
    }

    /// The catalog as of this request.
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// The session that it came in with: as it was then.
    pub(crate) fn session(&self) -> Option<&Arc<Session>> {
        self.session.as_ref()
    }

    /// The user that it is.
    pub(crate) fn user(&self) -> Option<&Arc<User>> {
        match &self.principal {
            Principal::User(user) => Some(user),
            _ => None,
        }
    }

    /// Whether it is a user, and no program: the data interface shows a user what management does, and programs whole records.
    pub(crate) fn is_user(&self) -> bool {
        self.user().is_some()
    }

    /// Whether it has to choose a password before it may do anything else.
    pub fn must_change_password(&self) -> bool {
        self.user().is_some_and(|user| user.must_change_password)
    }

    /// Whether it has to set up a second factor before it may do anything else.
    pub fn must_set_up_second_factor(&self) -> bool {
        self.user()
            .is_some_and(|user| lacks_required_factor(user, &self.catalog))
    }

    /// Whether it is a user of whom a second factor is required.
    pub fn is_second_factor_required(&self) -> bool {
        self.user()
            .is_some_and(|user| is_factor_required(user, &self.catalog))
    }

    /// Whether one of these roles requires a second factor of users.
    pub fn is_factor_required_by(&self, roles: &[String]) -> bool {
        named_roles(&self.catalog, self.tenant(), roles).any(|role| role.second_factor_required)
    }

    /// Whether it is a user of whom signing in asks a code as well.
    pub fn has_second_factor(&self) -> bool {
        let factor = self.user().and_then(|user| user.second_factor.as_ref());
        factor.is_some_and(|own| own.confirmed)
    }

    /// The kind of its row in the catalog; the operator has none.
    pub(crate) fn kind(&self) -> Option<Kind> {
        self.principal.kind()
    }

    /// What it may do.
    pub fn rights(&self) -> Rights<'_> {
        self.principal.rights(&self.catalog)
    }
}

impl From<&Caller> for Principal {
    fn from(caller: &Caller) -> Self {
        caller.principal.clone()
    }
}

impl Principal {
    /// The same principal as the catalog has it, if it may call at all.
    ///
    /// # Errors
    /// [`Refusal::Unauthenticated`].
    pub(crate) fn newest(&self, catalog: &Catalog, now: Timestamp) -> Result<Self, Refusal> {
        let newest = match self {
            Principal::Key(key) => {
                let key = catalog.api_keys.get(&key.id);
                let key = key.filter(|key| is_usable(key, catalog, now));
                key.cloned().map(Principal::Key)
            }
            Principal::App(app) => {
                let app = catalog.apps.get(&app.id).filter(|app| app.active);
                app.cloned().map(Principal::App)
            }
            Principal::User(user) => {
                let user = catalog.users.get(&user.id).filter(|user| user.active);
                user.cloned().map(Principal::User)
            }
            Principal::Operator { tenant, .. } => {
                let is_there = catalog.tenants.contains_key(tenant);
                is_there.then(|| self.clone())
            }
        };
        newest.ok_or(Refusal::Unauthenticated)
    }

    pub(crate) fn tenant(&self) -> &str {
        match self {
            Principal::Key(key) => &key.tenant,
            Principal::App(app) => &app.tenant,
            Principal::User(user) => &user.tenant,
            Principal::Operator { tenant, .. } => tenant,
        }
    }

    pub(crate) fn id(&self) -> &str {
        match self {
            Principal::Key(key) => &key.id,
            Principal::App(app) => &app.id,
            Principal::User(user) => &user.id,
            Principal::Operator { actor, .. } => &actor.id,
        }
    }

    fn name(&self) -> &str {
        match self {
            Principal::Key(key) => &key.name,
            Principal::App(app) => &app.name,
            Principal::User(user) => &user.username,
            Principal::Operator { actor, .. } => &actor.name,
        }
    }

    /// Its roles and areas; `None` for the operator, who has them all. A user whose password someone else
    /// chose has none until it is changed, by whichever door it comes.
    fn access(&self) -> Option<(&[String], &[Grant])> {
        match self {
            Principal::User(user) if user.must_change_password => Some((&[], &[])),
            Principal::Key(key) => Some((&key.roles, &key.grants)),
            Principal::App(app) => Some((&app.roles, &app.grants)),
            Principal::User(user) => Some((&user.roles, &user.grants)),
            Principal::Operator { .. } => None,
        }
    }

    /// The kind of its row in the catalog; the operator has none.
    pub(super) fn kind(&self) -> Option<Kind> {
        match self {
            Principal::Key(_) => Some(Kind::ApiKey),
            Principal::App(_) => Some(Kind::App),
            Principal::User(_) => Some(Kind::User),
            Principal::Operator { .. } => None,
        }
    }

    /// What it may do, as of a catalog.
    pub(crate) fn rights<'c>(&'c self, catalog: &'c Catalog) -> Rights<'c> {
        let access = match self {
            // whichever door it comes by
            Principal::User(user) if lacks_required_factor(user, catalog) => {
                Some((&[][..], &[][..]))
            }
            _ => self.access(),
        };
        Rights::of(catalog, self.tenant(), access)
    }

    /// How it is remembered.
    pub(crate) fn actor(&self) -> Actor {
        let named = |kind, id: &str, name: &str| Actor {
            kind,
            id: id.to_owned(),
            name: name.to_owned(),
            email: None,
            full_name: None,
            via: None,
            job: None,
        };
        match self {
            Principal::Key(key) => named(ActorKind::ApiKey, &key.id, &key.name),
            Principal::App(app) => named(ActorKind::App, &app.id, &app.name),
            Principal::User(user) => Actor {
                email: Some(user.email.clone()),
                full_name: Some(user.full_name.clone()),
                ..named(ActorKind::User, &user.id, &user.username)
            },
            Principal::Operator { actor, .. } => actor.clone(),
        }
    }
}

/// Whether a second factor is required of a user: by itself, or by one of its roles.
pub(crate) fn is_factor_required(user: &User, catalog: &Catalog) -> bool {
    let mut roles = named_roles(catalog, &user.tenant, &user.roles);
    user.second_factor_required || roles.any(|role| role.second_factor_required)
}

/// Whether a second factor is required of a user that has none.
fn lacks_required_factor(user: &User, catalog: &Catalog) -> bool {
    let factor = user.second_factor.as_ref();
    !factor.is_some_and(|own| own.confirmed) && is_factor_required(user, catalog)
}

//! What whoever asks may do, read from a catalog: its roles and its areas. Nobody gives what it does
//! not have, and the last administrator stays.

use super::{Denied, draft::Asker};
use std::sync::Arc;
use store::catalog::{ActorKind, Catalog, Grant, Permission, Resource, Role, User, Verb, Verbs};

const VERBS: [Verb; 4] = [Verb::View, Verb::Add, Verb::Edit, Verb::Delete];

/// Rights as of one catalog.
#[derive(Clone, Debug)]
pub(super) struct Rights {
    is_operator: bool,
    roles: Vec<Arc<Role>>,
    grants: Vec<Grant>,
}

impl Rights {
    /// The rights of whoever asks.
    pub(super) fn of(catalog: &Catalog, asker: &Asker) -> Result<Self, Denied> {
        let id = &asker.actor.id;
        let (roles, grants) = match asker.actor.kind {
            ActorKind::Operator => return Ok(Rights::of_operator()),
            ActorKind::User => {
                let user = catalog.users.get(id).filter(|user| user.active);
                user.map(|user| (&user.roles, &user.grants))
            }
            ActorKind::ApiKey => {
                let key = catalog.api_keys.get(id).filter(|key| key.active);
                key.map(|key| (&key.roles, &key.grants))
            }
            ActorKind::App => {
                let app = catalog.apps.get(id).filter(|app| app.active);
                app.map(|app| (&app.roles, &app.grants))
            }
        }
        .ok_or(Denied::Unauthenticated)?;
        Ok(Rights {
            is_operator: false,
            roles: named_roles(catalog, &asker.tenant, roles),
            grants: grants.clone(),
        })
    }

    pub(super) fn of_operator() -> Self {
        Rights {
            is_operator: true,
            roles: Vec::new(),
            grants: Vec::new(),
        }
    }

    pub(super) fn is_operator(&self) -> bool {
        self.is_operator
    }

    /// Whether there is nothing its roles do not allow. Such a caller may give itself any area of its
    /// tenant, so management lets it reach them all.
    pub(super) fn is_administrator(&self) -> bool {
        self.is_operator || is_everything(&self.roles)
    }

    pub(super) fn may(&self, resource: Resource, verb: Verb) -> bool {
        self.is_operator || self.roles.iter().any(|role| role.verbs(resource).has(verb))
    }

    pub(super) fn reaches(&self, area: &str, verb: Verb) -> bool {
        let granted = |grant: &Grant| grant.area == area && grant.verbs.has(verb);
        self.is_administrator() || self.grants.iter().any(granted)
    }

    pub(super) fn require(&self, resource: Resource, verb: Verb) -> Result<(), Denied> {
        if self.may(resource, verb) {
            return Ok(());
        }
        Err(Denied::Forbidden(format!(
            "no role of the caller allows to {} {}",
            verb_name(verb),
            resource_name(resource)
        )))
    }

    pub(super) fn require_in(
        &self,
        resource: Resource,
        verb: Verb,
        area: &str,
    ) -> Result<(), Denied> {
        self.require(resource, verb)?;
        if self.reaches(area, verb) {
            return Ok(());
        }
        Err(Denied::Forbidden(format!(
            "the caller may not {} in this area",
            verb_name(verb)
        )))
    }

    /// Whether the caller itself has all of these permissions.
    pub(super) fn cover_permissions(&self, permissions: &[Permission]) -> Result<(), Denied> {
        for permission in permissions {
            for verb in VERBS {
                if permission.verbs.has(verb) && !self.may(permission.resource, verb) {
                    return Err(Denied::Forbidden(format!(
                        "the caller can't give or take what it does not have itself: {} {}",
                        verb_name(verb),
                        resource_name(permission.resource)
                    )));
                }
            }
        }
        Ok(())
    }

    /// Whether the caller itself has all that these roles and areas give.
    pub(super) fn cover(&self, roles: &[Arc<Role>], grants: &[Grant]) -> Result<(), Denied> {
        for role in roles {
            self.cover_permissions(&role.permissions)?;
        }
        for grant in grants {
            let beyond = VERBS
                .into_iter()
                .find(|verb| grant.verbs.has(*verb) && !self.reaches(&grant.area, *verb));
            if let Some(verb) = beyond {
                return Err(Denied::Forbidden(format!(
                    "the caller can't give or take what it does not have itself: {} in the area {}",
                    verb_name(verb),
                    grant.area
                )));
            }
        }
        Ok(())
    }
}

/// The roles of a tenant that these ids name.
pub(super) fn named_roles(catalog: &Catalog, tenant: &str, ids: &[String]) -> Vec<Arc<Role>> {
    let found = ids.iter().filter_map(|id| catalog.roles.get(id));
    found
        .filter(|role| role.tenant == tenant)
        .cloned()
        .collect()
}

fn is_everything<'r>(roles: impl IntoIterator<Item = &'r Arc<Role>>) -> bool {
    let roles: Vec<_> = roles.into_iter().collect();
    Resource::ALL.into_iter().all(|resource| {
        let all = roles
            .iter()
            .fold(Verbs::NONE, |set, role| set.and(role.verbs(resource)));
        all == Verbs::ALL
    })
}

/// What a change puts in place of a user or a role, as far as administrators are concerned.
#[derive(Clone, Copy, Default)]
pub(super) struct Replaced<'a> {
    /// The user's id, and what it becomes; `None` when it goes.
    pub(super) user: Option<(&'a str, Option<&'a User>)>,
    /// What a role becomes.
    pub(super) role: Option<&'a Role>,
}

fn has_administrator(catalog: &Catalog, tenant: &str, replaced: Replaced<'_>) -> bool {
    let is_one = |user: &User| {
        let roles = named_roles(catalog, tenant, &user.roles).into_iter();
        let roles: Vec<_> = roles
            .map(|role| match replaced.role {
                Some(new) if new.id == role.id => Arc::new(new.clone()),
                _ => role,
            })
            .collect();
        user.active && is_everything(&roles)
    };
    let mut users = catalog.users.values().filter(|user| user.tenant == tenant);
    users.any(|user| match replaced.user {
        Some((id, new)) if id == user.id => new.is_some_and(is_one),
        _ => is_one(user),
    })
}

/// Refuses a change that leaves a tenant without an administrator that can sign in, if it has one. The
/// operator may do even that.
pub(super) fn keep_an_administrator(
    catalog: &Catalog,
    tenant: &str,
    replaced: Replaced<'_>,
) -> Result<(), Denied> {
    let had = has_administrator(catalog, tenant, Replaced::default());
    if had && !has_administrator(catalog, tenant, replaced) {
        return Err(Denied::Conflict(
            "the tenant would be left without an administrator; make another user one first"
                .to_owned(),
        ));
    }
    Ok(())
}

fn verb_name(verb: Verb) -> &'static str {
    match verb {
        Verb::View => "view",
        Verb::Add => "add",
        Verb::Edit => "edit",
        Verb::Delete => "delete",
    }
}

fn resource_name(resource: Resource) -> String {
    let name = serde_json::to_value(resource).unwrap_or_default();
    name.as_str().unwrap_or_default().to_owned()
}

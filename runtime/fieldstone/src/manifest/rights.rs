//! Roles, and those who have them: users, API keys and application clients of a manifest.

use super::apply::Action;
use super::plan::{Plan, told};
use super::{ApiKey, Areas, Client, Role, Tenant, User};
use anyhow::bail;
use runtime::service::manage::Content;
use runtime::service::manage::{
    ADMINISTRATOR, ApiKeyContent, AppContent, MEMBER, NewApiKey, NewUser, Password, RoleContent,
    UserContent,
};
use runtime::service::secrets::random_text;
use runtime::store::Catalog;
use runtime::store::catalog::{Grant, Permission, Verb, Verbs};
use std::collections::BTreeSet;
use std::sync::Arc;

const PASSWORD_LENGTH: usize = 20;

/// Roles and areas by their ids.
#[derive(Clone, Default, PartialEq)]
struct Access {
    roles: Vec<String>,
    grants: Vec<Grant>,
}

impl Access {
    /// Whether roles and grants are these, in whatever order.
    fn is(&self, roles: &[String], grants: &[Grant]) -> bool {
        let sorted = |roles: &[String]| roles.iter().cloned().collect::<BTreeSet<_>>();
        let same_grants = self.grants.len() == grants.len()
            && self.grants.iter().all(|grant| grants.contains(grant));
        same_grants && sorted(&self.roles) == sorted(roles)
    }
}

impl Plan<'_> {
    pub(super) async fn role(&mut self, tenant: Option<&str>, wanted: &Role) -> anyhow::Result<()> {
        let catalog = self.catalog();
        let mut permissions = Vec::new();
        for (name, verbs) in &wanted.permissions {
            let Some(resource) = name.resource() else {
                bail!("there is no such resource");
            };
            let verbs = Verbs::from(verbs.clone());
            permissions.push(Permission { resource, verbs });
        }
        let there = catalog
            .roles
            .values()
            .find(|role| Some(role.tenant.as_str()) == tenant && role.name == wanted.name);
        let action = Action::of(there, |role| {
            let allowed =
                |permission: &Permission| role.verbs(permission.resource) == permission.verbs;
            role.description == wanted.description
                && permissions.iter().all(allowed)
                && permissions.len() == role.permissions.len()
        });
        let content = RoleContent {
            name: wanted.name.clone(),
            description: wanted.description.clone(),
            permissions,
        };
        content.judge(self.service.now()).map_err(told)?;
        let mut id = there.map(|role| role.id.clone());
        if let Some(by) = self.writer(tenant, action != Action::Keep)? {
            let made = match &id {
                None => self.service.create_role(&by, content).await,
                Some(id) => self.service.update_role(&by, id, content).await,
            };
            id = Some(made.map_err(told)?.id.clone());
        }
        self.step(action, "role", &wanted.name, id.as_deref());
        Ok(())
    }

    pub(super) async fn user(
        &mut self,
        tenant: Option<&str>,
        manifest: &Tenant,
        wanted: &User,
    ) -> anyhow::Result<()> {
        let catalog = self.catalog();
        let access = access(&catalog, tenant, manifest, &wanted.roles, &wanted.areas)?;
        let there = catalog.users_by_name.get(&wanted.username);
        if there.is_some_and(|user| Some(user.tenant.as_str()) != tenant) {
            bail!("a user of another tenant has this name; choose another one");
        }
        self.must_be_free(there.is_some(), "a user", &wanted.username)?;
        let full_name = match wanted.full_name.as_str() {
            "" => wanted.username.clone(),
            name => name.to_owned(),
        };
        let action = Action::of(there, |user| {
            let is_named = user.full_name == full_name && user.email == wanted.email;
            let is_allowed = access
                .as_ref()
                .is_some_and(|it| it.is(&user.roles, &user.grants));
            is_named && is_allowed && wanted.active.is_none_or(|active| active == user.active)
        });
        let mut id = there.map(|user| user.id.clone());
        let mut secret = None;
        let by = self.writer(tenant, access.is_some() && action != Action::Keep)?;
        let Access { roles, grants } = access.unwrap_or_default();
        let (username, email) = (wanted.username.clone(), wanted.email.clone());
        if let Some(old) = there {
            let content = UserContent {
                username,
                full_name,
                email,
                password: None,
                active: wanted.active.unwrap_or(old.active),
                roles,
                grants,
            };
            content.judge(self.service.now()).map_err(told)?;
            if let Some(by) = by {
                let changed = self.service.update_user(&by, &old.id, content).await;
                changed.map_err(told)?;
            }
        } else {
            let given = wanted.password.clone();
            let password =
                given.unwrap_or_else(|| random_text(self.service.entropy(), PASSWORD_LENGTH));
            let new = NewUser {
                username,
                full_name,
                email,
                password: Password::new(password.clone()),
                active: wanted.active.unwrap_or(true),
                roles,
                grants,
            };
            new.judge(self.service.now()).map_err(told)?;
            if let Some(by) = by {
                let made = self.service.create_user(&by, new).await.map_err(told)?;
                id = Some(made.id.clone());
                secret = wanted.password.is_none().then_some(password);
            }
        }
        self.step(action, "user", &wanted.username, id.as_deref());
        self.secret(secret);
        Ok(())
    }

    pub(super) async fn api_key(
        &mut self,
        tenant: Option<&str>,
        manifest: &Tenant,
        wanted: &ApiKey,
    ) -> anyhow::Result<()> {
        let catalog = self.catalog();
        let access = access(&catalog, tenant, manifest, &wanted.roles, &wanted.areas)?;
        let mut keys = catalog.api_keys.values();
        let there = keys.find(|key| Some(key.tenant.as_str()) == tenant && key.name == wanted.name);
        self.must_be_free(there.is_some(), "an API key", &wanted.name)?;
        if there.is_some_and(|key| key.expires_at != wanted.expires) {
            bail!("when a key expires can't be changed; make another key and delete this one");
        }
        let action = Action::of(there, |key| {
            let is_allowed = access
                .as_ref()
                .is_some_and(|it| it.is(&key.roles, &key.grants));
            let is_on = wanted.active.is_none_or(|active| active == key.active);
            is_allowed && key.description == wanted.description && is_on
        });
        let mut id = there.map(|key| key.id.clone());
        let mut secret = None;
        let by = self.writer(tenant, access.is_some() && action != Action::Keep)?;
        let Access { roles, grants } = access.unwrap_or_default();
        let (name, description) = (wanted.name.clone(), wanted.description.clone());
        if let Some(old) = there {
            let content = ApiKeyContent {
                name,
                description,
                active: wanted.active.unwrap_or(old.active),
                roles,
                grants,
            };
            content.judge(self.service.now()).map_err(told)?;
            if let Some(by) = by {
                let changed = self.service.update_api_key(&by, &old.id, content).await;
                changed.map_err(told)?;
            }
        } else {
            let new = NewApiKey {
                name,
                description,
                expires_at: wanted.expires,
                active: wanted.active.unwrap_or(true),
                roles,
                grants,
            };
            new.judge(self.service.now()).map_err(told)?;
            if let Some(by) = by {
                let made = self.service.create_api_key(&by, new).await.map_err(told)?;
                id = Some(made.noun.id.clone());
                secret = Some(made.secret);
            }
        }
        self.step(action, "API key", &wanted.name, id.as_deref());
        self.secret(secret);
        Ok(())
    }

    pub(super) async fn client(
        &mut self,
        tenant: Option<&str>,
        manifest: &Tenant,
        wanted: &Client,
    ) -> anyhow::Result<()> {
        let catalog = self.catalog();
        let access = access(&catalog, tenant, manifest, &wanted.roles, &wanted.areas)?;
        let mut apps = catalog.apps.values();
        let there = apps.find(|app| Some(app.tenant.as_str()) == tenant && app.name == wanted.name);
        self.must_be_free(there.is_some(), "an application client", &wanted.name)?;
        let action = Action::of(there, |app| {
            let is_allowed = access
                .as_ref()
                .is_some_and(|it| it.is(&app.roles, &app.grants));
            let is_on = wanted.active.is_none_or(|active| active == app.active);
            let is_told = app.description == wanted.description && is_on;
            is_allowed && is_told && app.token_seconds == wanted.token_seconds
        });
        let mut id = there.map(|app| app.id.clone());
        let mut secret = None;
        let by = self.writer(tenant, access.is_some() && action != Action::Keep)?;
        let Access { roles, grants } = access.unwrap_or_default();
        let content = AppContent {
            name: wanted.name.clone(),
            description: wanted.description.clone(),
            active: wanted
                .active
                .or(there.map(|app| app.active))
                .unwrap_or(true),
            token_seconds: wanted.token_seconds,
            roles,
            grants,
        };
        content.judge(self.service.now()).map_err(told)?;
        match (by, there) {
            (None, _) => {}
            (Some(by), Some(old)) => {
                let changed = self.service.update_app(&by, &old.id, content).await;
                changed.map_err(told)?;
            }
            (Some(by), None) => {
                let made = self.service.create_app(&by, content.into()).await;
                let made = made.map_err(told)?;
                id = Some(made.noun.id.clone());
                secret = Some(made.secret);
            }
        }
        self.step(action, "application client", &wanted.name, id.as_deref());
        self.secret(secret);
        Ok(())
    }
}

/// The ids of roles and areas; `None` while one of them is yet to be made.
fn access(
    catalog: &Arc<Catalog>,
    tenant: Option<&str>,
    manifest: &Tenant,
    roles: &[String],
    areas: &Areas,
) -> anyhow::Result<Option<Access>> {
    let own = catalog
        .roles
        .values()
        .filter(|role| Some(role.tenant.as_str()) == tenant);
    let own: Vec<_> = own.collect();
    let mut is_made = true;
    let mut role_ids = Vec::new();
    for name in roles {
        match own.iter().find(|role| role.name == *name) {
            Some(role) => role_ids.push(role.id.clone()),
            None => is_made = false,
        }
        let mut known: BTreeSet<&str> = own.iter().map(|role| role.name.as_str()).collect();
        known.extend(manifest.roles.iter().map(|role| role.name.as_str()));
        known.extend([ADMINISTRATOR, MEMBER]);
        refuse_unknown("role", name, &known)?;
    }
    let own: Vec<_> = tenant
        .into_iter()
        .flat_map(|tenant| catalog.areas_of(tenant))
        .collect();
    let grant = |area: &str, verbs: &[Verb]| Grant {
        area: area.to_owned(),
        verbs: Verbs::from(verbs.to_vec()),
    };
    let mut grants = Vec::new();
    match areas {
        Areas::All(everywhere) => {
            grants.extend(own.iter().map(|area| grant(&area.id, &everywhere.all)));
            let is_there = |name: &str| own.iter().any(|area| area.name == name);
            is_made &= manifest.areas.iter().all(|area| is_there(&area.name));
        }
        Areas::Named(named) => {
            let mut known: BTreeSet<&str> = own.iter().map(|area| area.name.as_str()).collect();
            known.extend(manifest.areas.iter().map(|area| area.name.as_str()));
            for (name, verbs) in named {
                match own.iter().find(|area| area.name == *name) {
                    Some(area) => grants.push(grant(&area.id, verbs)),
                    None => is_made = false,
                }
                refuse_unknown("area", name, &known)?;
            }
        }
    }
    Ok(is_made.then_some(Access {
        roles: role_ids,
        grants,
    }))
}

fn refuse_unknown(what: &str, name: &str, known: &BTreeSet<&str>) -> anyhow::Result<()> {
    if known.contains(name) {
        return Ok(());
    }
    let known: Vec<&str> = known.iter().copied().collect();
    if known.is_empty() {
        bail!("there is no {what} `{name}`, nor any other");
    }
    bail!(
        "there is no {what} `{name}`; there are {}",
        known.join(", ")
    )
}

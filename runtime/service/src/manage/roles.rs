//! Roles: named sets of permissions. Nobody makes a role that allows more than they may themselves.

use super::draft::Draft;
use super::lists::made_by_id;
use super::names::{Texts, taken};
use super::rights::{Replaced, keep_an_administrator};
use super::{Denied, RoleView};
use crate::manage::Content;
use crate::manage::RoleContent;
use crate::manage::View;
use crate::{Caller, PageRequest, Service, ids};
use std::sync::Arc;
use store::catalog::{Catalog, Resource, Role, Verb};
use wire::Page;
use wire::Timestamp;

impl Content for RoleContent {
    fn judge(&self, _now: Timestamp) -> Result<(), Denied> {
        let mut texts = Texts::default();
        texts.name("$.name", &self.name);
        texts
            .description("$.description", &self.description)
            .judged()
    }
}

impl Service {
    /// Makes a role.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, permissions the caller does not have.
    pub async fn create_role(
        &self,
        by: &Caller,
        content: RoleContent,
    ) -> Result<Arc<Role>, Denied> {
        content.judge(self.now())?;
        let id = ids::new_id(self.now(), self.entropy());
        self.change(by, move |draft| {
            draft.require(Resource::Roles, Verb::Add)?;
            draft.rights.cover_permissions(&content.permissions)?;
            free(draft, &content.name, "")?;
            let role = draft.put(Role {
                id: id.clone(),
                tenant: draft.tenant().to_owned(),
                name: content.name.clone(),
                description: content.description.clone(),
                built_in: false,
                permissions: content.permissions.clone(),
            });
            draft.remember("create", ["role", &id], None, Some(RoleView::of(&role)));
            Ok(role)
        })
        .await
    }

    /// Changes a role; whoever has it may do what it allows from the next request on.
    ///
    /// # Errors
    /// What is wrong with it, a built-in role, permissions the caller does not have, no administrator left.
    pub async fn update_role(
        &self,
        by: &Caller,
        role: &str,
        content: RoleContent,
    ) -> Result<Arc<Role>, Denied> {
        content.judge(self.now())?;
        let id = role.to_owned();
        self.change(by, move |draft| {
            let old = role_of(draft, &id, Verb::Edit)?;
            draft.rights.cover_permissions(&old.permissions)?;
            draft.rights.cover_permissions(&content.permissions)?;
            free(draft, &content.name, &id)?;
            let new = Role {
                name: content.name.clone(),
                description: content.description.clone(),
                permissions: content.permissions.clone(),
                ..(*old).clone()
            };
            if !draft.rights.is_operator() {
                let replaced = Replaced {
                    role: Some(&new),
                    ..Replaced::default()
                };
                keep_an_administrator(draft.catalog, draft.tenant(), replaced)?;
            }
            let new = draft.put(new);
            let views = (Some(RoleView::of(&old)), Some(RoleView::of(&new)));
            draft.remember("update", ["role", &id], views.0, views.1);
            Ok(new)
        })
        .await
    }

    /// Deletes a role that nobody has.
    ///
    /// # Errors
    /// No such role, a built-in one, one that someone has, missing rights.
    pub async fn delete_role(&self, by: &Caller, role: &str) -> Result<(), Denied> {
        let id = role.to_owned();
        self.change(by, move |draft| {
            let old = role_of(draft, &id, Verb::Delete)?;
            let holders = holders(draft.catalog, &id);
            if holders > 0 {
                return Err(Denied::Conflict(format!(
                    "{holders} keys, clients or users have this role; take it from them first"
                )));
            }
            draft.remove("role", &id);
            draft.remember("delete", ["role", &id], Some(RoleView::of(&old)), None);
            Ok(())
        })
        .await
    }

    /// The tenant's roles.
    ///
    /// # Errors
    /// Missing rights, a bad page key.
    pub fn roles(&self, by: &Caller, page: &PageRequest) -> Result<Page<RoleView>, Denied> {
        let sight = self.sight(by, Resource::Roles)?;
        let scope = format!("roles {}", sight.tenant);
        let made = |role: &Role| made_by_id(&role.id);
        self.noun_page(&scope, page, (&sight.catalog.roles, made), |role| {
            (role.tenant == sight.tenant).then(|| RoleView::of(role))
        })
    }

    /// One role.
    ///
    /// # Errors
    /// No such role, missing rights.
    pub fn role(&self, by: &Caller, id: &str) -> Result<Arc<Role>, Denied> {
        let sight = self.sight(by, Resource::Roles)?;
        let own = |role: &&Arc<Role>| role.tenant == sight.tenant;
        let role = sight.catalog.roles.get(id).filter(own);
        role.cloned().ok_or(Denied::NotFound("role"))
    }
}

fn role_of(draft: &Draft<'_>, id: &str, verb: Verb) -> Result<Arc<Role>, Denied> {
    draft.require(Resource::Roles, verb)?;
    let own = |role: &&Arc<Role>| role.tenant == draft.tenant();
    let role = draft.catalog.roles.get(id).filter(own);
    let role = role.cloned().ok_or(Denied::NotFound("role"))?;
    if role.built_in {
        return Err(Denied::Conflict(
            "built-in roles stay as they are; make a role of your own".to_owned(),
        ));
    }
    Ok(role)
}

fn holders(catalog: &Catalog, role: &str) -> usize {
    let has = |roles: &[String]| roles.iter().any(|id| id == role);
    catalog
        .api_keys
        .values()
        .filter(|key| has(&key.roles))
        .count()
        + catalog.apps.values().filter(|app| has(&app.roles)).count()
        + catalog
            .users
            .values()
            .filter(|user| has(&user.roles))
            .count()
}

fn free(draft: &Draft<'_>, name: &str, own: &str) -> Result<(), Denied> {
    let mut others = draft.catalog.roles.values();
    if others.any(|it| it.tenant == draft.tenant() && it.name == name && it.id != own) {
        return Err(taken("a role", name));
    }
    Ok(())
}

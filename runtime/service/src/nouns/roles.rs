//! Roles: named sets of permissions. Nobody makes a role that allows more than they may themselves.

use super::change::Change;
use super::content::Texts;
use super::noun::{Content, Noun};
use super::sight::Sight;
use crate::Refusal;
use crate::rights::{Lifetime, Replacement, keep_an_administrator};
use store::catalog::{AuditAction, Catalog, Resource, Role, Verb};
use wire::Timestamp;
use wire::manage::{RoleContent, RoleView};

impl Content for RoleContent {
    fn judge(&self, _: Timestamp) -> Result<(), Refusal> {
        Texts::named(&self.name, &self.description).judged()
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl Noun for Role {
    const RESOURCE: Resource = Resource::Roles;
    const NAME: &'static str = "role";
    const ONE: &'static str = "a role";

    type New = RoleContent;
    type Content = RoleContent;
    type View = RoleView;

    fn view(&self) -> RoleView {
        let role = self.clone();
        RoleView {
            role_id: role.id,
            name: role.name,
            description: role.description,
            built_in: role.built_in,
            permissions: role.permissions,
            second_factor_required: role.second_factor_required,
        }
    }

    fn make(
        change: &mut Change<'_>,
        id: String,
        _: &str,
        new: &RoleContent,
    ) -> Result<Self, Refusal> {
        let new = new.clone();
        Ok(Role {
            id,
            tenant: change.tenant().to_owned(),
            name: new.name,
            description: new.description,
            built_in: false,
            permissions: new.permissions,
            second_factor_required: new.second_factor_required.unwrap_or_default(),
        })
    }

    fn with(&self, _: &mut Change<'_>, content: &RoleContent) -> Result<Self, Refusal> {
        let content = content.clone();
        Ok(Role {
            name: content.name,
            description: content.description,
            permissions: content.permissions,
            second_factor_required: content
                .second_factor_required
                .unwrap_or(self.second_factor_required),
            ..self.clone()
        })
    }

    fn permit_new(change: &Change<'_>, _: &str, new: &RoleContent) -> Result<(), Refusal> {
        change.rights().cover_permissions(&new.permissions)
    }

    fn permit(&self, _: Sight<'_>, verb: Verb) -> Result<(), Refusal> {
        if self.built_in && verb == Verb::Delete {
            return Err(built_in());
        }
        Ok(())
    }

    fn permit_content(&self, change: &Change<'_>, content: &RoleContent) -> Result<(), Refusal> {
        // of one that every tenant has, only whether it requires a second factor is the tenant's
        let is_same = self.name == content.name
            && self.description == content.description
            && self.permissions == content.permissions;
        if self.built_in && !is_same {
            return Err(built_in());
        }
        let rights = change.rights();
        rights.cover_permissions(&self.permissions)?;
        rights.cover_permissions(&content.permissions)?;
        if content.permissions == self.permissions {
            return Ok(());
        }
        // who has the role has it longer
        change.principal.require_no_longer(Lifetime::Open)
    }

    fn after_change(&self, _: &Self, change: &mut Change<'_>) -> Result<AuditAction, Refusal> {
        if !change.rights().is_operator() {
            let replacement = Replacement::Role(self);
            keep_an_administrator(change.catalog, change.tenant(), replacement)?;
        }
        Ok(AuditAction::Update)
    }

    /// A role that someone has stays.
    fn before_delete(&self, change: &mut Change<'_>) -> Result<(), Refusal> {
        let holders = holders(change.catalog, &self.id);
        if holders == 0 {
            return Ok(());
        }
        let text =
            format!("{holders} keys, clients or users have this role; take it from them first");
        Err(Refusal::Conflict(text.into()))
    }
}

fn built_in() -> Refusal {
    Refusal::Conflict("built-in roles stay as they are; make a role of your own".into())
}

fn holders(catalog: &Catalog, role: &str) -> usize {
    let keys = catalog.api_keys.values().map(|key| &key.roles);
    let apps = catalog.apps.values().map(|app| &app.roles);
    let users = catalog.users.values().map(|user| &user.roles);
    let all = keys.chain(apps).chain(users);
    all.filter(|roles| roles.iter().any(|id| id == role))
        .count()
}

//! Tenants. The operator of the machine makes and deletes them; each comes with the built-in roles.

use super::draft::Asker;
use super::names::{Texts, taken};
use super::{Denied, Operator, RoleView, TenantView};
use crate::manage::Content;
use crate::manage::TenantContent;
use crate::manage::View;
use crate::{Caller, Service, ids};
use std::sync::Arc;
use store::catalog::{Permission, Resource, Role, Tenant, Verbs};
use wire::Timestamp;

/// The built-in role that allows everything.
pub const ADMINISTRATOR: &str = "ACCOUNT ADMINISTRATOR";
/// The built-in role that allows everything with data, and no management of callers.
pub const MEMBER: &str = "MEMBER";

/// The resources that [`MEMBER`] is for: those of the data interface.
const DATA: [Resource; 5] = [
    Resource::Areas,
    Resource::Schemas,
    Resource::Datasets,
    Resource::Records,
    Resource::Search,
];

impl Content for TenantContent {
    fn judge(&self, _now: Timestamp) -> Result<(), Denied> {
        Texts::default().name("$.name", &self.name).judged()
    }
}

impl Service {
    /// Makes a tenant with its built-in roles.
    ///
    /// # Errors
    /// A name that is wrong or taken.
    pub async fn create_tenant(
        &self,
        operator: &Operator,
        content: TenantContent,
    ) -> Result<Arc<Tenant>, Denied> {
        content.judge(self.now())?;
        let [id, administrator, member] = [(); 3].map(|()| ids::new_id(self.now(), self.entropy()));
        let asker = Asker {
            tenant: id.clone(),
            actor: operator.actor().clone(),
        };
        self.change(asker, move |draft| {
            let mut tenants = draft.catalog.tenants.values();
            if tenants.any(|tenant| tenant.name == content.name) {
                return Err(taken("a tenant", &content.name));
            }
            let tenant = draft.put(Tenant {
                id: id.clone(),
                name: content.name.clone(),
                stamp: draft.stamp(),
            });
            let view = Some(TenantView::of(&tenant));
            draft.remember("create", ["tenant", &id], None, view);
            let everything = "may do everything";
            let built_in = [
                built_in(
                    &administrator,
                    &id,
                    ADMINISTRATOR,
                    everything,
                    &Resource::ALL,
                ),
                built_in(&member, &id, MEMBER, "works with data", &DATA),
            ];
            for role in built_in {
                let role = draft.put(role);
                let view = Some(RoleView::of(&role));
                draft.remember("create", ["role", &role.id], None, view);
            }
            Ok(tenant)
        })
        .await
    }

    /// Renames the caller's tenant.
    ///
    /// # Errors
    /// A name that is wrong or taken; the caller is no administrator.
    pub async fn update_tenant(
        &self,
        by: &Caller,
        content: TenantContent,
    ) -> Result<Arc<Tenant>, Denied> {
        content.judge(self.now())?;
        self.change(by, move |draft| {
            if !draft.rights.is_administrator() {
                return Err(Denied::Forbidden(
                    "only an administrator may rename the tenant".to_owned(),
                ));
            }
            let id = draft.tenant().to_owned();
            let old = draft
                .catalog
                .tenants
                .get(&id)
                .cloned()
                .ok_or(Denied::NotFound("tenant"))?;
            let mut tenants = draft.catalog.tenants.values();
            if tenants.any(|tenant| tenant.name == content.name && tenant.id != id) {
                return Err(taken("a tenant", &content.name));
            }
            let new = draft.put(Tenant {
                name: content.name.clone(),
                stamp: draft.restamp(&old.stamp),
                ..(*old).clone()
            });
            let views = (Some(TenantView::of(&old)), Some(TenantView::of(&new)));
            draft.remember("update", ["tenant", &id], views.0, views.1);
            Ok(new)
        })
        .await
    }

    /// Deletes a tenant that never had an area; its roles and credentials go with it.
    ///
    /// # Errors
    /// No such tenant, or it has or had areas.
    pub async fn delete_tenant(&self, operator: &Operator, tenant: &str) -> Result<(), Denied> {
        let id = tenant.to_owned();
        let asker = Asker {
            tenant: id.clone(),
            actor: operator.actor().clone(),
        };
        self.change(asker, move |draft| {
            let catalog = draft.catalog;
            let old = catalog
                .tenants
                .get(&id)
                .cloned()
                .ok_or(Denied::NotFound("tenant"))?;
            if catalog.areas.values().any(|area| area.tenant == id) {
                return Err(Denied::Conflict(
                    "the tenant has or had areas, and nothing of them may be lost; keep it"
                        .to_owned(),
                ));
            }
            for role in catalog.roles.values().filter(|role| role.tenant == id) {
                draft.remove("role", &role.id);
            }
            for domain in catalog
                .domains
                .values()
                .filter(|domain| domain.tenant == id)
            {
                draft.remove("domain", &domain.id);
            }
            for key in catalog.api_keys.values().filter(|key| key.tenant == id) {
                draft.remove("api_key", &key.id);
            }
            for app in catalog.apps.values().filter(|app| app.tenant == id) {
                super::apps::end_tokens(draft, &app.id);
                draft.remove("app", &app.id);
            }
            for user in catalog.users.values().filter(|user| user.tenant == id) {
                super::sessions::end_sessions(draft, &user.id);
                draft.remove("user", &user.id);
            }
            draft.remove("tenant", &id);
            draft.remember("delete", ["tenant", &id], Some(TenantView::of(&old)), None);
            Ok(())
        })
        .await
    }

    /// Every tenant of the store, by order of creation.
    pub fn tenants(&self, _operator: &Operator) -> Vec<Arc<Tenant>> {
        self.store().catalog().tenants.values().cloned().collect()
    }

    /// The caller's own tenant.
    ///
    /// # Errors
    /// When it is gone.
    pub fn tenant(&self, by: &Caller) -> Result<Arc<Tenant>, Denied> {
        let catalog = self.store().catalog();
        let tenant = catalog.tenants.get(by.tenant()).cloned();
        tenant.ok_or(Denied::NotFound("tenant"))
    }
}

fn built_in(id: &str, tenant: &str, name: &str, description: &str, on: &[Resource]) -> Role {
    let all = |resource: &Resource| Permission {
        resource: *resource,
        verbs: Verbs::ALL,
    };
    Role {
        id: id.to_owned(),
        tenant: tenant.to_owned(),
        name: name.to_owned(),
        description: description.to_owned(),
        built_in: true,
        permissions: on.iter().map(all).collect(),
    }
}

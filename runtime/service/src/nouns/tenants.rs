//! Tenants. The operator of the machine makes and deletes them; each comes with the built-in roles.

use super::apps::end_tokens;
use super::change::Change;
use super::content::Texts;
use super::noun::Content;
use super::trail::document;
use super::users::end_sessions;
use super::views::stamp_view;
use crate::{Caller, Operator, Refusal, Service, ids, set_up_codes};
use std::sync::Arc;
use store::catalog::{AuditAction, Kind, Permission, Resource, Role, Row as _, Tenant, Verbs};
use tracing::Instrument as _;
use wire::Timestamp;
use wire::manage::{TenantContent, TenantView};

/// The built-in role that allows everything.
pub const ADMINISTRATOR: &str = Role::ADMINISTRATOR;
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
    fn judge(&self, _: Timestamp) -> Result<(), Refusal> {
        Texts::default().name("$.name", &self.name).judged()
    }

    fn name(&self) -> &str {
        &self.name
    }
}

/// A tenant as it is shown.
pub fn tenant_view(tenant: &Tenant) -> TenantView {
    let Tenant { id, name, stamp } = tenant.clone();
    TenantView {
        tenant_id: id,
        name,
        stamp: stamp_view(stamp),
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
    ) -> Result<Arc<Tenant>, Refusal> {
        content.judge(self.now())?;
        let new_ids = [(); 3].map(|()| ids::new_id(self.now(), self.entropy()));
        let operator = operator.principal(&new_ids[0]);
        let span = tracing::debug_span!("tenants.create", id = new_ids[0]);
        let changed = self.change_by_operator(operator, move |change| {
            put_with_roles(change, &new_ids, &content.name)
        });
        let made = changed.instrument(span).await?;
        // as those that the store keeps
        self.set_up_code.set(None);
        Ok(made)
    }

    /// Gives a tenant another name: what it is called says who is here, so that is the operator's alone.
    ///
    /// # Errors
    /// A name that is wrong or taken; no such tenant.
    pub async fn rename_tenant(
        &self,
        operator: &Operator,
        tenant: &str,
        content: TenantContent,
    ) -> Result<Arc<Tenant>, Refusal> {
        content.judge(self.now())?;
        let id = tenant.to_owned();
        let operator = operator.principal(&id);
        let span = tracing::debug_span!("tenants.rename", id);
        let changed = self.change_by_operator(operator, move |change| {
            let catalog = change.catalog;
            let old = catalog.tenants.get(&id);
            let old = old.ok_or_else(|| Refusal::no_such("tenant"))?;
            let mut tenants = catalog.tenants.values();
            if tenants.any(|tenant| tenant.name == content.name && tenant.id != id) {
                return Err(taken(&content.name));
            }
            let new = Arc::new(Tenant {
                name: content.name.clone(),
                stamp: change.restamp(&old.stamp),
                ..Tenant::clone(old)
            });
            put(change, AuditAction::Update, Some(old), &new);
            Ok(new)
        });
        changed.instrument(span).await
    }

    /// Deletes a tenant that never had an area; its roles and credentials go with it.
    ///
    /// # Errors
    /// No such tenant, or it has or had areas.
    pub async fn delete_tenant(&self, operator: &Operator, tenant: &str) -> Result<(), Refusal> {
        let id = tenant.to_owned();
        let operator = operator.principal(&id);
        let span = tracing::debug_span!("tenants.delete", id);
        let changed = self.change_by_operator(operator, move |change| {
            let catalog = change.catalog;
            let old = catalog
                .tenants
                .get(&id)
                .cloned()
                .ok_or_else(|| Refusal::no_such("tenant"))?;
            if catalog.areas.values().any(|area| area.tenant == id) {
                return Err(Refusal::Conflict(
                    "the tenant has or had areas, and nothing of them may be lost; keep it".into(),
                ));
            }
            for app in catalog.apps.values().filter(|app| app.tenant == id) {
                end_tokens(change, &app.id);
            }
            for user in catalog.users.values().filter(|user| user.tenant == id) {
                end_sessions(change, &user.id);
            }
            change.remove_all(catalog.keys_of(&id));
            change.remove(Kind::Tenant, &id);
            let views = [Some(document(&tenant_view(&old))), None];
            change.note(AuditAction::Delete, Kind::Tenant, &id, views);
            Ok(())
        });
        changed.instrument(span).await
    }

    /// Whether there is a tenant at all: a store of its first day has none, and nobody can sign in.
    pub fn has_tenants(&self) -> bool {
        !self.store().catalog().tenants.is_empty()
    }

    /// Whether there is a user at all, of any tenant: a store that a manifest without users made has none, and nobody can
    /// sign in.
    pub fn has_users(&self) -> bool {
        !self.store().catalog().users.is_empty()
    }

    /// Every tenant of the store, by order of creation.
    pub fn tenants(&self, _operator: &Operator) -> Vec<Arc<Tenant>> {
        self.store().catalog().tenants.values().cloned().collect()
    }

    /// The caller's own tenant.
    ///
    /// # Errors
    /// When it is gone.
    pub fn tenant(&self, by: &Caller) -> Result<Arc<Tenant>, Refusal> {
        let catalog = self.store().catalog();
        let tenant = catalog.tenants.get(by.tenant()).cloned();
        tenant.ok_or_else(|| Refusal::no_such("tenant"))
    }
}

/// Writes a new tenant with the roles that it comes with: by its id, and those of the administrator's and the member's role.
pub(super) fn put_with_roles(
    change: &mut Change<'_>,
    [id, administrator, member]: &[String; 3],
    name: &str,
) -> Result<Arc<Tenant>, Refusal> {
    let mut tenants = change.catalog.tenants.values();
    if tenants.any(|tenant| tenant.name == name) {
        return Err(taken(name));
    }
    // whoever was told a code makes no tenant with it any more, also where all tenants are deleted one day
    if change.catalog.settings.contains_key(set_up_codes::SETTING) {
        change.remove(Kind::Setting, set_up_codes::SETTING);
    }
    let tenant = Arc::new(Tenant {
        id: id.clone(),
        name: name.to_owned(),
        stamp: change.stamp(),
    });
    put(change, AuditAction::Create, None, &tenant);
    let everything = "may do everything";
    let built_in = [
        built_in(administrator, id, ADMINISTRATOR, everything, &Resource::ALL),
        built_in(member, id, MEMBER, "works with data", &DATA),
    ];
    for role in built_in {
        let role = Arc::new(role);
        change.put(Role::row(role.clone()));
        change.remember::<Role>(AuditAction::Create, None, Some(&role));
    }
    Ok(tenant)
}

/// Writes a tenant and remembers it.
fn put(change: &mut Change<'_>, action: AuditAction, old: Option<&Tenant>, new: &Arc<Tenant>) {
    change.put(Tenant::row(new.clone()));
    let view = |tenant: &Tenant| document(&tenant_view(tenant));
    change.note(
        action,
        Kind::Tenant,
        &new.id,
        [old.map(view), Some(view(new))],
    );
}

fn taken(name: &str) -> Refusal {
    let text = format!("there is a tenant named {name:?} already; choose another name");
    Refusal::Conflict(text.into())
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
        second_factor_required: false,
    }
}

//! Tenants of a manifest, the one that a command means, and what commands do with them.

use crate::applier::{Applier, Step, explain};
use crate::by::By;
use crate::model::Tenant;
use crate::spec::Receipt;
use anyhow::bail;
use serde::{Deserialize, Serialize};
use service::manage::{Content, TenantContent};
use service::{Refusal, Service};
use store::{Catalog, catalog};

/// A request about tenants.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TenantRequest {
    /// All of them.
    List,
    /// Give one another name.
    Rename {
        /// The name that it has.
        from: String,
        /// The name that it gets.
        to: String,
    },
}

/// A tenant, as commands show it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TenantName {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
}

impl TenantName {
    fn of(tenant: &catalog::Tenant) -> Self {
        TenantName {
            id: tenant.id.clone(),
            name: tenant.name.clone(),
        }
    }
}

/// Does what is asked; gives those it was done to.
pub(crate) async fn carry_out(
    service: &Service,
    by: &By,
    request: TenantRequest,
) -> anyhow::Result<Vec<TenantName>> {
    let TenantRequest::Rename { from, to } = request else {
        let By::Operator = by else {
            return own_tenant(service, by);
        };
        let operator = by.operator("list all tenants")?;
        let tenants = service.tenants(&operator);
        return Ok(tenants
            .iter()
            .map(|tenant| TenantName::of(tenant))
            .collect());
    };
    let operator = by.operator("give a tenant another name")?;
    let id = by.tenant(&service.store().catalog(), Some(&from))?;
    let content = TenantContent { name: to };
    let renamed = service.rename_tenant(&operator, &id, content).await;
    let renamed = renamed.map_err(explain)?;
    Ok(vec![TenantName::of(&renamed)])
}

/// The tenant of a caller: the only one that it learns of.
fn own_tenant(service: &Service, by: &By) -> anyhow::Result<Vec<TenantName>> {
    let catalog = service.store().catalog();
    let id = by.tenant(&catalog, None)?;
    let own = catalog
        .tenants
        .get(&id)
        .map(|tenant| TenantName::of(tenant));
    Ok(own.into_iter().collect())
}

impl Applier<'_> {
    /// The tenant's id; `None` while it is yet to be made.
    pub(crate) async fn tenant_id(&mut self, wanted: &Tenant) -> anyhow::Result<Option<String>> {
        let catalog = self.catalog();
        let Some(name) = &wanted.name else {
            return Ok(Some(self.by.tenant(&catalog, None)?));
        };
        if let By::Caller(_) = self.by {
            self.by.tenant(&catalog, Some(name))?;
        }
        if let Some(id) = id_of(&catalog, name) {
            let step = Step::new(None, "tenant", name, Some((&*id, true)));
            return Ok(self.report_step(&step, None));
        }
        if self.mode.existing_tenant {
            bail!(Refusal::NotFound(
                "there is no such tenant; `fieldstone init` or `fieldstone apply` makes one".into()
            ));
        }
        let content = TenantContent { name: name.clone() };
        content.judge(self.service.now()).map_err(explain)?;
        let (mut receipt, mut there) = (None, None);
        if self.writes {
            let operator = self.by.operator("make a tenant")?;
            match self.service.create_tenant(&operator, content).await {
                Ok(tenant) => receipt = Some(Receipt::of(&tenant.id)),
                Err(refusal) => {
                    // another application may have made it since it was looked for
                    there = id_of(&self.catalog(), name);
                    if there.is_none() {
                        return Err(explain(refusal));
                    }
                }
            }
        }
        let there = there.as_deref().map(|id| (id, true));
        let step = Step::new(None, "tenant", name, there);
        Ok(self.report_step(&step, receipt))
    }
}

/// The tenant of a name.
fn id_of(catalog: &Catalog, name: &str) -> Option<String> {
    let mut tenants = catalog.tenants.values();
    let tenant = tenants.find(|tenant| tenant.name == name)?;
    Some(tenant.id.clone())
}

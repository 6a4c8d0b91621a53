//! Tenants of a manifest, the one that a command means, and what commands do with them.

use super::applier::{Applier, Step, explain, operator};
use super::model::Tenant;
use super::spec::Receipt;
use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};
use service::Service;
use service::manage::{Content, TenantContent};
use store::{Catalog, catalog};

/// A request about tenants.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TenantRequest {
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
pub(crate) struct TenantName {
    pub(crate) id: String,
    pub(crate) name: String,
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
    request: TenantRequest,
) -> anyhow::Result<Vec<TenantName>> {
    let operator = operator();
    let TenantRequest::Rename { from, to } = request else {
        let tenants = service.tenants(&operator);
        return Ok(tenants
            .iter()
            .map(|tenant| TenantName::of(tenant))
            .collect());
    };
    let id = find_tenant(&service.store().catalog(), Some(&from))?;
    let content = TenantContent { name: to };
    let renamed = service.rename_tenant(&operator, &id, content).await;
    let renamed = renamed.map_err(explain)?;
    Ok(vec![TenantName::of(&renamed)])
}

impl Applier<'_> {
    /// The tenant's id; `None` while it is yet to be made.
    pub(super) async fn tenant_id(&mut self, wanted: &Tenant) -> anyhow::Result<Option<String>> {
        let catalog = self.catalog();
        let Some(name) = &wanted.name else {
            return Ok(Some(find_tenant(&catalog, None)?));
        };
        let old = catalog.tenants.values().find(|tenant| tenant.name == *name);
        let there = old.map(|tenant| (&*tenant.id, true));
        let step = Step::new(None, "tenant", name, there);
        if old.is_some() {
            return Ok(self.report_step(&step, None));
        }
        if self.mode.existing_tenant {
            bail!("there is no such tenant; `fieldstone init` or `fieldstone apply` makes one");
        }
        let content = TenantContent { name: name.clone() };
        content.judge(self.service.now()).map_err(explain)?;
        let mut receipt = None;
        if self.writes() {
            let tenant = self.service.create_tenant(self.operator(), content).await;
            receipt = Some(Receipt::of(&tenant.map_err(explain)?.id));
        }
        Ok(self.report_step(&step, receipt))
    }
}

/// The id of the tenant of this name; of the only one there is, without a name.
pub(super) fn find_tenant(catalog: &Catalog, name: Option<&str>) -> anyhow::Result<String> {
    let mut tenants = catalog.tenants.values();
    let Some(name) = name else {
        let Some(only) = tenants.next() else {
            bail!("there is no tenant yet; `fieldstone init` makes one");
        };
        if tenants.next().is_some() {
            let names: Vec<_> = catalog
                .tenants
                .values()
                .map(|it| it.name.as_str())
                .collect();
            bail!(
                "there are several tenants; say which with --tenant: {}",
                names.join(", ")
            );
        }
        return Ok(only.id.clone());
    };
    let found = tenants.find(|tenant| tenant.name == name);
    Ok(found
        .with_context(|| format!("there is no tenant `{name}`"))?
        .id
        .clone())
}

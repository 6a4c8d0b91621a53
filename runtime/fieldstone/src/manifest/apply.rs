//! Applying a manifest: its order (what others refer to comes first), and the report of what was done.

use super::join::each_said_once;
use super::plan::{Plan, told};
use super::{Codes, Domain, Manifest, Tenant};
use anyhow::{Context as _, bail};
use runtime::service::Service;
use runtime::service::manage::Content;
use runtime::service::manage::{DomainContent, TenantContent};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How a manifest is applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mode {
    /// Tell the steps and write nothing.
    pub(crate) dry_run: bool,
    /// Refuse what is there already, but the tenant.
    pub(crate) only_new: bool,
    /// Refuse a tenant that is not there.
    pub(crate) existing_tenant: bool,
}

/// What was done.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Applied {
    /// Whether nothing was written.
    pub(crate) dry_run: bool,
    /// The steps, in order.
    pub(crate) steps: Vec<Step>,
    /// The record files.
    pub(crate) records: Vec<Loaded>,
    /// Why it stopped before its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) failure: Option<String>,
}

/// One step.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Step {
    pub(crate) action: Action,
    /// The kind of thing, such as `area`.
    pub(crate) what: String,
    pub(crate) name: String,
    /// Its id; none while it is yet to be made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<String>,
    /// The key, client secret or password that was made, shown this once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) secret: Option<String>,
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Action {
    Create,
    Update,
    Keep,
}

/// What became of a record file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Loaded {
    pub(crate) dataset: String,
    pub(crate) file: String,
    pub(crate) created: usize,
    pub(crate) updated: usize,
    pub(crate) unchanged: usize,
    /// Records that can't be stored.
    pub(crate) left_out: usize,
    /// Why, of the first of them.
    pub(crate) reasons: Vec<String>,
}

impl Action {
    /// What to do about a thing that may be there, and may be as it should.
    pub(super) fn of<N>(there: Option<&N>, is_same: impl FnOnce(&N) -> bool) -> Self {
        match there {
            None => Action::Create,
            Some(noun) if is_same(noun) => Action::Keep,
            Some(_) => Action::Update,
        }
    }
}

impl Applied {
    /// Whether anything is, or would be, other than before.
    pub(crate) fn changes(&self) -> bool {
        let stepped = self.steps.iter().any(|step| step.action != Action::Keep);
        stepped
            || self
                .records
                .iter()
                .any(|file| file.created + file.updated > 0)
    }

    /// The step of a thing.
    pub(crate) fn step(&self, what: &str, name: &str) -> Option<&Step> {
        let mut steps = self.steps.iter();
        steps.find(|step| step.what == what && step.name == name)
    }
}

/// Applies a manifest. It is tried dry first, so that a mistake which shows without writing leaves
/// nothing half done; after one that shows later, what was done until then is told with it.
pub(crate) async fn apply(
    service: &Arc<Service>,
    manifest: &Manifest,
    mode: Mode,
) -> anyhow::Result<Applied> {
    if !mode.dry_run {
        let mut trial = Plan::trial(service, mode);
        walk(&mut trial, manifest).await?;
    }
    let mut plan = Plan::new(service, mode);
    if let Err(error) = walk(&mut plan, manifest).await {
        plan.applied.failure = Some(format!("{error:#}"));
    }
    Ok(plan.applied)
}

async fn walk(plan: &mut Plan<'_>, manifest: &Manifest) -> anyhow::Result<()> {
    for tenant in &manifest.tenants {
        let applied = plan.tenant(tenant).await;
        match &tenant.name {
            Some(name) => applied.with_context(|| format!("in the tenant {name}"))?,
            None => applied?,
        }
    }
    Ok(())
}

impl Plan<'_> {
    async fn tenant(&mut self, wanted: &Tenant) -> anyhow::Result<()> {
        each_said_once(wanted)?;
        let id = self.tenant_id(wanted).await?;
        let id = id.as_deref();
        let mut domain_ids = Vec::new();
        for domain in &wanted.domains {
            let found = self.domain(id, domain).await;
            let found = found.with_context(|| format!("in the data domain {}", domain.name))?;
            domain_ids.push((domain, found));
        }
        for area in &wanted.areas {
            let done = self.area(id, area, &domain_ids).await;
            done.with_context(|| format!("in the area {}", area.name))?;
        }
        for role in &wanted.roles {
            let done = self.role(id, role).await;
            done.with_context(|| format!("in the role {}", role.name))?;
        }
        for user in &wanted.users {
            let done = self.user(id, wanted, user).await;
            done.with_context(|| format!("in the user {}", user.username))?;
        }
        for key in &wanted.api_keys {
            let done = self.api_key(id, wanted, key).await;
            done.with_context(|| format!("in the API key {}", key.name))?;
        }
        for client in &wanted.clients {
            let done = self.client(id, wanted, client).await;
            done.with_context(|| format!("in the application client {}", client.name))?;
        }
        Ok(())
    }

    /// The tenant's id; `None` while it is yet to be made.
    async fn tenant_id(&mut self, wanted: &Tenant) -> anyhow::Result<Option<String>> {
        let catalog = self.catalog();
        let Some(name) = &wanted.name else {
            return Ok(Some(super::credentials::tenant(&catalog, None)?));
        };
        let there = catalog.tenants.values().find(|tenant| tenant.name == *name);
        if let Some(tenant) = there {
            self.step(Action::Keep, "tenant", name, Some(&tenant.id));
            return Ok(Some(tenant.id.clone()));
        }
        if self.mode.existing_tenant {
            bail!("there is no such tenant; `fieldstone init` or `fieldstone apply` makes one");
        }
        let content = TenantContent { name: name.clone() };
        content.judge(self.service.now()).map_err(told)?;
        let made = if self.writes() {
            let made = self.service.create_tenant(self.operator(), content).await;
            Some(made.map_err(told)?.id.clone())
        } else {
            None
        };
        self.step(Action::Create, "tenant", name, made.as_deref());
        Ok(made)
    }

    async fn domain(
        &mut self,
        tenant: Option<&str>,
        wanted: &Domain,
    ) -> anyhow::Result<Option<String>> {
        let Codes::Written(codes) = &wanted.codes else {
            bail!("its codes were not read from their file");
        };
        let mut codes = codes.clone();
        codes.sort_by(|one, other| one.code.cmp(&other.code));
        let catalog = self.catalog();
        let mut domains = catalog.domains.values();
        let there = tenant.and_then(|tenant| {
            domains.find(|domain| domain.tenant == tenant && domain.name == wanted.name)
        });
        let action = Action::of(there, |domain| domain.codes == codes);
        let mut id = there.map(|domain| domain.id.clone());
        let content = DomainContent {
            name: wanted.name.clone(),
            codes,
            version: None,
        };
        content.judge(self.service.now()).map_err(told)?;
        if let Some(by) = self.writer(tenant, action != Action::Keep)? {
            let made = match &id {
                None => self.service.create_domain(&by, content).await,
                Some(id) => self.service.update_domain(&by, id, content).await,
            };
            id = Some(made.map_err(told)?.id.clone());
        }
        self.step(action, "data domain", &wanted.name, id.as_deref());
        Ok(id)
    }
}

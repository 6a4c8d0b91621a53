//! Applying a manifest: its order, in which what others refer to comes first.

use super::applier::Applier;
use super::merge::refuse_contradictions;
use super::model::{Manifest, Tenant};
use super::report::{ApplyMode, ApplyReport};
use anyhow::Context as _;
use service::Service;
use std::sync::Arc;

/// Applies a manifest. It is tried dry first, so that a mistake which shows without writing leaves
/// nothing half done; after one that shows later, what was done until then is told with it.
pub(crate) async fn apply(
    service: &Arc<Service>,
    manifest: &Manifest,
    mode: ApplyMode,
) -> anyhow::Result<ApplyReport> {
    if !mode.dry_run {
        let mut trial = Applier::trial(service, mode);
        walk(&mut trial, manifest).await?;
    }
    let mut applier = Applier::new(service, mode);
    if let Err(error) = walk(&mut applier, manifest).await {
        applier.report.failure = Some(format!("{error:#}"));
    }
    Ok(applier.report)
}

async fn walk(applier: &mut Applier<'_>, manifest: &Manifest) -> anyhow::Result<()> {
    for tenant in &manifest.tenants {
        let result = applier.tenant(tenant).await;
        match &tenant.name {
            Some(name) => result.with_context(|| format!("in the tenant {name}"))?,
            None => result?,
        }
    }
    Ok(())
}

impl Applier<'_> {
    async fn tenant(&mut self, wanted: &Tenant) -> anyhow::Result<()> {
        refuse_contradictions(wanted)?;
        let id = self.tenant_id(wanted).await?;
        let id = id.as_deref();
        let mut domain_ids = Vec::new();
        for domain in &wanted.domains {
            let domain_id = self.domain(id, domain).await;
            let domain_id =
                domain_id.with_context(|| format!("in the data domain {}", domain.name))?;
            domain_ids.push((domain, domain_id));
        }
        for area in &wanted.areas {
            let result = self.area(id, area, &domain_ids).await;
            result.with_context(|| format!("in the area {}", area.name))?;
        }
        for role in &wanted.roles {
            let result = self.role(id, role).await;
            result.with_context(|| format!("in the role {}", role.name))?;
        }
        for user in &wanted.users {
            let result = self.user(id, wanted, user).await;
            result.with_context(|| format!("in the user {}", user.username))?;
        }
        for key in &wanted.api_keys {
            let result = self.api_key(id, wanted, key).await;
            result.with_context(|| format!("in the API key {}", key.name))?;
        }
        for client in &wanted.clients {
            let result = self.app(id, wanted, client).await;
            result.with_context(|| format!("in the application client {}", client.name))?;
        }
        Ok(())
    }
}

//! API keys of a manifest. When one expires is set when it is made.

use super::access::Access;
use super::applier::{Applier, Receipt, Step, explain};
use super::model::{ApiKey, Tenant};
use anyhow::bail;
use service::manage::Content;
use service::manage::{ApiKeyContent, NewApiKey};

impl Applier<'_> {
    pub(super) async fn api_key(
        &mut self,
        tenant: Option<&str>,
        manifest: &Tenant,
        wanted: &ApiKey,
    ) -> anyhow::Result<()> {
        let catalog = self.catalog();
        let access = Access::find(&catalog, tenant, manifest, &wanted.roles, &wanted.areas)?;
        let mut keys = catalog.api_keys.values();
        let old = keys.find(|key| Some(&*key.tenant) == tenant && key.name == wanted.name);
        self.must_be_free(old.is_some(), "an API key", &wanted.name)?;
        if old.is_some_and(|key| key.expires_at != wanted.expires) {
            bail!("when a key expires can't be changed; make another key and delete this one");
        }
        let tenant = tenant.filter(|_| access.is_complete);
        let there = old.map(|key| {
            let is_same = key.description == wanted.description
                && wanted.active.is_none_or(|active| active == key.active)
                && access.is(&key.roles, &key.grants);
            (&*key.id, is_same)
        });
        let step = Step::new(tenant, "API key", &wanted.name, there);
        let Access { roles, grants, .. } = access;
        let (name, description) = (wanted.name.clone(), wanted.description.clone());
        let service = self.service;
        if let Some(old) = old {
            let content = ApiKeyContent {
                name,
                description,
                active: wanted.active.unwrap_or(old.active),
                roles,
                grants,
            };
            content.judge(self.service.now()).map_err(explain)?;
            let write = |by| async move {
                let key = service.api_keys().update(&by, &old.id, content).await?;
                Ok(Receipt::of(&key.id))
            };
            self.carry_out(step, write).await?;
        } else {
            let new = NewApiKey {
                name,
                description,
                expires_at: wanted.expires,
                active: wanted.active.unwrap_or(true),
                roles,
                grants,
            };
            new.judge(service.now()).map_err(explain)?;
            let write = |by| async move {
                let made = service.api_keys().mint(&by, new).await?;
                Ok(Receipt::with_secret(&made.noun.id, made.secret))
            };
            self.carry_out(step, write).await?;
        }
        Ok(())
    }
}

//! Application clients of a manifest.

use super::access::Access;
use super::applier::{Applier, Receipt, Step, explain};
use super::model::{Client, Tenant};
use service::manage::AppContent;
use service::manage::Content;

impl Applier<'_> {
    pub(super) async fn app(
        &mut self,
        tenant: Option<&str>,
        manifest: &Tenant,
        wanted: &Client,
    ) -> anyhow::Result<()> {
        let catalog = self.catalog();
        let access = Access::find(&catalog, tenant, manifest, &wanted.roles, &wanted.areas)?;
        let mut apps = catalog.apps.values();
        let old = apps.find(|app| Some(&*app.tenant) == tenant && app.name == wanted.name);
        self.must_be_free(old.is_some(), "an application client", &wanted.name)?;
        let tenant = tenant.filter(|_| access.is_complete);
        let there = old.map(|app| {
            let is_same = app.description == wanted.description
                && app.token_seconds == wanted.token_seconds
                && wanted.active.is_none_or(|active| active == app.active)
                && access.is(&app.roles, &app.grants);
            (&*app.id, is_same)
        });
        let step = Step::new(tenant, "application client", &wanted.name, there);
        let is_active = wanted.active.or(old.map(|app| app.active));
        let content = AppContent {
            name: wanted.name.clone(),
            description: wanted.description.clone(),
            active: is_active.unwrap_or(true),
            token_seconds: wanted.token_seconds,
            roles: access.roles,
            grants: access.grants,
        };
        content.judge(self.service.now()).map_err(explain)?;
        let service = self.service;
        let write = |by| async move {
            if let Some(old) = old {
                let app = service.apps().update(&by, &old.id, content).await?;
                return Ok(Receipt::of(&app.id));
            }
            let made = service.apps().mint(&by, content.into()).await?;
            Ok(Receipt::with_secret(&made.noun.id, made.secret))
        };
        self.carry_out(step, write).await?;
        Ok(())
    }
}

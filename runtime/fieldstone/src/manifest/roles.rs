//! Roles of a manifest.

use super::applier::{Applier, Receipt, Step, explain};
use super::model::Role;
use anyhow::bail;
use service::manage::Content;
use service::manage::RoleContent;
use store::catalog::{Permission, Verbs};

impl Applier<'_> {
    pub(super) async fn role(&mut self, tenant: Option<&str>, wanted: &Role) -> anyhow::Result<()> {
        let mut permissions = Vec::new();
        for (name, verbs) in &wanted.permissions {
            let Some(resource) = name.resource() else {
                bail!("there is no such resource");
            };
            let verbs = Verbs::from(verbs.clone());
            permissions.push(Permission { resource, verbs });
        }
        let catalog = self.catalog();
        let mut roles = catalog.roles.values();
        let old = roles.find(|role| Some(&*role.tenant) == tenant && role.name == wanted.name);
        let there = old.map(|role| {
            let is_granted = |wanted: &Permission| role.verbs(wanted.resource) == wanted.verbs;
            let is_same = role.description == wanted.description
                && permissions.iter().all(is_granted)
                && permissions.len() == role.permissions.len();
            (&*role.id, is_same)
        });
        let step = Step::new(tenant, "role", &wanted.name, there);
        let content = RoleContent {
            name: wanted.name.clone(),
            description: wanted.description.clone(),
            permissions,
        };
        content.judge(self.service.now()).map_err(explain)?;
        let service = self.service;
        let write = |by| async move {
            let role = match old {
                None => service.roles().create(&by, "", content).await?,
                Some(old) => service.roles().update(&by, &old.id, content).await?,
            };
            Ok(Receipt::of(&role.id))
        };
        self.carry_out(step, write).await?;
        Ok(())
    }
}

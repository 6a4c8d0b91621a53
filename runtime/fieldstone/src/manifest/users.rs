//! Users of a manifest. A password is set when a user is made, and never changed by a manifest.

use super::access::Access;
use super::applier::{Applier, Receipt, Step, explain};
use super::model::{Tenant, User};
use anyhow::bail;
use service::manage::Content;
use service::manage::{NewUser, Password, UserContent};
use service::secrets::random_text;

const PASSWORD_LENGTH: usize = 20;

impl Applier<'_> {
    pub(super) async fn user(
        &mut self,
        tenant: Option<&str>,
        manifest: &Tenant,
        wanted: &User,
    ) -> anyhow::Result<()> {
        let catalog = self.catalog();
        let access = Access::find(&catalog, tenant, manifest, &wanted.roles, &wanted.areas)?;
        let old = catalog.users_by_name.get(&wanted.username);
        if old.is_some_and(|user| Some(&*user.tenant) != tenant) {
            bail!("a user of another tenant has this name; choose another one");
        }
        self.must_be_free(old.is_some(), "a user", &wanted.username)?;
        let full_name = match wanted.full_name.as_str() {
            "" => wanted.username.clone(),
            name => name.to_owned(),
        };
        let tenant = tenant.filter(|_| access.is_complete);
        let there = old.map(|user| {
            let is_same = user.full_name == full_name
                && user.email == wanted.email
                && wanted.active.is_none_or(|active| active == user.active)
                && access.is(&user.roles, &user.grants);
            (&*user.id, is_same)
        });
        let step = Step::new(tenant, "user", &wanted.username, there);
        let Access { roles, grants, .. } = access;
        let (username, email) = (wanted.username.clone(), wanted.email.clone());
        let service = self.service;
        if let Some(old) = old {
            let content = UserContent {
                username,
                full_name,
                email,
                password: None,
                active: wanted.active.unwrap_or(old.active),
                roles,
                grants,
            };
            content.judge(self.service.now()).map_err(explain)?;
            let write = |by| async move {
                let user = service.users().change(&by, &old.id, content).await?;
                Ok(Receipt::of(&user.id))
            };
            self.carry_out(step, write).await?;
        } else {
            let password = wanted.password.clone();
            let password =
                password.unwrap_or_else(|| random_text(service.entropy(), PASSWORD_LENGTH));
            let new = NewUser {
                username,
                full_name,
                email,
                password: Password::new(password.clone()),
                active: wanted.active.unwrap_or(true),
                roles,
                grants,
            };
            new.judge(self.service.now()).map_err(explain)?;
            let secret = wanted.password.is_none().then_some(password);
            let write = |by| async move {
                let user = service.users().register(&by, new).await?;
                let receipt = Receipt::of(&user.id);
                Ok(Receipt { secret, ..receipt })
            };
            self.carry_out(step, write).await?;
        }
        Ok(())
    }
}

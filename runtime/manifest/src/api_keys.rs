//! API keys of a manifest. When one expires is set when it is made.

use crate::access::Access;
use crate::model::{ApiKey, Areas};
use crate::spec::{Edit, Receipt, Spec};
use anyhow::bail;
use service::Refusal;
use service::manage::{ApiKeyContent, NewApiKey};
use store::catalog;

impl Spec for ApiKey {
    type Noun = catalog::ApiKey;
    type Content = NewApiKey;

    fn name(&self) -> &str {
        &self.name
    }

    fn rights(&self) -> Option<(&[String], &Areas)> {
        Some((&self.roles, &self.areas))
    }

    fn content(&self, access: &Access, old: Option<&catalog::ApiKey>) -> anyhow::Result<NewApiKey> {
        if old.is_some_and(|key| key.expires_at != self.expires) {
            bail!("when a key expires can't be changed; make another key and delete this one");
        }
        let active = self.active.or(old.map(|key| key.active));
        Ok(NewApiKey {
            name: self.name.clone(),
            description: self.description.clone(),
            // that of a key that is there may be past by now, and is not written again
            expires_at: self.expires.filter(|_| old.is_none()),
            ends_with_maker: false,
            active: active.unwrap_or(true),
            roles: access.roles.clone(),
            grants: access.grants.clone(),
        })
    }

    fn is_same(&self, old: &catalog::ApiKey, content: &NewApiKey) -> bool {
        old.description == content.description && old.active == content.active
    }

    async fn write(edit: Edit<'_, Self>) -> Result<Receipt, Refusal> {
        let keys = edit.service.api_keys();
        let Some(id) = edit.id else {
            let made = keys.mint(&edit.by, edit.content).await?;
            return Ok(Receipt::with_secret(&made.noun.id, made.secret));
        };
        let content = ApiKeyContent {
            name: edit.content.name,
            description: edit.content.description,
            active: edit.content.active,
            roles: edit.content.roles,
            grants: edit.content.grants,
        };
        let key = keys.update(&edit.by, id, content).await?;
        Ok(Receipt::of(&key.id))
    }
}

//! API keys of a manifest. When one expires is set when it is made.

use crate::access::Access;
use crate::model::{ApiKey, Areas};
use crate::report::PropertyChange;
use crate::spec::{Edit, Receipt, Spec, said};
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

    fn rights(&self) -> Option<(Option<&[String]>, Option<&Areas>)> {
        Some((self.roles.as_deref(), self.areas.as_ref()))
    }

    fn content(&self, access: &Access, old: Option<&catalog::ApiKey>) -> anyhow::Result<NewApiKey> {
        if old.is_some_and(|key| self.expires.is_some() && key.expires_at != self.expires) {
            bail!("when a key expires can't be changed; make another key and delete this one");
        }
        let active = self.active.or(old.map(|key| key.active));
        Ok(NewApiKey {
            name: self.name.clone(),
            description: said(self.description.as_ref(), old.map(|key| &key.description)),
            // that of a key that is there may be past by now, and is not written again
            expires_at: self.expires.filter(|_| old.is_none()),
            ends_with_maker: false,
            active: active.unwrap_or(true),
            roles: access.roles.clone(),
            grants: access.grants.clone(),
        })
    }

    fn changes(&self, old: &catalog::ApiKey, content: &NewApiKey) -> Vec<PropertyChange> {
        PropertyChange::among([
            (
                "description",
                old.description.as_str().into(),
                content.description.as_str().into(),
            ),
            ("active", old.active.into(), content.active.into()),
        ])
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

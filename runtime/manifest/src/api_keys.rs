//! API keys of a manifest.

use crate::access::Access;
use crate::model::{ApiKey, Areas};
use crate::report::PropertyChange;
use crate::spec::{Edit, Receipt, Spec, said};
use service::Refusal;
use service::manage::{ApiKeyContent, KeyExpiry, NewApiKey};
use store::catalog;
use wire::Timestamp;

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
        // that of a key that is there may be past by now, and is not written again
        let is_new = |end: &Timestamp| old.is_none_or(|key| key.expires_at != Some(*end));
        let active = self.active.or(old.map(|key| key.active));
        Ok(NewApiKey {
            name: self.name.clone(),
            description: said(self.description.as_ref(), old.map(|key| &key.description)),
            expires_at: self.expires.filter(is_new),
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
            (
                "expires",
                old.expires_at.map(|end| end.to_string()).into(),
                content
                    .expires_at
                    .or(old.expires_at)
                    .map(|end| end.to_string())
                    .into(),
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
            expires_at: edit
                .content
                .expires_at
                .map_or(KeyExpiry::Unchanged, KeyExpiry::At),
            active: edit.content.active,
            roles: edit.content.roles,
            grants: edit.content.grants,
        };
        let key = keys.update(&edit.by, id, content).await?;
        Ok(Receipt::of(&key.id))
    }
}

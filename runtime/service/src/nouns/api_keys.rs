//! API keys: shown in whole when they are made, and never again. docs/interface.md, "Credentials".

use super::change::Change;
use super::content::Texts;
use super::engine::Nouns;
use super::noun::{Content, Noun, Switchable};
use super::secret::{Minted, NewSecret};
use super::views::stamp_view;
use crate::{Caller, Refusal, secrets};
use store::catalog::{ApiKey, Grant, Resource};
use wire::Timestamp;
use wire::manage::{ApiKeyContent, ApiKeyView, NewApiKey};

impl Content for NewApiKey {
    fn judge(&self, now: Timestamp) -> Result<(), Refusal> {
        let mut texts = Texts::named(&self.name, &self.description);
        if self.expires_at.is_some_and(|end| end <= now) {
            texts.wrong("$.expiresAt", "is past; choose a later time, or none");
        }
        texts.judged()
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn access(&self) -> Option<(&[String], &[Grant])> {
        Some((&self.roles, &self.grants))
    }
}

impl Content for ApiKeyContent {
    fn judge(&self, _: Timestamp) -> Result<(), Refusal> {
        Texts::named(&self.name, &self.description).judged()
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn access(&self) -> Option<(&[String], &[Grant])> {
        Some((&self.roles, &self.grants))
    }
}

impl Noun for ApiKey {
    const RESOURCE: Resource = Resource::ApiKeys;
    const NAME: &'static str = "API key";
    const ONE: &'static str = "an API key";

    type New = Minted<NewApiKey>;
    type Content = ApiKeyContent;
    type View = ApiKeyView;

    fn view(&self) -> ApiKeyView {
        let key = self.clone();
        ApiKeyView {
            api_key_id: key.id,
            name: key.name,
            description: key.description,
            masked_key: key.masked,
            expires_at: key.expires_at,
            active: key.active,
            roles: key.roles,
            grants: key.grants,
            last_used_at: key.last_used_at.get(),
            stamp: stamp_view(key.stamp),
        }
    }

    fn make(
        change: &mut Change<'_>,
        id: String,
        _: &str,
        minted: &Minted<NewApiKey>,
    ) -> Result<Self, Refusal> {
        let new = minted.new.clone();
        Ok(ApiKey {
            id,
            tenant: change.tenant().to_owned(),
            name: new.name,
            description: new.description,
            hash: secrets::hash(&minted.secret),
            masked: secrets::masked(&minted.secret),
            expires_at: new.expires_at,
            active: new.active,
            roles: new.roles,
            grants: new.grants,
            last_used_at: None.into(),
            stamp: change.stamp(),
        })
    }

    fn with(&self, _: &mut Change<'_>, content: &ApiKeyContent) -> Result<Self, Refusal> {
        let content = content.clone();
        Ok(ApiKey {
            name: content.name,
            description: content.description,
            active: content.active,
            roles: content.roles,
            grants: content.grants,
            ..self.clone()
        })
    }
}

impl Switchable for ApiKey {}

impl Nouns<'_, ApiKey> {
    /// Makes a key. The answer is the only place that ever shows it.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, rights the caller does not have.
    pub async fn mint(self, by: &Caller, new: NewApiKey) -> Result<NewSecret<ApiKey>, Refusal> {
        let secret = secrets::new_api_key(self.service.entropy());
        let minted = Minted {
            new,
            secret: secret.clone(),
        };
        let noun = self.create(by, "", minted).await?;
        Ok(NewSecret { noun, secret })
    }
}

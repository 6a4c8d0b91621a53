//! API keys: shown once, kept as a hash, on and off, gone at once when deleted.

use super::draft::Draft;
use super::holders::{check_access, cover};
use super::names::{Texts, taken};
use super::{ApiKeyView, Denied, NewSecret};
use crate::manage::ApiKeyContent;
use crate::manage::Content;
use crate::manage::NewApiKey;
use crate::manage::View;
use crate::{Caller, PageRequest, Service, ids, secrets};
use std::sync::Arc;
use store::catalog::{ApiKey, Resource, Verb};
use wire::Page;
use wire::Timestamp;

fn judge(name: &str, description: &str) -> Texts {
    let mut texts = Texts::default();
    texts
        .name("$.name", name)
        .description("$.description", description);
    texts
}

impl Content for NewApiKey {
    fn judge(&self, now: Timestamp) -> Result<(), Denied> {
        let mut texts = judge(&self.name, &self.description);
        if self.expires_at.is_some_and(|end| end <= now) {
            texts.wrong("$.expiresAt", "is past; choose a later time, or none");
        }
        texts.judged()
    }
}

impl Content for ApiKeyContent {
    fn judge(&self, _now: Timestamp) -> Result<(), Denied> {
        judge(&self.name, &self.description).judged()
    }
}

impl Service {
    /// Makes a key. The answer is the only place that ever shows it.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, rights the caller does not have.
    pub async fn create_api_key(
        &self,
        by: &Caller,
        new: NewApiKey,
    ) -> Result<NewSecret<ApiKey>, Denied> {
        new.judge(self.now())?;
        let secret = secrets::new_api_key(self.entropy());
        let (hash, masked) = (secrets::hash(&secret), secrets::masked(&secret));
        let id = ids::new_id(self.now(), self.entropy());
        let noun = self.change(by, move |draft| {
            draft.require(Resource::ApiKeys, Verb::Add)?;
            check_access(draft, &new.roles, &new.grants)?;
            free(draft, &new.name, "")?;
            let key = draft.put(ApiKey {
                id: id.clone(),
                tenant: draft.tenant().to_owned(),
                name: new.name.clone(),
                description: new.description.clone(),
                hash: hash.clone(),
                masked: masked.clone(),
                expires_at: new.expires_at,
                active: new.active,
                roles: new.roles.clone(),
                grants: new.grants.clone(),
                last_used_at: None.into(),
                stamp: draft.stamp(),
            });
            draft.remember("create", ["api_key", &id], None, Some(ApiKeyView::of(&key)));
            Ok(key)
        });
        let noun = noun.await?;
        Ok(NewSecret { noun, secret })
    }

    /// Changes a key; from the next request on.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, rights the caller does not have.
    pub async fn update_api_key(
        &self,
        by: &Caller,
        key: &str,
        content: ApiKeyContent,
    ) -> Result<Arc<ApiKey>, Denied> {
        content.judge(self.now())?;
        let id = key.to_owned();
        self.change(by, move |draft| {
            let old = key_of(draft, &id, Verb::Edit)?;
            check_access(draft, &content.roles, &content.grants)?;
            free(draft, &content.name, &id)?;
            let new = draft.put(ApiKey {
                name: content.name.clone(),
                description: content.description.clone(),
                active: content.active,
                roles: content.roles.clone(),
                grants: content.grants.clone(),
                stamp: draft.restamp(&old.stamp),
                ..(*old).clone()
            });
            let views = (Some(ApiKeyView::of(&old)), Some(ApiKeyView::of(&new)));
            draft.remember("update", ["api_key", &id], views.0, views.1);
            Ok(new)
        })
        .await
    }

    /// Switches a key on or off.
    ///
    /// # Errors
    /// No such key, rights the caller does not have.
    pub async fn set_api_key_active(
        &self,
        by: &Caller,
        key: &str,
        active: bool,
    ) -> Result<Arc<ApiKey>, Denied> {
        let id = key.to_owned();
        self.change(by, move |draft| {
            let old = key_of(draft, &id, Verb::Edit)?;
            let new = draft.put(ApiKey {
                active,
                stamp: draft.restamp(&old.stamp),
                ..(*old).clone()
            });
            let views = (Some(ApiKeyView::of(&old)), Some(ApiKeyView::of(&new)));
            draft.remember("update", ["api_key", &id], views.0, views.1);
            Ok(new)
        })
        .await
    }

    /// Deletes a key, at once and for good.
    ///
    /// # Errors
    /// No such key, rights the caller does not have.
    pub async fn delete_api_key(&self, by: &Caller, key: &str) -> Result<(), Denied> {
        let id = key.to_owned();
        self.change(by, move |draft| {
            let old = key_of(draft, &id, Verb::Delete)?;
            draft.remove("api_key", &id);
            draft.remember("delete", ["api_key", &id], Some(ApiKeyView::of(&old)), None);
            Ok(())
        })
        .await
    }

    /// The tenant's keys, masked.
    ///
    /// # Errors
    /// Missing rights, a bad page key.
    pub fn api_keys(&self, by: &Caller, page: &PageRequest) -> Result<Page<ApiKeyView>, Denied> {
        let sight = self.sight(by, Resource::ApiKeys)?;
        let made = |key: &ApiKey| key.stamp.created_at;
        let scope = format!("keys {}", sight.tenant);
        self.noun_page(&scope, page, (&sight.catalog.api_keys, made), |key| {
            (key.tenant == sight.tenant).then(|| ApiKeyView::of(key))
        })
    }

    /// One key, masked.
    ///
    /// # Errors
    /// No such key, missing rights.
    pub fn api_key(&self, by: &Caller, id: &str) -> Result<Arc<ApiKey>, Denied> {
        let sight = self.sight(by, Resource::ApiKeys)?;
        let own = |key: &&Arc<ApiKey>| key.tenant == sight.tenant;
        let key = sight.catalog.api_keys.get(id).filter(own);
        key.cloned().ok_or(Denied::NotFound("API key"))
    }
}

/// A key of the tenant that the caller's own rights cover.
fn key_of(draft: &Draft<'_>, id: &str, verb: Verb) -> Result<Arc<ApiKey>, Denied> {
    draft.require(Resource::ApiKeys, verb)?;
    let own = |key: &&Arc<ApiKey>| key.tenant == draft.tenant();
    let key = draft.catalog.api_keys.get(id).filter(own);
    let key = key.cloned().ok_or(Denied::NotFound("API key"))?;
    cover(draft, &key.roles, &key.grants)?;
    Ok(key)
}

fn free(draft: &Draft<'_>, name: &str, own: &str) -> Result<(), Denied> {
    let mut others = draft.catalog.api_keys.values();
    if others.any(|it| it.tenant == draft.tenant() && it.name == name && it.id != own) {
        return Err(taken("an API key", name));
    }
    Ok(())
}

//! API keys: shown in whole when they are made, and never again. docs/interface.md, "Credentials".

use super::change::Change;
use super::content::Texts;
use super::engine::Nouns;
use super::mark::same_mark;
use super::noun::{Content, Noun, Switchable};
use super::secret::{Minted, NewSecret};
use super::views::stamp_view;
use crate::rights::Lifetime;
use crate::{Caller, Refusal, secrets};
use std::borrow::Cow;
use store::catalog::{ApiKey, AuditAction, Grant, ReplacedKey, Resource};
use wire::Timestamp;
use wire::manage::limits::GRACE_SECONDS_MAX;
use wire::manage::{ApiKeyContent, ApiKeyView, KeyRotation, NewApiKey};

const EXPIRES_AT: &str = "$.expiresAt";
const IS_PAST: &str = "is past; choose a later time, or none";
const HAS_ENDED: &str = "can't be changed any more: this key has ended; make another one";
const NO_SECRET_WORKS: &str = "this key has ended, so no secret of it would work; make another one";
/// Earlier secrets of a key that may work at the same time.
const EARLIER_MAX: usize = 8;

impl Content for NewApiKey {
    fn judge(&self, now: Timestamp) -> Result<(), Refusal> {
        let mut texts = Texts::named(&self.name, &self.description);
        if self.expires_at.is_some_and(|end| end <= now) {
            texts.wrong(EXPIRES_AT, IS_PAST);
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
        let earlier_secret_until = self.replaced.iter().map(|old| old.until).max();
        ApiKeyView {
            api_key_id: key.id,
            name: key.name,
            description: key.description,
            masked_key: key.masked,
            expires_at: key.expires_at,
            has_ended: key.has_ended,
            ends_with_maker: key.ends_with.is_some(),
            earlier_secret_until,
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
        let maker = new.ends_with_maker.then(|| change.principal.as_maker());
        Ok(ApiKey {
            id,
            tenant: change.tenant().to_owned(),
            name: new.name,
            description: new.description,
            hash: secrets::hash(&minted.secret),
            masked: secrets::masked(&minted.secret),
            expires_at: new.expires_at,
            has_ended: false,
            ends_with: maker.transpose()?,
            replaced: Vec::new(),
            active: new.active,
            roles: new.roles,
            grants: new.grants,
            last_used_at: None.into(),
            stamp: change.stamp(),
        })
    }

    fn with(&self, change: &mut Change<'_>, content: &ApiKeyContent) -> Result<Self, Refusal> {
        let content = content.clone();
        let expires_at = content.expires_at.of(self.expires_at);
        let is_same_end = expires_at == self.expires_at;
        if !is_same_end && expires_at.is_some_and(|end| end <= change.at) {
            return Err(Refusal::invalid(EXPIRES_AT, IS_PAST));
        }
        // whoever has its secret was shut out by then, and stays so
        if !is_same_end && self.has_ended_by(change.at) {
            return Err(Refusal::invalid(EXPIRES_AT, HAS_ENDED));
        }
        Ok(ApiKey {
            expires_at,
            name: content.name,
            description: content.description,
            active: content.active,
            roles: content.roles,
            grants: content.grants,
            ..self.clone()
        })
    }

    fn permit_new(change: &Change<'_>, _: &str, minted: &Minted<NewApiKey>) -> Result<(), Refusal> {
        change.check_access(minted.access())?;
        let lifetime = Lifetime::Key {
            end: minted.new.expires_at,
            with_maker: minted.new.ends_with_maker,
        };
        change.principal.require_no_longer(lifetime)
    }

    fn after_change(&self, old: &Self, change: &mut Change<'_>) -> Result<AuditAction, Refusal> {
        if lives_longer(self, old) {
            // it may be the very key that asks, which ends with itself and must not put that off
            let lifetime = Lifetime::Key {
                end: self.expires_at,
                with_maker: ends_with_caller(self, change),
            };
            change.principal.require_no_longer(lifetime)?;
        }
        if self.hash == old.hash {
            return Ok(AuditAction::Update);
        }
        change.principal.require_no_longer(self.lifetime(change))?;
        Ok(AuditAction::RenewSecret)
    }

    /// A key ends with itself, too.
    fn lifetime(&self, change: &Change<'_>) -> Lifetime {
        Lifetime::Key {
            end: self.expires_at,
            with_maker: change.principal.id() == self.id || ends_with_caller(self, change),
        }
    }
}

/// The secrets that a key had, the newest first, as they work on once it gets another: each for its own time.
fn earlier_after(key: &ApiKey, grace: i64, now: Timestamp) -> Result<Vec<ReplacedKey>, Refusal> {
    if grace == 0 {
        return Ok(Vec::new());
    }
    let last = ReplacedKey {
        hash: key.hash.clone(),
        until: now.plus_seconds(grace),
    };
    let running = key.replaced.iter().filter(|old| now < old.until).cloned();
    let earlier: Vec<_> = std::iter::once(last).chain(running).collect();
    if earlier.len() > EARLIER_MAX {
        return Err(Refusal::Conflict(Cow::Owned(format!(
            "{EARLIER_MAX} earlier secrets of this key still work; wait until one of them has ended, or end them all \
             with `graceSeconds` 0"
        ))));
    }
    Ok(earlier)
}

/// Whether a key stops working with whoever asks.
fn ends_with_caller(key: &ApiKey, change: &Change<'_>) -> bool {
    key.ends_with.is_some() && key.ends_with == change.principal.as_maker().ok()
}

/// Whether a key stops working later than before, or not at all any more.
fn lives_longer(key: &ApiKey, before: &ApiKey) -> bool {
    let is_later = |old| key.expires_at.is_none_or(|end| end > old);
    before.expires_at.is_some_and(is_later)
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

    /// Gives a key a new secret; the old one works for a while, so that whoever has it can take the new one over, and so
    /// do those of before until their own time has passed. Without a while, all of them end at once.
    ///
    /// # Errors
    /// A time that is too long, no such key, rights the caller does not have, one that has ended, too many earlier secrets
    /// that still work.
    pub async fn rotate(
        self,
        by: &Caller,
        id: &str,
        rotation: KeyRotation,
    ) -> Result<NewSecret<ApiKey>, Refusal> {
        self.rotate_seen(by, id, rotation, None).await
    }

    /// The same, if the key still is what whoever asks was shown: by the `mark` of that; none compares nothing.
    ///
    /// # Errors
    /// As [`rotate`](Self::rotate), and that someone else changed it.
    pub async fn rotate_seen(
        self,
        by: &Caller,
        id: &str,
        rotation: KeyRotation,
        seen: Option<String>,
    ) -> Result<NewSecret<ApiKey>, Refusal> {
        let grace = rotation.grace_seconds;
        if !(0..=GRACE_SECONDS_MAX).contains(&grace) {
            let message = format!("must be from 0 to {GRACE_SECONDS_MAX}");
            return Err(Refusal::invalid("$.graceSeconds", message));
        }
        let secret = secrets::new_api_key(self.service.entropy());
        let (hash, masked) = (secrets::hash(&secret), secrets::masked(&secret));
        let rotated = self.revise(by, id, move |change, old| {
            same_mark(seen.as_ref(), &old.view_for(change.sight()))?;
            if old.has_ended_by(change.at) {
                return Err(Refusal::Conflict(NO_SECRET_WORKS.into()));
            }
            Ok(ApiKey {
                hash: hash.clone(),
                masked: masked.clone(),
                replaced: earlier_after(old, grace, change.at)?,
                ..old.clone()
            })
        });
        let noun = rotated.await?;
        Ok(NewSecret { noun, secret })
    }
}

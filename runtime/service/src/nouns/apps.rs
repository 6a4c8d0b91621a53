//! Application clients: id and secret, and how long their tokens live. A client that is switched off or
//! deleted takes its tokens along.

use super::change::Change;
use super::content::Texts;
use super::engine::Nouns;
use super::noun::{Content, Noun, Switchable};
use super::secret::{Minted, NewSecret};
use super::views::stamp_view;
use crate::rights::Lifetime;
use crate::{Caller, Entropy, Refusal, secrets};
use store::catalog::{App, AuditAction, Ending, Grant, Holder, Resource};
use wire::Timestamp;
use wire::manage::limits::TOKEN_SECONDS_MAX;
use wire::manage::{AppContent, AppView, NewApp};

impl Content for NewApp {
    fn judge(&self, _: Timestamp) -> Result<(), Refusal> {
        judge(&self.name, &self.description, self.token_seconds)
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn access(&self) -> Option<(&[String], &[Grant])> {
        Some((&self.roles, &self.grants))
    }
}

impl Content for AppContent {
    fn judge(&self, _: Timestamp) -> Result<(), Refusal> {
        judge(&self.name, &self.description, self.token_seconds)
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn access(&self) -> Option<(&[String], &[Grant])> {
        Some((&self.roles, &self.grants))
    }
}

fn judge(name: &str, description: &str, token_seconds: i64) -> Result<(), Refusal> {
    let mut texts = Texts::named(name, description);
    if !(1..=TOKEN_SECONDS_MAX).contains(&token_seconds) {
        let message = format!("must be from 1 to {TOKEN_SECONDS_MAX}");
        texts.wrong("$.tokenSeconds", message);
    }
    texts.judged()
}

impl Noun for App {
    const RESOURCE: Resource = Resource::Apps;
    const NAME: &'static str = "application client";
    const ONE: &'static str = "an application client";

    type New = Minted<NewApp>;
    type Content = AppContent;
    type View = AppView;

    fn view(&self) -> AppView {
        let app = self.clone();
        AppView {
            client_id: app.id,
            name: app.name,
            description: app.description,
            active: app.active,
            token_seconds: app.token_seconds,
            roles: app.roles,
            grants: app.grants,
            last_used_at: app.last_used_at.get(),
            stamp: stamp_view(app.stamp),
        }
    }

    fn make(
        change: &mut Change<'_>,
        id: String,
        _: &str,
        minted: &Minted<NewApp>,
    ) -> Result<Self, Refusal> {
        let new = minted.new.clone();
        Ok(App {
            id,
            tenant: change.tenant().to_owned(),
            name: new.name,
            description: new.description,
            secret_hash: secrets::hash(&minted.secret),
            active: new.active,
            token_seconds: new.token_seconds,
            roles: new.roles,
            grants: new.grants,
            last_used_at: None.into(),
            stamp: change.stamp(),
        })
    }

    fn with(&self, _: &mut Change<'_>, content: &AppContent) -> Result<Self, Refusal> {
        let content = content.clone();
        Ok(App {
            name: content.name,
            description: content.description,
            active: content.active,
            token_seconds: content.token_seconds,
            roles: content.roles,
            grants: content.grants,
            ..self.clone()
        })
    }

    fn permit_new(change: &Change<'_>, _: &str, new: &Minted<NewApp>) -> Result<(), Refusal> {
        change.check_access(new.access())?;
        change.principal.require_no_longer(Lifetime::Open)
    }

    /// Off, or with another secret, its tokens are dead at once and stay so.
    fn after_change(&self, old: &Self, change: &mut Change<'_>) -> Result<AuditAction, Refusal> {
        let is_new_secret = self.secret_hash != old.secret_hash;
        if is_new_secret {
            change.principal.require_no_longer(Lifetime::Open)?;
        }
        if !self.active || is_new_secret {
            end_tokens(change, &self.id);
        }
        Ok(if is_new_secret {
            AuditAction::RenewSecret
        } else {
            AuditAction::Update
        })
    }

    fn before_delete(&self, change: &mut Change<'_>) -> Result<(), Refusal> {
        end_tokens(change, &self.id);
        Ok(())
    }
}

impl Switchable for App {}

impl Nouns<'_, App> {
    /// Makes a client. The answer is the only place that ever shows its secret.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, rights the caller does not have.
    pub async fn mint(self, by: &Caller, new: NewApp) -> Result<NewSecret<App>, Refusal> {
        let secret = new_secret(self.service.entropy());
        let minted = Minted {
            new,
            secret: secret.clone(),
        };
        let noun = self.create(by, "", minted).await?;
        Ok(NewSecret { noun, secret })
    }

    /// Gives a client a new secret; the old one and all tokens are dead at once.
    ///
    /// # Errors
    /// No such client, rights the caller does not have.
    pub async fn renew_secret(self, by: &Caller, id: &str) -> Result<NewSecret<App>, Refusal> {
        let secret = new_secret(self.service.entropy());
        let secret_hash = secrets::hash(&secret);
        let renewed = self.revise(by, id, move |_, old| {
            Ok(App {
                secret_hash: secret_hash.clone(),
                ..old.clone()
            })
        });
        let noun = renewed.await?;
        Ok(NewSecret { noun, secret })
    }
}

fn new_secret(entropy: &dyn Entropy) -> String {
    let text = secrets::random_text(entropy, 40);
    format!("{}{text}", secrets::CLIENT_SECRET_PREFIX)
}

/// Ends all tokens of a client.
pub(super) fn end_tokens(change: &mut Change<'_>, app: &str) {
    change.end(Ending::All(Holder::App(app.to_owned())));
}

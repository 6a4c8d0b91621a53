//! Application clients: id and secret, and how long their tokens live. A client that is switched off or
//! deleted takes its tokens along.

use super::draft::Draft;
use super::holders::{check_access, cover};
use super::names::{Texts, taken};
use super::{AppView, Denied, NewSecret};
use crate::manage::AppContent;
use crate::manage::Content;
use crate::manage::NewApp;
use crate::manage::View;
use crate::{Caller, PageRequest, Service, ids, secrets};
use std::sync::Arc;
use store::catalog::{App, Ending, Holder, Resource, Verb};
use wire::Page;
use wire::Timestamp;

/// What every client secret begins with.
pub(super) const SECRET_PREFIX: &str = "fsc_";
/// Seconds a token lives at most.
const TOKEN_SECONDS_MAX: i64 = 30 * 24 * 3600;

impl Content for AppContent {
    fn judge(&self, _now: Timestamp) -> Result<(), Denied> {
        judge(&self.name, &self.description, self.token_seconds)
    }
}

fn judge(name: &str, description: &str, token_seconds: i64) -> Result<(), Denied> {
    let mut texts = Texts::default();
    texts
        .name("$.name", name)
        .description("$.description", description);
    if !(1..=TOKEN_SECONDS_MAX).contains(&token_seconds) {
        let message = format!("must be from 1 to {TOKEN_SECONDS_MAX}");
        texts.wrong("$.tokenSeconds", message);
    }
    texts.judged()
}

impl Service {
    fn new_client_secret(&self) -> String {
        format!(
            "{SECRET_PREFIX}{}",
            secrets::random_text(self.entropy(), 40)
        )
    }

    /// Makes a client. The answer is the only place that ever shows its secret.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, rights the caller does not have.
    pub async fn create_app(&self, by: &Caller, new: NewApp) -> Result<NewSecret<App>, Denied> {
        judge(&new.name, &new.description, new.token_seconds)?;
        let secret = self.new_client_secret();
        let hash = secrets::hash(&secret);
        let id = ids::new_id(self.now(), self.entropy());
        let noun = self.change(by, move |draft| {
            draft.require(Resource::Apps, Verb::Add)?;
            check_access(draft, &new.roles, &new.grants)?;
            free(draft, &new.name, "")?;
            let app = draft.put(App {
                id: id.clone(),
                tenant: draft.tenant().to_owned(),
                name: new.name.clone(),
                description: new.description.clone(),
                secret_hash: hash.clone(),
                active: new.active,
                token_seconds: new.token_seconds,
                roles: new.roles.clone(),
                grants: new.grants.clone(),
                last_used_at: None.into(),
                stamp: draft.stamp(),
            });
            draft.remember("create", ["app", &id], None, Some(AppView::of(&app)));
            Ok(app)
        });
        let noun = noun.await?;
        Ok(NewSecret { noun, secret })
    }

    /// Changes a client; from the next request on.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, rights the caller does not have.
    pub async fn update_app(
        &self,
        by: &Caller,
        app: &str,
        content: AppContent,
    ) -> Result<Arc<App>, Denied> {
        content.judge(self.now())?;
        let id = app.to_owned();
        self.change(by, move |draft| {
            let old = app_of(draft, &id, Verb::Edit)?;
            check_access(draft, &content.roles, &content.grants)?;
            free(draft, &content.name, &id)?;
            let new = App {
                name: content.name.clone(),
                description: content.description.clone(),
                active: content.active,
                token_seconds: content.token_seconds,
                roles: content.roles.clone(),
                grants: content.grants.clone(),
                ..(*old).clone()
            };
            Ok(replace(draft, &old, new))
        })
        .await
    }

    /// Switches a client on or off. Off, its tokens are dead at once and stay so.
    ///
    /// # Errors
    /// No such client, rights the caller does not have.
    pub async fn set_app_active(
        &self,
        by: &Caller,
        app: &str,
        active: bool,
    ) -> Result<Arc<App>, Denied> {
        let id = app.to_owned();
        self.change(by, move |draft| {
            let old = app_of(draft, &id, Verb::Edit)?;
            let new = App {
                active,
                ..(*old).clone()
            };
            Ok(replace(draft, &old, new))
        })
        .await
    }

    /// Gives a client a new secret; the old one and all tokens are dead at once.
    ///
    /// # Errors
    /// No such client, rights the caller does not have.
    pub async fn renew_app_secret(&self, by: &Caller, app: &str) -> Result<NewSecret<App>, Denied> {
        let secret = self.new_client_secret();
        let (id, secret_hash) = (app.to_owned(), secrets::hash(&secret));
        let noun = self.change(by, move |draft| {
            let old = app_of(draft, &id, Verb::Edit)?;
            let new = draft.put(App {
                secret_hash: secret_hash.clone(),
                stamp: draft.restamp(&old.stamp),
                ..(*old).clone()
            });
            end_tokens(draft, &id);
            let views = (Some(AppView::of(&old)), Some(AppView::of(&new)));
            draft.remember("renew_secret", ["app", &id], views.0, views.1);
            Ok(new)
        });
        let noun = noun.await?;
        Ok(NewSecret { noun, secret })
    }

    /// Deletes a client and its tokens, at once and for good.
    ///
    /// # Errors
    /// No such client, rights the caller does not have.
    pub async fn delete_app(&self, by: &Caller, app: &str) -> Result<(), Denied> {
        let id = app.to_owned();
        self.change(by, move |draft| {
            let old = app_of(draft, &id, Verb::Delete)?;
            end_tokens(draft, &id);
            draft.remove("app", &id);
            draft.remember("delete", ["app", &id], Some(AppView::of(&old)), None);
            Ok(())
        })
        .await
    }

    /// The tenant's clients.
    ///
    /// # Errors
    /// Missing rights, a bad page key.
    pub fn apps(&self, by: &Caller, page: &PageRequest) -> Result<Page<AppView>, Denied> {
        let sight = self.sight(by, Resource::Apps)?;
        let made = |app: &App| app.stamp.created_at;
        let scope = format!("apps {}", sight.tenant);
        self.noun_page(&scope, page, (&sight.catalog.apps, made), |app| {
            (app.tenant == sight.tenant).then(|| AppView::of(app))
        })
    }

    /// One client.
    ///
    /// # Errors
    /// No such client, missing rights.
    pub fn app(&self, by: &Caller, id: &str) -> Result<Arc<App>, Denied> {
        let sight = self.sight(by, Resource::Apps)?;
        let own = |app: &&Arc<App>| app.tenant == sight.tenant;
        let app = sight.catalog.apps.get(id).filter(own);
        app.cloned().ok_or(Denied::NotFound("application client"))
    }
}

fn replace(draft: &mut Draft<'_>, old: &App, new: App) -> Arc<App> {
    if !new.active {
        end_tokens(draft, &new.id);
    }
    let stamp = draft.restamp(&old.stamp);
    let new = draft.put(App { stamp, ..new });
    let views = (Some(AppView::of(old)), Some(AppView::of(&new)));
    draft.remember("update", ["app", &new.id], views.0, views.1);
    new
}

/// Ends all tokens of a client.
pub(super) fn end_tokens(draft: &mut Draft<'_>, app: &str) {
    draft.end(Ending::All(Holder::App(app.to_owned())));
}

/// A client of the tenant that the caller's own rights cover.
fn app_of(draft: &Draft<'_>, id: &str, verb: Verb) -> Result<Arc<App>, Denied> {
    draft.require(Resource::Apps, verb)?;
    let own = |app: &&Arc<App>| app.tenant == draft.tenant();
    let app = draft.catalog.apps.get(id).filter(own);
    let app = app.cloned().ok_or(Denied::NotFound("application client"))?;
    cover(draft, &app.roles, &app.grants)?;
    Ok(app)
}

fn free(draft: &Draft<'_>, name: &str, own: &str) -> Result<(), Denied> {
    let mut others = draft.catalog.apps.values();
    if others.any(|it| it.tenant == draft.tenant() && it.name == name && it.id != own) {
        return Err(taken("an application client", name));
    }
    Ok(())
}

//! Application clients of a manifest.

use crate::access::Access;
use crate::model::{Areas, Client};
use crate::spec::{Edit, Receipt, Spec};
use service::Refusal;
use service::manage::AppContent;
use store::catalog::App;

impl Spec for Client {
    type Noun = App;
    type Content = AppContent;

    fn name(&self) -> &str {
        &self.name
    }

    fn rights(&self) -> Option<(&[String], &Areas)> {
        Some((&self.roles, &self.areas))
    }

    fn content(&self, access: &Access, old: Option<&App>) -> anyhow::Result<AppContent> {
        let active = self.active.or(old.map(|app| app.active));
        Ok(AppContent {
            name: self.name.clone(),
            description: self.description.clone(),
            active: active.unwrap_or(true),
            token_seconds: self.token_seconds,
            roles: access.roles.clone(),
            grants: access.grants.clone(),
        })
    }

    fn is_same(&self, old: &App, content: &AppContent) -> bool {
        old.description == content.description
            && old.token_seconds == content.token_seconds
            && old.active == content.active
    }

    async fn write(edit: Edit<'_, Self>) -> Result<Receipt, Refusal> {
        let apps = edit.service.apps();
        if let Some(id) = edit.id {
            let app = apps.update(&edit.by, id, edit.content).await?;
            return Ok(Receipt::of(&app.id));
        }
        let made = apps.mint(&edit.by, edit.content.into()).await?;
        Ok(Receipt::with_secret(&made.noun.id, made.secret))
    }
}

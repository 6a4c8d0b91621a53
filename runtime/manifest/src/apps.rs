//! Application clients of a manifest.

use crate::access::Access;
use crate::model::{Areas, Client};
use crate::report::PropertyChange;
use crate::spec::{Edit, Receipt, Spec, said};
use service::Refusal;
use service::manage::AppContent;
use store::catalog::App;

/// How long tokens of a client live that says nothing of it, in seconds.
const AN_HOUR: i64 = 3600;

impl Spec for Client {
    type Noun = App;
    type Content = AppContent;

    fn name(&self) -> &str {
        &self.name
    }

    fn rights(&self) -> Option<(Option<&[String]>, Option<&Areas>)> {
        Some((self.roles.as_deref(), self.areas.as_ref()))
    }

    fn content(&self, access: &Access, old: Option<&App>) -> anyhow::Result<AppContent> {
        let active = self.active.or(old.map(|app| app.active));
        let seconds = self.token_seconds.or(old.map(|app| app.token_seconds));
        Ok(AppContent {
            name: self.name.clone(),
            description: said(self.description.as_ref(), old.map(|app| &app.description)),
            active: active.unwrap_or(true),
            token_seconds: seconds.unwrap_or(AN_HOUR),
            roles: access.roles.clone(),
            grants: access.grants.clone(),
        })
    }

    fn changes(&self, old: &App, content: &AppContent) -> Vec<PropertyChange> {
        PropertyChange::among([
            (
                "description",
                old.description.as_str().into(),
                content.description.as_str().into(),
            ),
            (
                "tokenSeconds",
                old.token_seconds.into(),
                content.token_seconds.into(),
            ),
            ("active", old.active.into(), content.active.into()),
        ])
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

//! Business areas of a manifest.

use crate::access::Access;
use crate::model::Area;
use crate::spec::{Edit, Receipt, Spec};
use service::Refusal;
use service::manage::AreaContent;
use store::catalog;

impl Spec for Area {
    type Noun = catalog::Area;
    type Content = AreaContent;

    fn name(&self) -> &str {
        &self.name
    }

    fn content(&self, _: &Access, _: Option<&catalog::Area>) -> anyhow::Result<AreaContent> {
        Ok(AreaContent {
            name: self.name.clone(),
            description: self.description.clone(),
            active: self.active,
            version: None,
        })
    }

    fn is_same(&self, old: &catalog::Area, content: &AreaContent) -> bool {
        old.description == content.description && old.active == content.active
    }

    async fn write(edit: Edit<'_, Self>) -> Result<Receipt, Refusal> {
        edit.put().await
    }
}

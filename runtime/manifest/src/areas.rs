//! Business areas of a manifest.

use crate::access::Access;
use crate::model::Area;
use crate::report::PropertyChange;
use crate::spec::{Edit, Receipt, Spec, said};
use service::Refusal;
use service::manage::AreaContent;
use store::catalog;

impl Spec for Area {
    type Noun = catalog::Area;
    type Content = AreaContent;

    fn name(&self) -> &str {
        &self.name
    }

    fn content(&self, _: &Access, old: Option<&catalog::Area>) -> anyhow::Result<AreaContent> {
        Ok(AreaContent {
            name: self.name.clone(),
            description: said(self.description.as_ref(), old.map(|area| &area.description)),
            active: self.active.or(old.map(|area| area.active)).unwrap_or(true),
            version: None,
        })
    }

    fn changes(&self, old: &catalog::Area, content: &AreaContent) -> Vec<PropertyChange> {
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
        edit.put().await
    }
}

//! Datasets of a manifest: their own properties. Their record files come after them.

use crate::access::Access;
use crate::model::Dataset;
use crate::report::PropertyChange;
use crate::spec::{Edit, Receipt, Spec, said};
use service::Refusal;
use service::manage::DatasetContent;
use store::catalog;

impl Spec for Dataset {
    type Noun = catalog::Dataset;
    type Content = DatasetContent;

    fn name(&self) -> &str {
        &self.name
    }

    fn content(
        &self,
        _: &Access,
        old: Option<&catalog::Dataset>,
    ) -> anyhow::Result<DatasetContent> {
        Ok(DatasetContent {
            name: self.name.clone(),
            description: said(
                self.description.as_ref(),
                old.map(|dataset| &dataset.description),
            ),
            version: None,
        })
    }

    fn changes(&self, old: &catalog::Dataset, content: &DatasetContent) -> Vec<PropertyChange> {
        PropertyChange::among([(
            "description",
            old.description.as_str().into(),
            content.description.as_str().into(),
        )])
    }

    async fn write(edit: Edit<'_, Self>) -> Result<Receipt, Refusal> {
        edit.put().await
    }
}

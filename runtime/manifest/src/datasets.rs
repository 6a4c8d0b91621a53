//! Datasets of a manifest: their own properties. Their record files come after them.

use crate::access::Access;
use crate::model::Dataset;
use crate::spec::{Edit, Receipt, Spec};
use service::Refusal;
use service::manage::DatasetContent;
use store::catalog;

impl Spec for Dataset {
    type Noun = catalog::Dataset;
    type Content = DatasetContent;

    fn name(&self) -> &str {
        &self.name
    }

    fn content(&self, _: &Access, _: Option<&catalog::Dataset>) -> anyhow::Result<DatasetContent> {
        Ok(DatasetContent {
            name: self.name.clone(),
            description: self.description.clone(),
            version: None,
        })
    }

    fn is_same(&self, old: &catalog::Dataset, content: &DatasetContent) -> bool {
        old.description == content.description
    }

    async fn write(edit: Edit<'_, Self>) -> Result<Receipt, Refusal> {
        edit.put().await
    }
}

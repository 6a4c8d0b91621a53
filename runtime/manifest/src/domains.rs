//! Data domains of a manifest.

use crate::access::Access;
use crate::model::{Codes, Domain};
use crate::spec::{Edit, Receipt, Spec};
use anyhow::bail;
use service::Refusal;
use service::manage::DomainContent;
use store::catalog;

impl Spec for Domain {
    type Noun = catalog::Domain;
    type Content = DomainContent;
    const WHAT: &'static str = "data domain";

    fn name(&self) -> &str {
        &self.name
    }

    fn content(&self, _: &Access, _: Option<&catalog::Domain>) -> anyhow::Result<DomainContent> {
        let Codes::Written(codes) = &self.codes else {
            bail!("its codes were not read from their file");
        };
        let mut codes = codes.clone();
        codes.sort_by(|one, other| one.code.cmp(&other.code));
        Ok(DomainContent {
            name: self.name.clone(),
            codes,
            version: None,
        })
    }

    fn is_same(&self, old: &catalog::Domain, content: &DomainContent) -> bool {
        old.codes == content.codes
    }

    async fn write(edit: Edit<'_, Self>) -> Result<Receipt, Refusal> {
        edit.put().await
    }
}

//! Data domains of a manifest.

use super::applier::{Applier, Receipt, Step, explain};
use super::model::{Codes, Domain};
use anyhow::bail;
use service::manage::Content;
use service::manage::DomainContent;

/// The manifest's domains and their ids, as far as they are made.
pub(super) type DomainIds<'m> = [(&'m Domain, Option<String>)];

impl Applier<'_> {
    pub(super) async fn domain(
        &mut self,
        tenant: Option<&str>,
        wanted: &Domain,
    ) -> anyhow::Result<Option<String>> {
        let Codes::Written(codes) = &wanted.codes else {
            bail!("its codes were not read from their file");
        };
        let mut codes = codes.clone();
        codes.sort_by(|one, other| one.code.cmp(&other.code));
        let catalog = self.catalog();
        let mut domains = catalog.domains.values();
        let old =
            domains.find(|domain| Some(&*domain.tenant) == tenant && domain.name == wanted.name);
        let there = old.map(|domain| (&*domain.id, domain.codes == codes));
        let step = Step::new(tenant, "data domain", &wanted.name, there);
        let content = DomainContent {
            name: wanted.name.clone(),
            codes,
            version: None,
        };
        content.judge(self.service.now()).map_err(explain)?;
        let service = self.service;
        let write = |by| async move {
            let domain = match old {
                None => service.domains().create(&by, "", content).await?,
                Some(old) => service.domains().update(&by, &old.id, content).await?,
            };
            Ok(Receipt::of(&domain.id))
        };
        self.carry_out(step, write).await
    }
}

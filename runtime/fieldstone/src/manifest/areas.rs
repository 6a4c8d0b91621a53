//! Business areas of a manifest.

use super::applier::{Applier, Receipt, Step, explain};
use super::domains::DomainIds;
use super::model::Area;
use service::manage::AreaContent;
use service::manage::Content;

impl Applier<'_> {
    pub(super) async fn area(
        &mut self,
        tenant: Option<&str>,
        wanted: &Area,
        domains: &DomainIds<'_>,
    ) -> anyhow::Result<()> {
        let catalog = self.catalog();
        let mut areas = tenant
            .into_iter()
            .flat_map(|tenant| catalog.areas_of(tenant));
        let old = areas.find(|area| area.name == wanted.name);
        let there = old.map(|area| {
            let is_same = area.description == wanted.description && area.active == wanted.active;
            (&*area.id, is_same)
        });
        let step = Step::new(tenant, "area", &wanted.name, there);
        let content = AreaContent {
            name: wanted.name.clone(),
            description: wanted.description.clone(),
            active: wanted.active,
            version: None,
        };
        content.judge(self.service.now()).map_err(explain)?;
        let service = self.service;
        let write = |by| async move {
            let area = match old {
                None => service.areas().create(&by, "", content).await?,
                Some(old) => service.areas().update(&by, &old.id, content).await?,
            };
            Ok(Receipt::of(&area.id))
        };
        let id = self.carry_out(step, write).await?;
        for schema in &wanted.schemas {
            self.schema(tenant, id.as_deref(), schema, domains).await?;
        }
        Ok(())
    }
}

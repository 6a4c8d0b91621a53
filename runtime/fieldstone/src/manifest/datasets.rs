//! Datasets of a manifest.

use super::applier::{Applier, Receipt, Step, explain};
use super::model::Dataset;
use super::records;
use service::Refusal;
use service::manage::Content;
use service::manage::DatasetContent;

impl Applier<'_> {
    pub(super) async fn dataset(
        &mut self,
        tenant: Option<&str>,
        area: Option<&str>,
        schema: Option<&str>,
        wanted: &Dataset,
    ) -> anyhow::Result<()> {
        let catalog = self.catalog();
        let mut datasets = schema
            .into_iter()
            .flat_map(|schema| catalog.datasets_of(schema));
        let old = datasets.find(|dataset| dataset.name == wanted.name);
        let there = old.map(|dataset| {
            let is_same = dataset.description == wanted.description;
            (&*dataset.id, is_same)
        });
        let step = Step::new(tenant, "dataset", &wanted.name, there);
        let content = DatasetContent {
            name: wanted.name.clone(),
            description: wanted.description.clone(),
            version: None,
        };
        content.judge(self.service.now()).map_err(explain)?;
        let service = self.service;
        let write = |by| async move {
            let dataset = match (old, schema) {
                (Some(old), _) => service.datasets().update(&by, &old.id, content).await?,
                (None, Some(schema)) => service.datasets().create(&by, schema, content).await?,
                (None, None) => return Err(Refusal::no_such("schema")),
            };
            Ok(Receipt::of(&dataset.id))
        };
        let id = self.carry_out(step, write).await?;
        if !self.reads_records {
            return Ok(());
        }
        let path = area.zip(schema).zip(id.as_deref());
        let path = path.map(|((area, schema), dataset)| [area, schema, dataset]);
        let tenant = tenant.unwrap_or_default();
        records::load(self, tenant, path, &wanted.name, &wanted.records).await
    }
}

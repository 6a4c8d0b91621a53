//! Areas, schemas and datasets of a manifest.

use super::apply::Action;
use super::plan::{Plan, told};
use super::{Area, Dataset, Document, Domain, Schema, records};
use anyhow::{Context as _, anyhow, bail};
use runtime::schema::{self, Field, Origin, Provenance, id_of};
use runtime::service::manage::Content;
use runtime::service::manage::{AreaContent, DatasetContent, NewSchema, SchemaContent};
use runtime::store::catalog::SchemaEntry;

/// The manifest's domains and their ids, as far as they are made.
type DomainIds<'m> = [(&'m Domain, Option<String>)];

impl Plan<'_> {
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
        let there = areas.find(|area| area.name == wanted.name);
        let is_same = |area: &std::sync::Arc<runtime::store::catalog::Area>| {
            area.description == wanted.description && area.active == wanted.active
        };
        let action = Action::of(there, is_same);
        let mut id = there.map(|area| area.id.clone());
        let content = AreaContent {
            name: wanted.name.clone(),
            description: wanted.description.clone(),
            active: wanted.active,
            version: None,
        };
        content.judge(self.service.now()).map_err(told)?;
        if let Some(by) = self.writer(tenant, action != Action::Keep)? {
            let made = match &id {
                None => self.service.create_area(&by, content).await,
                Some(id) => self.service.update_area(&by, id, content).await,
            };
            id = Some(made.map_err(told)?.id.clone());
        }
        self.step(action, "area", &wanted.name, id.as_deref());
        for schema in &wanted.schemas {
            self.schema(tenant, id.as_deref(), schema, domains).await?;
        }
        Ok(())
    }

    async fn schema(
        &mut self,
        tenant: Option<&str>,
        area: Option<&str>,
        wanted: &Schema,
        domains: &DomainIds<'_>,
    ) -> anyhow::Result<()> {
        let document = document(wanted, domains)?;
        let name = document.name.clone();
        let catalog = self.catalog();
        let mut schemas = area.into_iter().flat_map(|area| catalog.schemas_of(area));
        let there = schemas.find(|entry| entry.current().schema.name == name);
        let is_same = |entry: &std::sync::Arc<SchemaEntry>| {
            let is_set = entry.state == wanted.state && entry.active == wanted.active;
            is_set && bare(&document, entry) == bare(&entry.current().schema, entry)
        };
        let action = Action::of(there, is_same);
        let mut id = there.map(|entry| entry.id.clone());
        let content = SchemaContent {
            document: document.to_json(),
            state: wanted.state.clone(),
            active: wanted.active,
            version: None,
        };
        let judged = content.judge(self.service.now()).map_err(told);
        judged.with_context(|| format!("in the schema {name}"))?;
        let by = self.writer(tenant, action != Action::Keep)?;
        if let (Some(by), Some(area)) = (by, area) {
            let made = match &id {
                None => {
                    let area = area.to_owned();
                    self.service
                        .create_schema(&by, NewSchema { area, content })
                        .await
                }
                Some(id) => self.service.update_schema(&by, id, content).await,
            };
            let made = made
                .map_err(told)
                .with_context(|| format!("in the schema {name}"))?;
            id = Some(made.id.clone());
        }
        self.step(action, "schema", &name, id.as_deref());
        for dataset in &wanted.datasets {
            let done = self.dataset(tenant, area, id.as_deref(), dataset).await;
            done.with_context(|| format!("in the dataset {}", dataset.name))?;
        }
        Ok(())
    }

    async fn dataset(
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
        let there = datasets.find(|dataset| dataset.name == wanted.name);
        let action = Action::of(there, |dataset| dataset.description == wanted.description);
        let mut id = there.map(|dataset| dataset.id.clone());
        let content = DatasetContent {
            name: wanted.name.clone(),
            description: wanted.description.clone(),
            version: None,
        };
        content.judge(self.service.now()).map_err(told)?;
        let by = self.writer(tenant, action != Action::Keep)?;
        if let (Some(by), Some(schema)) = (by, schema) {
            let made = match &id {
                None => self.service.create_dataset(&by, schema, content).await,
                Some(id) => self.service.update_dataset(&by, id, content).await,
            };
            id = Some(made.map_err(told)?.id.clone());
        }
        self.step(action, "dataset", &wanted.name, id.as_deref());
        if !self.reads_records {
            return Ok(());
        }
        let path = area.zip(schema).zip(id.as_deref());
        let path = path.map(|((area, schema), dataset)| [area, schema, dataset]);
        let tenant = tenant.unwrap_or_default();
        records::load(self, tenant, path, &wanted.name, &wanted.records).await
    }
}

/// The schema of a document, with the store's ids of the manifest's domains.
fn document(wanted: &Schema, domains: &DomainIds<'_>) -> anyhow::Result<schema::Schema> {
    let (path, text) = match &wanted.document {
        Document::Text(text) => (text.path.as_str(), text.text.clone()),
        Document::Inline(value) => ("the manifest", value.to_string()),
        Document::File(path) => bail!("{path} was not read"),
    };
    let read = schema::Schema::read(&text, Origin::Created);
    let mut schema = read.map_err(|problems| {
        let lines = problems.items.iter().map(ToString::to_string);
        anyhow!(
            "the schema in {path}:\n  {}",
            lines.collect::<Vec<_>>().join("\n  ")
        )
    })?;
    for field in &mut schema.schema.fields {
        let Some(named) = &field.data_domain_id else {
            continue;
        };
        let is_it = |domain: &Domain| domain.id.as_ref() == Some(named) || domain.name == *named;
        let found = domains.iter().find(|(domain, _)| is_it(domain));
        if let Some((_, Some(id))) = found {
            field.data_domain_id = Some(id.clone());
        }
    }
    Ok(schema.schema)
}

/// A schema without what the service itself adds, its fields in the order and with the ids of the one
/// that is there: equal ones need no change.
fn bare(schema: &schema::Schema, there: &SchemaEntry) -> schema::Schema {
    let old = &there.current().schema;
    let mut schema = schema.clone();
    for field in &mut schema.fields {
        field.provenance = Provenance::default();
        let is_known = old.fields.iter().any(|known| known.id == field.id);
        if !is_known && field.id == id_of(&[&schema.name, &field.name]) {
            let same = old
                .fields
                .iter()
                .find(|known| known.name == field.name && known.active);
            if let Some(same) = same {
                field.id.clone_from(&same.id);
            }
        }
    }
    let place = |field: &Field| old.fields.iter().position(|known| known.id == field.id);
    schema
        .fields
        .sort_by_key(|field| place(field).unwrap_or(usize::MAX));
    schema::Schema {
        id: String::new(),
        area_id: None,
        area_name: None,
        version: None,
        provenance: Provenance::default(),
        ..schema
    }
}

//! Schemas of a manifest: their documents are read as a request's would be, with the store's ids of the
//! manifest's domains, and compared without what the service itself adds.

use super::applier::{Applier, Receipt, Step, explain};
use super::domains::DomainIds;
use super::model::{Document, Domain, Schema};
use anyhow::{Context as _, anyhow, bail};
use schema::{self, Field, Origin, Provenance, id_of};
use service::Refusal;
use service::manage::Content;
use service::manage::SchemaContent;
use store::catalog::SchemaEntry;

impl Applier<'_> {
    pub(super) async fn schema(
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
        let old = schemas.find(|entry| entry.current().schema.name == name);
        let there = old.map(|entry| {
            let is_same = entry.state == wanted.state
                && entry.active == wanted.active
                && bare(&document, entry) == bare(&entry.current().schema, entry);
            (&*entry.id, is_same)
        });
        let step = Step::new(tenant, "schema", &name, there);
        let content = SchemaContent {
            document: document.to_json(),
            state: wanted.state.clone(),
            active: wanted.active,
            version: None,
        };
        let place = || format!("in the schema {name}");
        content
            .judge(self.service.now())
            .map_err(explain)
            .with_context(place)?;
        let service = self.service;
        let write = |by| async move {
            let schema = match (old, area) {
                (Some(old), _) => service.schemas().redefine(&by, &old.id, content).await?,
                (None, Some(area)) => service.schemas().define(&by, area, content).await?,
                (None, None) => return Err(Refusal::no_such("area")),
            };
            Ok(Receipt::of(&schema.id))
        };
        let id = self.carry_out(step, write).await.with_context(place)?;
        for dataset in &wanted.datasets {
            let result = self.dataset(tenant, area, id.as_deref(), dataset).await;
            result.with_context(|| format!("in the dataset {}", dataset.name))?;
        }
        Ok(())
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

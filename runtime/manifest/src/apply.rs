//! Applying a manifest: its order, in which what others refer to comes first.

use crate::access::Tenancy;
use crate::applier::{Applier, explain};
use crate::by::By;
use crate::events::Events;
use crate::failure::{Failure, of_manifest};
use crate::merge::refuse_contradictions;
use crate::model::{Area, Dataset, Manifest, Schema, Tenant};
use crate::records;
use crate::report::{ApplyMode, ApplyReport, FieldAction, FieldChange};
use crate::schemas::ReadSchema;
use crate::siblings::Siblings;
use crate::spec::Spec;
use anyhow::{Context as _, bail};
use service::Service;
use service::manage::Noun as _;
use std::sync::Arc;
use store::catalog;

/// Applies a manifest. It is looked through first, so that a mistake which shows without writing leaves
/// nothing half done; after one that shows later, what was done until then is told with it
/// ([`ApplyReport::failure`]).
///
/// A dry run does the same to a throwaway copy of the store, so it tells what a run would have done that began when
/// the copy was made. It takes the disk and the time of copying the database, and keeps nobody from writing meanwhile.
///
/// # Errors
/// Mistakes that show without writing; in a dry run, a store that can't be copied.
pub async fn apply(
    service: &Arc<Service>,
    by: &By,
    manifest: &Manifest,
    mode: ApplyMode,
    events: &Events,
) -> anyhow::Result<ApplyReport> {
    let mut looking = Applier::looking(service, by, mode, events);
    walk(&mut looking, manifest).await.map_err(of_manifest)?;
    if !mode.dry_run {
        return Ok(run(service, by, manifest, mode, events).await);
    }
    let tried = try_out(service, by, manifest, mode, events).await;
    // a command ends with its report, and with it who would remove the copy
    service.store().copies_gone().await?;
    tried
}

/// Applies it to a copy, which goes with this.
async fn try_out(
    service: &Arc<Service>,
    by: &By,
    manifest: &Manifest,
    mode: ApplyMode,
    events: &Events,
) -> anyhow::Result<ApplyReport> {
    let copy = service.trial().await.map_err(explain)?;
    let mut report = run(&copy, by, manifest, mode, events).await;
    report.forget_what_was_made();
    Ok(report)
}

async fn run(
    service: &Arc<Service>,
    by: &By,
    manifest: &Manifest,
    mode: ApplyMode,
    events: &Events,
) -> ApplyReport {
    let mut applier = Applier::new(service, by, mode, events);
    if let Err(error) = walk(&mut applier, manifest).await {
        applier.report.failure = Some(format!("{error:#}"));
        applier.report.failure_code = Some(Failure::of(&of_manifest(error)).code);
    }
    applier.report
}

async fn walk(applier: &mut Applier<'_>, manifest: &Manifest) -> anyhow::Result<()> {
    for tenant in &manifest.tenants {
        let result = applier.tenant(tenant).await;
        match &tenant.name {
            Some(name) => result.with_context(|| format!("in the tenant {name}"))?,
            None => result?,
        }
    }
    Ok(())
}

impl Applier<'_> {
    async fn tenant(&mut self, wanted: &Tenant) -> anyhow::Result<()> {
        refuse_contradictions(wanted)?;
        let id = self.tenant_id(wanted).await?;
        let tenancy = Tenancy {
            id: id.as_deref(),
            manifest: wanted,
        };
        // each by its name, so that none can be left out
        let Tenant {
            name: _,
            domains,
            areas,
            roles,
            users,
            api_keys,
            clients,
            webhooks,
        } = wanted;
        self.each(tenancy, domains).await?;
        for area in areas {
            let result = self.area(tenancy, area).await;
            result.with_context(|| place(area))?;
        }
        self.each(tenancy, roles).await?;
        self.each(tenancy, users).await?;
        self.each(tenancy, api_keys).await?;
        self.each(tenancy, clients).await?;
        for webhook in webhooks {
            let result = self.webhook(tenancy, webhook).await;
            result.with_context(|| format!("in the webhook {}", webhook.name))?;
        }
        Ok(())
    }

    /// Settles nouns of a kind that hang below the tenant.
    async fn each<S: Spec>(&mut self, tenancy: Tenancy<'_>, specs: &[S]) -> anyhow::Result<()> {
        for spec in specs {
            let result = self.settle(tenancy, S::Noun::TOP, spec).await;
            result.with_context(|| place(spec))?;
        }
        Ok(())
    }

    async fn area(&mut self, tenancy: Tenancy<'_>, wanted: &Area) -> anyhow::Result<()> {
        let id = self.settle(tenancy, catalog::Area::TOP, wanted).await?;
        for schema in &wanted.schemas {
            self.schema(tenancy, id.as_deref(), schema).await?;
        }
        Ok(())
    }

    async fn schema(
        &mut self,
        tenancy: Tenancy<'_>,
        area: Option<&str>,
        wanted: &Schema,
    ) -> anyhow::Result<()> {
        let (catalog, parent) = (self.catalog(), area.unwrap_or_default());
        let spec = ReadSchema::of(wanted, &catalog, tenancy, parent, self.sight())?;
        let fields = self.field_changes(tenancy, parent, &spec).await;
        let fields = fields.with_context(|| place(&spec))?;
        let result = self.settle(tenancy, parent, &spec).await;
        let id = result.with_context(|| place(&spec))?;
        if let Some(step) = self.report.steps.last_mut() {
            step.fields = fields;
        }
        self.report.warnings.extend(spec.warnings);
        let above = area.zip(id.as_deref());
        let schema = above.map_or("", |(_, schema)| schema);
        let mut siblings = Siblings::of(&self.catalog(), tenancy, schema);
        for datasets in wanted.datasets.chunks(Self::DATASETS_AT_ONCE) {
            let made = self.make_missing(tenancy, schema, datasets, &siblings);
            let mut made = made.await;
            for dataset in datasets {
                let result = if let Some(id) = made.remove(&dataset.name) {
                    siblings.add(&dataset.name, &id);
                    self.report_made(tenancy, &dataset.name, &id);
                    Ok(Some(id))
                } else {
                    let old = siblings.find(&self.catalog(), &dataset.name);
                    self.settle_over(tenancy, schema, dataset, old).await
                };
                let done = match result {
                    Ok(id) => self.records(tenancy, above, dataset, id).await,
                    Err(error) => Err(error),
                };
                if done.is_err() {
                    // what was done is told, also where it stopped before its end
                    for (name, id) in &made {
                        self.report_made(tenancy, name, id);
                    }
                }
                done.with_context(|| place(dataset))?;
            }
        }
        Ok(())
    }

    /// What becomes of a schema's fields, with the values that are hidden from then on, or seen again.
    async fn field_changes(
        &self,
        tenancy: Tenancy<'_>,
        area: &str,
        spec: &ReadSchema<'_>,
    ) -> anyhow::Result<Vec<FieldChange>> {
        let (catalog, tenant) = (self.catalog(), tenancy.id.unwrap_or_default());
        let old = catalog::SchemaEntry::namesake(&catalog, tenant, area, spec.name());
        let Some(old) = old.filter(|_| self.writes) else {
            return Ok(Vec::new());
        };
        let mut changes = spec.field_changes(old);
        let counted = changes.iter_mut();
        let mut counted: Vec<_> = counted
            .filter(|(id, change)| match change.action {
                FieldAction::Remove => true,
                FieldAction::Add => was_used(old, id),
                FieldAction::Change => false,
            })
            .collect();
        if !counted.is_empty() {
            let caller = self.caller(tenant)?;
            let ids: Vec<&str> = counted.iter().map(|(id, _)| id.as_str()).collect();
            let counts = self.service.count_values(&caller, &old.id, &ids).await;
            let counts = counts.map_err(explain)?;
            for ((_, change), count) in counted.iter_mut().zip(counts) {
                match change.action {
                    FieldAction::Add => change.returning_values = Some(count),
                    _ => change.hidden_values = Some(count),
                }
            }
        }
        Ok(changes.into_iter().map(|(_, change)| change).collect())
    }

    /// The record files of a dataset, by its id; `above` are the ids of its area and its schema.
    async fn records(
        &mut self,
        tenancy: Tenancy<'_>,
        above: Option<(&str, &str)>,
        wanted: &Dataset,
        id: Option<String>,
    ) -> anyhow::Result<()> {
        if !self.writes {
            return Ok(());
        }
        let path = above.zip(id.as_deref()).zip(tenancy.id);
        let Some((((area, schema), dataset), tenant)) = path else {
            bail!("what it is in was not made");
        };
        records::load(self, tenant, [area, schema, dataset], wanted).await
    }
}

/// Whether a field of this id was ever in the schema.
fn was_used(schema: &catalog::SchemaEntry, field: &str) -> bool {
    let mut versions = schema.versions.iter();
    versions.any(|version| version.schema.fields.iter().any(|it| it.id == field))
}

/// Where a mistake is.
fn place<S: Spec>(spec: &S) -> String {
    format!("in the {} {}", S::WHAT, spec.name())
}

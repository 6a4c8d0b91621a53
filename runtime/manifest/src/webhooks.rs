//! Webhooks of a manifest: their datasets go by names, their secrets are read from elsewhere and are in no report.

use crate::access::{Access, Sight, Tenancy};
use crate::applier::Applier;
use crate::merge::document;
use crate::model::{Secret, Webhook};
use crate::report::PropertyChange;
use crate::spec::{Edit, Receipt, Spec, said};
use anyhow::{Context as _, bail};
use serde_json::Value;
use service::Refusal;
use service::manage::{Noun as _, WebhookContent, WebhookWithSecret};
use std::collections::BTreeMap;
use store::Catalog;
use store::catalog::{self, Row as _};

/// A webhook of a manifest, its datasets and its secret found.
pub(crate) struct ReadWebhook<'a> {
    wanted: &'a Webhook,
    secret: Option<&'a str>,
    /// The ids of its datasets; of one that is yet to be made, its path.
    datasets: Vec<String>,
    /// Whether all of them are there.
    is_complete: bool,
    /// The paths of datasets of the tenant that who asks sees, by their ids.
    paths: BTreeMap<String, String>,
}

impl<'a> ReadWebhook<'a> {
    fn of(
        wanted: &'a Webhook,
        catalog: &Catalog,
        tenancy: Tenancy<'_>,
        sight: Sight<'_>,
    ) -> anyhow::Result<Self> {
        let mut read = ReadWebhook {
            wanted,
            secret: wanted.secret.as_ref().map(text).transpose()?,
            datasets: Vec::new(),
            is_complete: true,
            paths: paths(catalog, tenancy, sight),
        };
        for path in &wanted.datasets {
            let mut known = read.paths.iter();
            let there = known.find(|(id, own)| *id == path || *own == path);
            let id = match there {
                Some((id, _)) => id.clone(),
                None if is_planned(tenancy, path) => {
                    read.is_complete = false;
                    path.clone()
                }
                None => bail!(
                    "there is no dataset `{path}`; write AREA/SCHEMA/DATASET by their names, or the dataset's id"
                ),
            };
            if !read.datasets.contains(&id) {
                read.datasets.push(id);
            }
        }
        Ok(read)
    }

    /// Datasets as people know them.
    fn shown(&self, ids: &[String]) -> Value {
        let path = |id: &String| self.paths.get(id).unwrap_or(id).clone();
        let mut shown: Vec<String> = ids.iter().map(path).collect();
        shown.sort();
        shown.into()
    }
}

/// The secret itself.
fn text(secret: &Secret) -> anyhow::Result<&str> {
    let text = secret.text.as_deref();
    text.context("its `secret` was not read from where it is kept")
}

/// How a dataset is called in manifests: by its names, or by its id where one of them has a slash.
pub(crate) fn path(catalog: &Catalog, dataset: &catalog::Dataset) -> Option<String> {
    let area = catalog.areas.get(&dataset.area)?;
    let schema = catalog.schemas.get(&dataset.schema)?;
    let names = [area.name.as_str(), schema.name(), &dataset.name];
    let is_plain = names.iter().all(|name| !name.contains('/'));
    Some(if is_plain {
        names.join("/")
    } else {
        dataset.id.clone()
    })
}

fn paths(catalog: &Catalog, tenancy: Tenancy<'_>, sight: Sight<'_>) -> BTreeMap<String, String> {
    let all = catalog.datasets.values();
    let own = all.filter(|it| Some(&*it.tenant) == tenancy.id && !it.is_deleted());
    let seen = own.filter(|it| sight.sees(&***it));
    seen.filter_map(|it| Some((it.id.clone(), path(catalog, it)?)))
        .collect()
}

/// Whether the manifest itself makes a dataset of this path.
fn is_planned(tenancy: Tenancy<'_>, path: &str) -> bool {
    tenancy.manifest.areas.iter().any(|area| {
        area.schemas.iter().any(|schema| {
            let document = document(&schema.document);
            let name = document.as_ref().and_then(|it| it["name"].as_str());
            let mut datasets = schema.datasets.iter();
            name.is_some_and(|name| {
                datasets.any(|dataset| [&area.name, name, &dataset.name].join("/") == path)
            })
        })
    })
}

impl Spec for ReadWebhook<'_> {
    type Noun = catalog::Webhook;
    type Content = WebhookWithSecret;

    fn name(&self) -> &str {
        &self.wanted.name
    }

    fn is_complete(&self) -> bool {
        self.is_complete
    }

    fn content(
        &self,
        _: &Access,
        old: Option<&catalog::Webhook>,
    ) -> anyhow::Result<WebhookWithSecret> {
        let active = self.wanted.active.or(old.map(|old| old.active));
        let content = WebhookContent {
            name: self.wanted.name.clone(),
            description: said(
                self.wanted.description.as_ref(),
                old.map(|old| &old.description),
            ),
            url: self.wanted.url.clone(),
            datasets: self.datasets.clone(),
            active: active.unwrap_or(true),
        };
        Ok(WebhookWithSecret {
            content,
            secret: self.secret.map(str::to_owned),
        })
    }

    fn changes(&self, old: &catalog::Webhook, wanted: &WebhookWithSecret) -> Vec<PropertyChange> {
        let content = &wanted.content;
        let is_other = wanted.secret.as_ref().is_some_and(|it| *it != old.secret);
        PropertyChange::among([
            (
                "description",
                old.description.as_str().into(),
                content.description.as_str().into(),
            ),
            ("url", old.url.as_str().into(), content.url.as_str().into()),
            (
                "datasets",
                self.shown(&old.datasets),
                self.shown(&content.datasets),
            ),
            ("active", old.active.into(), content.active.into()),
            // that it is another one is told, and neither of them
            (
                "secret",
                "…".into(),
                if is_other { "another …" } else { "…" }.into(),
            ),
        ])
    }

    async fn write(edit: Edit<'_, Self>) -> Result<Receipt, Refusal> {
        let hooks = edit.service.nouns::<catalog::Webhook>();
        if let Some(id) = edit.id {
            let hook = hooks.update_with(&edit.by, id, edit.content).await?;
            return Ok(Receipt::of(&hook.id));
        }
        let is_made = edit.content.secret.is_none();
        let made = hooks.mint_with(&edit.by, edit.content).await?;
        let id = &made.noun.id;
        // one that was handed in is known
        Ok(if is_made {
            Receipt::with_secret(id, made.secret)
        } else {
            Receipt::of(id)
        })
    }
}

impl Applier<'_> {
    pub(crate) async fn webhook(
        &mut self,
        tenancy: Tenancy<'_>,
        wanted: &Webhook,
    ) -> anyhow::Result<()> {
        if wanted.removed {
            return self.remove::<catalog::Webhook>(tenancy, &wanted.name).await;
        }
        let spec = ReadWebhook::of(wanted, &self.catalog(), tenancy, self.sight())?;
        self.settle(tenancy, catalog::Webhook::TOP, &spec).await?;
        Ok(())
    }
}

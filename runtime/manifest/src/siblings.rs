//! The datasets of a schema, of which a manifest may name thousands: found by name without looking at each, and those that
//! are missing made in few changes. One by one they would cost the square of their number.

use crate::access::Tenancy;
use crate::applier::{Applier, Step};
use crate::model::Dataset;
use crate::spec::{Receipt, Spec as _, said};
use service::DATASETS_AT_ONCE;
use service::manage::DatasetContent;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use store::Catalog;
use store::catalog;

/// The living datasets of a schema: ids by name.
pub(crate) struct Siblings(HashMap<String, String>);

impl Siblings {
    /// Those that a catalog knows.
    pub(crate) fn of(catalog: &Catalog, tenancy: Tenancy<'_>, schema: &str) -> Self {
        let tenant = tenancy.id.unwrap_or_default();
        let all = catalog.datasets.values();
        let own = all.filter(|it| it.tenant == tenant && it.schema == schema && !it.deleted);
        Siblings(own.map(|it| (it.name.clone(), it.id.clone())).collect())
    }

    /// One by its name, as the newest catalog has it.
    pub(crate) fn find(&self, catalog: &Catalog, name: &str) -> Option<Arc<catalog::Dataset>> {
        let there = catalog.datasets.get(self.0.get(name)?);
        let there = there.filter(|there| !there.deleted && there.name == name);
        there.cloned()
    }

    /// Notes one that was made.
    pub(crate) fn add(&mut self, name: &str, id: &str) {
        self.0.insert(name.to_owned(), id.to_owned());
    }
}

/// Datasets that were made ahead of their steps: ids by name.
pub(crate) type Made = BTreeMap<String, String>;

impl Applier<'_> {
    /// How many datasets are looked at together.
    pub(crate) const DATASETS_AT_ONCE: usize = DATASETS_AT_ONCE;

    /// Makes those of these datasets that are missing, in one change. Where that is refused none is made: then each is
    /// made by its own step, which tells what is wrong and with which.
    pub(crate) async fn make_missing(
        &self,
        tenancy: Tenancy<'_>,
        schema: &str,
        datasets: &[Dataset],
        siblings: &Siblings,
    ) -> Made {
        let (Some(tenant), true, false) = (tenancy.id, self.writes, schema.is_empty()) else {
            return Made::new();
        };
        let mut missing = HashSet::new();
        let mut contents = Vec::new();
        for dataset in datasets {
            let is_there = siblings.0.contains_key(&dataset.name);
            if !is_there && missing.insert(dataset.name.as_str()) {
                contents.push(DatasetContent {
                    name: dataset.name.clone(),
                    description: said(dataset.description.as_ref(), None),
                    version: None,
                });
            }
        }
        let Ok(caller) = self.caller(tenant) else {
            return Made::new();
        };
        // one alone is what its step is for
        if contents.len() < 2 {
            return Made::new();
        }
        let nouns = self.service.datasets();
        match nouns.create_all(&caller, schema, contents).await {
            Ok(made) => made
                .iter()
                .map(|dataset| (dataset.name.clone(), dataset.id.clone()))
                .collect(),
            Err(_) => Made::new(),
        }
    }

    /// Reports a dataset that was made ahead of its step.
    pub(crate) fn report_made(&mut self, tenancy: Tenancy<'_>, name: &str, id: &str) {
        let step = Step::new(tenancy.id, Dataset::WHAT, name, None);
        self.report_step(&step, Some(Receipt::of(id)));
    }
}

//! Many datasets of a schema made in one change: a store copies its catalog for each change, so that thousands of them,
//! each a change of its own, would cost the square of their number.

use super::change::Change;
use super::engine::Nouns;
use super::noun::{Content as _, Noun as _, taken};
use crate::{Caller, Refusal, ids};
use std::collections::HashSet;
use std::sync::Arc;
use store::catalog::{AuditAction, Dataset, Row as _, Verb};
use tracing::Instrument as _;
use wire::manage::DatasetContent;

/// How many datasets one change makes at most.
pub const DATASETS_AT_ONCE: usize = 1000;

impl Nouns<'_, Dataset> {
    /// Makes datasets of a schema, in this order; all of them or none. [`DATASETS_AT_ONCE`] at most are to be asked for.
    ///
    /// # Errors
    /// What is wrong with any of them, a name that is taken or stands twice, missing rights, no such schema.
    pub async fn create_all(
        self,
        by: &Caller,
        schema: &str,
        all: Vec<DatasetContent>,
    ) -> Result<Vec<Arc<Dataset>>, Refusal> {
        let service = self.service;
        service.require_proof(by, Dataset::RESOURCE, Verb::Add)?;
        all.iter().try_for_each(|new| new.judge(service.now()))?;
        let new_id = |_: &DatasetContent| ids::new_id(service.now(), service.entropy());
        let mut ids: Vec<String> = all.iter().map(new_id).collect();
        // lists are in the order of ids
        ids.sort_unstable();
        let schema = schema.to_owned();
        let span = tracing::debug_span!("create all", noun = "dataset", count = all.len());
        let made = service.change(by, move |change| {
            change.rights().require(Dataset::RESOURCE, Verb::Add)?;
            let mut names = names_below(change, &schema);
            let mut made = Vec::with_capacity(all.len());
            for (new, id) in all.iter().zip(&ids) {
                Dataset::permit_new(change, &schema, new)?;
                if !names.insert(new.name.clone()) {
                    return Err(taken::<Dataset>(&new.name));
                }
                let dataset = Arc::new(Dataset::make(change, id.clone(), &schema, new)?);
                change.put(Dataset::row(dataset.clone()));
                dataset.after_make(change);
                change.remember::<Dataset>(AuditAction::Create, None, Some(&dataset));
                made.push(dataset);
            }
            Ok(made)
        });
        made.instrument(span).await
    }
}

/// The names that the datasets of a schema have.
fn names_below(change: &Change<'_>, schema: &str) -> HashSet<String> {
    let all = change.catalog.datasets.values();
    let living =
        all.filter(|it| it.tenant == change.tenant() && it.schema == schema && !it.deleted);
    living.map(|dataset| dataset.name.clone()).collect()
}

//! Datasets: their own properties. Their records are another room's.

use super::counted;
use super::draft::Draft;
use super::lists::Sight;
use super::names::{Texts, same_version, taken};
use super::{DatasetView, Denied, schemas};
use crate::manage::Content;
use crate::manage::DatasetContent;
use crate::manage::View;
use crate::{Caller, PageRequest, Service, ids};
use std::collections::HashMap;
use std::sync::Arc;
use store::catalog::{Dataset, Resource, Verb};
use store::records::RecordPlace;
use store::records::Shelf;
use wire::Page;
use wire::Timestamp;

impl Content for DatasetContent {
    fn judge(&self, _now: Timestamp) -> Result<(), Denied> {
        let mut texts = Texts::default();
        texts.name("$.name", &self.name);
        texts
            .description("$.description", &self.description)
            .judged()
    }
}

impl Service {
    /// Makes a dataset of a schema.
    ///
    /// # Errors
    /// What is wrong with it, no such schema, a name that is taken, missing rights.
    pub async fn create_dataset(
        &self,
        by: &Caller,
        schema: &str,
        content: DatasetContent,
    ) -> Result<Arc<Dataset>, Denied> {
        content.judge(self.now())?;
        let id = ids::new_id(self.now(), self.entropy());
        let schema = schema.to_owned();
        self.change(by, move |draft| {
            draft.require(Resource::Datasets, Verb::Add)?;
            let entry = schemas::living(draft, &schema)?;
            draft
                .rights
                .require_in(Resource::Datasets, Verb::Add, &entry.area)?;
            free(draft, &schema, &content.name, "")?;
            // datasets are never removed, so the largest number is the last one given
            let numbers = draft
                .catalog
                .datasets
                .values()
                .map(|dataset| dataset.number);
            let number = numbers.max().unwrap_or(0) + 1;
            if number > RecordPlace::DATASET_MAX {
                return Err(Denied::Conflict(
                    "the store has no place for another dataset".to_owned(),
                ));
            }
            let dataset = draft.put(Dataset {
                id: id.clone(),
                tenant: draft.tenant().to_owned(),
                area: entry.area.clone(),
                schema: schema.clone(),
                number,
                name: content.name.clone(),
                description: content.description.clone(),
                deleted: false,
                version: 1,
                stamp: draft.stamp(),
            });
            draft.remember(
                "create",
                ["dataset", &id],
                None,
                Some(DatasetView::of(&dataset)),
            );
            Ok(dataset)
        })
        .await
    }

    /// Changes a dataset.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, missing rights.
    pub async fn update_dataset(
        &self,
        by: &Caller,
        dataset: &str,
        content: DatasetContent,
    ) -> Result<Arc<Dataset>, Denied> {
        content.judge(self.now())?;
        let id = dataset.to_owned();
        self.change(by, move |draft| {
            let old = dataset_of(draft, &id, Verb::Edit)?;
            same_version(content.version, old.version)?;
            free(draft, &old.schema, &content.name, &id)?;
            let new = draft.put(Dataset {
                name: content.name.clone(),
                description: content.description.clone(),
                version: old.version + 1,
                stamp: draft.restamp(&old.stamp),
                ..(*old).clone()
            });
            let views = (Some(DatasetView::of(&old)), Some(DatasetView::of(&new)));
            draft.remember("update", ["dataset", &id], views.0, views.1);
            Ok(new)
        })
        .await
    }

    /// Deletes a dataset: it and its records are no longer found, and nothing is lost.
    ///
    /// # Errors
    /// No such dataset, missing rights.
    pub async fn delete_dataset(&self, by: &Caller, dataset: &str) -> Result<(), Denied> {
        let id = dataset.to_owned();
        self.change(by, move |draft| {
            let old = dataset_of(draft, &id, Verb::Delete)?;
            draft.put(Dataset {
                deleted: true,
                version: old.version + 1,
                stamp: draft.restamp(&old.stamp),
                ..(*old).clone()
            });
            draft.remember(
                "delete",
                ["dataset", &id],
                Some(DatasetView::of(&old)),
                None,
            );
            Ok(())
        })
        .await
    }

    /// Takes the deletion of a dataset back.
    ///
    /// # Errors
    /// No such deleted dataset, a name that was taken meanwhile, missing rights.
    pub async fn restore_dataset(
        &self,
        by: &Caller,
        dataset: &str,
    ) -> Result<Arc<Dataset>, Denied> {
        let id = dataset.to_owned();
        self.change(by, move |draft| {
            draft.require(Resource::Datasets, Verb::Delete)?;
            let own = |dataset: &&Arc<Dataset>| dataset.tenant == draft.tenant() && dataset.deleted;
            let old = draft.catalog.datasets.get(&id).filter(own).cloned();
            let old = old.ok_or(Denied::NotFound("deleted dataset"))?;
            schemas::living(draft, &old.schema)?;
            draft
                .rights
                .require_in(Resource::Datasets, Verb::Delete, &old.area)?;
            free(draft, &old.schema, &old.name, &id)?;
            let new = draft.put(Dataset {
                deleted: false,
                version: old.version + 1,
                stamp: draft.restamp(&old.stamp),
                ..(*old).clone()
            });
            draft.remember(
                "restore",
                ["dataset", &id],
                None,
                Some(DatasetView::of(&new)),
            );
            Ok(new)
        })
        .await
    }

    /// The datasets of a schema, or those of it that were deleted, with exact counts.
    ///
    /// # Errors
    /// No such schema, missing rights, a bad page key.
    pub async fn datasets(
        &self,
        by: &Caller,
        schema: &str,
        shelf: Shelf,
        page: &PageRequest,
    ) -> Result<Page<DatasetView>, Denied> {
        let sight = self.sight(by, Resource::Datasets)?;
        let entry = schemas::seen(&sight, schema)?;
        sight
            .rights
            .require_in(Resource::Datasets, Verb::View, &entry.area)?;
        let mut counts = HashMap::new();
        let is_shown = |dataset: &Dataset| dataset.schema == schema && shelf.holds(dataset.deleted);
        let all = sight.catalog.datasets.values();
        for dataset in all.filter(|dataset| is_shown(dataset)) {
            counts.insert(dataset.number, self.store().counts(dataset.number).await?);
        }
        let made = |dataset: &Dataset| dataset.stamp.created_at;
        let scope = format!("{shelf:?} datasets {schema}");
        self.noun_page(&scope, page, (&sight.catalog.datasets, made), |dataset| {
            let counts = counts.get(&dataset.number).copied().unwrap_or_default();
            is_shown(dataset).then(|| counted(DatasetView::of(dataset), counts))
        })
    }

    /// One dataset.
    ///
    /// # Errors
    /// No such dataset, missing rights.
    pub fn dataset(&self, by: &Caller, id: &str) -> Result<Arc<Dataset>, Denied> {
        let sight = self.sight(by, Resource::Datasets)?;
        seen(&sight, Resource::Datasets, Verb::View, id)
    }
}

/// A living dataset, with all above it alive, for a reader who may do this to it.
pub(super) fn seen(
    sight: &Sight,
    resource: Resource,
    verb: Verb,
    id: &str,
) -> Result<Arc<Dataset>, Denied> {
    let own = |dataset: &&Arc<Dataset>| dataset.tenant == sight.tenant && !dataset.deleted;
    let dataset = sight.catalog.datasets.get(id).filter(own);
    let dataset = dataset.cloned().ok_or(Denied::NotFound("dataset"))?;
    schemas::seen(sight, &dataset.schema)?;
    sight.rights.require_in(resource, verb, &dataset.area)?;
    Ok(dataset)
}

fn dataset_of(draft: &Draft<'_>, id: &str, verb: Verb) -> Result<Arc<Dataset>, Denied> {
    draft.require(Resource::Datasets, verb)?;
    let own = |dataset: &&Arc<Dataset>| dataset.tenant == draft.tenant() && !dataset.deleted;
    let dataset = draft.catalog.datasets.get(id).filter(own);
    let dataset = dataset.cloned().ok_or(Denied::NotFound("dataset"))?;
    schemas::living(draft, &dataset.schema)?;
    draft
        .rights
        .require_in(Resource::Datasets, verb, &dataset.area)?;
    Ok(dataset)
}

fn free(draft: &Draft<'_>, schema: &str, name: &str, own: &str) -> Result<(), Denied> {
    let mut others = draft.catalog.datasets_of(schema);
    if others.any(|dataset| dataset.name == name && dataset.id != own) {
        return Err(taken("a dataset", name));
    }
    Ok(())
}

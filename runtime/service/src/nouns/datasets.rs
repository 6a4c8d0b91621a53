//! Datasets: their own properties. Their records are another room's.

use super::change::Change;
use super::content::Texts;
use super::engine::Nouns;
use super::noun::{Content, Noun, Restorable};
use super::sight::Sight;
use super::views::stamp_view;
use crate::{Caller, PageRequest, Refusal};
use std::borrow::Cow;
use store::catalog::{Dataset, Resource, SchemaEntry, Verb};
use store::records::{RecordPlace, Shelf};
use wire::manage::{DatasetContent, DatasetView};
use wire::{Page, Timestamp};

impl Content for DatasetContent {
    fn judge(&self, _: Timestamp) -> Result<(), Refusal> {
        Texts::named(&self.name, &self.description).judged()
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> Option<i64> {
        self.version
    }
}

impl Noun for Dataset {
    const RESOURCE: Resource = Resource::Datasets;
    const NAME: &'static str = "dataset";
    const ONE: &'static str = "a dataset";

    type New = DatasetContent;
    type Content = DatasetContent;
    type View = DatasetView;

    fn view(&self) -> DatasetView {
        let dataset = self.clone();
        DatasetView {
            data_set_id: dataset.id,
            data_set_name: dataset.name,
            data_set_description: dataset.description,
            business_area_id: dataset.area,
            schema_id: dataset.schema,
            deleted: dataset.deleted,
            version: dataset.version,
            stamp: stamp_view(dataset.stamp),
            record_count: None,
            errored_records_count: None,
        }
    }

    fn make(
        change: &mut Change<'_>,
        id: String,
        schema: &str,
        new: &DatasetContent,
    ) -> Result<Self, Refusal> {
        let area = change.sight().living::<SchemaEntry>(schema)?.area.clone();
        // datasets are never removed, so the largest number is the last one given
        let number = change.last_dataset_number() + 1;
        if number > RecordPlace::DATASET_MAX {
            return Err(Refusal::Conflict(Cow::Borrowed(
                "the store has no place for another dataset",
            )));
        }
        let new = new.clone();
        Ok(Dataset {
            id,
            tenant: change.tenant().to_owned(),
            area,
            schema: schema.to_owned(),
            number,
            name: new.name,
            description: new.description,
            deleted: false,
            version: 1,
            stamp: change.stamp(),
        })
    }

    fn with(&self, _: &mut Change<'_>, content: &DatasetContent) -> Result<Self, Refusal> {
        let content = content.clone();
        Ok(Dataset {
            name: content.name,
            description: content.description,
            ..self.clone()
        })
    }

    fn parent(&self) -> &str {
        &self.schema
    }

    fn permit_new(change: &Change<'_>, schema: &str, _: &DatasetContent) -> Result<(), Refusal> {
        let sight = change.sight();
        let schema = sight.living::<SchemaEntry>(schema)?;
        let rights = sight.rights;
        rights.require_in(Resource::Datasets, Verb::Add, &schema.area)
    }

    fn permit_list(sight: Sight<'_>, schema: &str) -> Result<(), Refusal> {
        let schema = sight.living::<SchemaEntry>(schema)?;
        let rights = sight.rights;
        rights.require_in(Resource::Datasets, Verb::View, &schema.area)
    }

    fn permit(&self, sight: Sight<'_>, verb: Verb) -> Result<(), Refusal> {
        self.permit_under(sight, Resource::Datasets, verb)
    }
}

impl Restorable for Dataset {
    fn after_restore(&self, change: &mut Change<'_>) {
        let catalog = change.catalog;
        change.revalidate_all(catalog.datasets.get(&self.id));
    }
}

/// What of a dataset more than its own properties is asked for.
pub(crate) trait UnderDataset {
    /// Asks for the right to do this to what is under it, with all above it alive.
    fn permit_under(&self, sight: Sight<'_>, resource: Resource, verb: Verb)
    -> Result<(), Refusal>;
}

impl UnderDataset for Dataset {
    fn permit_under(
        &self,
        sight: Sight<'_>,
        resource: Resource,
        verb: Verb,
    ) -> Result<(), Refusal> {
        sight.living::<SchemaEntry>(&self.schema)?;
        sight.rights.require_in(resource, verb, &self.area)
    }
}

impl Nouns<'_, Dataset> {
    /// The datasets of a schema, or those of it that were deleted, with exact counts.
    ///
    /// # Errors
    /// No such schema, missing rights, a bad page key.
    pub async fn list_counted(
        self,
        by: &Caller,
        schema: &str,
        shelf: Shelf,
        page: &PageRequest,
    ) -> Result<Page<DatasetView>, Refusal> {
        let caller = self.service.viewer(by, Resource::Datasets)?;
        let found = self.page(&caller, schema, shelf, page, |dataset| {
            (dataset.number, dataset.view())
        })?;
        let items = self.counted(found.items).await?;
        Ok(Page {
            items,
            next_page_key: found.next_page_key,
        })
    }

    /// All datasets of each of these schemas, or those of it that were deleted, counted in one look.
    ///
    /// # Errors
    /// No such schema, missing rights.
    pub async fn list_counted_of(
        self,
        by: &Caller,
        schemas: &[&str],
        shelf: Shelf,
    ) -> Result<Vec<Vec<DatasetView>>, Refusal> {
        let caller = self.service.viewer(by, Resource::Datasets)?;
        let mut found = Vec::new();
        let mut lengths = Vec::with_capacity(schemas.len());
        for schema in schemas {
            let before = found.len();
            let mut request = PageRequest::default();
            loop {
                let page = self.page(&caller, schema, shelf, &request, |dataset| {
                    (dataset.number, dataset.view())
                })?;
                found.extend(page.items);
                request.key = page.next_page_key;
                if request.key.is_none() {
                    break;
                }
            }
            lengths.push(found.len() - before);
        }
        let mut counted = self.counted(found).await?.into_iter();
        let own = lengths.into_iter();
        Ok(own
            .map(|length| counted.by_ref().take(length).collect())
            .collect())
    }

    /// Datasets with how many records they have.
    async fn counted(self, found: Vec<(u32, DatasetView)>) -> Result<Vec<DatasetView>, Refusal> {
        let numbers = found.iter().map(|(number, _)| *number);
        let counts = self.service.store().counts_of(numbers.collect()).await?;
        let counted = found.into_iter().zip(counts);
        let counted = counted.map(|((_, view), counts)| DatasetView {
            record_count: Some(counts.records),
            errored_records_count: Some(counts.errored),
            ..view
        });
        Ok(counted.collect())
    }
}

//! Everything that a caller may look at, at once: its areas, their datasets with exact counts and the jobs under way. The
//! store is asked twice, however many datasets there are. docs/architecture.md, "Statements a page".

use crate::listing::{area_item, dataset_item};
use crate::pager::in_order;
use crate::{Caller, Refusal, Reservation, Service};
use std::collections::HashMap;
use std::sync::Arc;
use store::catalog::{Area, Dataset, SchemaEntry, Verb};
use store::records::Counts;
use wire::{AreaItem, DatasetItem};

/// What a dataset takes of memory here, about.
const ITEM_BYTES: usize = 1 << 10;

/// What a caller may look at.
#[derive(Debug)]
pub struct Overview {
    /// Its areas and their datasets, in order of creation.
    pub areas: Vec<AreaOverview>,
    /// What all the datasets have together.
    pub counts: Counts,
    /// The numbers of the datasets.
    pub(crate) datasets: Vec<u32>,
    _room: Reservation,
}

/// An area and its datasets.
#[derive(Debug)]
pub struct AreaOverview {
    /// The area.
    pub area: AreaItem,
    /// Those of all its schemas.
    pub datasets: Vec<DatasetItem>,
}

/// A dataset and what is above it.
struct Found<'c> {
    area: &'c Area,
    schema: &'c SchemaEntry,
    dataset: &'c Dataset,
}

impl Service {
    /// What the caller may look at; nothing where it may not see areas, schemas and datasets.
    ///
    /// # Errors
    /// [`Refusal::Unauthenticated`], when it may no longer call; [`Refusal::NoRoom`]; the store's.
    pub async fn overview(&self, by: &Caller) -> Result<Overview, Refusal> {
        let caller = self.newest(by)?;
        let (areas, found) = looked_at(&caller);
        let bytes = (areas.len() + found.len()) * ITEM_BYTES;
        let room = self.memory().reserve(caller.owner(), bytes)?;
        let datasets: Vec<u32> = found.iter().map(|it| it.dataset.number).collect();
        let counts = self.store().counts_of(datasets.clone()).await?;
        let mut running: HashMap<String, u64> = HashMap::new();
        for job in self.store().running_jobs().await? {
            *running.entry(job.dataset).or_default() += 1;
        }
        let mut overview = Overview {
            areas: Vec::with_capacity(areas.len()),
            counts: Counts::default(),
            datasets,
            _room: room,
        };
        for area in areas {
            overview.areas.push(AreaOverview {
                area: area_item(area),
                datasets: Vec::new(),
            });
        }
        // both are in the order of the areas
        let mut at = 0;
        for (one, counts) in found.into_iter().zip(counts) {
            while overview.areas[at].area.business_area_id != one.area.id {
                at += 1;
            }
            overview.counts.records += counts.records;
            overview.counts.errored += counts.errored;
            let mut item = dataset_item(caller.catalog(), one.area, one.schema, one.dataset);
            item.record_count = counts.records;
            item.errored_records_count = counts.errored;
            item.running_jobs_count = running.get(&item.data_set_id).copied().unwrap_or(0);
            overview.areas[at].datasets.push(item);
        }
        Ok(overview)
    }
}

/// The areas that a caller may look at, and the datasets in them, by area, schema and their own making.
fn looked_at(caller: &Caller) -> (Vec<&Arc<Area>>, Vec<Found<'_>>) {
    let (catalog, rights) = (caller.catalog(), caller.rights());
    if !rights.sees_datasets() {
        return (Vec::new(), Vec::new());
    }
    let own = catalog.areas_of(caller.tenant());
    let own = own.filter(|area| rights.reaches(&area.id, Verb::View));
    let areas = in_order(own, |area| area.stamp.created_at);
    let mut schemas: HashMap<&str, Vec<&Arc<SchemaEntry>>> = HashMap::new();
    for schema in catalog.schemas.values().filter(|schema| !schema.deleted) {
        schemas.entry(&schema.area).or_default().push(schema);
    }
    let mut datasets: HashMap<&str, Vec<&Arc<Dataset>>> = HashMap::new();
    for dataset in catalog.datasets.values().filter(|it| !it.deleted) {
        datasets.entry(&dataset.schema).or_default().push(dataset);
    }
    let mut found = Vec::new();
    for area in &areas {
        let own = schemas.remove(area.id.as_str()).unwrap_or_default();
        for schema in in_order(own.into_iter(), |schema| schema.stamp.created_at) {
            let own = datasets.remove(schema.id.as_str()).unwrap_or_default();
            let own = in_order(own.into_iter(), |dataset| dataset.stamp.created_at);
            found.extend(own.into_iter().map(|dataset| Found {
                area,
                schema,
                dataset,
            }));
        }
    }
    (areas, found)
}

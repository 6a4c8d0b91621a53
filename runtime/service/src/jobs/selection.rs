//! The records of a job, page by page in the order of creation: those that a query finds, or all of a dataset.

use super::context::{Halt, JobContext};
use crate::{DatasetPermit, Permit as _};
use store::records::{PageLimit, RecordPlace, Shelf, StoredRecord};

/// The next records of a job.
pub(super) struct FoundPage {
    pub(super) records: Vec<StoredRecord>,
    /// The sequence that the next page begins behind.
    pub(super) after: u64,
    pub(super) is_last: bool,
}

/// The records behind a sequence that a query finds; without a query all.
pub(super) fn query_page(
    context: &JobContext,
    permit: &DatasetPermit,
    query: Option<&str>,
    after: u64,
    limit: PageLimit,
) -> Result<FoundPage, Halt> {
    let (service, dataset) = (&context.service, permit.dataset());
    let Some(query) = query.filter(|it| !it.trim().is_empty()) else {
        let page = service
            .store()
            .page(dataset.number, Shelf::Live, after, limit);
        let page = context.wait(page)?;
        let last = page.records.last();
        return Ok(FoundPage {
            after: last.map_or(after, |last| last.id.place.sequence),
            is_last: page.behind.is_none(),
            records: page.records,
        });
    };
    let behind = RecordPlace {
        dataset: dataset.number,
        sequence: after,
    };
    let by = permit.caller();
    let found = service.found_places(by, &dataset.id, query, behind, limit.records);
    let places = context.wait(found)?;
    let mut records = Vec::with_capacity(places.len());
    for place in &places {
        let record = context.wait(service.store().get(*place))?;
        records.extend(record.filter(|record| !record.deleted));
    }
    Ok(FoundPage {
        records,
        after: places.last().map_or(after, |last| last.sequence),
        is_last: places.len() < limit.records,
    })
}

//! The records of a job, page by page in the order of creation: those that a query finds, or all of a dataset.

use super::asked_names::require_query;
use super::context::{Halt, JobContext};
use crate::{BULK_LINES_MAX, DatasetPermit, Permit as _, Refusal, Service};
use store::records::{PageLimit, RecordId, RecordPlace, Shelf, StoredRecord};

/// The next records of a job.
pub(super) struct FoundPage {
    pub(super) records: Vec<StoredRecord>,
    /// The sequence that the next page begins behind.
    pub(super) after: u64,
    pub(super) is_last: bool,
}

/// The places of records by their ids, in the order of creation.
///
/// # Errors
/// [`Refusal::Invalid`] for what is no record of the dataset, and for too many.
pub(super) fn places_of(
    service: &Service,
    permit: &DatasetPermit,
    ids: &[String],
) -> Result<Vec<RecordId>, Refusal> {
    if ids.len() > BULK_LINES_MAX {
        let text = format!("has more than {BULK_LINES_MAX} records; ask by `query`");
        return Err(Refusal::invalid("$.records", text));
    }
    let mut places = Vec::with_capacity(ids.len());
    for (index, id) in ids.iter().enumerate() {
        let own = service.ids.record_of(id);
        let own = own.filter(|own| own.place.dataset == permit.dataset().number);
        places.push(own.ok_or_else(|| {
            let text = format!("{id:?} is no record of the dataset");
            Refusal::invalid(&format!("$.records[{index}]"), text)
        })?);
    }
    places.sort_by_key(|own| own.place.sequence);
    places.dedup_by_key(|own| own.place.sequence);
    Ok(places)
}

/// Those behind a sequence of the records with these ids; what was deleted is left out.
pub(super) fn named_page(
    context: &JobContext,
    permit: &DatasetPermit,
    ids: &[String],
    after: u64,
    limit: PageLimit,
) -> Result<FoundPage, Halt> {
    let all = places_of(&context.service, permit, ids)?;
    let left = all.into_iter().filter(|own| own.place.sequence > after);
    let left: Vec<RecordId> = left.collect();
    let now = left.iter().take(limit.records);
    let now = now.map(|own| (own.place, Some(own.nonce)));
    let (records, passed) = read_until_full(context, now, limit.bytes)?;
    Ok(FoundPage {
        records,
        after: left[..passed]
            .last()
            .map_or(after, |last| last.place.sequence),
        is_last: passed == left.len(),
    })
}

/// How many records a job goes through that takes those which a query finds, or all, as of when it was begun.
pub(super) fn rows_total(
    context: &JobContext,
    permit: &DatasetPermit,
    query: Option<&str>,
) -> Result<Option<u64>, Halt> {
    let known = context.job.progress.rows_total;
    if known.is_some() {
        return Ok(known);
    }
    if let Some(query) = query.filter(|it| !it.trim().is_empty()) {
        return query_count(context, permit, query);
    }
    let counts = context.service.store().counts(permit.dataset().number);
    Ok(Some(context.wait(counts)?.records))
}

/// Places that are counted at a time.
const COUNTED_AT_ONCE: usize = 10_000;

/// How many records a query finds, as of now; none of them is read. `None` where that takes too long, or the index is not
/// there yet: a bar is not worth a job.
pub(super) fn query_count(
    context: &JobContext,
    permit: &DatasetPermit,
    query: &str,
) -> Result<Option<u64>, Halt> {
    require_query(&context.job, permit.schema(), query)?;
    let (service, dataset, by) = (&context.service, permit.dataset(), permit.caller());
    let mut behind = RecordPlace {
        dataset: dataset.number,
        sequence: 0,
    };
    let mut count = 0;
    loop {
        context.go_on()?;
        let found = service.found_places(by, &dataset.id, query, behind, COUNTED_AT_ONCE);
        let places = match context.wait(found) {
            Err(Refusal::TooLong { .. } | Refusal::NotReady { .. }) => return Ok(None),
            places => places?,
        };
        count += places.len() as u64;
        match places.last() {
            Some(last) if places.len() == COUNTED_AT_ONCE => behind = *last,
            _ => return Ok(Some(count)),
        }
    }
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
    let (job, by) = (&context.job, permit.caller());
    require_query(job, permit.schema(), query)?;
    let found = service.found_places(by, &dataset.id, query, behind, limit.records);
    let places = context.wait(found)?;
    // it was asked by the newest catalog, which may be newer than the permit
    if let Some(newest) = service.store().catalog().schemas.get(&job.schema) {
        require_query(job, newest, query)?;
    }
    let each = places.iter().map(|place| (*place, None));
    let (records, passed) = read_until_full(context, each, limit.bytes)?;
    Ok(FoundPage {
        records,
        after: places[..passed].last().map_or(after, |last| last.sequence),
        is_last: passed == places.len() && places.len() < limit.records,
    })
}

/// The records at these places that are there still, and of the nonce where one is said, up to the one that makes the page
/// full; and how many places that went through.
fn read_until_full(
    context: &JobContext,
    places: impl Iterator<Item = (RecordPlace, Option<u64>)>,
    bytes_max: usize,
) -> Result<(Vec<StoredRecord>, usize), Halt> {
    let (mut records, mut bytes, mut passed) = (Vec::new(), 0, 0);
    for (place, nonce) in places {
        let record = context.wait(context.service.store().get(place))?;
        let is_meant = |it: &StoredRecord| nonce.is_none_or(|nonce| it.id.nonce == nonce);
        let record = record.filter(|it| !it.deleted && is_meant(it));
        passed += 1;
        bytes += record.as_ref().map_or(0, StoredRecord::bytes);
        records.extend(record);
        if bytes >= bytes_max {
            break;
        }
    }
    Ok((records, passed))
}

//! All that a query finds in a dataset: the first of them named and all counted, for who looks at them, and their ids for
//! who deletes them.

use super::super::dataset::{Found, search_request};
use super::super::places::Place;
use super::super::values::ShownRecord;
use super::super::visit::Visit;
use super::{SelectedRecord, Selection, row, told};
use service::search::{Extent, SearchRequest, WhenBehind};
use service::{BULK_LINES_MAX, PageRequest, Refusal};

/// Records that are named of those that a query finds.
const NAMED_MAX: usize = 10;

/// The first of them, and how many there are, counted up to one more than are written at once.
pub(super) async fn first(
    visit: &Visit<String>,
    place: &Place,
    query: &str,
) -> Result<Selection, Refusal> {
    let request = SearchRequest {
        extent: Extent::Counted(BULK_LINES_MAX as u64 + 1),
        ..request(place, query, None, NAMED_MAX)
    };
    let text = visit
        .site
        .service
        .seen_hits(&visit.caller, &request)
        .await?;
    let page: Found<'_> = serde_json::from_str(&text).unwrap_or_default();
    let named = page.items.iter().map(|record| {
        let (faults, more_faults) = told::faults(record, (place, visit.texts));
        SelectedRecord {
            version: None,
            values: told::values(record, (place, visit.texts)),
            faults,
            more_faults,
            ..row(record, place, None)
        }
    });
    let rows: Vec<_> = named.collect();
    let total = page.total.and_then(|total| usize::try_from(total).ok());
    Ok(Selection {
        count: total.unwrap_or(rows.len()),
        rows,
    })
}

/// The ids of all of them, up to a page more than are written at once.
pub(super) async fn ids(
    visit: &Visit<String>,
    place: &Place,
    query: &str,
) -> Result<Vec<String>, Refusal> {
    let service = &visit.site.service;
    let mut ids = Vec::new();
    let mut key = None;
    loop {
        let request = request(place, query, key, service.settings().page_size_max);
        let text = service.seen_hits(&visit.caller, &request).await?;
        let page: Found<'_> = serde_json::from_str(&text).unwrap_or_default();
        ids.extend(page.items.iter().map(ShownRecord::id));
        key = page.next_page_key;
        if key.is_none() || ids.len() > BULK_LINES_MAX {
            return Ok(ids);
        }
    }
}

fn request(place: &Place, query: &str, key: Option<String>, size: usize) -> SearchRequest {
    let page = PageRequest {
        key,
        size: Some(size.to_string()),
    };
    SearchRequest {
        // what was written last may be no hit any more, or be missing among them
        when_behind: WhenBehind::Refuse,
        ..search_request(place, query, None, page)
    }
}

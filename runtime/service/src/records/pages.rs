//! Records of a page, read into memory that was asked for first: a page begins small, and goes on when it turns
//! out to be of large records and there is room for them.

use crate::memory_budget::{Owner, PageRoom};
use crate::{Refusal, Service};
use store::records::{PageLimit, RecordsPage, Shelf, StoredRecord};

/// Records of a page and the room they were read into, to be held until the page's text is made.
pub(super) struct RoomyPage {
    pub(super) found: RecordsPage,
    pub(super) _room: PageRoom,
}

impl Service {
    /// Records of a dataset behind a sequence, so many at most.
    pub(super) async fn read_page(
        &self,
        owner: Owner,
        (dataset, shelf): (u32, Shelf),
        after: u64,
        size: usize,
    ) -> Result<RoomyPage, Refusal> {
        let mut room = self.memory.reserve_page(owner, self.settings.page_bytes)?;
        let limit = |records: usize, bytes: usize| PageLimit { records, bytes };
        let first = self
            .store
            .page(dataset, shelf, after, limit(size, room.bytes()));
        let mut found = first.await?;
        let last = found.records.last().map(|record| record.id.place.sequence);
        if let Some(last) = last.filter(|_| found.behind.is_some())
            && found.records.len() < size
            && room.grow()
        {
            let taken: usize = found.records.iter().map(StoredRecord::bytes).sum();
            let records = size - found.records.len();
            // a page that has its bytes already is full
            if let Some(bytes) = room.bytes().checked_sub(taken).filter(|bytes| *bytes > 0) {
                let rest = self.store.page(dataset, shelf, last, limit(records, bytes));
                let rest = rest.await?;
                found.records.extend(rest.records);
                found.behind = rest.behind;
            }
        }
        Ok(RoomyPage { found, _room: room })
    }
}

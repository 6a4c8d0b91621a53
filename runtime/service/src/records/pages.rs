//! Pages of records: lists of the interface, and records read into memory that was asked for first: a page begins small, and goes on when it turns
//! out to be of large records and there is room for them.

use super::page_cache::PageName;
use crate::files::has_files;
use crate::memory_budget::{Owner, PageRoom};
use crate::pieces::Pieces;
use crate::{DatasetPermit, PageRequest, Permit as _, RecordPage, Refusal, Service};
use bytes::Bytes;
use schema::json::write_string;
use store::records::{PageLimit, RecordsPage, Shelf, StoredRecord};
use tracing::Instrument as _;

/// Records of a page and the room they were read into, to be held until the page's text is made.
pub(super) struct RoomyPage {
    pub(super) found: RecordsPage,
    pub(super) _room: PageRoom,
}

impl Service {
    /// A page of the dataset's records, in order of creation: whole for programs, as management shows it for users.
    ///
    /// # Errors
    /// A bad page key; the store's.
    pub async fn list_records(
        &self,
        permit: &DatasetPermit,
        page: &PageRequest,
    ) -> Result<RecordPage, Refusal> {
        if permit.caller().is_user() {
            return self.seen_records(permit, page).await;
        }
        self.whole_records(permit, page).await
    }

    /// The same with all values, whoever asks.
    pub(crate) async fn whole_records(
        &self,
        permit: &DatasetPermit,
        page: &PageRequest,
    ) -> Result<RecordPage, Refusal> {
        let span = tracing::trace_span!("records.list", dataset = permit.dataset().id);
        let judged = self.retry(
            permit,
            |permit| async move { self.page_of(&permit, page).await },
        );
        judged.instrument(span).await
    }

    async fn page_of(
        &self,
        permit: &DatasetPermit,
        page: &PageRequest,
    ) -> Result<RecordPage, Refusal> {
        let dataset = permit.dataset();
        let schema = permit.schema().current();
        let scope = format!("records {}", dataset.id);
        let size = self.page_size(page)?;
        let after = self.page_position(&scope, page)?.unwrap_or(0);
        let name = PageName {
            dataset: dataset.number,
            schema_version: schema.number,
            after,
            size,
        };
        if let Some(json) = self.pages.get(&*self.store, &name) {
            return Ok(RecordPage { json });
        }
        let commits = self.store.commits();
        let owner = permit.caller().owner();
        let read = self.read_page(owner, (dataset.number, Shelf::Live), after, size);
        let RoomyPage { found, _room } = read.await?;
        let RecordsPage { records, behind } = found;
        let json = self
            .page_json(permit, &records, behind.map(|_| &*scope))
            .await?;
        // a link works for a time only, so a page with links is not kept
        if !has_files(&schema.schema) {
            let last = behind.unwrap_or(u64::MAX);
            self.pages.put(&*self.store, name, &json, last, commits);
        }
        Ok(RecordPage { json })
    }

    /// The body of a page; with a scope, more pages follow.
    async fn page_json(
        &self,
        permit: &DatasetPermit,
        records: &[StoredRecord],
        scope: Option<&str>,
    ) -> Result<Bytes, Refusal> {
        let bytes = records.iter().map(|record| record.bytes() + 96);
        let mut json = String::with_capacity(64 + bytes.sum::<usize>());
        json.push_str("{\"items\":[");
        let mut pieces = Pieces::default();
        for (index, record) in records.iter().enumerate() {
            if index > 0 {
                json.push(',');
            }
            let before = json.len();
            self.write_record(&mut json, permit, record)?;
            pieces.made(json.len() - before).await;
        }
        json.push(']');
        if let Some((last, scope)) = records.last().zip(scope) {
            json.push_str(",\"nextPageKey\":");
            write_string(&mut json, &self.ids.page_key(scope, last.id.place.sequence));
        }
        json.push('}');
        Ok(json.into())
    }

    /// Records of a dataset behind a sequence, so many at most.
    pub(super) async fn read_page(
        &self,
        owner: Owner,
        (dataset, shelf): (u32, Shelf),
        after: u64,
        size: usize,
    ) -> Result<RoomyPage, Refusal> {
        let page_bytes = self.settings.page_bytes;
        let mut room = self.memory.reserve_records_page(owner, page_bytes)?;
        let limit = |records: usize, bytes: usize| PageLimit { records, bytes };
        let first = self
            .store
            .page(dataset, shelf, after, limit(size, room.bytes()));
        let mut found = first.await?;
        let mut taken: usize = found.records.iter().map(StoredRecord::bytes).sum();
        while let Some(last) = found.records.last().map(|it| it.id.place.sequence)
            && found.behind.is_some()
            && found.records.len() < size
            && room.grow()
        {
            let records = size - found.records.len();
            // a page that has its bytes already is full
            let Some(bytes) = room.bytes().checked_sub(taken).filter(|bytes| *bytes > 0) else {
                continue;
            };
            let rest = self.store.page(dataset, shelf, last, limit(records, bytes));
            let rest = rest.await?;
            taken += rest.records.iter().map(StoredRecord::bytes).sum::<usize>();
            found.records.extend(rest.records);
            found.behind = rest.behind;
        }
        Ok(RoomyPage { found, _room: room })
    }
}

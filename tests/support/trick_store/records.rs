//! What the store does with records: the tricks around looks, pages, changes and writes.

use super::{INSIDE, Trick, TrickStore, behind, failure, locked};
use runtime::store::records::{
    Change, Counts, DatasetChanges, DeletedPage, LogEntry, PageLimit, RecordId, RecordPlace,
    RecordsPage, Shelf, StoredRecord, Write, WriteVerdict,
};
use runtime::store::{Records, StoreError, StoreFuture};
use std::sync::atomic::Ordering;

impl Records for TrickStore {
    fn write(&self, write: Write) -> StoreFuture<'_, WriteVerdict> {
        if self.is_read_only_now() {
            return Box::pin(std::future::ready(Err(StoreError::ReadOnly)));
        }
        let mut waiting = locked(&self.before_writes);
        let before = waiting.pop_front();
        Box::pin(async move {
            if let Some(nouns) = before {
                self.put(nouns).await?;
            }
            let is_purge = matches!(write.change, Change::Purge { .. });
            let verdict = self.inner.write(write).await?;
            if is_purge {
                self.jobs.pass_purge();
            }
            Ok(verdict)
        })
    }

    fn get(&self, place: RecordPlace) -> StoreFuture<'_, Option<StoredRecord>> {
        match self.taken() {
            Trick::Fail => failure(),
            Trick::Panic => panic!("{INSIDE}"),
            Trick::None | Trick::ReadOnly | Trick::ForgetChanges => Box::pin(async move {
                self.others().await?;
                self.inner.get(place).await
            }),
            trick @ (Trick::UpdateBehind | Trick::DeleteBehind) => Box::pin(async move {
                let found = self.inner.get(place).await?;
                if let Some(record) = &found {
                    self.inner.write(behind(trick, record)).await?;
                }
                Ok(found)
            }),
        }
    }

    fn by_key(&self, dataset: u32, key: &str) -> StoreFuture<'_, Option<StoredRecord>> {
        match self.taken() {
            Trick::Fail => failure(),
            Trick::Panic => panic!("{INSIDE}"),
            _ => {
                let key = key.to_owned();
                Box::pin(async move {
                    self.others().await?;
                    self.inner.by_key(dataset, &key).await
                })
            }
        }
    }

    fn page(
        &self,
        dataset: u32,
        shelf: Shelf,
        after: u64,
        limit: PageLimit,
    ) -> StoreFuture<'_, RecordsPage> {
        match self.taken() {
            Trick::Fail => failure(),
            _ => Box::pin(async move {
                self.others().await?;
                self.inner.page(dataset, shelf, after, limit).await
            }),
        }
    }

    fn newest_deleted(
        &self,
        dataset: u32,
        before: u64,
        limit: PageLimit,
    ) -> StoreFuture<'_, DeletedPage> {
        self.inner.newest_deleted(dataset, before, limit)
    }

    fn counts(&self, dataset: u32) -> StoreFuture<'_, Counts> {
        // other tricks wait for the write that follows
        let fails = *locked(&self.next) == Trick::Fail;
        if fails {
            self.play(Trick::None);
            return failure();
        }
        self.inner.counts(dataset)
    }

    fn log(&self, after: u64, limit: PageLimit) -> StoreFuture<'_, Vec<LogEntry>> {
        self.inner.log(after, limit)
    }

    fn log_records(&self, after: u64, most: usize) -> StoreFuture<'_, Vec<(u64, RecordId)>> {
        self.inner.log_records(after, most)
    }

    fn newest_changes(
        &self,
        datasets: Vec<u32>,
        most: usize,
    ) -> StoreFuture<'_, Vec<(u64, RecordId)>> {
        self.inner.newest_changes(datasets, most)
    }

    fn changes(
        &self,
        dataset: u32,
        after: u64,
        limit: PageLimit,
    ) -> StoreFuture<'_, DatasetChanges> {
        match self.taken_at_changes() {
            Trick::Fail => failure(),
            Trick::ForgetChanges => Box::pin(async move {
                let found = self.inner.changes(dataset, after, PageLimit::of(0)).await?;
                if found.newest <= after {
                    // there is none to forget yet: who listens may look before it waits
                    self.play(Trick::ForgetChanges);
                }
                Ok(DatasetChanges {
                    lost: found.newest,
                    ..found
                })
            }),
            _ => Box::pin(async move {
                let found = self.inner.changes(dataset, after, limit).await?;
                let waiting = std::mem::take(&mut *locked(&self.behind_changes));
                for write in waiting {
                    let verdict = self.inner.write(write).await?;
                    assert!(matches!(verdict, WriteVerdict::Done { .. }), "{verdict:?}");
                }
                Ok(found)
            }),
        }
    }

    fn changes_before(
        &self,
        dataset: u32,
        before: u64,
        limit: PageLimit,
    ) -> StoreFuture<'_, Vec<LogEntry>> {
        self.inner.changes_before(dataset, before, limit)
    }

    fn next_change(&self, dataset: u32, after: u64) -> StoreFuture<'_, ()> {
        self.inner.next_change(dataset, after)
    }

    fn history(
        &self,
        id: RecordId,
        before: Option<u64>,
        limit: PageLimit,
    ) -> StoreFuture<'_, Vec<LogEntry>> {
        self.pasts.fetch_add(1, Ordering::SeqCst);
        self.inner.history(id, before, limit)
    }

    fn last_change(&self, place: RecordPlace) -> StoreFuture<'_, Option<LogEntry>> {
        self.inner.last_change(place)
    }

    fn log_head(&self) -> StoreFuture<'_, u64> {
        self.inner.log_head()
    }

    fn log_head_of(&self, datasets: Vec<u32>) -> StoreFuture<'_, u64> {
        self.inner.log_head_of(datasets)
    }

    fn prove_write(&self) -> StoreFuture<'_, ()> {
        match self.taken() {
            Trick::Fail => failure(),
            _ => self.inner.prove_write(),
        }
    }

    fn check(&self) -> StoreFuture<'_, Vec<String>> {
        self.inner.check()
    }
}

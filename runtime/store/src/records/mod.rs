//! The records' contract: the hot path. Writes are decided by the store in the order it commits them
//! and each gets its verdict; an acknowledged write is on disk. Reads see every acknowledged write.
//! Writes and decisions of the catalog stand in one order, so a write can name the versions of schema
//! and data domains that it was judged under and is refused when those are no longer in force.
//!
//! A record's place is its dataset's number and a sequence within it; places are the order of
//! creation, and pages walk them by key, never by offset. The stored body is the JSON text of the
//! field values under the names of the schema version it was written with.

mod form;
mod found;
mod log;
mod page;
mod place;
mod rule_versions;
mod write;

pub use form::{have_form, is_object};
pub use found::{Counts, FoundRecord, bytes_of};
pub use log::{DatasetChanges, LogEntry};
pub use page::{DeletedPage, Deletion, PageLimit, RecordsPage, Shelf};
pub use place::RecordPlace;
pub use rule_versions::RuleVersions;
pub use wire::manage::LogAction;
pub use write::{Change, NewContent, Write, WriteVerdict};

use super::StoreFuture;

/// A record's public id: its place, and a random part that must match. It goes over the wire mixed by
/// a keyed permutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecordId {
    /// Where it is.
    pub place: RecordPlace,
    /// What can't be guessed.
    pub nonce: u64,
}

/// A record as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRecord {
    /// Its id.
    pub id: RecordId,
    /// `_version`
    pub version: i64,
    /// The schema version it was written with.
    pub schema_version: i64,
    /// The values of the active fields: a JSON object, by name.
    pub body: String,
    /// `_errors` as JSON text; `None` when it is clean.
    pub errors: Option<String>,
    /// Values of fields that are not active, by `fieldId`: a JSON object.
    pub hidden: Option<String>,
    /// Whether it is deleted.
    pub deleted: bool,
}

impl StoredRecord {
    /// Bytes of its texts: what it takes on a page.
    pub fn bytes(&self) -> usize {
        let beside = [&self.errors, &self.hidden].into_iter().flatten();
        self.body.len() + beside.map(String::len).sum::<usize>()
    }
}

/// The contract of a records store. One suite of stories holds every engine to it.
pub trait Records: Send + Sync {
    /// Commits a write and says what became of it. Any verdict but [`WriteVerdict::Done`] wrote nothing.
    fn write(&self, write: Write) -> StoreFuture<'_, WriteVerdict>;

    /// A record by its place, deleted or not; the caller compares the nonce.
    fn get(&self, place: RecordPlace) -> StoreFuture<'_, Option<StoredRecord>>;

    /// The first of some records by their places, each as [`get`](Self::get) would answer, read together where the store can:
    /// one at least, and no more once they have so many bytes.
    fn get_some<'a>(
        &'a self,
        places: &'a [RecordPlace],
        bytes_max: usize,
    ) -> StoreFuture<'a, Vec<FoundRecord>> {
        Box::pin(async move {
            let (mut found, mut bytes) = (Vec::with_capacity(places.len()), 0);
            for place in places {
                let record = self.get(*place).await;
                bytes += bytes_of(&record);
                found.push(record);
                if bytes >= bytes_max {
                    break;
                }
            }
            Ok(found)
        })
    }

    /// The live record of a primary key.
    fn by_key(&self, dataset: u32, key: &str) -> StoreFuture<'_, Option<StoredRecord>>;

    /// The records behind `after` (0 is the start), up to the limit. What follows there is not read.
    fn page(
        &self,
        dataset: u32,
        shelf: Shelf,
        after: u64,
        limit: PageLimit,
    ) -> StoreFuture<'_, RecordsPage>;

    /// The deleted records whose deletion is before entry `before` of the change log, the one that was deleted last first, up to
    /// the limit. However few are asked for, it is looked at which of all deleted ones of the dataset they are.
    fn newest_deleted(
        &self,
        dataset: u32,
        before: u64,
        limit: PageLimit,
    ) -> StoreFuture<'_, DeletedPage>;

    /// How many commits with records have ended, as far as this process can know.
    fn commits(&self) -> u64 {
        0
    }

    /// Which of those commits was the last to write a record from `first` to `last` of a dataset: 0 when
    /// none did. What was read after [`commits`](Records::commits) gave `n` is what a read would give
    /// now if this gives `n` or less. `None` while such a commit is under way, and where an engine can't
    /// know, because others write too.
    fn changed(&self, dataset: u32, first: u64, last: u64) -> Option<u64> {
        let _ = (dataset, first, last);
        None
    }

    /// How many records a dataset has.
    fn counts(&self, dataset: u32) -> StoreFuture<'_, Counts>;

    /// The same of several datasets, in their order; of any number in one look, where the store can.
    fn counts_of(&self, datasets: Vec<u32>) -> StoreFuture<'_, Vec<Counts>> {
        Box::pin(async move {
            let mut found = Vec::with_capacity(datasets.len());
            for dataset in datasets {
                found.push(self.counts(dataset).await?);
            }
            Ok(found)
        })
    }

    /// The change log behind entry `after`, up to the limit; its bytes are those of values before and after.
    fn log(&self, after: u64, limit: PageLimit) -> StoreFuture<'_, Vec<LogEntry>>;

    /// The numbers of the entries behind `after`, so many at most, and the record that each is about: without values, which
    /// may stand elsewhere and take longer.
    fn log_records(&self, after: u64, most: usize) -> StoreFuture<'_, Vec<(u64, RecordId)>>;

    /// The newest entries about records of some datasets, the newest first, so many at most, and the record that each is about.
    fn newest_changes(
        &self,
        datasets: Vec<u32>,
        most: usize,
    ) -> StoreFuture<'_, Vec<(u64, RecordId)>>;

    /// The change log of one dataset behind entry `after`, up to the limit; its bytes are those of values before and
    /// after. With a limit of no records only what is told beside the entries.
    fn changes(
        &self,
        dataset: u32,
        after: u64,
        limit: PageLimit,
    ) -> StoreFuture<'_, DatasetChanges>;

    /// The change log of one dataset before entry `before`, the newest first, up to the limit; its bytes are those of values
    /// before and after. It ends where entries are not kept any more.
    fn changes_before(
        &self,
        dataset: u32,
        before: u64,
        limit: PageLimit,
    ) -> StoreFuture<'_, Vec<LogEntry>>;

    /// Waits until the change log may have an entry about the dataset behind entry `after`; no thread is held meanwhile.
    /// Who stops to wait misses nothing.
    fn next_change(&self, dataset: u32, after: u64) -> StoreFuture<'_, ()>;

    /// The past of the record at a place: its entries of the change log, the newest first, of those before entry `before`
    /// or all of them, up to the limit. It ends where entries are not kept any more. A record of another nonce at that
    /// place has none; `before` must be an entry about the same record.
    fn history(
        &self,
        id: RecordId,
        before: Option<u64>,
        limit: PageLimit,
    ) -> StoreFuture<'_, Vec<LogEntry>>;

    /// The newest entry of the change log about a record, deleted or not; `None` where no such record is.
    fn last_change(&self, place: RecordPlace) -> StoreFuture<'_, Option<LogEntry>>;

    /// The number of the newest entry of the change log.
    fn log_head(&self) -> StoreFuture<'_, u64>;

    /// The number of the newest entry about one of these datasets; 0, if there is none.
    fn log_head_of(&self, datasets: Vec<u32>) -> StoreFuture<'_, u64>;

    /// An entry up to which whoever reads from here on sees all: what is up to it in several datasets is of one moment, though
    /// they are read one after another.
    fn settled_head(&self) -> StoreFuture<'_, u64> {
        self.log_head()
    }

    /// Writes what matters to nobody, as durably as everything else: whether the store takes writes.
    fn prove_write(&self) -> StoreFuture<'_, ()>;

    /// Whether rows are compared with checksums of the store's own before they are given: then each is as it was written.
    /// Where they are not, whoever shows a record looks whether it [has its form](StoredRecord::has_form).
    fn has_checksums(&self) -> bool {
        false
    }

    /// Whether the store was opened to be read only; every write fails with
    /// [`StoreError::ReadOnly`](super::StoreError::ReadOnly) then.
    fn is_read_only(&self) -> bool {
        false
    }

    /// Compares every index, counter and key with the records; the contradictions found, in words.
    fn check(&self) -> StoreFuture<'_, Vec<String>>;
}

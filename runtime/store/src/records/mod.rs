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
mod page;
mod place;
mod rule_versions;

pub use form::{have_form, is_object};
pub use found::{Counts, FoundRecord, bytes_of};
pub use page::{DeletedPage, Deletion, PageLimit, RecordsPage, Shelf};
pub use place::RecordPlace;
pub use rule_versions::RuleVersions;
pub use wire::manage::LogAction;

use super::StoreFuture;
use super::catalog::{Actor, AuditEntry, Catalog};
use std::sync::Arc;
use wire::Timestamp;

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

/// What a write puts in place of what was.
#[derive(Clone, Debug)]
pub struct NewContent {
    /// The values of the active fields: a JSON object, by name.
    pub body: String,
    /// The text of the primary key.
    pub primary_key: Option<String>,
    /// The schema version it follows.
    pub schema_version: i64,
    /// `_errors` as JSON text; `None` when it is clean.
    pub errors: Option<String>,
    /// Values of fields that are not active, by `fieldId`: a JSON object.
    pub hidden: Option<String>,
}

/// One write.
#[derive(Clone, Debug)]
pub struct Write {
    /// The dataset's number.
    pub dataset: u32,
    /// Who writes.
    pub actor: Actor,
    /// When.
    pub at: Timestamp,
    /// The rules that the write was judged under. Then it is done only if, as of all that was
    /// committed before it, the catalog has the dataset, its schema and its area, none of them deleted,
    /// and, unless it is a delete or a purge (which ask for no field), these rules are in force; else
    /// [`WriteVerdict::SchemaChanged`]. `None` compares nothing with the catalog, which need not know
    /// the dataset's number.
    pub judged_under: Option<RuleVersions>,
    /// What the audit trail is to remember of it, if it is done: in the same transaction. Jobs are emptied behind such a purge.
    pub audit: Option<Box<AuditEntry>>,
    /// What.
    pub change: Change,
}

impl Write {
    /// Whether what it was judged under still holds, as `judged_under` says.
    pub fn is_in_force(&self, catalog: &Catalog) -> bool {
        let Some(judged_under) = self.judged_under else {
            return true;
        };
        let in_force = catalog.rules_in_force(self.dataset);
        match self.change {
            Change::Delete { .. } | Change::Purge { .. } => in_force.is_some(),
            _ => in_force == Some(judged_under),
        }
    }
}

/// What a write does.
#[derive(Clone, Debug)]
pub enum Change {
    /// A new record; the store gives it its place.
    Create {
        /// The random part of its id.
        nonce: u64,
        /// Its content.
        content: NewContent,
    },
    /// New content for a record of this version.
    Update {
        /// Which record.
        id: RecordId,
        /// The version it must still have.
        version: i64,
        /// Its content.
        content: NewContent,
    },
    /// The content of an earlier version for a record of this one: an update that the log tells as a restore.
    Revert {
        /// Which record.
        id: RecordId,
        /// The version it must still have.
        version: i64,
        /// Its content.
        content: NewContent,
    },
    /// Marks a record of this version as deleted and frees its key.
    Delete {
        /// Which record.
        id: RecordId,
        /// The version it must still have.
        version: i64,
    },
    /// Takes a deletion back, if the key is still free.
    Restore {
        /// Which record.
        id: RecordId,
    },
    /// Takes the deletion of a record of this version back, with the content of an earlier one, if the key of that is free: a
    /// restore in the log, of both.
    RestoreAs {
        /// Which record.
        id: RecordId,
        /// The version it must still have.
        version: i64,
        /// Its content.
        content: NewContent,
    },
    /// Removes a deleted record and its past for good.
    Purge {
        /// Which record.
        id: RecordId,
    },
}

/// What became of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteVerdict {
    /// It was done: the record's id and its version now.
    Done {
        /// Which record.
        id: RecordId,
        /// `_version`
        version: i64,
    },
    /// There is no such record (or it is deleted, or for restore and purge: not deleted).
    NotFound,
    /// The record has another version.
    Stale {
        /// The one it has.
        version: i64,
    },
    /// Another live record of the dataset has the primary key.
    DuplicateKey,
    /// The schema version or the data domains it was judged under are no longer in force, or dataset, schema or area are
    /// gone: it is to be judged again by the newest catalog. Told before anything about the record.
    SchemaChanged,
}

/// One entry of the change log.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry {
    /// Its number: rises with every write of the store.
    pub number: u64,
    /// Which record.
    pub id: RecordId,
    /// What was done.
    pub action: LogAction,
    /// `_version` after it.
    pub version: i64,
    /// When.
    pub at: Timestamp,
    /// Who; entries that follow one another often share it.
    pub actor: Arc<Actor>,
    /// The schema version of the values.
    pub schema_version: i64,
    /// The values before it.
    pub before: Option<String>,
    /// The values after it.
    pub after: Option<String>,
    /// `_errors` of the record as it was behind the entry (of a delete: when it was deleted), as JSON text, empty when it
    /// was clean; `None` where the log does not know: of a purge, and of entries from before it kept them.
    pub errors: Option<String>,
    /// The values that the schema version of then did not show, by `fieldId`: a JSON object. `None` where there were none,
    /// and of entries from before the log kept them.
    pub hidden: Option<String>,
    /// The number of the entry before about the same record, which may not be kept any more.
    pub prior: Option<u64>,
}

impl LogEntry {
    /// Bytes of its values before and after.
    pub fn bytes(&self) -> usize {
        let values = [&self.before, &self.after].into_iter().flatten();
        values.map(String::len).sum()
    }
}

/// Entries of the change log about the records of one dataset.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DatasetChanges {
    /// The entries, in the order of their commits, with none of the dataset's left out between them.
    pub entries: Vec<LogEntry>,
    /// The number of the newest entry about the dataset, as of the same moment; 0 when there was none.
    pub newest: u64,
    /// The number of the newest entry about the dataset that is not kept any more because of its age; 0 while all are.
    /// Whoever goes on behind an earlier one has missed something. What a purge took counts as kept: its own entry tells.
    pub lost: u64,
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

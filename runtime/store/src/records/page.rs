//! Pages of records: which ones they hold, and where they end.

use super::StoredRecord;
use crate::catalog::Actor;
use std::sync::Arc;
use wire::Timestamp;

/// Which records a page holds; also which nouns of the catalog a list does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shelf {
    /// Those that are not deleted.
    Live,
    /// Those that are.
    Deleted,
}

impl Shelf {
    /// Whether something is on this shelf that is deleted, or is not.
    pub fn holds(self, deleted: bool) -> bool {
        deleted == (self == Shelf::Deleted)
    }
}

/// Where a page ends, though more records follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageLimit {
    /// At so many records.
    pub records: usize,
    /// With the record that brings their [`bytes`](StoredRecord::bytes) to so many: a page of large
    /// records is short, and is never empty for their sake.
    pub bytes: usize,
}

impl PageLimit {
    /// So many, however large.
    pub fn of(records: usize) -> Self {
        let bytes = usize::MAX;
        PageLimit { records, bytes }
    }

    /// Whether a page ends that has so many records of so many bytes together.
    pub fn is_reached(self, records: usize, bytes: usize) -> bool {
        let is_heavy = bytes >= self.bytes && records > 0;
        is_heavy || records >= self.records
    }
}

/// Deleted records, the one that was deleted last first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeletedPage {
    /// The records, each with its deletion.
    pub records: Vec<(Deletion, StoredRecord)>,
    /// Whether others were deleted before them.
    pub has_more: bool,
}

/// How a record was deleted.
#[derive(Clone, Debug, PartialEq)]
pub struct Deletion {
    /// The number of its entry in the change log.
    pub number: u64,
    /// When, and by whom: `None` where the entry is not as it was written. The record is what it was all the same.
    pub done: Option<(Timestamp, Arc<Actor>)>,
}

/// Records of one shelf, in order of creation, with none left out between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordsPage {
    /// The records.
    pub records: Vec<StoredRecord>,
    /// The sequence of the record behind them; `None` when they are the last.
    pub behind: Option<u64>,
}

//! Pages of records: which ones they hold, and where they end.

use super::StoredRecord;

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
}

/// Deleted records, the one that was deleted last first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeletedPage {
    /// The records, each with the number of the entry of its deletion in the change log.
    pub records: Vec<(u64, StoredRecord)>,
    /// Whether others were deleted before them.
    pub has_more: bool,
}

/// Records of one shelf, in order of creation, with none left out between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordsPage {
    /// The records.
    pub records: Vec<StoredRecord>,
    /// The sequence of the record behind them; `None` when they are the last.
    pub behind: Option<u64>,
}

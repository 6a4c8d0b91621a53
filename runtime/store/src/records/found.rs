//! What looks find beside pages: how many records there are, and one of several.

use super::StoredRecord;
use crate::StoreResult;

/// How many records a dataset has; exact at every commit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// `recordCount`
    pub records: u64,
    /// `erroredRecordsCount`
    pub errored: u64,
}

/// What a look for one record of several found.
pub type FoundRecord = StoreResult<Option<StoredRecord>>;

/// Bytes of a record that was looked for.
pub fn bytes_of(found: &FoundRecord) -> usize {
    match found {
        Ok(Some(record)) => record.bytes(),
        _ => 0,
    }
}

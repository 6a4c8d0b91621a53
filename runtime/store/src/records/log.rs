//! The change log: an entry for each write of a record.

use super::{LogAction, RecordId};
use crate::catalog::Actor;
use std::sync::Arc;
use wire::Timestamp;

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
    /// `_errors` of the record as it was behind the entry (of a delete: when it was deleted), as JSON text; `None` when it
    /// was clean, and of a purge.
    pub errors: Option<String>,
    /// The values that the schema version of then did not show, by `fieldId`: a JSON object. `None` where there were none.
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

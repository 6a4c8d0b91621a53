//! A write of a record: what it puts in place of what was, under which rules it was judged, and what became of it. It asks no
//! store.

use super::{RecordId, RuleVersions};
use crate::catalog::{Actor, AuditEntry, Catalog};
use wire::Timestamp;

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
    /// What the audit trail is to remember of it, if it is done: in the same transaction.
    /// Jobs are emptied behind such a purge.
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

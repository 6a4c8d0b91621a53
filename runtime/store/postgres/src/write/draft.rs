//! What a transaction's writes know and change: rows that are locked, as the writes so far leave them, and the keys, entries
//! and counters that come of it (`decide.rs`).

use super::by_dataset::Grouping;
use super::rooms::RoomsDraft;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use store::catalog::{Actor, AuditEntry};
use store::records::{LogAction, RecordPlace};
use tokio_postgres::Row;
use wire::Timestamp;

/// A dataset's counters.
#[derive(Clone, Copy)]
pub(super) struct DatasetDraft {
    pub(super) dataset: i64,
    pub(super) records: i64,
    pub(super) errored: i64,
    pub(super) last_sequence: i64,
    pub(super) last_change: i64,
    pub(super) changes_lost: i64,
    pub(super) is_changed: bool,
}

/// A record's row.
#[derive(Clone)]
pub(super) struct RecordRow {
    pub(super) dataset: i64,
    pub(super) sequence: i64,
    pub(super) nonce: i64,
    pub(super) version: i64,
    pub(super) schema_version: i64,
    pub(super) deleted: bool,
    pub(super) last_change: i64,
    pub(super) primary_key: Option<String>,
    pub(super) errors: Option<String>,
    pub(super) hidden: Option<String>,
    pub(super) body: String,
}

/// A record as the writes so far leave it.
pub(super) struct RecordDraft {
    /// `None` when it was purged.
    pub(super) row: Option<RecordRow>,
    /// The newest entry about it that is in the database; `None` when the record is new.
    pub(super) stored_change: Option<i64>,
    pub(super) is_changed: bool,
}

/// Who has a key.
pub(super) enum Holder {
    Nobody,
    Record(i64),
    /// Nobody, since this record let it go a moment ago: its row still says otherwise.
    Released(i64),
}

/// A new entry of the change log.
pub(super) struct NewEntry {
    pub(super) dataset: i64,
    pub(super) number: i64,
    pub(super) sequence: i64,
    pub(super) nonce: i64,
    pub(super) action: LogAction,
    pub(super) version: i64,
    pub(super) schema_version: i64,
    pub(super) at: Timestamp,
    pub(super) actor: Actor,
    pub(super) prior: Option<i64>,
    /// How the values before it differ from those behind it, if they do.
    pub(super) before: Option<String>,
    pub(super) errors: Option<String>,
    pub(super) hidden: Option<String>,
    /// Of the values behind it, which are the record's.
    pub(super) digest: Option<i64>,
}

/// The values of a record behind an entry of the change log, whole.
pub(super) struct PastState {
    pub(super) dataset: i64,
    pub(super) sequence: i64,
    pub(super) number: i64,
    pub(super) body: String,
}

/// All that the writes of a transaction change.
pub(super) struct Draft {
    pub(super) head: u64,
    stored_head: u64,
    /// How its statements are told apart.
    pub(super) grouping: Grouping,
    pub(super) datasets: BTreeMap<i64, DatasetDraft>,
    pub(super) records: FxHashMap<(i64, i64), RecordDraft>,
    pub(super) keys: FxHashMap<(i64, String), Holder>,
    pub(super) log: Vec<NewEntry>,
    pub(super) past_states: Vec<PastState>,
    /// Records whose key is taken by another of the same transaction: theirs goes first.
    pub(super) released: Vec<(i64, i64)>,
    /// Entries that were kept only to say when a record was deleted that is back.
    pub(super) forgotten: Vec<(i64, i64)>,
    /// The newest purge of each dataset behind which jobs are to be emptied.
    pub(super) unsettled: BTreeMap<i64, i64>,
    pub(super) audit: Vec<AuditEntry>,
    pub(super) rooms: RoomsDraft,
}

impl Draft {
    pub(super) fn new(head: u64, grouping: Grouping) -> Self {
        Draft {
            head,
            stored_head: head,
            grouping,
            datasets: BTreeMap::new(),
            records: FxHashMap::default(),
            keys: FxHashMap::default(),
            log: Vec::new(),
            past_states: Vec::new(),
            released: Vec::new(),
            forgotten: Vec::new(),
            unsettled: BTreeMap::new(),
            audit: Vec::new(),
            rooms: RoomsDraft::default(),
        }
    }

    pub(super) fn know_dataset(&mut self, dataset: DatasetDraft) {
        self.datasets.insert(dataset.dataset, dataset);
    }

    /// Takes a row that the statement for records gave.
    pub(super) fn know_record(&mut self, row: &Row) {
        let row = RecordRow {
            dataset: row.get(0),
            sequence: row.get(1),
            nonce: row.get(2),
            version: row.get(3),
            schema_version: row.get(4),
            deleted: row.get(5),
            last_change: row.get(6),
            primary_key: row.get(7),
            errors: row.get(8),
            hidden: row.get(9),
            body: row.get(10),
        };
        let draft = RecordDraft {
            stored_change: Some(row.last_change),
            is_changed: false,
            row: Some(row.clone()),
        };
        self.records.insert((row.dataset, row.sequence), draft);
    }

    pub(super) fn know_free(&mut self, dataset: i64, key: String) {
        self.keys.entry((dataset, key)).or_insert(Holder::Nobody);
    }

    pub(super) fn know_holder(&mut self, dataset: i64, key: String, sequence: i64) {
        self.keys.insert((dataset, key), Holder::Record(sequence));
    }

    /// The key of a deleted record.
    pub(super) fn key_of_deleted(&self, place: RecordPlace) -> Option<String> {
        let row = self.records.get(&numbers(place))?.row.as_ref()?;
        row.primary_key.clone().filter(|_| row.deleted)
    }

    pub(super) fn has_changed(&self) -> bool {
        self.head != self.stored_head
    }
}

pub(super) fn numbers(place: RecordPlace) -> (i64, i64) {
    (i64::from(place.dataset), place.sequence.cast_signed())
}

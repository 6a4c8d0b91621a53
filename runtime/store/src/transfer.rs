//! The contract of moving a whole store into another one, whatever engine each has: the rows of each part in one portable
//! form, read behind a key and written as they are. Nothing is judged and nothing given a new number; what an engine makes
//! of its rows (indexes, gaps, checksums) is not moved, and made anew by the one that is written. Who moves, and when that is
//! allowed, is not told here.

use super::{StoreError, StoreFuture};
use crate::catalog::Actor;
use crate::records::{LogEntry, RecordId};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::sync::Arc;

/// What a store is made of, in the order in which it is moved: an entry of the log comes behind the record that it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The catalog, and what is issued.
    Nouns,
    /// Each dataset's numbers.
    Datasets,
    /// Records, those that are deleted too.
    Records,
    /// The change log.
    ChangeLog,
    /// The audit trail.
    Trail,
    /// What is known of uploaded files.
    Files,
    /// Jobs.
    Jobs,
    /// How far each webhook has come.
    Deliveries,
    /// What webhooks gave up.
    DeadLetters,
    /// Numbers that rise.
    Counters,
    /// What each dataset had day by day.
    DailyCounts,
}

impl Part {
    /// Every part, in order.
    pub const ALL: [Part; 11] = [
        Part::Nouns,
        Part::Datasets,
        Part::Records,
        Part::ChangeLog,
        Part::Trail,
        Part::Files,
        Part::Jobs,
        Part::Deliveries,
        Part::DeadLetters,
        Part::Counters,
        Part::DailyCounts,
    ];

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Part::Nouns => "catalog",
            Part::Datasets => "datasets' numbers",
            Part::Records => "records",
            Part::ChangeLog => "change log",
            Part::Trail => "audit trail",
            Part::Files => "files",
            Part::Jobs => "jobs",
            Part::Deliveries => "deliveries",
            Part::DeadLetters => "dead letters",
            Part::Counters => "counters",
            Part::DailyCounts => "daily counts",
        }
    }
}

/// Where a row stands among those of its part: rows are read in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowKey {
    /// Its texts, where it is found by texts.
    pub texts: (String, String),
    /// Its numbers, where it is found by numbers.
    pub numbers: (i64, i64),
}

impl RowKey {
    fn of_texts(first: &str, second: &str) -> Self {
        RowKey {
            texts: (first.to_owned(), second.to_owned()),
            numbers: (0, 0),
        }
    }

    fn of_numbers(first: i64, second: i64) -> Self {
        RowKey {
            numbers: (first, second),
            ..RowKey::default()
        }
    }
}

/// A record, with what only the store knows of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordRow {
    /// The number of its dataset.
    pub dataset: i64,
    /// Its place there.
    pub sequence: i64,
    /// What makes its id hard to guess.
    pub nonce: i64,
    /// `_version`
    pub version: i64,
    /// The schema version of its values.
    pub schema_version: i64,
    /// Whether it is deleted and may come back.
    pub deleted: bool,
    /// The newest entry of the change log about it.
    pub last_change: i64,
    /// The text of its primary key, whole.
    pub primary_key: Option<String>,
    /// `_errors`
    pub errors: Option<String>,
    /// Values that its schema version does not show.
    pub hidden: Option<String>,
    /// Its values.
    pub body: String,
}

/// An entry of the change log, with its values whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EntryRow {
    /// Its number.
    pub number: i64,
    /// The number of the dataset.
    pub dataset: i64,
    /// The record's place there.
    pub sequence: i64,
    /// Of the record's id.
    pub nonce: i64,
    /// What was done, as the log says it.
    pub action: &'static str,
    /// `_version` after it.
    pub version: i64,
    /// The schema version of the values.
    pub schema_version: i64,
    /// When, in milliseconds.
    pub at: i64,
    /// Who.
    pub actor: Arc<Actor>,
    /// The entry before about the same record.
    pub prior: Option<i64>,
    /// The values before it.
    pub before: Option<String>,
    /// The values after it.
    pub after: Option<String>,
    /// What was wrong with the record behind it.
    pub errors: Option<String>,
    /// Values that were not shown.
    pub hidden: Option<String>,
}

impl From<LogEntry> for EntryRow {
    fn from(entry: LogEntry) -> Self {
        let RecordId { place, nonce } = entry.id;
        EntryRow {
            number: entry.number.cast_signed(),
            dataset: place.dataset.into(),
            sequence: place.sequence.cast_signed(),
            nonce: nonce.cast_signed(),
            action: entry.action.as_str(),
            version: entry.version,
            schema_version: entry.schema_version,
            at: entry.at.millis(),
            actor: entry.actor,
            prior: entry.prior.map(u64::cast_signed),
            before: entry.before,
            after: entry.after,
            errors: entry.errors,
            hidden: entry.hidden,
        }
    }
}

/// A row in the form that every engine reads and writes. Documents are texts, as they are stored.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TransferRow {
    /// A noun of the catalog, a token or a session.
    Noun {
        /// Its kind.
        kind: String,
        /// What it is found by.
        id: String,
        /// What it is.
        document: String,
    },
    /// A dataset's numbers.
    Dataset {
        /// Its own.
        number: i64,
        /// How many records it has.
        records: i64,
        /// How many of them are faulty.
        errored: i64,
        /// The last place that was given.
        last_sequence: i64,
        /// The newest entry of the log that is not kept any more because of its age.
        changes_lost: i64,
        /// The newest purge behind which jobs are still to be emptied; 0 where there is none.
        purge_to_settle: i64,
    },
    /// A record.
    Record(RecordRow),
    /// An entry of the change log.
    Entry(EntryRow),
    /// An entry of the audit trail.
    Trail {
        /// Whose trail it is.
        tenant: String,
        /// Its number there.
        own_number: i64,
        /// What it says.
        document: String,
    },
    /// What is known of an uploaded file.
    File {
        /// Its id.
        id: String,
        /// Since when no record refers to it.
        condemned_at: Option<i64>,
        /// What it is.
        document: String,
    },
    /// A job. Who works on it is not moved.
    Job {
        /// Its number.
        number: i64,
        /// Its id.
        id: String,
        /// How far it is.
        state: String,
        /// Whether it is to end.
        is_cancelling: bool,
        /// Whether something of it may be downloaded.
        has_files: bool,
        /// What it is.
        document: String,
    },
    /// How far a webhook has come.
    Delivery {
        /// Its id.
        webhook: String,
        /// How far.
        document: String,
    },
    /// What a webhook gave up.
    DeadLetter {
        /// Its number.
        number: i64,
        /// The webhook's id.
        webhook: String,
        /// What it is.
        document: String,
    },
    /// A number that rises.
    Counter {
        /// What it counts: `catalog`, `dead_letters`, `jobs`, `log`.
        name: String,
        /// The last that was given.
        value: i64,
    },
    /// What a dataset had on a day.
    DayCount {
        /// The number of the dataset.
        dataset: i64,
        /// How many days after the first one of 1970 it is.
        day: i64,
        /// How many records.
        records: i64,
        /// How many of them were faulty.
        errored: i64,
    },
}

impl TransferRow {
    /// Where it stands in its part.
    pub fn key(&self) -> RowKey {
        match self {
            TransferRow::Noun { kind, id, .. } => RowKey::of_texts(kind, id),
            TransferRow::Dataset { number, .. }
            | TransferRow::Job { number, .. }
            | TransferRow::DeadLetter { number, .. } => RowKey::of_numbers(*number, 0),
            TransferRow::Record(record) => RowKey::of_numbers(record.dataset, record.sequence),
            TransferRow::Entry(entry) => RowKey::of_numbers(entry.number, 0),
            TransferRow::DayCount { dataset, day, .. } => RowKey::of_numbers(*dataset, *day),
            TransferRow::Trail {
                tenant, own_number, ..
            } => RowKey {
                texts: (tenant.clone(), String::new()),
                numbers: (*own_number, 0),
            },
            TransferRow::File { id: text, .. }
            | TransferRow::Delivery { webhook: text, .. }
            | TransferRow::Counter { name: text, .. } => RowKey::of_texts(text, ""),
        }
    }
}

/// What stands before the digits of a document that is no text.
const NO_TEXT: &str = "no text, in hexadecimal digits: ";

/// The text of a document that may be damaged and hides no other then, such as that of a dead letter: the document, or, where it
/// is no text that every engine keeps, its bytes as digits. So nothing of it is lost, and who reads it finds it damaged as before.
pub fn text_of_damaged(document: &[u8]) -> String {
    if let Ok(text) = str::from_utf8(document)
        && !text.contains('\0')
    {
        return text.to_owned();
    }
    let mut text = String::from(NO_TEXT);
    for byte in document {
        // INVARIANT: writing to a String cannot fail
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// A store whose rows can be read.
pub trait TransferSource: Send + Sync {
    /// The rows of a part behind a key, in order, `max` at most; fewer at the end alone. All reads see one moment.
    fn rows(
        &self,
        part: Part,
        after: Option<RowKey>,
        max: usize,
    ) -> StoreFuture<'_, Vec<TransferRow>>;
}

/// What a store says to who would move another one into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Begun {
    /// It was empty, and is the mover's from now on.
    New,
    /// It was begun before, and came this far.
    Before(String),
    /// It holds something else.
    Occupied,
}

/// A store that another one is moved into. Until it is finished, nobody else opens it.
pub trait TransferTarget: TransferSource {
    /// Begins, if it is empty; `progress` is what is known of a move, for who goes on with it.
    fn begin(&self, progress: String) -> StoreFuture<'_, Begun>;

    /// Writes rows of a part, and with them how far the move is now and was before. Another one's progress is an error.
    fn put(&self, rows: Vec<TransferRow>, from: String, progress: String) -> StoreFuture<'_, ()>;

    /// Makes what follows from the rows, when all are there. May be done again.
    fn settle(&self) -> StoreFuture<'_, ()>;

    /// Ends the move: the store is one like any other.
    fn finish(&self) -> StoreFuture<'_, ()>;
}

/// What is told of a store into which two move at once.
pub fn not_alone() -> StoreError {
    StoreError::Damaged("another program moves something into the same store".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_document_is_a_text_with_all_of_its_bytes_and_any_other_is_itself() {
        for own in ["{}", "", "no JSON", "„“"] {
            assert_eq!(text_of_damaged(own.as_bytes()), own);
        }
        for (bytes, digits) in [(&b"{\xff}"[..], "7bff7d"), (&b"{\0}"[..], "7b007d")] {
            let text = text_of_damaged(bytes);
            assert!(text.ends_with(digits), "{text}");
            assert!(serde_json::from_str::<serde_json::Value>(&text).is_err());
            assert_eq!(
                text_of_damaged(text.as_bytes()),
                text,
                "it moves on as it is"
            );
        }
    }
}

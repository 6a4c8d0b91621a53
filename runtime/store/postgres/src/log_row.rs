//! Rows of the change log, read: one that does not follow its form was changed by hand, and is told as what is not as it was
//! written. The values before and after it may stand elsewhere (`past_states.rs`).

use crate::error::Failure;
use std::sync::Arc;
use store::catalog::Actor;
use store::records::{LogAction, LogEntry, RecordId, RecordPlace};
use store::{RottenRow, StoreError};
use tokio_postgres::Row;
use wire::Timestamp;

/// The columns that [`LogReader`] reads, of `change_log l`, and more behind them.
macro_rules! select_entry {
    ($rest:literal) => {
        select_entry!("", $rest)
    };
    ($more:literal, $rest:literal) => {
        concat!(
            "SELECT l.number, l.dataset, l.sequence, l.nonce, l.action, l.version, l.schema_version, l.at,
     l.actor, l.prior, l.before, l.after, l.errors, l.hidden, l.digest",
            $more,
            " FROM change_log l ",
            $rest
        )
    };
}
pub(crate) use select_entry;

/// How many columns those are.
pub(crate) const ENTRY_COLUMNS: usize = 15;

/// An entry as its row has it.
pub(crate) struct LogRow {
    /// One with a digest has `before` as what differed, and no `after`.
    pub(crate) entry: LogEntry,
    /// Of the values behind it; none of entries that have their values themselves, and where nothing is left of them.
    pub(crate) digest: Option<i64>,
}

impl LogRow {
    /// What is told of one that is not as it was written.
    pub(crate) fn rotten(&self) -> Failure {
        let (number, id) = (self.entry.number, self.entry.id);
        StoreError::Rotten(RottenRow::Entry { number, id }).into()
    }
}

/// Reads entries one after the other.
#[derive(Default)]
pub(crate) struct LogReader {
    /// The last one's actor, as it stands in the log and read: one often writes many.
    actor: Option<(String, Arc<Actor>)>,
}

impl LogReader {
    /// The entry of a row.
    pub(crate) fn read(&mut self, row: &Row) -> Result<LogRow, Failure> {
        let number = row.get::<_, i64>(0).cast_unsigned();
        let id = id_of(row.get(1), row.get(2), row.get(3));
        let rotten = || StoreError::Rotten(RottenRow::Entry { number, id });
        let entry = LogEntry {
            number,
            id,
            action: LogAction::parse(row.get(4)).ok_or_else(rotten)?,
            version: row.get(5),
            schema_version: row.get(6),
            at: Timestamp::from_millis(row.get(7)),
            actor: self.actor(row.get(8)).map_err(|_| rotten())?,
            prior: row.get::<_, Option<i64>>(9).map(i64::cast_unsigned),
            before: row.get(10),
            after: row.get(11),
            errors: row.get(12),
            hidden: row.get(13),
        };
        let digest = row.get(14);
        Ok(LogRow { entry, digest })
    }

    /// The actor of a text.
    pub(crate) fn actor(&mut self, text: &str) -> serde_json::Result<Arc<Actor>> {
        if let Some((_, actor)) = self.actor.as_ref().filter(|(last, _)| last == text) {
            return Ok(actor.clone());
        }
        let actor: Arc<Actor> = serde_json::from_str(text)?;
        self.actor = Some((text.to_owned(), actor.clone()));
        Ok(actor)
    }
}

/// The id that stands in three columns.
pub(crate) fn id_of(dataset: i64, sequence: i64, nonce: i64) -> RecordId {
    RecordId {
        place: RecordPlace {
            dataset: u32::try_from(dataset).unwrap_or(u32::MAX),
            sequence: sequence.cast_unsigned(),
        },
        nonce: nonce.cast_unsigned(),
    }
}

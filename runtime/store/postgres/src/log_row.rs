//! Rows of the change log, read: one that does not follow its form was changed by hand, and is told as what is not as it was
//! written.

use crate::error::Failure;
use std::sync::Arc;
use store::catalog::Actor;
use store::records::{LogAction, LogEntry, PageLimit, RecordId, RecordPlace};
use store::{RottenRow, StoreError};
use tokio_postgres::Row;
use wire::Timestamp;

/// The columns that [`LogReader`] reads, of `change_log l`.
macro_rules! select_entry {
    ($rest:literal) => {
        concat!(
            "SELECT l.number, l.dataset, l.sequence, l.nonce, l.action, l.version, l.schema_version, l.at,
     l.actor, l.prior, l.before, l.after, l.errors, l.hidden FROM change_log l ",
            $rest
        )
    };
}
pub(crate) use select_entry;

/// Reads entries one after the other.
#[derive(Default)]
pub(crate) struct LogReader {
    /// The last one's actor, as it stands in the log and read: one often writes many.
    actor: Option<(String, Arc<Actor>)>,
}

impl LogReader {
    /// The entry of a row.
    pub(crate) fn read(&mut self, row: &Row) -> Result<LogEntry, Failure> {
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
        if entry.has_form() {
            Ok(entry)
        } else {
            Err(rotten().into())
        }
    }

    fn actor(&mut self, text: &str) -> serde_json::Result<Arc<Actor>> {
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

/// The entries of rows, up to the limit of bytes, and to one that is not as it was written.
pub(crate) fn read_some(rows: &[Row], limit: PageLimit) -> Result<Vec<LogEntry>, Failure> {
    let (mut reader, mut entries, mut bytes) = (LogReader::default(), Vec::new(), 0);
    for row in rows {
        if bytes >= limit.bytes {
            break;
        }
        let entry = match reader.read(row) {
            // who comes for more is told
            Err(_) if !entries.is_empty() => break,
            entry => entry?,
        };
        bytes += entry.bytes();
        entries.push(entry);
    }
    Ok(entries)
}

//! What the transaction under way counts: the change log's numbers, and each dataset's records and places. It is read from
//! the tables once a transaction and brought into them at its end, or before something else than a write of a record looks
//! at them: a group of creates asks and writes each of these rows once, and not once for each record.

use crate::error::Failure;
use crate::log_row;
use rusqlite::{Connection, OptionalExtension, params};
use rustc_hash::FxHashMap;

const LAST_SEQUENCE: &str = "SELECT last_sequence FROM dataset_state WHERE dataset = ?1";
const COUNT: &str =
    "INSERT INTO dataset_state (dataset, records, errored, last_sequence) VALUES (?1, ?2, ?3, ?4)
   ON CONFLICT (dataset) DO UPDATE SET
     records = records + excluded.records, errored = errored + excluded.errored,
     last_sequence = max(last_sequence, excluded.last_sequence)";

/// What was counted and is not in the tables yet. It goes with the transaction.
#[derive(Clone, Default)]
pub(crate) struct Tally {
    /// The next entry of the change log.
    next_change: Option<i64>,
    datasets: FxHashMap<u32, DatasetTally>,
}

/// What was counted of a dataset.
#[derive(Clone, Copy, Default)]
struct DatasetTally {
    /// The last place that was given, if that is known.
    last_sequence: Option<i64>,
    /// How many places were given.
    created: i64,
    /// How many more live records there are.
    records: i64,
    /// How many more of them have faults.
    errored: i64,
}

impl Tally {
    /// The number of the next entry of the change log; it is given to none before [`note_change`](Self::note_change).
    pub(super) fn next_change(&mut self, connection: &Connection) -> Result<i64, Failure> {
        let number = match self.next_change {
            Some(number) => number,
            None => log_row::next_number(connection)?,
        };
        self.next_change = Some(number);
        Ok(number)
    }

    /// Notes that the entry of a number was written.
    pub(super) fn note_change(&mut self, number: i64) {
        self.next_change = Some(number + 1);
    }

    /// The next place of a dataset; it is given to none before [`note_created`](Self::note_created).
    pub(super) fn next_sequence(
        &mut self,
        connection: &Connection,
        dataset: u32,
    ) -> Result<i64, Failure> {
        let counted = self.datasets.entry(dataset).or_default();
        let last = if let Some(last) = counted.last_sequence {
            last
        } else {
            let mut statement = connection.prepare_cached(LAST_SEQUENCE)?;
            let last = statement.query_row([dataset], |row| row.get(0));
            last.optional()?.unwrap_or(0)
        };
        counted.last_sequence = Some(last);
        Ok(last + 1)
    }

    /// Notes a new record at the next place.
    pub(super) fn note_created(&mut self, dataset: u32, has_faults: bool) {
        let counted = self.datasets.entry(dataset).or_default();
        counted.last_sequence = counted.last_sequence.map(|last| last + 1);
        counted.created += 1;
        counted.records += 1;
        counted.errored += i64::from(has_faults);
    }

    /// Notes how many more records a dataset has that can be seen, and how many more with faults.
    pub(super) fn note(&mut self, dataset: u32, records: i64, errored: i64) {
        let counted = self.datasets.entry(dataset).or_default();
        counted.records += records;
        counted.errored += errored;
    }

    /// Brings what was counted into the tables.
    pub(crate) fn write(&mut self, connection: &Connection) -> Result<(), Failure> {
        for (dataset, counted) in &mut self.datasets {
            let DatasetTally {
                last_sequence,
                created,
                records,
                errored,
            } = *counted;
            if created != 0 || records != 0 || errored != 0 {
                connection.prepare_cached(COUNT)?.execute(params![
                    dataset,
                    records,
                    errored,
                    last_sequence.unwrap_or(0)
                ])?;
            }
        }
        self.datasets.clear();
        Ok(())
    }
}

//! Verifies the index: whether all that it holds is what was written there. Its trees may be sound and a letter of a word
//! another one, which would hide records from searches. It does not know the records, as `check` does.

use super::begun;
use super::columns::COLUMNS;
use super::facts::Facts;
use super::orders::Orders;
use super::sql_key::{field_number, key_of};
use super::sums::{self, FactsSum};
use crate::error::Failure;
use rusqlite::{Connection, Row};
use std::collections::BTreeSet;
use store::records::RecordPlace;

const FACTS: &str = "SELECT place, facts FROM facts";
const KEYS: &str = "SELECT field, key, sequence FROM keys";
const FAULTS: &str = "SELECT field, rule, sequence FROM faults";

/// What the tables add up to.
#[derive(Default, PartialEq, Eq)]
struct Sums {
    words: u64,
    keys: u64,
    faults: u64,
}

impl Sums {
    /// Adds what the tables hold of a record by its facts.
    fn add(&mut self, place: i64, facts: &Facts, orders: &Orders) {
        let RecordPlace { dataset, sequence } = RecordPlace::of_number(place);
        let sequence = sequence.cast_signed();
        self.words = self.words.wrapping_add(sums::weighted(place, facts.texts));
        let numbered = |field: u32| field_number(dataset, field);
        let keys = facts
            .keys
            .iter()
            .map(|(field, key)| (numbered(*field), key));
        let keys = keys.filter(|(field, _)| orders.has(*field));
        let keys: BTreeSet<u64> = keys
            .map(|(field, key)| sums::of_key(field, key, sequence))
            .collect();
        let faults = facts.faults.iter();
        let faults: BTreeSet<u64> = faults
            .map(|(field, rule)| sums::of_fault(numbered(*field), rule.as_bytes(), sequence))
            .collect();
        let added = |sum: u64, all: BTreeSet<u64>| all.into_iter().fold(sum, u64::wrapping_add);
        self.keys = added(self.keys, keys);
        self.faults = added(self.faults, faults);
    }

    /// Those of the tables themselves; `None` where one holds what was never written there.
    fn of_tables(connection: &Connection) -> Result<Option<Self>, Failure> {
        let mut sums = Sums::default();
        let mut statement = connection.prepare(begun::ALL_PLACES)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let column = column_of(&String::from_utf8_lossy(bytes(row, 2)?));
            let (Some(column), Ok(position)) = (column, u64::try_from(row.get::<_, i64>(3)?))
            else {
                return Ok(None);
            };
            let word = sums::of_word(column, position, bytes(row, 0)?);
            sums.words = sums.words.wrapping_add(sums::weighted(row.get(1)?, word));
        }
        let mut statement = connection.prepare(KEYS)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let Some(key) = key_of(row.get_ref(1)?) else {
                return Ok(None);
            };
            let key = sums::of_key(row.get(0)?, &key, row.get(2)?);
            sums.keys = sums.keys.wrapping_add(key);
        }
        let mut statement = connection.prepare(FAULTS)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let fault = sums::of_fault(row.get(0)?, bytes(row, 1)?, row.get(2)?);
            sums.faults = sums.faults.wrapping_add(fault);
        }
        Ok(Some(sums))
    }
}

/// The bytes of a text in a row.
fn bytes<'r>(row: &'r Row<'_>, column: usize) -> Result<&'r [u8], Failure> {
    let bytes = row.get_ref(column)?.as_bytes();
    Ok(bytes.map_err(rusqlite::Error::from)?)
}

/// The number of a column of words by its name.
fn column_of(name: &str) -> Option<u64> {
    match name {
        "marker" => Some(0),
        "rest" => Some(COLUMNS as u64 + 1),
        _ => name
            .strip_prefix('c')?
            .parse::<u64>()
            .ok()
            .map(|number| number + 1),
    }
}

/// Whether the index holds what was written, as of one moment. It reads all of it: a few seconds for a million records.
pub(super) fn is_as_written(connection: &Connection) -> Result<bool, Failure> {
    let moment = connection.unchecked_transaction()?;
    let orders = Orders::read(&moment)?;
    let (mut sums, mut facts_sum) = (Sums::default(), FactsSum::default());
    let mut statement = moment.prepare(FACTS)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (place, bytes) = (row.get(0)?, row.get_ref(1)?.as_blob().unwrap_or_default());
        facts_sum.replace(place, None, Some(bytes));
        let Some(facts) = Facts::from_bytes(bytes) else {
            return Ok(false);
        };
        sums.add(place, &facts, &orders);
    }
    let is_sum_of_facts = FactsSum::read(&moment)? == facts_sum;
    Ok(is_sum_of_facts && Sums::of_tables(&moment)?.is_some_and(|tables| tables == sums))
}

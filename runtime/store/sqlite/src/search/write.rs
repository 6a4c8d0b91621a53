//! Documents into the index: texts into the full-text part, keys and faults as rows of their own. What a
//! change leaves as it was is not written again.

use super::columns::{COLUMNS, Columns, MetFields, code};
use super::facts::{Facts, write_marker};
use super::open;
use super::ordered_key::OrderedKey;
use super::orders::Orders;
use super::sql_key::{SqlKey, field_number};
use super::sums::FactsSum;
use crate::error::Failure;
use rusqlite::{CachedStatement, Connection, OptionalExtension, params};
use std::collections::BTreeSet;
use store::records::RecordPlace;
use store::search::{Content, Document, Key};

const REMOVE: &str = "DELETE FROM words WHERE rowid = ?1";
const PUT_COLUMN: &str = "INSERT INTO slots (schema, field, slot) VALUES (?1, ?2, ?3)";
const LAST: &str = "SELECT coalesce(max(place), -1) FROM facts";
const FACTS: &str = "SELECT facts FROM facts WHERE place = ?1";
const PUT_FACTS: &str = "INSERT OR REPLACE INTO facts (place, facts) VALUES (?1, ?2)";
const REMOVE_FACTS: &str = "DELETE FROM facts WHERE place = ?1";
const PUT_KEY: &str = "INSERT OR IGNORE INTO keys (field, key, sequence) VALUES (?1, ?2, ?3)";
const REMOVE_KEY: &str = "DELETE FROM keys WHERE field = ?1 AND key = ?2 AND sequence = ?3";
const PUT_FAULT: &str = "INSERT OR IGNORE INTO faults (field, rule, sequence) VALUES (?1, ?2, ?3)";
const REMOVE_FAULT: &str = "DELETE FROM faults WHERE field = ?1 AND rule = ?2 AND sequence = ?3";

/// How many keys are gone through for each one that is looked for among them.
const FEW: usize = 32;

/// Writes documents, which come in order of places.
pub(super) fn write_documents(
    connection: &Connection,
    documents: &[Document],
    columns: &mut Columns,
) -> Result<(), Failure> {
    let (mut put, mut add) = (WordsRow::put(connection)?, WordsRow::add(connection)?);
    let mut remove = connection.prepare_cached(REMOVE)?;
    let mut known = connection.prepare_cached(FACTS)?;
    let mut put_facts = connection.prepare_cached(PUT_FACTS)?;
    let mut last: i64 = connection
        .prepare_cached(LAST)?
        .query_row([], |row| row.get(0))?;
    let mut texts = vec![String::new(); COLUMNS + 1];
    let (mut marker, mut met) = (String::new(), MetFields::default());
    let mut of_dataset = (0, String::new());
    let orders = Orders::read(connection)?;
    let mut sum = FactsSum::read(connection)?;
    for document in documents {
        let Some(rowid) = document.place.number() else {
            continue;
        };
        let is_behind_all = rowid > last;
        last = last.max(rowid);
        let old: Option<Vec<u8>> = if is_behind_all {
            None
        } else {
            known.query_row([rowid], |row| row.get(0)).optional()?
        };
        let old_facts = old.as_deref().and_then(Facts::from_bytes);
        let Some(content) = &document.content else {
            remove.execute([rowid])?;
            connection.prepare_cached(REMOVE_FACTS)?.execute([rowid])?;
            sum.replace(rowid, old.as_deref(), None);
            write_rows(
                connection,
                &orders,
                document.place,
                old_facts.as_ref(),
                None,
            )?;
            continue;
        };
        if of_dataset.1.is_empty() || of_dataset.0 != document.place.dataset {
            of_dataset = (document.place.dataset, code(document.place.dataset));
        }
        let code = &of_dataset.1;
        number_fields(connection, content, columns, &mut met)?;
        write_marker(content, columns, &mut met, code, &mut marker);
        columns.write(content, &mut met, code, &mut texts);
        let facts = Facts::of(content, columns, &mut met, &marker, &texts);
        if old_facts
            .as_ref()
            .is_none_or(|old| old.texts != facts.texts)
        {
            // what is not there need not be looked for
            let row = if is_behind_all { &mut add } else { &mut put };
            row.write(rowid, &marker, &texts)?;
        }
        let bytes = facts.to_bytes();
        if old.as_ref() != Some(&bytes) {
            write_rows(
                connection,
                &orders,
                document.place,
                old_facts.as_ref(),
                Some(&facts),
            )?;
            put_facts.execute(params![rowid, bytes])?;
            sum.replace(rowid, old.as_deref(), Some(&bytes));
        }
    }
    sum.write(connection)
}

/// The statement that writes the words of a record.
struct WordsRow<'c> {
    statement: CachedStatement<'c>,
    /// Whether a column has a text since the last one.
    is_bound: [bool; COLUMNS + 1],
}

impl<'c> WordsRow<'c> {
    /// Of a record, whatever was there.
    fn put(connection: &'c Connection) -> Result<Self, Failure> {
        Self::of(connection, "INSERT OR REPLACE")
    }

    /// Of a record that is not there.
    fn add(connection: &'c Connection) -> Result<Self, Failure> {
        Self::of(connection, "INSERT")
    }

    fn of(connection: &'c Connection, verb: &str) -> Result<Self, Failure> {
        Ok(WordsRow {
            statement: connection.prepare_cached(&open::words_row(verb))?,
            is_bound: [false; COLUMNS + 1],
        })
    }

    fn write(&mut self, rowid: i64, marker: &str, texts: &[String]) -> Result<(), Failure> {
        self.statement.raw_bind_parameter(1, rowid)?;
        self.statement.raw_bind_parameter(2, marker)?;
        for (index, (text, is_bound)) in texts.iter().zip(&mut self.is_bound).enumerate() {
            let text = (!text.is_empty()).then_some(text.as_str());
            // most schemas have fewer fields than there are columns
            if text.is_some() || *is_bound {
                self.statement.raw_bind_parameter(index + 3, text)?;
                *is_bound = text.is_some();
            }
        }
        self.statement.raw_execute()?;
        Ok(())
    }
}

/// Gives the fields that are new their numbers.
fn number_fields(
    connection: &Connection,
    content: &Content,
    columns: &mut Columns,
    met: &mut MetFields,
) -> Result<(), Failure> {
    for (schema, field, number) in columns.add(content, met) {
        let mut statement = connection.prepare_cached(PUT_COLUMN)?;
        statement.execute(params![schema, field, number])?;
    }
    Ok(())
}

/// Those of some keys that are not among others.
fn without<'k>(keys: &'k [(u32, Key)], others: &[(u32, Key)]) -> Vec<&'k (u32, Key)> {
    if others.len() <= FEW {
        let left = keys.iter().filter(|key| !others.contains(key));
        return left.collect();
    }
    let others = others.iter().map(|(field, key)| (*field, OrderedKey(key)));
    let others: BTreeSet<(u32, OrderedKey<&Key>)> = others.collect();
    let is_left = |(field, key): &&(u32, Key)| !others.contains(&(*field, OrderedKey(key)));
    keys.iter().filter(is_left).collect()
}

/// Writes what of keys that are in order and of faults differs.
fn write_rows(
    connection: &Connection,
    orders: &Orders,
    place: RecordPlace,
    old: Option<&Facts>,
    new: Option<&Facts>,
) -> Result<(), Failure> {
    let none = Facts::default();
    let (old, new) = (old.unwrap_or(&none), new.unwrap_or(&none));
    let sequence = place.sequence.cast_signed();
    let number = |field: u32| field_number(place.dataset, field);
    let is_ordered = |key: &&(u32, Key)| orders.has(number(key.0));
    let gone = without(&old.keys, &new.keys).into_iter();
    for (field, key) in gone.filter(is_ordered) {
        let mut statement = connection.prepare_cached(REMOVE_KEY)?;
        statement.execute(params![number(*field), SqlKey(key), sequence])?;
    }
    let come = without(&new.keys, &old.keys).into_iter();
    for (field, key) in come.filter(is_ordered) {
        let mut statement = connection.prepare_cached(PUT_KEY)?;
        statement.execute(params![number(*field), SqlKey(key), sequence])?;
    }
    for (field, rule) in old
        .faults
        .iter()
        .filter(|fault| !new.faults.contains(fault))
    {
        let mut statement = connection.prepare_cached(REMOVE_FAULT)?;
        statement.execute(params![number(*field), rule, sequence])?;
    }
    for (field, rule) in new
        .faults
        .iter()
        .filter(|fault| !old.faults.contains(fault))
    {
        let mut statement = connection.prepare_cached(PUT_FAULT)?;
        statement.execute(params![number(*field), rule, sequence])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_others_lack_are_found_among_few_and_very_many() {
        let keys = |numbers: std::ops::Range<i64>| -> Vec<(u32, Key)> {
            let of_both = numbers.flat_map(|number| [(1, Key::Int(number)), (2, Key::Int(number))]);
            of_both.collect()
        };
        for count in [3, 100_000] {
            let end = count + 1;
            let (old, new) = (keys(0..count), keys(1..end));
            let first: [(u32, Key); 2] = [(1, Key::Int(0)), (2, Key::Int(0))];
            assert_eq!(without(&old, &new), first.each_ref());
            let last: [(u32, Key); 2] = [(1, Key::Int(count)), (2, Key::Int(count))];
            assert_eq!(without(&new, &old), last.each_ref());
        }
    }
}

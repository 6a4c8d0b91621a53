//! Documents into the index: texts into the full-text part, keys and faults as rows of their own. What a
//! change leaves as it was is not written again.

use super::columns::{COLUMNS, Columns, code};
use super::facts::{Facts, write_marker};
use super::open;
use super::orders::Orders;
use super::sql_key::{SqlKey, field_number};
use crate::error::Failure;
use rusqlite::{Connection, OptionalExtension, params};
use store::records::RecordPlace;
use store::search::{Content, Document, Key};

const REMOVE: &str = "DELETE FROM words WHERE rowid = ?1";
const PUT_COLUMN: &str = "INSERT INTO slots (schema, field, slot) VALUES (?1, ?2, ?3)";
const FACTS: &str = "SELECT facts FROM facts WHERE place = ?1";
const PUT_FACTS: &str = "INSERT OR REPLACE INTO facts (place, facts) VALUES (?1, ?2)";
const REMOVE_FACTS: &str = "DELETE FROM facts WHERE place = ?1";
const PUT_KEY: &str = "INSERT OR IGNORE INTO keys (field, key, sequence) VALUES (?1, ?2, ?3)";
const REMOVE_KEY: &str = "DELETE FROM keys WHERE field = ?1 AND key = ?2 AND sequence = ?3";
const PUT_FAULT: &str = "INSERT OR IGNORE INTO faults (field, rule, sequence) VALUES (?1, ?2, ?3)";
const REMOVE_FAULT: &str = "DELETE FROM faults WHERE field = ?1 AND rule = ?2 AND sequence = ?3";

/// Writes documents, which come in order of places.
pub(super) fn write_documents(
    connection: &Connection,
    documents: &[Document],
    columns: &mut Columns,
) -> Result<(), Failure> {
    let mut put = connection.prepare_cached(&open::put())?;
    let mut remove = connection.prepare_cached(REMOVE)?;
    let mut known = connection.prepare_cached(FACTS)?;
    let mut put_facts = connection.prepare_cached(PUT_FACTS)?;
    let mut texts = vec![String::new(); COLUMNS + 1];
    let mut marker = String::new();
    let orders = Orders::read(connection)?;
    for document in documents {
        let Some(rowid) = document.place.number() else {
            continue;
        };
        let old: Option<Vec<u8>> = known.query_row([rowid], |row| row.get(0)).optional()?;
        let old_facts = old.as_deref().and_then(Facts::from_bytes);
        let Some(content) = &document.content else {
            remove.execute([rowid])?;
            connection.prepare_cached(REMOVE_FACTS)?.execute([rowid])?;
            write_rows(
                connection,
                &orders,
                document.place,
                old_facts.as_ref(),
                None,
            )?;
            continue;
        };
        number_fields(connection, content, columns)?;
        write_marker(content, columns, document.place.dataset, &mut marker);
        columns.write(content, &code(document.place.dataset), &mut texts);
        let facts = Facts::of(content, columns, &marker, &texts);
        if old_facts
            .as_ref()
            .is_none_or(|old| old.texts != facts.texts)
        {
            put.raw_bind_parameter(1, rowid)?;
            put.raw_bind_parameter(2, &marker)?;
            for (index, text) in texts.iter().enumerate() {
                let text = (!text.is_empty()).then_some(text.as_str());
                put.raw_bind_parameter(index + 3, text)?;
            }
            put.raw_execute()?;
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
        }
    }
    Ok(())
}

/// Gives the fields that are new their numbers.
fn number_fields(
    connection: &Connection,
    content: &Content,
    columns: &mut Columns,
) -> Result<(), Failure> {
    for (schema, field, number) in columns.add(content) {
        let mut statement = connection.prepare_cached(PUT_COLUMN)?;
        statement.execute(params![schema, field, number])?;
    }
    Ok(())
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
    let gone = old.keys.iter().filter(|key| !new.keys.contains(key));
    for (field, key) in gone.filter(is_ordered) {
        let mut statement = connection.prepare_cached(REMOVE_KEY)?;
        statement.execute(params![number(*field), SqlKey(key), sequence])?;
    }
    let come = new.keys.iter().filter(|key| !old.keys.contains(key));
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

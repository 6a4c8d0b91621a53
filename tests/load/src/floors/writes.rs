//! Rows that are written as the service writes them: those that it wrote, to tables made by its own statements, which already
//! hold as many as the rows of creates and updates begin with.

use super::rows::{Rows, insert, make, put};
use super::{timed, updates};
use crate::records::Record;
use crate::searches::opened;
use anyhow::{Context as _, ensure};
use rusqlite::Connection;
use rusqlite::types::Value;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// How many records are written into one commit: as many as there can be waiting.
pub(super) const GROUP: usize = 64;
/// How many the index takes in one step.
pub(super) const STEP: usize = 1_000;
/// How many records there are before, and how many are written, of a million.
const BEFORE_OF_MILLION: u64 = 100_000;
const NEW_OF_MILLION: u64 = 100_000;

const OF_STORE: [&str; 2] = ["records", "change_log"];
const OF_INDEX: [&str; 2] = ["words", "facts"];
const AS_STORE: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
     PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -8192;";
const AS_INDEX: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
     PRAGMA wal_autocheckpoint = 8000; PRAGMA cache_size = -16384;";
/// What the service's index is told of how words are kept.
const SETTINGS: &str = "SELECT k, v FROM words_config WHERE k <> 'version'";
const CHECKPOINT: &str = "PRAGMA wal_checkpoint(TRUNCATE)";
const UPDATED: &str = "SELECT count(*) FROM records WHERE version = 1";

/// What a record takes.
pub(super) struct Parts {
    pub(super) rows: Duration,
    pub(super) checkpoint: Duration,
    pub(super) index: Duration,
}

/// What a new record takes, and an update.
pub(super) struct Writes {
    pub(super) created: Parts,
    pub(super) updated: Parts,
}

/// Those of the files in a data folder, written into another folder: new records, and then one update of each that was there
/// before them.
pub(super) fn measure(data: &Path, folder: &Path, records: u64) -> anyhow::Result<Writes> {
    std::fs::create_dir(folder)?;
    let of = |of_million: u64| usize::try_from(records * of_million / 1_000_000);
    let (before, new) = (of(BEFORE_OF_MILLION)?.max(1), of(NEW_OF_MILLION)?.max(1));
    let [created, updated] = in_store(data, folder, before, new)?;
    let [indexed, indexed_anew] = in_index(data, folder, before, new)?;
    let parts = |[rows, checkpoint]: [Duration; 2], index: Duration, count: usize| {
        let count = u32::try_from(count)?;
        anyhow::Ok(Parts {
            rows: rows / count,
            checkpoint: checkpoint / count,
            index: index / count,
        })
    };
    Ok(Writes {
        created: parts(created, indexed, new)?,
        updated: parts(updated, indexed_anew, before)?,
    })
}

/// The rows of all new records and their checkpoint; the same of all updates.
fn in_store(
    data: &Path,
    folder: &Path,
    before: usize,
    new: usize,
) -> anyhow::Result<[[Duration; 2]; 2]> {
    let source = opened(&data.join("fieldstone.db"))?;
    let store = Connection::open(folder.join("store.db"))?;
    store.execute_batch(AS_STORE)?;
    make(&source, &store, &OF_STORE)?;
    let [records, entries] = OF_STORE.map(|table| Rows::read(&source, table, before + new));
    let tables = [records?, entries?];
    let checkpoint = || anyhow::Ok(store.query_row(CHECKPOINT, [], |_| Ok(()))?);
    put(&store, &tables, 0..before, before)?;
    checkpoint()?;
    let created = [
        timed(|| put(&store, &tables, before..before + new, GROUP))?,
        timed(checkpoint)?,
    ];
    let updates = updates::of_store(&tables, &updates::scattered(before))?;
    let updated = [
        timed(|| put(&store, &updates, 0..before, GROUP))?,
        timed(checkpoint)?,
    ];
    let changed: i64 = store.query_row(UPDATED, [], |row| row.get(0))?;
    ensure!(
        usize::try_from(changed)? == before,
        "{changed} of {before} records were updated"
    );
    Ok([created, updated])
}

/// What all new records and all updates take in the index.
fn in_index(
    data: &Path,
    folder: &Path,
    before: usize,
    new: usize,
) -> anyhow::Result<[Duration; 2]> {
    let source = opened(&data.join("search.db"))?;
    let index = Connection::open(folder.join("index.db"))?;
    index.execute_batch(AS_INDEX)?;
    make(&source, &index, &OF_INDEX)?;
    settle(&source, &index)?;
    let facts = Rows::read(&source, "facts", before + new)?;
    let tables = [words(&source, &facts)?, facts];
    let updates = updates::of_index(&tables, updates::scattered(before), STEP)?;
    put(&index, &tables, 0..before, STEP)?;
    let created = timed(|| put(&index, &tables, before..before + new, STEP))?;
    let updated = timed(|| put(&index, &updates, 0..before, STEP))?;
    Ok([created, updated])
}

/// Has words kept as they are elsewhere.
fn settle(source: &Connection, target: &Connection) -> anyhow::Result<()> {
    let mut statement = source.prepare(SETTINGS)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (name, value): (String, Value) = (row.get(0)?, row.get(1)?);
        target.execute(
            "INSERT INTO words (words, rank) VALUES (?1, ?2)",
            (name, value),
        )?;
    }
    Ok(())
}

/// The words of the records whose facts these are, as the index has them: each with its dataset before it.
fn words(source: &Connection, facts: &Rows) -> anyhow::Result<Rows> {
    let dataset: i64 = source.query_row("SELECT place >> 40 FROM facts LIMIT 1", [], |row| {
        row.get(0)
    })?;
    let names = (0..FIELDS).fold("rowid, marker".to_owned(), |names, field| {
        names + &format!(", c{field}")
    });
    let mut record = Record::default();
    let rows = facts.rows.iter().zip(0..).map(|(row, number)| {
        record.become_number(number);
        let place = row.first().cloned().context("a place")?;
        let mut values = vec![place, Value::Text(format!("{dataset:x}_"))];
        values.extend(texts(&record).map(|text| match text {
            Some(text) => Value::Text(with_dataset(text, dataset)),
            None => Value::Null,
        }));
        Ok(values)
    });
    Ok(Rows {
        rows: rows.collect::<anyhow::Result<_>>()?,
        statement: insert("words", &names, FIELDS + 2),
    })
}

/// How many fields a record has.
const FIELDS: usize = 12;

/// The texts of a record that are searched, in the order of its fields. Words of numbers and dates are left out: what the
/// service does of them is not the least that can be done.
fn texts(record: &Record<String>) -> [Option<&str>; FIELDS] {
    let mut texts = [None; FIELDS];
    let own = [
        (0, &record.code),
        (1, &record.name),
        (2, &record.description),
        (9, &record.contact),
        (10, &record.page),
        (11, &record.category),
    ];
    for (field, text) in own {
        texts[field] = Some(&**text);
    }
    texts
}

/// The words of a text, each behind its dataset.
fn with_dataset(text: &str, dataset: i64) -> String {
    let mut words = String::new();
    for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
        // a text takes all there is
        let _ = write!(words, "{dataset:x}_{} ", word.to_ascii_lowercase());
    }
    words
}

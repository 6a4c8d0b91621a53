//! Rows that are written as the service writes them: those that it wrote, to tables made by its own statements, which already
//! hold as many as the row of creates begins with.

use super::timed;
use crate::records::Record;
use crate::searches::opened;
use anyhow::{Context as _, ensure};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
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
const AS_STORE: &str =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;";
const AS_INDEX: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
     PRAGMA wal_autocheckpoint = 8000; PRAGMA cache_size = -16384;";
/// What the service's index is told of how words are kept.
const SETTINGS: &str = "SELECT k, v FROM words_config WHERE k <> 'version'";

/// What a new record takes.
pub(super) struct Writes {
    pub(super) rows: Duration,
    pub(super) checkpoint: Duration,
    pub(super) index: Duration,
}

/// Those of the files in a data folder, written into another folder.
pub(super) fn measure(data: &Path, folder: &Path, records: u64) -> anyhow::Result<Writes> {
    std::fs::create_dir(folder)?;
    let of = |of_million: u64| usize::try_from(records * of_million / 1_000_000);
    let (before, new) = (of(BEFORE_OF_MILLION)?.max(1), of(NEW_OF_MILLION)?.max(1));
    let count = u32::try_from(new)?;

    let source = opened(&data.join("fieldstone.db"))?;
    let store = Connection::open(folder.join("store.db"))?;
    store.execute_batch(AS_STORE)?;
    make(&source, &store, &OF_STORE)?;
    let mut tables = Vec::new();
    for table in OF_STORE {
        tables.push(Rows::read(&source, table, before + new)?);
    }
    put(&store, &tables, 0..before, before)?;
    store.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    let rows = timed(|| put(&store, &tables, before..before + new, GROUP))?;
    let checkpoint =
        timed(|| Ok(store.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?))?;

    let source = opened(&data.join("search.db"))?;
    let index = Connection::open(folder.join("index.db"))?;
    index.execute_batch(AS_INDEX)?;
    make(&source, &index, &OF_INDEX)?;
    settle(&source, &index)?;
    let facts = Rows::read(&source, "facts", before + new)?;
    let tables = [Rows::of_words(&source, &facts)?, facts];
    put(&index, &tables, 0..before, STEP)?;
    let indexed = timed(|| put(&index, &tables, before..before + new, STEP))?;
    Ok(Writes {
        rows: rows / count,
        checkpoint: checkpoint / count,
        index: indexed / count,
    })
}

/// Makes tables and their indexes as they are elsewhere.
fn make(source: &Connection, target: &Connection, tables: &[&str]) -> anyhow::Result<()> {
    let mut statement = source.prepare(
        "SELECT sql FROM sqlite_schema WHERE tbl_name = ?1 AND sql IS NOT NULL ORDER BY type = 'index'",
    )?;
    for table in tables {
        let mut rows = statement.query([table])?;
        while let Some(row) = rows.next()? {
            target.execute_batch(&row.get::<_, String>(0)?)?;
        }
    }
    Ok(())
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

/// Rows of a table, and the statement that puts one in.
struct Rows {
    insert: String,
    rows: Vec<Vec<Value>>,
}

impl Rows {
    /// The first so many of a table.
    fn read(source: &Connection, table: &str, count: usize) -> anyhow::Result<Rows> {
        let mut statement = source.prepare(&format!(
            "SELECT * FROM {table} ORDER BY rowid LIMIT {count}"
        ))?;
        let columns = statement.column_count();
        let names = statement.column_names().collect::<Vec<_>>().join(", ");
        let mut rows = Vec::with_capacity(count);
        let mut found = statement.query([])?;
        while let Some(row) = found.next()? {
            let values = (0..columns).map(|column| row.get(column));
            rows.push(values.collect::<Result<Vec<Value>, _>>()?);
        }
        ensure!(rows.len() == count, "{table} has {} rows", rows.len());
        Ok(Rows {
            insert: insert(table, &names, columns),
            rows,
        })
    }

    /// The words of the records whose facts these are, as the index has them: each with its dataset before it.
    fn of_words(source: &Connection, facts: &Rows) -> anyhow::Result<Rows> {
        let dataset: i64 =
            source.query_row("SELECT place >> 40 FROM facts LIMIT 1", [], |row| {
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
            insert: insert("words", &names, FIELDS + 2),
        })
    }
}

/// How many fields a record has.
const FIELDS: usize = 12;

/// The texts of a record that are searched, in the order of its fields.
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

fn insert(table: &str, names: &str, columns: usize) -> String {
    let places = ", ?".repeat(columns - 1);
    format!("INSERT INTO {table} ({names}) VALUES (?{places})")
}

/// Puts some rows of each table in, so many in a transaction.
fn put(
    target: &Connection,
    tables: &[Rows],
    range: std::ops::Range<usize>,
    at_a_time: usize,
) -> anyhow::Result<()> {
    let mut statements = Vec::new();
    for table in tables {
        statements.push(target.prepare(&table.insert)?);
    }
    let (first, end) = (range.start, range.end);
    for start in (first..end).step_by(at_a_time) {
        let group = start..end.min(start + at_a_time);
        target.execute_batch("BEGIN IMMEDIATE")?;
        for number in group {
            for (table, statement) in tables.iter().zip(&mut statements) {
                statement.execute(params_from_iter(&table.rows[number]))?;
            }
        }
        target.execute_batch("COMMIT")?;
    }
    Ok(())
}

//! Tables as they are in the service's file, rows of theirs, and how they come into a file of one's own.

use anyhow::ensure;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use std::ops::Range;

/// Makes tables and their indexes as they are elsewhere.
pub(super) fn make(
    source: &Connection,
    target: &Connection,
    tables: &[&str],
) -> anyhow::Result<()> {
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

/// A statement, and what it is given for each record.
pub(super) struct Rows {
    pub(super) statement: String,
    pub(super) rows: Vec<Vec<Value>>,
}

impl Rows {
    /// A statement that is given nothing yet.
    pub(super) fn of(statement: String) -> Rows {
        Rows {
            statement,
            rows: Vec::new(),
        }
    }

    /// The first so many of a table, to be put in elsewhere.
    pub(super) fn read(source: &Connection, table: &str, count: usize) -> anyhow::Result<Rows> {
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
            statement: insert(table, &names, columns),
            rows,
        })
    }
}

pub(super) fn insert(table: &str, names: &str, columns: usize) -> String {
    let places = ", ?".repeat(columns - 1);
    format!("INSERT INTO {table} ({names}) VALUES (?{places})")
}

/// Runs each statement for some records, so many of them in a transaction.
pub(super) fn put(
    target: &Connection,
    tables: &[Rows],
    range: Range<usize>,
    at_a_time: usize,
) -> anyhow::Result<()> {
    let mut statements = Vec::new();
    for table in tables {
        statements.push(target.prepare(&table.statement)?);
    }
    let (first, end) = (range.start, range.end);
    for start in (first..end).step_by(at_a_time) {
        let group = start..end.min(start + at_a_time);
        target.execute_batch("BEGIN IMMEDIATE")?;
        for number in group {
            for (table, statement) in tables.iter().zip(&mut statements) {
                let mut found = statement.query(params_from_iter(&table.rows[number]))?;
                // what an update reads first; other statements find nothing
                while found.next()?.is_some() {}
            }
        }
        target.execute_batch("COMMIT")?;
    }
    Ok(())
}

//! The section `store/`: the tables of the demo's SQLite database, with the first rows of each.

use crate::normal;
use rusqlite::{Connection, OpenFlags, types::ValueRef};
use std::{fs, io, path::Path};

/// At most so many rows of a table.
const ROWS: usize = 20;

pub(crate) fn freeze(out: &Path, data: &Path) -> io::Result<()> {
    let tables = tables(&data.join("fieldstone.db")).map_err(io::Error::other)?;
    for (name, text) in tables {
        fs::write(out.join(format!("{name}.txt")), normal::placeholders(&text))?;
    }
    Ok(())
}

fn tables(file: &Path) -> rusqlite::Result<Vec<(String, String)>> {
    let database = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut schema = database
        .prepare("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type DESC, name")?;
    let mut schema = schema.query([])?;
    let mut tables: Vec<(String, String)> = Vec::new();
    while let Some(row) = schema.next()? {
        let (kind, name, table): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let sql: Option<String> = row.get(3)?;
        let sql = sql.map_or_else(
            || format!("{kind} {name}"),
            |sql| sql.split_whitespace().collect::<Vec<_>>().join(" "),
        );
        // tables come before their indexes
        match tables.iter_mut().find(|(own, _)| *own == table) {
            Some((_, text)) => text.extend([&*sql, "\n"]),
            None => tables.push((table, format!("{sql}\n"))),
        }
    }
    for (name, text) in &mut tables {
        *text += &rows(&database, name)?;
    }
    Ok(tables)
}

fn rows(database: &Connection, table: &str) -> rusqlite::Result<String> {
    let mut query = database.prepare(&format!("SELECT * FROM \"{table}\" LIMIT {ROWS}"))?;
    let columns: Vec<String> = query.column_names().map(str::to_owned).collect();
    let mut rows = query.query([])?;
    let mut text = String::new();
    while let Some(row) = rows.next()? {
        text.push('\n');
        for (place, column) in columns.iter().enumerate() {
            let value = value(column, row.get_ref(place)?);
            text.extend([column, ": ", &*value, "\n"]);
        }
    }
    Ok(text)
}

fn value(column: &str, value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "null".to_owned(),
        ValueRef::Integer(_) if column == "day" => "{day}".to_owned(),
        ValueRef::Integer(_) if ["checksum", "nonce"].contains(&column) => "{number}".to_owned(),
        // times; a place is large, too
        ValueRef::Integer(number) if number.unsigned_abs() > 100_000_000 && column != "place" => {
            "{number}".to_owned()
        }
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        // keys and marks are of chance, and so is their length
        ValueRef::Blob(_) => "{blob}".to_owned(),
    }
}

//! Damages a store from outside, to see what its users are told. It mends nothing.

use std::path::Path;
use std::time::Duration;

/// Takes a store's tables away from under it.
///
/// # Panics
/// When the file is no store.
pub fn drop_tables(file: &Path) {
    let store = opened(file);
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    let mut tables = store.prepare(sql).expect("a statement");
    let names = tables
        .query_map([], |row| row.get::<_, String>(0))
        .expect("tables");
    for name in names.collect::<Result<Vec<_>, _>>().expect("names") {
        store
            .execute_batch(&format!("DROP TABLE {name}"))
            .expect("dropped");
    }
}

/// Changes one row of a store behind its back.
///
/// # Panics
/// When it is not one, or the file is no store.
pub fn change_row(file: &Path, statement: &str) {
    let store = opened(file);
    let changed = store.execute(statement, []).expect("a statement");
    assert_eq!(changed, 1, "{statement}");
}

/// Lets nobody else write to a database of a store until what is given is dropped; it can be read as before.
///
/// # Panics
/// When the file is none, or someone else writes to it for long.
pub fn held(file: &Path) -> rusqlite::Connection {
    let store = opened(file);
    store.execute_batch("BEGIN IMMEDIATE").expect("the lock");
    store
}

pub(crate) fn opened(file: &Path) -> rusqlite::Connection {
    let store = rusqlite::Connection::open(file).expect("the store's file");
    store
        .busy_timeout(Duration::from_secs(20))
        .expect("a limit");
    store
}

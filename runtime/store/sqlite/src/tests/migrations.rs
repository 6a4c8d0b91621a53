//! A migration of a later version, made up here: it keeps what the store has, is counted, and is undone when it fails.

use super::{create, wait};
use crate::SqliteStore;
use crate::open::{MIGRATIONS, existing, migrate_by};
use rusqlite::Connection;
use std::path::Path;
use store::StoreError;
use store::records::Records as _;

/// Two statements, the second of which reads what the store has.
const LATER: &str = "ALTER TABLE records ADD COLUMN made_up INTEGER;
   UPDATE records SET made_up = version + 40;";

/// The database of a folder with one record, which nobody has open.
fn store_with_a_record(folder: &Path) -> Connection {
    let store = SqliteStore::open(folder).unwrap();
    wait(store.write(create("first", 10))).unwrap();
    drop(store);
    Connection::open(folder.join("fieldstone.db")).unwrap()
}

fn number(connection: &Connection, sql: &str) -> i64 {
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

#[test]
fn a_later_migration_keeps_the_data_is_counted_once_and_bars_older_programs() {
    let folder = tempfile::tempdir().unwrap();
    let database = store_with_a_record(folder.path());
    let migrations = [MIGRATIONS, &[LATER]].concat();
    for _ in 0..2 {
        migrate_by(&database, &migrations).unwrap();
        assert_eq!(number(&database, "PRAGMA user_version"), 2);
        assert_eq!(number(&database, "SELECT made_up FROM records"), 40);
    }
    drop(database);
    let opened = existing(folder.path()).map_err(StoreError::from);
    assert!(matches!(
        opened.map(drop),
        Err(StoreError::Newer { found: 2, known: 1 })
    ));
}

#[test]
fn a_migration_that_fails_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let database = store_with_a_record(folder.path());
    let failing = format!("{LATER} INSERT INTO records (place) VALUES (1);");
    let migrations = [MIGRATIONS, &[failing.as_str()]].concat();
    migrate_by(&database, &migrations).unwrap_err();
    assert!(database.is_autocommit());
    assert_eq!(number(&database, "PRAGMA user_version"), 1);
    let columns = "SELECT count(*) FROM pragma_table_info('records') WHERE name = 'made_up'";
    assert_eq!(number(&database, columns), 0);
    drop(database);
    let found = SqliteStore::check_folder(folder.path()).unwrap();
    assert_eq!(found, Vec::<String>::new());
    // and the same list without the fault goes on from there
    let database = Connection::open(folder.path().join("fieldstone.db")).unwrap();
    migrate_by(&database, &[MIGRATIONS, &[LATER]].concat()).unwrap();
    assert_eq!(number(&database, "SELECT made_up FROM records"), 40);
}

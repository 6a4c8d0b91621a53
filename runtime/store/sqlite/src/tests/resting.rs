//! Readers that nobody uses let go of what they saw, so that the write-ahead log begins anew instead of growing
//! for as long as they are idle.

use super::super::{SqliteOptions, SqliteStore};
use super::{create, wait};
use crate::error::Failure;
use rusqlite::Connection;
use std::time::Duration;
use store::StoreError;
use store::records::Records;

/// How long the log gets, in bytes, when connections saw the store early and were idle since, while it is written
/// and read through another.
fn log_after_many_commits(readers_rest: Duration) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open_prepared(
        folder.path(),
        SqliteOptions::default(),
        readers_rest,
        |connection| connection.query_row("PRAGMA wal_autocheckpoint = 20", [], |_| Ok(())),
    );
    let store = store.unwrap();
    wait(store.write(create("first", 10))).unwrap();
    let look = |connection: &Connection| -> Result<i64, Failure> {
        Ok(connection.query_row("SELECT count(*) FROM records", [], |row| row.get(0))?)
    };
    // two at once, so that there are two
    let both = store.readers.with(|one| {
        let other = store.readers.with(look)?;
        Ok([look(one)?, other])
    });
    assert_eq!(both.unwrap(), [1, 1]);
    for n in 0..200 {
        let key = n.to_string();
        wait(store.write(create(&key, 2000))).unwrap();
        assert!(wait(store.by_key(1, &key)).unwrap().is_some());
    }
    let log = folder.path().join("fieldstone.db-wal");
    std::fs::metadata(log).unwrap().len()
}

#[test]
fn the_log_begins_anew_because_idle_readers_let_go() {
    let resting = log_after_many_commits(Duration::ZERO);
    let clinging = log_after_many_commits(Duration::MAX);
    assert!(
        resting < 100 * 4096 && clinging > 10 * resting,
        "{resting} bytes with rest, {clinging} without"
    );
}

#[test]
fn a_reader_that_rested_sees_what_was_committed_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path()).unwrap();
    wait(store.write(create("first", 10))).unwrap();
    assert!(wait(store.by_key(1, "first")).unwrap().is_some());
    for key in ["second", "third"] {
        store.readers.rest();
        assert!(wait(store.by_key(1, key)).unwrap().is_none());
        store.readers.rest();
        wait(store.write(create(key, 10))).unwrap();
        assert!(wait(store.by_key(1, key)).unwrap().is_some());
    }
}

#[test]
fn no_reader_opens_a_file_that_took_the_place_of_the_store() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path()).unwrap();
    wait(store.write(create("first", 10))).unwrap();
    let file = folder.path().join("fieldstone.db");
    let aside = folder.path().join("aside");
    std::fs::rename(&file, &aside).unwrap();
    std::fs::copy(&aside, &file).unwrap();
    // the connections that are there see what they saw; when all are taken, one more is to be opened
    let look = |connection: &Connection| -> Result<i64, Failure> {
        Ok(connection.query_row("SELECT count(*) FROM records", [], |row| row.get(0))?)
    };
    let with = |read: &dyn Fn() -> Result<i64, Failure>| {
        store.readers.with(|one| look(one).and_then(|_| read()))
    };
    let within = with(&|| with(&|| with(&|| store.readers.with(look))));
    assert_eq!(within.unwrap(), 1);
    let beyond = with(&|| with(&|| with(&|| with(&|| store.readers.with(look)))));
    assert!(
        matches!(beyond, Err(Failure::Store(StoreError::Replaced(_)))),
        "{beyond:?}"
    );
}

#[test]
fn a_store_that_nobody_writes_has_all_in_its_database() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path()).unwrap();
    wait(store.write(create("first", 10))).unwrap();
    assert!(wait(store.by_key(1, "first")).unwrap().is_some());
    let copy = tempfile::tempdir().unwrap();
    let name = "fieldstone.db";
    let began = std::time::Instant::now();
    // the database alone, without its log
    loop {
        std::fs::copy(folder.path().join(name), copy.path().join(name)).unwrap();
        // the store itself would tell that its log is not there
        let alone = Connection::open(copy.path().join(name)).unwrap();
        let count = alone.query_row("SELECT count(*) FROM records", [], |row| row.get(0));
        if count == Ok(1) {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "it never is");
        std::thread::sleep(Duration::from_millis(200));
    }
}

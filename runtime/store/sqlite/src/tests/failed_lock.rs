//! A lock that can't be had: who waits is told once it is known, and the next ones are served.

use super::super::{READERS_REST, SqliteOptions, SqliteStore};
use super::{create, wait};
use rusqlite::Connection;
use std::time::{Duration, Instant};
use store::StoreError;
use store::records::Records;

/// How long the writer waits for a lock.
const LOCK_WAIT: Duration = Duration::from_millis(300);

#[test]
fn writes_that_wait_for_a_lock_fail_together_and_later_ones_work() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open_prepared(
        folder.path(),
        SqliteOptions::default(),
        READERS_REST,
        |connection| connection.busy_timeout(LOCK_WAIT),
    );
    let store = store.unwrap();
    wait(store.write(create("first", 10))).unwrap();
    let other = Connection::open(folder.path().join("fieldstone.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let began = Instant::now();
    let waiting: Vec<_> = (0..100)
        .map(|n| store.write(create(&n.to_string(), 10)))
        .collect();
    for answer in waiting {
        let answer = wait(answer);
        assert!(matches!(answer, Err(StoreError::Locked(_))), "{answer:?}");
    }
    let taken = began.elapsed();
    assert!(taken < 20 * LOCK_WAIT, "{taken:?}: not one after the other");
    assert!(wait(store.by_key(1, "first")).unwrap().is_some());
    other.execute_batch("ROLLBACK").unwrap();
    wait(store.write(create("later", 10))).unwrap();
    assert!(wait(store.by_key(1, "later")).unwrap().is_some());
}

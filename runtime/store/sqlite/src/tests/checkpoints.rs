//! The write-ahead log is brought into the database beside the writer, also while it is never idle.

use super::super::{SqliteOptions, SqliteStore};
use super::{create, wait};
use std::time::Duration;
use store::records::Records;

#[test]
fn the_log_begins_anew_while_someone_writes_all_the_time() {
    let folder = tempfile::tempdir().unwrap();
    let options = SqliteOptions {
        checkpoint_pages: 100,
        ..SqliteOptions::default()
    };
    // the writer never brings over more than it is left with
    let store = SqliteStore::open_prepared(folder.path(), options, Duration::ZERO, |connection| {
        connection.pragma_update(None, "wal_autocheckpoint", 0)
    });
    let store = store.unwrap();
    let log = folder.path().join("fieldstone.db-wal");
    let (mut written, mut longest, mut before) = (0u64, 0, 0);
    // until what was written would make a log three times as long as any was
    while written < 3 * longest || written < 16 << 20 {
        let batch: Vec<_> = (0..50)
            .map(|n| store.write(create(&format!("{before} {n}"), 4000)))
            .collect();
        for answer in batch {
            wait(answer).unwrap();
        }
        before += 1;
        written += 50 * 4000;
        longest = longest.max(std::fs::metadata(&log).unwrap().len());
        assert!(before < 600, "{longest} bytes of {written}");
    }
    assert!(SqliteStore::check_folder(folder.path()).unwrap().is_empty());
}

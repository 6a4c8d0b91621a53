//! Who reads much reads in short transactions, so that the write-ahead log begins anew beside it.

use super::super::give_way::GiveWay;
use super::super::{SqliteOptions, SqliteStore, check, open};
use super::{create, wait};
use crate::access::ReadAccess;
use std::path::Path;
use std::time::Duration;
use store::records::{PageLimit, Records, Shelf};

const RECORDS: usize = 1000;
/// How long the log gets without a long reader, in bytes.
const LOG_MAX: u32 = 200_000;

/// A store with records, whose log is brought into the database early and whose idle readers let go at once.
fn filled(folder: &Path) -> SqliteStore {
    let store = SqliteStore::open_prepared(
        folder,
        SqliteOptions::default(),
        Duration::ZERO,
        |connection| {
            let settings = [("wal_autocheckpoint", 20), ("journal_size_limit", LOG_MAX)];
            let mut settings = settings.into_iter();
            settings.try_for_each(|(name, value)| connection.pragma_update(None, name, value))
        },
    );
    let store = store.unwrap();
    let written: Vec<_> = (0..RECORDS)
        .map(|n| store.write(create(&format!("first {n}"), 10)))
        .collect();
    for answer in written {
        wait(answer).unwrap();
    }
    store
}

fn log_bytes(folder: &Path) -> u64 {
    let log = folder.join("fieldstone.db-wal");
    std::fs::metadata(log).unwrap().len()
}

/// How long the log gets while a check reads every row and another writes.
fn log_beside_a_check(rows_at_a_time: i64) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(folder.path());
    let file = folder.path().join("fieldstone.db");
    let check = std::thread::spawn(move || {
        let connection = open::reader_connection(&file, ReadAccess::Shared).unwrap();
        let way = GiveWay::to_log_of(LOG_MAX.into());
        let mut seen = 0;
        let read = |_: &rusqlite::Row<'_>| {
            seen += 1;
            if seen <= RECORDS {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(())
        };
        let rows = (check::RECORDS, rows_at_a_time, &way);
        check::rotten(&connection, rows, read, &mut Vec::new()).unwrap();
        seen
    });
    let (mut written, mut long) = (0, 0);
    while !check.is_finished() && written < 100_000 {
        wait(store.write(create(&written.to_string(), 4000))).unwrap();
        written += 1;
        long = long.max(log_bytes(folder.path()));
    }
    assert!(check.join().unwrap() >= RECORDS);
    long
}

#[test]
fn the_log_begins_anew_beside_a_check_that_reads_every_row() {
    let short = log_beside_a_check(20);
    let long = log_beside_a_check(i64::MAX);
    assert!(short < long / 3, "{short} bytes, and {long} in one go");
}

#[test]
fn the_log_begins_anew_beside_walks_through_pages_and_the_change_log() {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(folder.path());
    let limit = PageLimit {
        records: 20,
        bytes: usize::MAX,
    };
    let (mut after, mut number, mut long) = (0, 0, 0);
    // as an index that is made anew, or a client that reads all pages, beside one that writes
    for n in 0..400 {
        let page = wait(store.page(1, Shelf::Live, after, limit)).unwrap();
        after = page.behind.map_or(0, |next| next - 1);
        let entries = wait(store.log(number, limit)).unwrap();
        number = entries.last().map_or(0, |entry| entry.number);
        wait(store.write(create(&n.to_string(), 4000))).unwrap();
        long = long.max(log_bytes(folder.path()));
    }
    // what 400 commits write is several times as much
    assert!(long < 1_000_000, "{long} bytes");
}

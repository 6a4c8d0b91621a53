//! A database whose write-ahead log is missing or another's: it is told, and never passes for a whole one. Copies are
//! made by another process, as an operator's are: to close a file gives up the locks that its process has on it.

use super::{dataset, open, until_log_is_over};
use crate::engines::{folder, wait};
use crate::test_dataset::TestDataset;
use runtime::store::sqlite::{SqliteOptions, SqliteStore};
use runtime::store::{Records, StoreError};
use std::ops::Range;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tempfile::TempDir;
use tests::ends::Ends;
use tests::seeded_rng::SeededRng;

const DATABASE: &str = "fieldstone.db";
const LOG: &str = "fieldstone.db-wal";

/// A log that begins anew every few commits.
const SHORT_LOG: SqliteOptions = SqliteOptions {
    record_cache_bytes: 0,
    create: false,
    access: runtime::store::sqlite::Access::Write,
    without_log: false,
    checkpoint_pages: 20,
    gathers: true,
};

fn copy(from: &Path, to: &Path, name: &str) {
    let copied = Command::new("cp")
        .arg(from.join(name))
        .arg(to.join(name))
        .status();
    assert!(copied.expect("cp runs").success());
}

/// A copy of files of a folder, in this order.
fn copy_of(from: &Path, names: &[&str]) -> TempDir {
    let to = folder();
    for name in names {
        copy(from, to.path(), name);
    }
    to
}

/// Writes records until a log begins anew.
fn until_a_new_log(folder: &Path, store: &TestDataset, names: &str) {
    let salts = || std::fs::read(folder.join(LOG)).expect("the log")[16..24].to_vec();
    let before = salts();
    for number in 0..100_000 {
        store.create(&format!("{names}{number}"));
        if salts() != before {
            return;
        }
    }
    panic!("the log does not begin anew");
}

fn short(folder: &Path) -> TestDataset {
    let store = SqliteStore::open_with(folder, SHORT_LOG).expect("the store opens");
    TestDataset::new(Arc::new(store), 1)
}

fn is_refused(folder: &Path, words: &str) {
    let found = SqliteStore::check_folder(folder).expect("checked");
    assert!(
        found.iter().any(|found| found.contains(words)),
        "{found:?} lacks {words}"
    );
    match SqliteStore::open(folder) {
        Err(error @ StoreError::LogLost { .. }) => {
            let text = error.to_string();
            assert!(
                text.contains(words) && text.contains("--without-log"),
                "{text}"
            );
        }
        other => panic!("{other:?}"),
    }
    let read = SqliteOptions {
        access: runtime::store::sqlite::Access::Read,
        ..SqliteOptions::default()
    };
    let read = SqliteStore::open_with(folder, read);
    assert!(matches!(read, Err(StoreError::LogLost { .. })), "{read:?}");
}

fn is_whole(folder: &Path, records: u64) {
    let found = SqliteStore::check_folder(folder).expect("checked");
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(dataset(folder).counts().0, records);
}

#[test]
fn a_database_that_was_copied_without_its_log_while_it_was_in_use_is_told() {
    let folder = folder();
    let store = dataset(folder.path());
    store.create("A");
    let copied = copy_of(folder.path(), &[DATABASE]);
    is_refused(copied.path(), "is not there");
    // also once all of the log is in the database: nobody can know that
    until_log_is_over(folder.path(), false);
    is_refused(copy_of(folder.path(), &[DATABASE]).path(), "is not there");
    is_whole(copy_of(folder.path(), &[DATABASE, LOG]).path(), 1);
    drop(store);
    is_whole(copy_of(folder.path(), &[DATABASE]).path(), 1);
    let again = dataset(folder.path());
    assert_eq!(again.counts(), (1, 0));
    is_whole(copy_of(folder.path(), &[DATABASE]).path(), 1);
    again.create("B");
    is_refused(copy_of(folder.path(), &[DATABASE]).path(), "is not there");
}

#[test]
fn the_loss_can_be_accepted_and_is_over_then() {
    let folder = folder();
    let store = dataset(folder.path());
    store.create("A");
    let copied = copy_of(folder.path(), &[DATABASE]);
    let without_log = SqliteOptions {
        without_log: true,
        ..SqliteOptions::default()
    };
    let opened = SqliteStore::open_with(copied.path(), without_log).expect("opened");
    let opened = TestDataset::new(Arc::new(opened), 1);
    let before = opened.counts().0;
    opened.create("B");
    let both = copy_of(copied.path(), &[DATABASE, LOG]);
    is_whole(both.path(), before + 1);
    drop(opened);
    is_whole(copied.path(), before + 1);
}

#[test]
fn a_log_of_an_earlier_moment_is_told_and_put_aside_by_who_accepts_the_loss() {
    let folder = folder();
    let store = short(folder.path());
    store.create("A");
    let copied = copy_of(folder.path(), &[LOG]);
    until_a_new_log(folder.path(), &store, "a");
    until_a_new_log(folder.path(), &store, "b");
    copy(folder.path(), copied.path(), DATABASE);
    is_refused(copied.path(), "another moment");
    let without_log = SqliteOptions {
        without_log: true,
        ..SqliteOptions::default()
    };
    let opened = SqliteStore::open_with(copied.path(), without_log).expect("opened");
    assert!(wait(opened.counts(1)).records > 1);
    assert_eq!(wait(opened.check()), Vec::<String>::new());
    assert!(copied.path().join("fieldstone.db-wal.aside").exists());
}

#[test]
fn a_log_of_a_later_moment_is_told() {
    let folder = folder();
    let store = short(folder.path());
    store.create("A");
    let copied = copy_of(folder.path(), &[DATABASE]);
    until_a_new_log(folder.path(), &store, "a");
    copy(folder.path(), copied.path(), LOG);
    // all before that log is in the database: it goes on
    let whole = copy_of(copied.path(), &[DATABASE, LOG]);
    is_whole(whole.path(), store.counts().0);
    until_a_new_log(folder.path(), &store, "b");
    copy(folder.path(), copied.path(), LOG);
    is_refused(copied.path(), "another moment");
    // of another store
    let other = crate::engines::folder();
    let others = short(other.path());
    others.create("A");
    for turn in ["a", "b", "c"] {
        until_a_new_log(other.path(), &others, turn);
    }
    drop(store);
    copy(other.path(), folder.path(), LOG);
    is_refused(folder.path(), "another moment");
}

/// The number of the page that marks stand on, and the bytes of pages.
fn page_of_marks(database: &Path) -> (usize, usize) {
    let file = rusqlite::Connection::open(database).expect("the copy");
    let read = |sql: &str| -> usize {
        let number: i64 = file.query_row(sql, [], |row| row.get(0)).expect("a number");
        usize::try_from(number).expect("a number")
    };
    let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'commit_mark'";
    (read(root), read("PRAGMA page_size"))
}

/// A database as it was, but for the page of the marks, which is a later one's.
fn torn(as_it_was: &Path, later: &Path) -> TempDir {
    let spare = copy_of(later, &[DATABASE]);
    let (page, bytes) = page_of_marks(&spare.path().join(DATABASE));
    let own = (page - 1) * bytes..page * bytes;
    let torn = copy_of(as_it_was, &[DATABASE]);
    let mut content = std::fs::read(as_it_was.join(DATABASE)).expect("the copy");
    let whole = std::fs::read(later.join(DATABASE)).expect("the copy");
    content[own.clone()].copy_from_slice(&whole[own]);
    std::fs::write(torn.path().join(DATABASE), content).expect("written");
    torn
}

/// A store of some records, and its database before others of which the log is to come over.
fn before_a_log() -> (TempDir, TestDataset, TempDir) {
    let folder = folder();
    let store = dataset(folder.path());
    for number in 0..30 {
        store.create(&format!("before {number}"));
    }
    until_log_is_over(folder.path(), false);
    let as_it_was = copy_of(folder.path(), &[DATABASE]);
    for number in 0..10 {
        store.create(&format!("lost {number}"));
    }
    (folder, store, as_it_was)
}

/// Writes until the log is another one.
fn until_the_next_log(folder: &Path, store: &TestDataset) {
    let salts = || std::fs::read(folder.join(LOG)).expect("the log")[16..24].to_vec();
    let before = salts();
    for number in 0..5 {
        store.create(&format!("after {number}"));
        if salts() != before {
            return;
        }
        until_log_is_over(folder, false);
    }
    panic!("the log does not begin anew");
}

#[test]
fn a_database_that_was_read_while_the_log_came_into_it_is_told_beside_the_next_log() {
    let (folder, store, as_it_was) = before_a_log();
    // who reads what there is now holds fast the moment in which all of it came over, and no more
    let reader = rusqlite::Connection::open(folder.path().join(DATABASE)).expect("opened");
    reader.execute_batch("BEGIN").expect("begun");
    let count = "SELECT count(*) FROM records";
    let _: i64 = reader.query_row(count, [], |row| row.get(0)).expect("read");
    until_log_is_over(folder.path(), true);
    let meanwhile = copy_of(folder.path(), &[DATABASE]);
    reader.execute_batch("COMMIT").expect("ended");
    until_the_next_log(folder.path(), &store);
    let torn = torn(as_it_was.path(), meanwhile.path());
    copy(folder.path(), torn.path(), LOG);
    is_refused(torn.path(), "another moment");
    is_whole(
        copy_of(folder.path(), &[DATABASE, LOG]).path(),
        store.counts().0,
    );
}

#[test]
fn a_database_whose_first_page_is_older_than_the_log_before_is_told() {
    let (folder, store, as_it_was) = before_a_log();
    until_log_is_over(folder.path(), false);
    // all of it is over now: only a page that was read before can be wrong
    let all_over = copy_of(folder.path(), &[DATABASE]);
    until_the_next_log(folder.path(), &store);
    let torn = torn(as_it_was.path(), all_over.path());
    copy(folder.path(), torn.path(), LOG);
    is_refused(torn.path(), "was read while");
    copy(folder.path(), all_over.path(), LOG);
    is_whole(all_over.path(), store.counts().0);
}

#[test]
fn a_database_that_was_read_while_the_store_was_closed_is_told() {
    let (folder, store, as_it_was) = before_a_log();
    let records = store.counts().0;
    drop(store);
    let torn = torn(as_it_was.path(), folder.path());
    is_refused(torn.path(), "was read while");
    is_whole(folder.path(), records);
}

#[test]
fn a_log_that_was_read_while_the_next_one_was_written_over_it_is_told() {
    const FIRST_FRAMES: usize = 32 + 3 * (24 + 4096);
    let folder = folder();
    let store = short(folder.path());
    until_a_new_log(folder.path(), &store, "a");
    store.create("acknowledged");
    let copied = copy_of(folder.path(), &[DATABASE, LOG]);
    until_a_new_log(folder.path(), &store, "b");
    store.create("newer");
    store.create("newer still");
    let mut log = std::fs::read(copied.path().join(LOG)).expect("the log");
    let next = std::fs::read(folder.path().join(LOG)).expect("the log");
    let end = log.len().min(next.len());
    log[FIRST_FRAMES..end].copy_from_slice(&next[FIRST_FRAMES..end]);
    std::fs::write(copied.path().join(LOG), log).expect("written");
    is_refused(copied.path(), "was written over it");
}

#[test]
fn a_log_that_only_begins_is_told_beside_a_database_of_before() {
    const HEADER: usize = 32;
    let folder = folder();
    let store = short(folder.path());
    store.create("before");
    let early = copy_of(folder.path(), &[DATABASE]);
    until_a_new_log(folder.path(), &store, "next");
    until_a_new_log(folder.path(), &store, "lost");
    let records = store.counts().0;
    let whole = copy_of(folder.path(), &[DATABASE, LOG]);
    is_whole(whole.path(), records);
    let log = std::fs::read(folder.path().join(LOG)).expect("the log");
    std::fs::write(early.path().join(LOG), &log[..HEADER]).expect("written");
    is_refused(early.path(), "another moment");
}

#[test]
fn a_store_that_was_closed_goes_on_beside_a_log_that_another_program_began_since() {
    const HEADER: usize = 32;
    let folder = folder();
    let store = dataset(folder.path());
    store.create("A");
    let other = rusqlite::Connection::open(folder.path().join(DATABASE)).expect("opened");
    let own = "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)";
    other.execute_batch(own).expect("its table");
    drop(store);
    // what it wrote is over, and it began another log
    let turns = "INSERT INTO _litestream_seq (seq) VALUES (1); PRAGMA wal_checkpoint(PASSIVE);
       UPDATE _litestream_seq SET seq = 2";
    other.execute_batch(turns).expect("written");
    let both = copy_of(folder.path(), &[DATABASE, LOG]);
    // one that only begins may be of any moment
    let begun = copy_of(folder.path(), &[DATABASE]);
    let log = std::fs::read(both.path().join(LOG)).expect("the log");
    assert!(log.len() > HEADER);
    std::fs::write(begun.path().join(LOG), &log[..HEADER]).expect("written");
    is_refused(begun.path(), "another moment");
    is_whole(both.path(), 1);
}

#[test]
fn a_file_that_is_no_log_is_told_in_place_of_one() {
    let folder = folder();
    let store = dataset(folder.path());
    store.create("A");
    let copied = copy_of(folder.path(), &[DATABASE]);
    std::fs::write(copied.path().join(LOG), "no log").expect("written");
    is_refused(copied.path(), "no write-ahead log");
}

/// Turns one bit at thirty places of the log, each in a copy of its own: it is refused, or all is there.
fn is_never_an_older_state(folder: &Path, records: u64, flipped: Range<usize>) {
    let mut rng = SeededRng(27);
    let mut refused = 0;
    for _ in 0..30 {
        let copied = copy_of(folder, &[DATABASE, LOG]);
        let mut log = std::fs::read(copied.path().join(LOG)).expect("the log");
        let place = flipped.start + rng.below(flipped.len());
        log[place] ^= 1 << rng.below(8);
        std::fs::write(copied.path().join(LOG), log).expect("written");
        match SqliteStore::open(copied.path()) {
            Err(StoreError::LogLost { .. }) => refused += 1,
            opened => {
                let opened = TestDataset::new(Arc::new(opened.expect("opened")), 1);
                assert_eq!(opened.counts().0, records, "a bit of byte {place}");
            }
        }
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn a_damaged_log_under_load_is_refused() {
    let folder = folder();
    let store = dataset(folder.path());
    let mut last_two = Vec::new();
    for number in 0..200 {
        last_two.push(
            std::fs::metadata(folder.path().join(LOG))
                .expect("the log")
                .len(),
        );
        store.create(&number.to_string());
    }
    let whole = usize::try_from(last_two[198]).expect("a length");
    is_never_an_older_state(folder.path(), 200, 0..whole);
}

#[test]
fn a_damaged_log_after_quiet_is_refused() {
    let folder = folder();
    let store = dataset(folder.path());
    for number in 0..200 {
        store.create(&number.to_string());
    }
    until_log_is_over(folder.path(), false);
    let log = std::fs::metadata(folder.path().join(LOG)).expect("the log");
    let log = usize::try_from(log.len()).expect("a length");
    is_never_an_older_state(folder.path(), 200, 0..log);
}

#[test]
fn a_copy_of_both_files_under_load_has_all_that_was_acknowledged_when_it_began_or_is_told() {
    let folder = folder();
    // the log does not begin anew meanwhile: a copy that was torn by that, and has the log from before, is not always told
    let store = dataset(folder.path());
    copies_are_whole_or_told(folder.path(), store, &[[DATABASE, LOG], [LOG, DATABASE]]);
}

#[test]
fn a_copy_of_the_database_and_then_its_log_is_whole_or_told_while_logs_begin_anew() {
    let folder = folder();
    let store = short(folder.path());
    copies_are_whole_or_told(folder.path(), store, &[[DATABASE, LOG]]);
}

/// Copies both files again and again, in these orders in turn, while someone writes.
fn copies_are_whole_or_told(folder: &Path, store: TestDataset, orders: &[[&str; 2]]) {
    let (acknowledged, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
    let copies: Vec<(u64, TempDir)> = std::thread::scope(|threads| {
        let _ends = Ends(&is_over);
        threads.spawn(|| {
            for number in 0.. {
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                store.create(&number.to_string());
                acknowledged.store(number + 1, Ordering::Release);
            }
        });
        let copies = (0..20).map(|turn| {
            let before = acknowledged.load(Ordering::Acquire);
            let order = orders[turn % orders.len()];
            (before, copy_of(folder, &order))
        });
        copies.collect()
    });
    for (before, copied) in copies {
        let found = SqliteStore::check_folder(copied.path());
        if matches!(&found, Ok(found) if found.is_empty()) {
            let has = dataset(copied.path()).counts().0;
            assert!(has >= before, "{has} of {before} records");
        }
    }
    drop(store);
    drop(open(folder));
}

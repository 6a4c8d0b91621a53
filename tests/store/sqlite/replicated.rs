//! Beside a program that copies the log as it grows, as litestream does: it has tables of its own in the database, reads for
//! long so that the log stays, and brings it over itself. The store goes on, nothing is lost, and its check has nothing to
//! say about it.

use super::dataset;
use crate::engines::{folder, wait};
use runtime::store::sqlite::SqliteStore;
use rusqlite::Connection;
use std::path::Path;
use std::process::Command;

const TABLES: &str = "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
   CREATE TABLE _litestream_lock (id INTEGER);";
const TURN: &str = "INSERT INTO _litestream_seq (id, seq) VALUES (1, 1)
   ON CONFLICT (id) DO UPDATE SET seq = seq + 1";

fn connection(folder: &Path) -> Connection {
    let connection = Connection::open(folder.join("fieldstone.db")).expect("opened");
    let patient = connection.busy_timeout(std::time::Duration::from_secs(5));
    patient.expect("set");
    let own = connection.pragma_update(None, "wal_autocheckpoint", 0);
    own.expect("set");
    connection
}

fn bring_over(connection: &Connection, mode: &str) {
    let sql = format!("PRAGMA wal_checkpoint({mode})");
    let brought = connection.query_row(&sql, [], |_| Ok(()));
    brought.expect("brought over");
}

#[test]
fn a_store_goes_on_beside_a_program_that_copies_its_log_and_brings_it_over() {
    let folder = folder();
    let store = dataset(folder.path());
    store.create("first");
    let (writer, reader) = (connection(folder.path()), connection(folder.path()));
    writer.execute_batch(TABLES).expect("its tables");
    for turn in 0..12 {
        reader.execute_batch("BEGIN").expect("begun");
        let seq = "SELECT count(*) FROM _litestream_seq";
        let _: i64 = reader.query_row(seq, [], |row| row.get(0)).expect("read");
        for number in 0..20 {
            store.create(&format!("{turn} {number}"));
        }
        if turn % 4 == 1 {
            // long enough for the store to try to end the log
            std::thread::sleep(std::time::Duration::from_millis(1300));
        }
        reader.execute_batch("ROLLBACK").expect("ended");
        bring_over(&writer, ["PASSIVE", "RESTART", "TRUNCATE"][turn % 3]);
        writer.execute(TURN, []).expect("written");
    }
    let records = store.counts().0;
    assert_eq!(records, 241);
    assert_eq!(wait(store.store.check()), Vec::<String>::new());
    drop((writer, reader, store));
    let found = SqliteStore::check_folder(folder.path()).expect("checked");
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(dataset(folder.path()).counts().0, records);
}

#[test]
fn a_database_in_use_whose_log_another_program_began_is_told_with_what_began_it() {
    let folder = folder();
    let store = dataset(folder.path());
    store.create("first");
    let writer = connection(folder.path());
    writer.execute_batch(TABLES).expect("its tables");
    // a second behind a write the store writes to the new log, too
    let is_told = (0..5).any(|turn| {
        store.create(&turn.to_string());
        bring_over(&writer, "PASSIVE");
        writer.execute(TURN, []).expect("written");
        let copied = crate::engines::folder();
        let both = ["fieldstone.db", "fieldstone.db-wal"].map(|name| folder.path().join(name));
        // by another process: to close a file gives up the locks that its process has on it
        let mut copy = Command::new("cp");
        let copy = copy.args(both).arg(copied.path()).status();
        assert!(copy.expect("cp runs").success());
        let found = SqliteStore::check_folder(copied.path()).expect("checked");
        found
            .iter()
            .any(|found| found.contains("begun by another program"))
    });
    assert!(is_told);
}

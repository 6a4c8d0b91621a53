//! A page costs what its records cost, however many deleted ones lie between: measured by the steps that SQLite
//! takes, not by a clock. And a store from before there were gaps gets those that it has.

use super::super::{check, gaps, open, pages};
use super::{applied, create, empty, write};
use rusqlite::{Connection, StatementStatus};
use std::ops::RangeInclusive;
use store::records::{Change, PageLimit, RecordId, RecordPlace, RecordsPage, Write};

fn id(sequence: u64) -> RecordId {
    let dataset = 1;
    RecordId {
        place: RecordPlace { dataset, sequence },
        nonce: 7,
    }
}

fn apply(connection: &Connection, write: &Write) {
    applied(connection, write);
}

/// A store with so many records.
fn filled(count: u64) -> Connection {
    let connection = empty();
    for n in 1..=count {
        apply(&connection, &create(&n.to_string(), 10));
    }
    connection
}

fn delete(connection: &Connection, sequences: RangeInclusive<u64>) {
    for sequence in sequences {
        let (id, version) = (id(sequence), 0);
        apply(connection, &write(Change::Delete { id, version }));
    }
}

/// The gaps, as sequences.
fn noted(connection: &Connection) -> Vec<(u64, u64)> {
    let mut statement = connection.prepare("SELECT first, last FROM gaps").unwrap();
    let sequence = |place| RecordPlace::of_number(place).sequence;
    let rows = statement.query_map([], |row| Ok((sequence(row.get(0)?), sequence(row.get(1)?))));
    rows.unwrap().collect::<Result<_, _>>().unwrap()
}

fn first_page(connection: &Connection, records: usize) -> RecordsPage {
    let bytes = usize::MAX;
    let places = RecordPlace::numbers_behind(1, 0).unwrap();
    pages::live(connection, &places, PageLimit { records, bytes }).unwrap()
}

/// The sequences on the first page, and the steps that it took.
fn steps(connection: &Connection, records: usize) -> (Vec<u64>, i32) {
    let page = first_page(connection, records);
    let statement = connection.prepare_cached(pages::LIVE).unwrap();
    let steps = statement.reset_status(StatementStatus::VmStep);
    let sequences = page.records.iter().map(|record| record.id.place.sequence);
    (sequences.collect(), steps)
}

#[test]
fn a_page_jumps_over_deleted_records_however_many() {
    let mut taken = Vec::new();
    for deleted in [20, 4000] {
        let connection = filled(deleted + 6);
        delete(&connection, 3..=deleted + 2);
        let (found, steps) = steps(&connection, 4);
        assert_eq!(found, [1, 2, deleted + 3, deleted + 4]);
        taken.push(steps);
    }
    assert!(taken[0] > 0, "they are counted");
    assert_eq!(taken[0], taken[1]);
}

#[test]
fn a_dataset_of_deleted_records_alone_is_jumped_over() {
    let connection = filled(3000);
    delete(&connection, 1..=3000);
    let (found, steps) = steps(&connection, 100);
    assert!(found.is_empty());
    assert!(steps < 500, "{steps} steps");
}

#[test]
fn every_history_leaves_the_gaps_that_there_are() {
    let connection = filled(9);
    let restore = |sequence| {
        let id = id(sequence);
        apply(&connection, &write(Change::Restore { id }));
    };
    let expect = |gaps: &[(u64, u64)]| {
        assert_eq!(noted(&connection), gaps);
        assert_eq!(check::check(&connection).unwrap(), Vec::<String>::new());
    };
    expect(&[]);
    delete(&connection, 5..=5);
    expect(&[(5, 5)]);
    delete(&connection, 4..=4);
    delete(&connection, 6..=6);
    expect(&[(4, 6)]);
    delete(&connection, 1..=1);
    delete(&connection, 9..=9);
    delete(&connection, 2..=3);
    expect(&[(1, 6), (9, 9)]);
    let purged = write(Change::Purge { id: id(3) });
    apply(&connection, &purged);
    expect(&[(1, 6), (9, 9)]);
    restore(4);
    expect(&[(1, 3), (5, 6), (9, 9)]);
    restore(1);
    restore(6);
    restore(9);
    expect(&[(2, 3), (5, 5)]);
    restore(5);
    restore(2);
    expect(&[(3, 3)]);
}

#[test]
fn a_gap_that_is_lost_costs_time_and_no_record() {
    let connection = filled(100);
    delete(&connection, 11..=90);
    connection.execute("DELETE FROM gaps", []).unwrap();
    let place = id(50).place.number().unwrap();
    assert_eq!(gaps::last(&connection, place).unwrap(), place);
    assert_eq!(first_page(&connection, 100).records.len(), 20);
    let found = check::check(&connection).unwrap().join("\n");
    assert!(
        found.contains("a stretch without a live record is not noted as it is: missing"),
        "{found}"
    );
}

#[test]
fn a_store_from_before_there_were_gaps_gets_its_own() {
    let connection = filled(40);
    // another dataset, of which everything is deleted
    for sequence in 1..=3 {
        let there = |write: Write| Write {
            dataset: 2,
            ..write
        };
        apply(&connection, &there(create(&sequence.to_string(), 10)));
        let mut id = id(sequence);
        id.place.dataset = 2;
        let version = 0;
        apply(&connection, &there(write(Change::Delete { id, version })));
    }
    delete(&connection, 1..=4);
    delete(&connection, 20..=30);
    delete(&connection, 40..=40);
    let purged = write(Change::Purge { id: id(25) });
    apply(&connection, &purged);
    let meant = noted(&connection);
    assert_eq!(meant, [(1, 4), (20, 30), (40, 40), (1, 3)]);
    let as_before = "DROP INDEX audit_own_number; DROP INDEX audit_incidents; ALTER TABLE audit DROP COLUMN own_number;
       ALTER TABLE audit DROP COLUMN incident; CREATE INDEX audit_of_tenant ON audit (tenant, number);
       DROP TABLE commit_mark; DROP TABLE past_states;
       DROP TABLE IF EXISTS jobs; DROP TABLE IF EXISTS job_log; DROP TABLE deliveries; DROP TABLE dead_letters; DROP INDEX change_log_of_dataset; ALTER TABLE change_log DROP COLUMN errors;
       ALTER TABLE change_log DROP COLUMN hidden; ALTER TABLE dataset_state DROP COLUMN changes_lost;
       ALTER TABLE dataset_state DROP COLUMN purge_to_settle;
       ALTER TABLE records DROP COLUMN checksum; ALTER TABLE change_log DROP COLUMN checksum;
       DROP TABLE write_proof; DROP TABLE gaps; DROP TABLE catalog_version; DROP TABLE daily_counts;
       PRAGMA user_version = 2";
    connection.execute_batch(as_before).unwrap();
    open::migrate(&connection).unwrap();
    assert_eq!(noted(&connection), meant);
    assert_eq!(check::check(&connection).unwrap(), Vec::<String>::new());
}

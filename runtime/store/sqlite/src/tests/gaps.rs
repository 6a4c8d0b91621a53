//! A page costs what its records cost, however many deleted ones lie between: measured by the steps that SQLite
//! takes, not by a clock.

use super::super::{check, gaps, pages};
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

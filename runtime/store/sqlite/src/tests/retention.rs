//! What a step of retention costs the writer depends on what goes, not on what there is: measured by the steps that SQLite
//! takes.

use super::super::{past, retention};
use super::{applied, create, empty};
use rusqlite::{Connection, StatementStatus};
use wire::Timestamp;

/// A trail of one tenant with so many entries, a millisecond apart.
fn trail(count: i64) -> Connection {
    let connection = empty();
    let put = "INSERT INTO audit (tenant, entry, own_number) VALUES ('t', ?1, ?2)";
    for number in 1..=count {
        let entry = format!(r#"{{"at":"{}"}}"#, Timestamp::from_millis(number));
        connection.execute(put, (entry, number)).unwrap();
    }
    connection
}

#[test]
fn a_step_through_the_trail_looks_at_what_goes_and_no_more() {
    let mut taken = Vec::new();
    for count in [100, 3000] {
        let connection = trail(count);
        let believed = Timestamp::from_millis(count);
        let cut = |before| retention::cut_trail(&connection, (before, believed), 20).unwrap();
        assert_eq!(cut(believed), 20);
        let statement = connection.prepare_cached(retention::OLD_OF_TRAIL).unwrap();
        taken.push(statement.get_status(StatementStatus::VmStep));
        drop(statement);
        let left = "SELECT min(number) FROM audit";
        let left: i64 = connection.query_row(left, [], |row| row.get(0)).unwrap();
        assert_eq!(left, 21);
        // the young stay, and of the old the newest
        let young = Timestamp::from_millis(25);
        assert_eq!(cut(young), 4);
    }
    assert!(taken[0] > 0, "they are counted");
    assert_eq!(taken[0], taken[1]);
}

#[test]
fn a_step_through_the_log_looks_at_what_goes_and_no_more() {
    let mut taken = Vec::new();
    for count in [100, 3000] {
        let connection = empty();
        for number in 1..=count {
            applied(&connection, &create(&number.to_string(), 10));
        }
        past::note_lost(&connection, 0, 20).unwrap();
        let statement = connection.prepare_cached(past::NOTE_LOST).unwrap();
        taken.push(statement.get_status(StatementStatus::VmStep));
        let lost = "SELECT changes_lost FROM dataset_state WHERE dataset = 1";
        let lost: i64 = connection.query_row(lost, [], |row| row.get(0)).unwrap();
        assert_eq!(lost, 20);
    }
    assert!(taken[0] > 0, "they are counted");
    assert_eq!(taken[0], taken[1]);
}

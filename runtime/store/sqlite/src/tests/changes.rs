//! The changes of one dataset cost what they are, however many others have; and what went by its age is known for each
//! dataset by itself.

use super::super::{check, past};
use super::{applied, create, empty};
use rusqlite::{Connection, Statement, StatementStatus};
use store::records::{DatasetChanges, PageLimit, Write};

/// A store in which the first dataset has a change, then the second so many, then the first another one.
fn filled(others: u64) -> Connection {
    let connection = empty();
    let write = |dataset, key: &str| {
        let write = Write {
            dataset,
            ..create(key, 10)
        };
        applied(&connection, &write);
    };
    write(1, "first");
    for n in 0..others {
        write(2, &n.to_string());
    }
    write(1, "last");
    connection
}

fn changes(connection: &Connection, dataset: u32) -> DatasetChanges {
    past::changes(connection, dataset, 0, PageLimit::of(10)).unwrap()
}

#[test]
fn changes_of_a_dataset_are_found_without_a_look_at_those_of_others() {
    let steps = |others| {
        let connection = filled(others);
        let mut statement = connection.prepare(past::CHANGES).unwrap();
        let found = statement.query_map([1, 0, 10], |row| row.get::<_, i64>(0));
        let found: Vec<i64> = found.unwrap().map(Result::unwrap).collect();
        let last = i64::try_from(others).unwrap() + 2;
        assert_eq!(found, [1, last]);
        let mut back = connection.prepare(past::CHANGES_BEFORE).unwrap();
        let found = back.query_map([1, i64::MAX, 10], |row| row.get::<_, i64>(0));
        let found: Vec<i64> = found.unwrap().map(Result::unwrap).collect();
        assert_eq!(found, [last, 1]);
        let counted = |statement: &Statement<'_>| statement.get_status(StatementStatus::VmStep);
        (counted(&statement), counted(&back))
    };
    assert_eq!(steps(10), steps(1000));
}

#[test]
fn what_went_by_its_age_is_known_for_each_dataset_by_itself() {
    let connection = filled(5);
    past::note_lost(&connection, 0, 4).unwrap();
    connection
        .execute("DELETE FROM change_log WHERE number <= 4", [])
        .unwrap();
    let told = |dataset| {
        let found = changes(&connection, dataset);
        let numbers: Vec<u64> = found.entries.iter().map(|entry| entry.number).collect();
        (numbers, found.newest, found.lost)
    };
    assert_eq!(told(1), (vec![7], 7, 1));
    assert_eq!(told(2), (vec![5, 6], 6, 4));
    // a dataset of which all went: where it was is where it goes on
    past::note_lost(&connection, 0, 7).unwrap();
    connection
        .execute("DELETE FROM change_log WHERE number <= 6", [])
        .unwrap();
    assert_eq!(told(2), (vec![], 6, 6));
    // it never goes back
    past::note_lost(&connection, 0, 2).unwrap();
    assert_eq!(told(2), (vec![], 6, 6));
    assert_eq!(check::check(&connection).unwrap(), Vec::<String>::new());
}

//! What the change log has of values: how they differed, and now and then the whole of them; and that it reads what it
//! held before.

use super::super::checksum::EntryColumns;
use super::super::{check, log_row, past};
use super::{applied, create, empty, write};
use rusqlite::Connection;
use store::records::{
    Change, LogEntry, NewContent, PageLimit, RecordId, RecordPlace, Write, WriteVerdict,
};

fn done(connection: &Connection, write: &Write) -> RecordId {
    match applied(connection, write) {
        WriteVerdict::Done { id, .. } => id,
        other => panic!("{other:?}"),
    }
}

fn body(text: &str) -> String {
    format!(
        r#"{{"Key":"a","Text":"{text}","More":"{}"}}"#,
        "more ".repeat(90)
    )
}

fn update(connection: &Connection, id: RecordId, version: i64, text: &str) {
    let content = NewContent {
        body: body(text),
        primary_key: Some("a".to_owned()),
        schema_version: 1,
        errors: None,
        hidden: None,
    };
    done(
        connection,
        &write(Change::Update {
            id,
            version,
            content,
        }),
    );
}

/// A record with so many changes.
fn filled(connection: &Connection, changes: i64) -> RecordId {
    let id = done(connection, &create("a", 10));
    for version in 0..changes {
        update(connection, id, version, &version.to_string());
    }
    id
}

fn past_of(connection: &Connection, id: RecordId) -> Vec<LogEntry> {
    past::of_record(connection, id, None, PageLimit::of(1000)).unwrap()
}

fn number(connection: &Connection, sql: &str) -> i64 {
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

#[test]
fn a_create_has_its_values_once_and_an_update_what_it_changed() {
    let connection = empty();
    filled(&connection, 40);
    let whole = number(
        &connection,
        "SELECT count(*) FROM change_log WHERE after IS NOT NULL OR action = 'create' AND before IS NOT NULL",
    );
    assert_eq!(whole, 0);
    let longest = "SELECT max(length(before)) FROM change_log WHERE version > 1";
    assert!(number(&connection, longest) < 16);
    let kept = "SELECT count(*) FROM past_states";
    assert_eq!(number(&connection, kept), 2, "each sixteenth is whole");
}

#[test]
fn entries_that_hold_their_values_themselves_are_read_beside_those_that_do_not() {
    let connection = empty();
    let id = filled(&connection, 2);
    let meant = past_of(&connection, id);
    // as a move writes those that are not the newest
    for entry in &meant {
        let number = entry.number.cast_signed();
        connection
            .execute("DELETE FROM change_log WHERE number = ?1", [number])
            .unwrap();
        let columns = EntryColumns {
            number,
            place: RecordPlace::number(entry.id.place).unwrap(),
            nonce: entry.id.nonce.cast_signed(),
            action: entry.action.as_str(),
            version: entry.version,
            schema_version: entry.schema_version,
            at: entry.at.millis(),
            actor: &serde_json::to_string(&*entry.actor).unwrap(),
            prior: entry.prior.map(u64::cast_signed),
            before: entry.before.as_deref(),
            after: entry.after.as_deref(),
            errors: entry.errors.as_deref(),
            hidden: entry.hidden.as_deref(),
        };
        log_row::put(&connection, &columns).unwrap();
    }
    assert_eq!(past_of(&connection, id), meant);
    update(&connection, id, 2, "later");
    update(&connection, id, 3, "last");
    let past = past_of(&connection, id);
    assert_eq!(past[2..], meant);
    assert_eq!(past[1].before, meant[0].after);
    assert_eq!(past[1].after.as_deref(), Some(&*body("later")));
    assert_eq!(check::check(&connection).unwrap(), Vec::<String>::new());
}

#[test]
fn what_is_kept_of_the_past_goes_with_its_entries_and_with_its_record() {
    let connection = empty();
    let id = filled(&connection, 40);
    let kept = "SELECT count(*) FROM past_states";
    past::note_lost(&connection, 0, 20).unwrap();
    connection
        .execute("DELETE FROM change_log WHERE number <= 20", [])
        .unwrap();
    assert_eq!(number(&connection, kept), 1);
    let past = past_of(&connection, id);
    let texts: Vec<Option<String>> = (19..40).rev().map(|n| Some(body(&n.to_string()))).collect();
    assert_eq!(
        past.iter().map(|it| it.after.clone()).collect::<Vec<_>>(),
        texts
    );
    assert_eq!(check::check(&connection).unwrap(), Vec::<String>::new());
    done(&connection, &write(Change::Delete { id, version: 40 }));
    done(&connection, &write(Change::Purge { id }));
    assert_eq!(number(&connection, kept), 0);
}

#[test]
fn values_that_are_not_as_they_were_kept_are_an_error_and_found_by_the_check() {
    let connection = empty();
    let id = filled(&connection, 20);
    let spoil = "UPDATE past_states SET body = replace(body, 'more', 'less')";
    assert_eq!(connection.execute(spoil, []).unwrap(), 1);
    let place = RecordPlace::number(id.place).unwrap();
    let found = check::check(&connection).unwrap().join("\n");
    assert!(
        found.contains(&format!("the values at place {place} behind entry")),
        "{found}"
    );
    // newer ones do not need them
    assert_eq!(past_of(&connection, id).len(), 5);
    let oldest = past::changes(&connection, id.place.dataset, 0, PageLimit::of(1));
    assert!(oldest.is_err());
}

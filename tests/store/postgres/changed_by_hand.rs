//! Rows that somebody changed by hand: the database takes them for sound. Whoever comes to one is told, the check names it,
//! and no move brings it along.

use crate::engines::{StoreFolder, each, try_wait, wait};
use crate::test_dataset::{TestDataset, content, done};
use runtime::store::postgres::{PostgresOptions, PostgresTransfer};
use runtime::store::records::{LogAction, PageLimit, RecordId, Shelf};
use runtime::store::transfer::{Part, TransferSource as _};
use runtime::store::{RottenRow, StoreError};

/// Notes the records as they are, and has them as they were noted.
const NOTE_RECORDS: &str = "CREATE TABLE noted AS SELECT * FROM records";
const PUT_RIGHT: &str = "UPDATE records r SET body = n.body, errors = n.errors, hidden = n.hidden
    FROM noted n WHERE n.dataset = r.dataset AND n.sequence = r.sequence";

/// The same of the change log, as [`written_thrice`] notes it.
const PUT_LOG_RIGHT: &str =
    "DELETE FROM change_log; INSERT INTO change_log SELECT * FROM noted_log";

/// A record that was created and updated twice; notes the change log as it is then.
fn written_thrice(folder: &StoreFolder, dataset: &TestDataset) -> RecordId {
    let id = dataset.create("K1");
    assert!(done(1)(dataset.update(id, 0, content("K1", "second"))));
    assert!(done(2)(dataset.update(id, 1, content("K1", "third"))));
    folder.run("CREATE TABLE noted_log AS SELECT * FROM change_log");
    id
}

/// How often the check names a row.
fn named(dataset: &TestDataset, row: RottenRow) -> usize {
    let told = format!("{row} is not as it was written");
    let found = wait(dataset.store.check());
    found.iter().filter(|it| **it == told).count()
}

/// Reads a part as a move does; the row that it does not bring.
fn not_moved(folder: &StoreFolder, part: Part) -> Option<RottenRow> {
    let options = PostgresOptions::default();
    let transfer = wait(PostgresTransfer::open(folder.address(), &options));
    match try_wait(transfer.rows(part, None, 10)) {
        Err(StoreError::Rotten(row)) => Some(row),
        read => {
            read.expect("the store does its work");
            None
        }
    }
}

#[test]
fn a_record_that_was_changed_by_hand_is_named_by_the_check_and_not_moved() {
    each(|folder| {
        let dataset = folder.dataset();
        dataset.create("K1");
        let row = RottenRow::Record(dataset.create("K2"));
        folder.run(NOTE_RECORDS);
        for change in [
            "body = '{\"Key\":'",
            "body = '[]'",
            "body = ''",
            "errors = '{}'",
            "hidden = '1'",
        ] {
            folder.run(&format!("UPDATE records SET {change} WHERE sequence = 2"));
            assert_eq!(named(&dataset, row), 1, "{change}");
            assert_eq!(not_moved(folder, Part::Records), Some(row), "{change}");
            folder.run(PUT_RIGHT);
            dataset.is_sound();
            assert_eq!(not_moved(folder, Part::Records), None);
        }
    });
}

#[test]
fn values_that_were_changed_by_hand_are_told_by_the_log_also_of_what_is_deleted() {
    each(|folder| {
        let dataset = folder.dataset();
        dataset.create("K1");
        let second = dataset.create("K2");
        folder.run(NOTE_RECORDS);
        let change = "UPDATE records SET body = replace(body, 'first', 'other') WHERE sequence = 2";
        let is_told = |number: u64| {
            folder.run(change);
            let found = wait(dataset.store.check());
            let place = format!(": 1, 2, {number}");
            assert!(found.iter().any(|it| it.ends_with(&place)), "{found:?}");
            // the values of then are in no row any more, and others are not taken for them
            let row = RottenRow::Entry { number, id: second };
            let newest = try_wait(dataset.store.last_change(second.place));
            assert!(matches!(newest, Err(StoreError::Rotten(met)) if met == row));
            let past = try_wait(dataset.store.history(second, None, PageLimit::of(9)));
            assert!(matches!(past, Err(StoreError::Rotten(met)) if met == row));
            assert!(not_moved(folder, Part::ChangeLog).is_some());
            folder.run(PUT_RIGHT);
            dataset.is_sound();
        };
        is_told(2);
        assert!(done(0)(dataset.delete(second, 0)));
        is_told(3);
    });
}

/// How a record is put right whose newest entry has its values itself: docs/scale.md, "Rows that were changed by hand".
const PUT_RIGHT_BY_ENTRY: &str = "UPDATE records r
    SET body = l.after, errors = nullif(l.errors, ''), hidden = l.hidden
    FROM change_log l
    WHERE l.dataset = r.dataset AND l.number = r.last_change AND l.after IS NOT NULL
      AND r.dataset = 1 AND r.sequence = 2";

#[test]
fn a_record_is_put_right_by_a_newest_entry_that_has_its_values_itself() {
    each(|folder| {
        let dataset = folder.dataset();
        dataset.create("K1");
        let id = dataset.create("K2");
        let before = dataset.get(id.place);
        // as it was written once
        folder.run(
            "UPDATE change_log l SET after = r.body, digest = NULL FROM records r
             WHERE r.dataset = l.dataset AND r.last_change = l.number",
        );
        dataset.is_sound();
        for change in ["body = '[]'", "body = replace(body, 'first', 'other')"] {
            folder.run(&format!("UPDATE records SET {change} WHERE sequence = 2"));
            let found = wait(dataset.store.check());
            assert!(
                found.iter().any(|it| it.ends_with(": 1, 2, 2")),
                "{found:?}"
            );
            let past = wait(dataset.store.history(id, None, PageLimit::of(9)));
            assert_eq!(past[0].after.as_ref(), before.as_ref().map(|it| &it.body));
            folder.run(PUT_RIGHT_BY_ENTRY);
            dataset.is_sound();
            assert_eq!(dataset.get(id.place), before);
        }
    });
}

#[test]
fn an_entry_that_was_changed_by_hand_is_told_to_who_comes_to_it_and_to_nobody_before() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = written_thrice(folder, &dataset);
        for change in [
            "actor = 'nobody'",
            "action = 'sung'",
            "after = '{'",
            "errors = '{}'",
            "hidden = '[]'",
        ] {
            folder.run(&format!("UPDATE change_log SET {change} WHERE number = 2"));
            is_met(&dataset, id);
            let row = RottenRow::Entry { number: 2, id };
            assert_eq!(named(&dataset, row), 1, "{change}");
            assert_eq!(not_moved(folder, Part::ChangeLog), Some(row), "{change}");
            folder.run(PUT_LOG_RIGHT);
            dataset.is_sound();
        }
    });
}

#[test]
fn what_follows_from_an_entry_that_was_changed_by_hand_is_told_with_it() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = written_thrice(folder, &dataset);
        let [first, second] = [1, 2].map(|number| RottenRow::Entry { number, id });
        for before in ["first", "1 1 x", "999 0 "] {
            folder.run(&format!(
                "UPDATE change_log SET before = '{before}' WHERE number = 2"
            ));
            let store = &dataset.store;
            for (after, row) in [(0, first), (1, second)] {
                let read = try_wait(store.log(after, PageLimit::of(9)));
                assert!(
                    matches!(&read, Err(StoreError::Rotten(met)) if *met == row),
                    "{before}: {read:?}"
                );
                assert_eq!(named(&dataset, row), 1, "{before}");
            }
            assert_eq!(wait(store.log(2, PageLimit::of(9))).len(), 1);
            assert_eq!(wait(store.history(id, None, PageLimit::of(9))).len(), 1);
            assert_eq!(not_moved(folder, Part::ChangeLog), Some(first), "{before}");
            folder.run(PUT_LOG_RIGHT);
            dataset.is_sound();
        }
    });
}

/// The second entry is told as what is not as it was written, each way that leads to it; the others are read.
fn is_met(dataset: &TestDataset, id: RecordId) {
    let is_rotten = |error: &StoreError| {
        let row = RottenRow::Entry { number: 2, id };
        matches!(error, StoreError::Rotten(met) if *met == row)
    };
    let (store, limit) = (&dataset.store, PageLimit::of(9));
    assert_eq!(wait(store.log(0, limit)).len(), 1);
    assert!(try_wait(store.log(1, limit)).is_err_and(|it| is_rotten(&it)));
    assert_eq!(wait(store.log(2, limit)).len(), 1);
    let changes = wait(store.changes(dataset.number, 0, limit));
    assert_eq!((changes.entries.len(), changes.newest), (1, 3));
    assert!(try_wait(store.changes(dataset.number, 1, limit)).is_err_and(|it| is_rotten(&it)));
    assert_eq!(wait(store.history(id, None, limit)).len(), 1);
    assert!(try_wait(store.history(id, Some(3), limit)).is_err_and(|it| is_rotten(&it)));
    // what an entry is about can be read in any case
    assert_eq!(wait(store.log_records(0, 9)).len(), 3);
}

#[test]
fn a_record_that_cannot_be_read_can_be_deleted_and_leaves_an_entry_that_can() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = dataset.create("K1");
        folder.run("UPDATE records SET body = 'torn'");
        assert!(done(0)(dataset.delete(id, 0)));
        let entries = wait(dataset.store.log(1, PageLimit::of(9)));
        assert_eq!(entries.len(), 1);
        assert_eq!(entries[0].action, LogAction::Delete);
        assert_eq!(entries[0].before, None);
        assert!(done(0)(dataset.purge(id)));
        assert!(dataset.page(Shelf::Deleted, 0, 9).is_empty());
        dataset.is_sound();
    });
}

//! What was written to records: the changes of one dataset in the order of commits, waiting for them, and the past of
//! one record.

use crate::engines::{each, try_wait, wait};
use crate::test_dataset::{TestDataset, content, faulty};
use runtime::store::records::{
    Change, DatasetChanges, LogAction, LogEntry, NewContent, PageLimit, RecordId,
};
use std::time::{Duration, Instant};

fn changes(dataset: &TestDataset, after: u64, records: usize) -> DatasetChanges {
    let limit = PageLimit::of(records);
    wait(dataset.store.changes(dataset.number, after, limit))
}

fn numbers(entries: &[LogEntry]) -> Vec<u64> {
    entries.iter().map(|entry| entry.number).collect()
}

fn history(dataset: &TestDataset, id: RecordId, before: Option<u64>, records: usize) -> Vec<u64> {
    let limit = PageLimit::of(records);
    numbers(&wait(dataset.store.history(id, before, limit)))
}

#[test]
fn a_dataset_has_its_own_changes_in_the_order_of_commits() {
    each(|folder| {
        let one = folder.dataset();
        let other = one.beside(2);
        for round in 0..4 {
            one.create(&format!("{round}"));
            other.create(&format!("{round}"));
        }
        let all = changes(&one, 0, 100);
        assert_eq!(numbers(&all.entries), [1, 3, 5, 7]);
        assert_eq!((all.newest, all.lost), (7, 0));
        assert_eq!(numbers(&changes(&other, 0, 3).entries), [2, 4, 6]);
        assert_eq!(numbers(&changes(&one, 3, 1).entries), [5]);
        assert_eq!(numbers(&changes(&one, 4, 1).entries), [5]);
        let none = changes(&one, 7, 100);
        assert_eq!((none.entries.len(), none.newest), (0, 7));
        assert_eq!(changes(&one, 0, 0).newest, 7);
        assert_eq!(changes(&one.beside(3), 0, 100), DatasetChanges::default());
        assert_eq!(changes(&one, u64::MAX, 100).entries, []);
        // as many as their bytes allow, and one at least
        let limit = PageLimit {
            records: 9,
            bytes: 1,
        };
        let part = wait(one.store.changes(1, 0, limit));
        assert_eq!(numbers(&part.entries), [1]);
    });
}

#[test]
fn a_dataset_has_its_own_changes_back_from_an_entry_the_newest_first() {
    each(|folder| {
        let one = folder.dataset();
        let other = one.beside(2);
        let first = one.create("first");
        other.create("first");
        let second = one.create("second");
        // the newest values of a record lead to its earlier ones, whichever entries are read beside
        one.update(first, 0, content("first", "again"));
        other.create("second");
        one.delete(second, 0);
        let before = |dataset: &TestDataset, entry, records| {
            let limit = PageLimit::of(records);
            wait(dataset.store.changes_before(dataset.number, entry, limit))
        };
        let told = before(&one, u64::MAX, 100);
        assert_eq!(numbers(&told), [6, 4, 3, 1]);
        let mut forth = changes(&one, 0, 100).entries;
        forth.reverse();
        assert_eq!(told, forth);
        assert_eq!(numbers(&before(&one, 6, 2)), [4, 3]);
        assert_eq!(numbers(&before(&one, 5, 1)), [4]);
        assert_eq!(numbers(&before(&other, 5, 9)), [2]);
        assert_eq!(before(&one, 1, 9), []);
        assert_eq!(before(&one, 9, 0), []);
        assert_eq!(before(&one.beside(3), 9, 9), []);
        // as many as their bytes allow, and one at least
        let limit = PageLimit {
            records: 9,
            bytes: 1,
        };
        let part = wait(one.store.changes_before(1, 9, limit));
        assert_eq!(numbers(&part), [6]);
    });
}

#[test]
fn an_entry_tells_what_was_wrong_with_the_record_and_what_was_hidden() {
    each(|folder| {
        let dataset = folder.dataset();
        let hiding = NewContent {
            hidden: Some(r#"{"f":1}"#.to_owned()),
            ..faulty("A")
        };
        let id = dataset.create("A");
        dataset.update(id, 0, hiding.clone());
        dataset.delete(id, 1);
        dataset.restore(id);
        let told = changes(&dataset, 0, 9).entries;
        let (errors, hidden) = (hiding.errors, hiding.hidden);
        assert_eq!((&told[0].errors, &told[0].hidden), (&None, &None));
        for entry in &told[1..] {
            assert_eq!((&entry.errors, &entry.hidden), (&errors, &hidden));
        }
        dataset.delete(id, 2);
        dataset.purge(id);
        let left = changes(&dataset, 0, 9).entries;
        assert_eq!(
            (left.len(), &left[0].errors, &left[0].hidden),
            (1, &None, &None)
        );
        dataset.is_sound();
    });
}

#[test]
fn an_earlier_content_comes_back_as_an_update_that_is_told_as_a_restore() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = dataset.create("A");
        dataset.update(id, 0, content("A", "second"));
        let revert = |version| Change::Revert {
            id,
            version,
            content: content("A", "first"),
        };
        let stale = dataset.change(revert(0));
        assert!(matches!(
            stale,
            runtime::store::records::WriteVerdict::Stale { version: 1 }
        ));
        dataset.change(revert(1));
        let told = changes(&dataset, 2, 9).entries;
        let second = content("A", "second").body;
        assert_eq!((told[0].action, told[0].version), (LogAction::Restore, 2));
        assert_eq!(told[0].before.as_ref(), Some(&second));
        assert_eq!(
            dataset.get(id.place).expect("there").body,
            content("A", "first").body
        );
        dataset.is_sound();
    });
}

#[test]
fn the_past_of_a_record_is_told_from_the_newest_entry_back() {
    each(|folder| {
        let dataset = folder.dataset();
        let (id, other) = (dataset.create("A"), dataset.create("B"));
        dataset.update(id, 0, content("A", "second"));
        dataset.update(other, 0, content("B", "second"));
        dataset.delete(id, 1);
        assert_eq!(history(&dataset, id, None, 9), [5, 3, 1]);
        assert_eq!(history(&dataset, id, None, 2), [5, 3]);
        assert_eq!(history(&dataset, id, Some(3), 9), [1]);
        assert_eq!(history(&dataset, id, Some(1), 9), [0_u64; 0]);
        // an entry of another record leads nowhere
        assert_eq!(history(&dataset, id, Some(4), 9), [0_u64; 0]);
        let guessed = RecordId {
            nonce: id.nonce ^ 1,
            ..id
        };
        assert_eq!(history(&dataset, guessed, None, 9), [0_u64; 0]);
        assert_eq!(history(&dataset, guessed, Some(5), 9), [0_u64; 0]);
        dataset.purge(id);
        assert_eq!(history(&dataset, id, None, 9), [0_u64; 0]);
    });
}

#[test]
fn the_next_change_of_a_dataset_is_waited_for_and_that_of_another_is_not_it() {
    each(|folder| {
        let dataset = folder.dataset();
        dataset.create("A");
        let store = &dataset.store;
        // what is there already is not waited for
        wait(store.next_change(1, 0));
        let waited = |after: u64, time: u64| {
            let next = store.next_change(1, after);
            try_wait(async { tokio::time::timeout(Duration::from_millis(time), next).await })
                .is_ok()
        };
        assert!(!waited(1, 100));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| waited(1, 60_000));
            std::thread::sleep(Duration::from_millis(50));
            dataset.beside(2).create("A");
            dataset.beside(2).create("B");
            std::thread::sleep(Duration::from_millis(100));
            assert!(!waiting.is_finished());
            let started = Instant::now();
            dataset.create("B");
            assert!(waiting.join().expect("it ends"));
            assert!(started.elapsed() < Duration::from_secs(30));
        });
    });
}

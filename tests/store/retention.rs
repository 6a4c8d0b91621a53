//! What goes by its age: entries of the change log and of the trail, and deleted records that are old.

use crate::catalogs::decide;
use crate::engines::{Store, each, wait};
use crate::nouns::audit_entry;
use crate::test_dataset::{TestDataset, content, done};
use runtime::store::catalog::{AuditEntry, CatalogWrite};
use runtime::store::records::{Change, PageLimit, RecordId, RecordPlace, Write, WriteVerdict};
use runtime::store::retention::{DeletionBound, UnsettledPurge};
use runtime::value::Timestamp;

const ALL: PageLimit = PageLimit {
    records: 100,
    bytes: usize::MAX,
};

fn at(moment: i64) -> Timestamp {
    Timestamp::from_millis(moment)
}

/// Deletions before a moment, by entries up to a number, where no clock is ahead of 1000.
fn bound(moment: i64, up_to: u64) -> DeletionBound {
    DeletionBound {
        moment: at(moment),
        believed: at(1000),
        up_to,
    }
}

/// Writes at a moment.
fn write(dataset: &TestDataset, moment: i64, change: Change) -> WriteVerdict {
    let write = Write {
        at: at(moment),
        ..dataset.write(change)
    };
    wait(dataset.store.write(write))
}

fn create(dataset: &TestDataset, moment: i64, key: &str) -> RecordId {
    match write(
        dataset,
        moment,
        TestDataset::creation(content(key, "first")),
    ) {
        WriteVerdict::Done { id, .. } => id,
        other => panic!("{other:?}"),
    }
}

fn update(dataset: &TestDataset, moment: i64, id: RecordId, version: i64) {
    let content = content(&format!("{:?}", id.place), &format!("of {moment}"));
    let update = Change::Update {
        id,
        version,
        content,
    };
    assert!(done(version + 1)(write(dataset, moment, update)));
}

fn numbers(dataset: &TestDataset) -> Vec<u64> {
    let entries = wait(dataset.store.log(0, ALL));
    entries.iter().map(|entry| entry.number).collect()
}

fn is_sound(dataset: &TestDataset) {
    assert_eq!(wait(dataset.store.check()), Vec::<String>::new());
}

#[test]
fn the_oldest_entries_go_in_small_steps_and_whoever_follows_from_before_is_told() {
    each(|folder| {
        let one = folder.dataset();
        let other = one.beside(2);
        let first = create(&one, 10, "a");
        create(&other, 20, "a");
        update(&one, 30, first, 0);
        update(&one, 40, first, 1);
        let store = &one.store;
        assert_eq!(wait(store.log_before(at(40), at(1000))), 3);
        assert_eq!(wait(store.log_before(at(10), at(1000))), 0);
        assert_eq!(wait(store.cut_log(3, 2)), 2);
        assert_eq!(numbers(&one), [3, 4]);
        is_sound(&one);
        assert_eq!(wait(store.log_before(at(40), at(1000))), 3);
        assert_eq!(wait(store.cut_log(3, 2)), 1);
        assert_eq!(wait(store.cut_log(3, 2)), 0);
        assert_eq!(numbers(&one), [4]);
        let told = |dataset: &TestDataset| {
            let told = wait(store.changes(dataset.number, 0, ALL));
            (told.lost, told.newest, told.entries.len())
        };
        assert_eq!((told(&one), told(&other)), ((3, 4, 1), (2, 2, 0)));
        // what is left of the history stands by itself
        let history = wait(store.history(first, None, ALL));
        assert_eq!(history.len(), 1);
        assert!(
            history[0]
                .before
                .as_deref()
                .is_some_and(|it| it.contains("of 30"))
        );
        is_sound(&one);
    });
}

#[test]
fn the_newest_entry_stays_so_that_no_number_is_given_twice() {
    each(|folder| {
        let dataset = folder.dataset();
        create(&dataset, 10, "a");
        create(&dataset, 20, "b");
        let store = &dataset.store;
        assert_eq!(wait(store.log_before(at(1000), at(1000))), 2);
        assert_eq!(wait(store.cut_log(u64::MAX, 100)), 1);
        assert_eq!(numbers(&dataset), [2]);
        create(&dataset, 30, "c");
        assert_eq!(numbers(&dataset), [2, 3]);
        is_sound(&dataset);
    });
}

#[test]
fn the_entry_that_says_when_a_record_was_deleted_stays_as_long_as_it_is() {
    each(|folder| {
        let dataset = folder.dataset();
        let other = dataset.beside(3);
        let kept = create(&dataset, 10, "a");
        let back = create(&other, 10, "b");
        let young = create(&other, 10, "c");
        for (dataset, id, moment) in [
            (&dataset, kept, 20),
            (&other, back, 20),
            (&other, young, 50),
        ] {
            let delete = Change::Delete { id, version: 0 };
            assert!(done(0)(write(dataset, moment, delete)));
        }
        create(&dataset, 60, "d");
        let store = &dataset.store;
        assert_eq!(wait(store.cut_log(5, 100)), 5);
        assert_eq!(numbers(&dataset), [4, 5, 6, 7]);
        is_sound(&dataset);
        let old = |moment, after, max| {
            let found = wait(store.deleted_before(bound(moment, u64::MAX), after, max));
            let records: Vec<_> = found.records.iter().map(|it| it.id).collect();
            (records, found.next)
        };
        assert_eq!(old(50, None, 10), (vec![kept, back], None));
        assert_eq!(old(20, None, 10), (vec![], None));
        let place = |id: RecordId| -> Option<RecordPlace> { Some(id.place) };
        assert_eq!(old(50, None, 1), (vec![kept], place(kept)));
        assert_eq!(old(50, place(kept), 2), (vec![back], place(young)));
        assert_eq!(old(50, place(young), 2), (vec![], None));
        // a record that is back needs it no more, and its values of then are older than they are kept
        assert!(done(1)(write(&other, 70, Change::Restore { id: back })));
        assert_eq!(numbers(&dataset), [4, 6, 7, 8]);
        assert!(done(0)(write(&dataset, 70, Change::Purge { id: kept })));
        assert_eq!(numbers(&dataset), [6, 7, 8, 9]);
        is_sound(&dataset);
    });
}

#[test]
fn of_what_a_clock_that_was_set_back_wrote_no_more_goes_than_the_log_may() {
    each(|folder| {
        let dataset = folder.dataset();
        let [first, second] = ["a", "b"].map(|key| create(&dataset, 100, key));
        for (id, moment) in [(first, 120), (second, 20)] {
            let delete = Change::Delete { id, version: 0 };
            assert!(done(0)(write(&dataset, moment, delete)));
        }
        let store = &dataset.store;
        // what is behind a young entry is not old, whatever its moment says
        let before = |moment| wait(store.log_before(at(moment), at(1000)));
        assert_eq!([100, 101, 115, 130].map(before), [0, 2, 2, 4]);
        let old = |moment, up_to| {
            let found = wait(store.deleted_before(bound(moment, up_to), None, 10));
            let told = found.records.iter().map(|it| (it.id, it.number));
            told.collect::<Vec<_>>()
        };
        assert_eq!(old(200, u64::MAX), [(first, 3), (second, 4)]);
        assert_eq!(old(200, 3), [(first, 3)]);
        assert_eq!(old(100, 4), [(second, 4)]);
        assert!(old(100, 3).is_empty());
        is_sound(&dataset);
    });
}

#[test]
fn what_a_clock_wrote_that_was_ahead_is_as_old_as_what_is_behind_it() {
    each(|folder| {
        let dataset = folder.dataset();
        for (moment, key) in [(10, "a"), (9000, "b"), (20, "c"), (9000, "d"), (50, "e")] {
            create(&dataset, moment, key);
        }
        create(&dataset, 9001, "f");
        let before = |moment, believed| wait(dataset.store.log_before(at(moment), at(believed)));
        assert_eq!(before(30, 1000), 3);
        assert_eq!(
            before(50, 1000),
            3,
            "when the fourth was written nobody knows"
        );
        assert_eq!(before(60, 1000), 5);
        assert_eq!(before(60, 9000), 1, "the clock has come so far");
    });
}

#[test]
fn a_deletion_by_a_clock_that_was_ahead_is_as_old_as_what_is_kept_behind_it() {
    each(|folder| {
        let dataset = folder.dataset();
        let [first, second, third] = ["a", "b", "c"].map(|key| create(&dataset, 10, key));
        let delete = |moment, id| {
            let delete = Change::Delete { id, version: 0 };
            assert!(done(0)(write(&dataset, moment, delete)));
        };
        delete(9000, first);
        delete(20, second);
        delete(9000, third);
        create(&dataset, 50, "d");
        create(&dataset, 90, "e");
        let store = &dataset.store;
        let found = |moment, up_to| {
            let found = wait(store.deleted_before(bound(moment, up_to), None, 10));
            let told = found.records.iter();
            told.map(|it| (it.id, it.number, it.at.millis()))
                .collect::<Vec<_>>()
        };
        let [ahead, old, later] = [(first, 4, 9000), (second, 5, 20), (third, 6, 9000)];
        assert_eq!(found(30, u64::MAX), [ahead, old, later]);
        assert_eq!(found(20, u64::MAX), [ahead, later]);
        assert_eq!(found(30, 5), [ahead, old]);
        let kept = |moment| wait(store.kept_before(at(moment), at(1000)));
        assert_eq!([10, 20, 30, 60, 100].map(kept), [0, 3, 5, 7, 8]);
        // what went may have been kept for less time: it makes nothing old that is still there
        assert_eq!(wait(store.cut_log(7, 100)), 7);
        assert_eq!(numbers(&dataset), [4, 5, 6, 8]);
        assert_eq!([10, 20, 30, 60, 100].map(kept), [0, 0, 5, 5, 8]);
        assert_eq!(wait(store.log_before(at(10), at(1000))), 7);
        is_sound(&dataset);
    });
}

#[test]
fn a_purge_that_someone_asked_for_is_unsettled_until_it_is_told_that_no_job_keeps_anything() {
    each(|folder| {
        let dataset = folder.dataset();
        let store = &dataset.store;
        let purge =
            |dataset: &TestDataset, moment: i64, key: &str, audit: Option<Box<AuditEntry>>| {
                let id = create(dataset, 10, key);
                assert!(done(0)(write(
                    dataset,
                    20,
                    Change::Delete { id, version: 0 }
                )));
                let purge = Write {
                    audit,
                    at: at(moment),
                    ..dataset.write(Change::Purge { id })
                };
                assert!(done(0)(wait(store.write(purge))));
                let number = wait(store.log_head());
                UnsettledPurge {
                    dataset: dataset.number,
                    number,
                }
            };
        let asked = || Some(Box::new(audit_entry("t", "x")));
        let unsettled = || wait(store.unsettled_purges(None));
        // what goes by its age is settled before it goes
        purge(&dataset, 30, "A", None);
        assert_eq!(unsettled(), []);
        let first = purge(&dataset, 40, "B", asked());
        assert_eq!(unsettled(), [first]);
        let second = purge(&dataset, 50, "C", asked());
        assert_eq!(unsettled(), [second]);
        wait(store.settle_purge(first));
        assert_eq!(unsettled(), [second], "it came since");
        let other = dataset.beside(2);
        let beside = purge(&other, 60, "A", asked());
        assert_eq!(unsettled(), [second, beside]);
        let of = |dataset| wait(store.unsettled_purges(Some(dataset)));
        assert_eq!((of(1), of(2), of(3)), (vec![second], vec![beside], vec![]));
        wait(store.settle_purge(second));
        assert_eq!(unsettled(), [beside]);
        // its entry of the log goes, and that it is to be settled stays
        create(&other, 70, "D");
        assert!(wait(store.cut_log(beside.number, 100)) > 0);
        assert_eq!(unsettled(), [beside]);
        wait(store.settle_purge(beside));
        assert_eq!(unsettled(), []);
        is_sound(&dataset);
    });
}

/// Entries of trails: tenants, and when.
fn trail(store: &dyn Store, entries: &[(&str, i64)]) {
    let entry = |(tenant, moment): &(&str, i64)| AuditEntry {
        at: at(*moment),
        ..audit_entry(tenant, &moment.to_string())
    };
    let write = CatalogWrite {
        audit: entries.iter().map(entry).collect(),
        ..CatalogWrite::default()
    };
    decide(store, move |_| Ok(write.clone())).expect("nothing is against it");
}

/// Of when the entries of a tenant's trail are, the newest first.
fn left(store: &dyn Store, tenant: &str) -> Vec<String> {
    let entries = wait(store.audit(tenant, None, ALL)).into_iter();
    entries.map(|(_, entry)| entry.id).collect()
}

#[test]
fn the_trail_loses_what_is_old_and_each_tenant_keeps_its_newest() {
    each(|folder| {
        let store = folder.open();
        let entries = [("t", 10), ("other", 20), ("t", 30), ("t", 40), ("t", 50)];
        trail(&*store, &entries);
        let left = |tenant| left(&*store, tenant);
        let cut = |before, max| wait(store.cut_trail(at(before), at(1000), max));
        assert_eq!(cut(10, 100), 0);
        assert_eq!(cut(40, 1), 1);
        assert_eq!(left("t"), ["50", "40", "30"]);
        assert_eq!(cut(40, 100), 1);
        assert_eq!(cut(1000, 100), 1);
        assert_eq!((left("t"), left("other")), (texts(&["50"]), texts(&["20"])));
        assert_eq!(cut(1000, 100), 0);
    });
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().copied().map(str::to_owned).collect()
}

#[test]
fn an_entry_of_the_trail_by_a_clock_that_was_ahead_holds_up_no_other_and_goes_with_one_behind_it() {
    each(|folder| {
        let store = folder.open();
        let entries = [9000, 9001, 10, 9002, 20, 9003, 50, 60].map(|moment| ("t", moment));
        trail(&*store, &entries);
        let left = || left(&*store, "t");
        let cut = |before, max| wait(store.cut_trail(at(before), at(1000), max));
        assert_eq!(cut(10, 100), 0, "when the first were written nobody knows");
        // however few go at a time, they go before what tells how old they are
        assert_eq!(cut(15, 2), 2);
        assert_eq!(left(), ["60", "50", "9003", "20", "9002", "10"]);
        assert_eq!(cut(30, 100), 3);
        assert_eq!(left(), ["60", "50", "9003"]);
        assert_eq!(cut(30, 100), 0);
        assert_eq!(cut(55, 100), 2);
        assert_eq!(left(), ["60"]);
    });
}

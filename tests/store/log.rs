//! The change log: an entry a write, in the order of commits, with who, when, before and after.

use crate::engines::{each, wait};
use crate::test_dataset::{actor, content};
use runtime::store::records::{LogAction, LogEntry, PageLimit, RecordId};
use runtime::value::Timestamp;
use std::sync::Arc;

fn entry(number: u64, id: RecordId, action: LogAction, version: i64) -> LogEntry {
    LogEntry {
        number,
        id,
        action,
        version,
        at: Timestamp::from_millis(1_769_850_300_007),
        actor: Arc::new(actor()),
        schema_version: 1,
        before: None,
        after: None,
        errors: None,
        hidden: None,
        prior: number.checked_sub(1).filter(|prior| *prior > 0),
    }
}

#[test]
fn every_write_leaves_an_entry_with_what_was_before_and_after() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = dataset.create("A");
        dataset.update(id, 0, content("A", "second"));
        dataset.delete(id, 1);
        dataset.restore(id);
        let (first, second) = (content("A", "first").body, content("A", "second").body);
        let (first, second) = (Some(first), Some(second));
        let meant = [
            LogEntry {
                after: first.clone(),
                ..entry(1, id, LogAction::Create, 0)
            },
            LogEntry {
                before: first,
                after: second.clone(),
                ..entry(2, id, LogAction::Update, 1)
            },
            LogEntry {
                before: second.clone(),
                ..entry(3, id, LogAction::Delete, 1)
            },
            LogEntry {
                after: second,
                ..entry(4, id, LogAction::Restore, 2)
            },
        ];
        assert_eq!(wait(dataset.store.log(0, PageLimit::of(100))), meant);
        assert_eq!(wait(dataset.store.log(2, PageLimit::of(1))), meant[2..3]);
        assert_eq!(wait(dataset.store.log(4, PageLimit::of(100))), []);
        assert_eq!(wait(dataset.store.log(u64::MAX, PageLimit::of(100))), []);
        assert_eq!(wait(dataset.store.log_head()), 4);
        let head_of = |datasets: &[u32]| wait(dataset.store.log_head_of(datasets.to_vec()));
        let own = id.place.dataset;
        assert_eq!(
            [head_of(&[own, own + 1]), head_of(&[own + 1]), head_of(&[])],
            [4, 0, 0]
        );
    });
}

#[test]
fn the_newest_entry_about_a_record_is_found_by_its_place() {
    each(|folder| {
        let dataset = folder.dataset();
        let (one, other) = (dataset.create("A"), dataset.create("B"));
        let newest = |id: RecordId| {
            let entry = wait(dataset.store.last_change(id.place));
            entry.map(|entry| (entry.number, entry.action))
        };
        assert_eq!(newest(one), Some((1, LogAction::Create)));
        dataset.update(one, 0, content("A", "second"));
        dataset.delete(other, 0);
        assert_eq!(newest(one), Some((3, LogAction::Update)));
        assert_eq!(newest(other), Some((4, LogAction::Delete)));
        dataset.purge(other);
        assert_eq!(newest(other), None);
    });
}

#[test]
fn values_far_back_are_told_whatever_came_later() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = dataset.create("A");
        let mut now = content("A", "first").body;
        let mut meant = vec![(LogAction::Create, None, Some(now.clone()))];
        for (version, n) in (0..).zip(0_usize..80) {
            // versions that are restored fall on any number
            if n % 7 == 3 || (30..34).contains(&n) {
                dataset.delete(id, version);
                meant.push((LogAction::Delete, Some(now.clone()), None));
                dataset.restore(id);
                meant.push((LogAction::Restore, None, Some(now.clone())));
            } else {
                let next = content("A", &format!("{}{n}", "é".repeat(n * 3 % 11)));
                let (before, after) = (now, next.body.clone());
                now = next.body.clone();
                dataset.update(id, version, next);
                meant.push((LogAction::Update, Some(before), Some(after)));
            }
            dataset.create(&format!("B{n}"));
        }
        let told = |entry: &LogEntry| (entry.action, entry.before.clone(), entry.after.clone());
        let all = wait(dataset.store.log(0, PageLimit::of(1000)));
        let own: Vec<&LogEntry> = all.iter().filter(|entry| entry.id == id).collect();
        assert_eq!(own.iter().map(|it| told(it)).collect::<Vec<_>>(), meant);
        for entry in own {
            let one = wait(dataset.store.log(entry.number - 1, PageLimit::of(1)));
            assert_eq!(&one[0], entry);
        }
        let past = wait(dataset.store.history(id, None, PageLimit::of(1000)));
        assert_eq!(past.iter().rev().map(told).collect::<Vec<_>>(), meant);
        let feed = wait(dataset.store.changes(1, 0, PageLimit::of(1000)));
        assert_eq!(feed.entries, all);
        let about = wait(dataset.store.log_records(3, 1000));
        let same: Vec<_> = all[3..].iter().map(|it| (it.number, it.id)).collect();
        assert_eq!(about, same);
        dataset.is_sound();
    });
}

#[test]
fn a_purge_takes_the_values_out_of_the_log_but_leaves_word_of_itself() {
    each(|folder| {
        let dataset = folder.dataset();
        let before = dataset.create("before");
        let id = dataset.create("A");
        let between = dataset.create("between");
        dataset.update(id, 0, content("A", "secret"));
        dataset.delete(id, 1);
        dataset.restore(id);
        dataset.delete(id, 2);
        dataset.purge(id);
        let log = wait(dataset.store.log(0, PageLimit::of(100)));
        let about: Vec<_> = log.iter().filter(|entry| entry.id == id).collect();
        let purged = LogEntry {
            errors: None,
            prior: None,
            ..entry(8, id, LogAction::Purge, 2)
        };
        assert_eq!(about, [&purged]);
        for other in [before, between] {
            assert_eq!(log.iter().filter(|entry| entry.id == other).count(), 1);
        }
        assert_eq!(log.len(), 3);
        dataset.is_sound();
    });
}

#[test]
fn numbers_of_the_log_are_never_used_twice() {
    each(|folder| {
        let dataset = folder.dataset();
        let mut heads = vec![0];
        for n in 0..5 {
            let id = dataset.create(&format!("K{n}"));
            dataset.delete(id, 0);
            // the newest entries are those that a purge removes
            dataset.purge(id);
            heads.push(wait(dataset.store.log_head()));
        }
        assert_eq!(heads, [0, 3, 6, 9, 12, 15]);
        dataset.is_sound();
    });
}

#[test]
fn every_dataset_writes_to_one_log() {
    each(|folder| {
        let dataset = folder.dataset();
        for number in [3, 1, 2, 3] {
            let key = format!("{}", wait(dataset.store.log_head()));
            dataset.beside(number).create(&key);
        }
        let log = wait(dataset.store.log(0, PageLimit::of(10)));
        let datasets: Vec<u32> = log.iter().map(|entry| entry.id.place.dataset).collect();
        assert_eq!(datasets, [3, 1, 2, 3]);
    });
}

#[test]
fn a_part_of_the_log_ends_with_the_entry_that_fills_it() {
    each(|folder| {
        let dataset = folder.dataset();
        for key in ["A", "B", "C"] {
            dataset.offer(content(key, &"long ".repeat(200)));
        }
        let read = |after: u64, records: usize, bytes: usize| {
            let part = wait(dataset.store.log(after, PageLimit { records, bytes }));
            part.iter().map(|entry| entry.number).collect::<Vec<_>>()
        };
        assert_eq!(read(0, 10, 1), [1]);
        assert_eq!(read(1, 10, 1500), [2, 3]);
        assert_eq!(read(0, 2, 1500), [1, 2]);
        assert_eq!(read(0, 10, 100_000), [1, 2, 3]);
    });
}

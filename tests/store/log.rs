//! The change log: an entry a write, in the order of commits, with who, when, before and after.

use crate::desk::{actor, content};
use crate::engines::{each, wait};
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
    }
}

#[test]
fn every_write_leaves_an_entry_with_what_was_before_and_after() {
    each(|house| {
        let desk = house.desk();
        let id = desk.create("A");
        desk.update(id, 0, content("A", "second"));
        desk.delete(id, 1);
        desk.restore(id);
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
        assert_eq!(wait(desk.store.log(0, PageLimit::of(100))), meant);
        assert_eq!(wait(desk.store.log(2, PageLimit::of(1))), meant[2..3]);
        assert_eq!(wait(desk.store.log(4, PageLimit::of(100))), []);
        assert_eq!(wait(desk.store.log(u64::MAX, PageLimit::of(100))), []);
        assert_eq!(wait(desk.store.log_head()), 4);
    });
}

#[test]
fn a_purge_takes_the_values_out_of_the_log_but_leaves_word_of_itself() {
    each(|house| {
        let desk = house.desk();
        let before = desk.create("before");
        let id = desk.create("A");
        let between = desk.create("between");
        desk.update(id, 0, content("A", "secret"));
        desk.delete(id, 1);
        desk.restore(id);
        desk.delete(id, 2);
        desk.purge(id);
        let log = wait(desk.store.log(0, PageLimit::of(100)));
        let about: Vec<_> = log.iter().filter(|entry| entry.id == id).collect();
        assert_eq!(about, [&entry(8, id, LogAction::Purge, 2)]);
        for other in [before, between] {
            assert_eq!(log.iter().filter(|entry| entry.id == other).count(), 1);
        }
        assert_eq!(log.len(), 3);
        desk.is_sound();
    });
}

#[test]
fn numbers_of_the_log_are_never_used_twice() {
    each(|house| {
        let desk = house.desk();
        let mut heads = vec![0];
        for n in 0..5 {
            let id = desk.create(&format!("K{n}"));
            desk.delete(id, 0);
            // the newest entries are those that a purge removes
            desk.purge(id);
            heads.push(wait(desk.store.log_head()));
        }
        assert_eq!(heads, [0, 3, 6, 9, 12, 15]);
        desk.is_sound();
    });
}

#[test]
fn every_dataset_writes_to_one_log() {
    each(|house| {
        let desk = house.desk();
        for dataset in [3, 1, 2, 3] {
            let key = format!("{}", wait(desk.store.log_head()));
            desk.beside(dataset).create(&key);
        }
        let log = wait(desk.store.log(0, PageLimit::of(10)));
        let datasets: Vec<u32> = log.iter().map(|entry| entry.id.place.dataset).collect();
        assert_eq!(datasets, [3, 1, 2, 3]);
    });
}

#[test]
fn a_part_of_the_log_ends_with_the_entry_that_fills_it() {
    each(|house| {
        let desk = house.desk();
        for key in ["A", "B", "C"] {
            desk.offer(content(key, &"long ".repeat(200)));
        }
        let read = |after: u64, records: usize, bytes: usize| {
            let part = wait(desk.store.log(after, PageLimit { records, bytes }));
            part.iter().map(|entry| entry.number).collect::<Vec<_>>()
        };
        assert_eq!(read(0, 10, 1), [1]);
        assert_eq!(read(1, 10, 1500), [2, 3]);
        assert_eq!(read(0, 2, 1500), [1, 2]);
        assert_eq!(read(0, 10, 100_000), [1, 2, 3]);
    });
}

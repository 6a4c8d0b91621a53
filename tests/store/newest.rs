//! What is read by primary key, however an engine remembers what it has read: never older than a write that
//! was answered before.

use crate::engines::each;
use crate::test_dataset::{TestDataset, content, done};
use runtime::store::records::{RecordId, WriteVerdict};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::thread;
use tests::ends::Ends;

const RECORDS: usize = 3;
const UPDATES: i64 = 150;
const MANY_UPDATES: i64 = 1500;
const READERS: usize = 4;

fn key(record: usize) -> String {
    format!("K{record}")
}

fn read_until(dataset: &TestDataset, answered: &[AtomicI64], is_over: &AtomicBool) -> u32 {
    let mut reads = 0;
    while !is_over.load(Ordering::Acquire) {
        for (record, answered) in answered.iter().enumerate() {
            let answered = answered.load(Ordering::Acquire);
            let found = dataset.by_key(&key(record)).expect("it is never gone");
            assert!(
                found.version >= answered,
                "version {} was read after {answered} was answered",
                found.version
            );
            let text = content(&key(record), &found.version.to_string()).body;
            assert_eq!(found.body, text);
            reads += 1;
        }
    }
    reads
}

#[test]
fn a_read_by_key_is_never_older_than_an_answered_write() {
    no_read_is_older(UPDATES);
}

#[ignore = "large data: the full lane runs it"]
#[test]
fn a_read_by_key_is_never_older_than_any_of_a_large_number_of_answered_writes() {
    no_read_is_older(MANY_UPDATES);
}

fn no_read_is_older(updates: i64) {
    each(|folder| {
        let dataset = folder.dataset();
        let ids: Vec<RecordId> = (0..RECORDS)
            .map(|record| {
                let offered = dataset.offer(content(&key(record), "0"));
                let WriteVerdict::Done { id, .. } = offered else {
                    panic!("{offered:?}");
                };
                id
            })
            .collect();
        let answered: Vec<AtomicI64> = ids.iter().map(|_| AtomicI64::new(0)).collect();
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let ends = Ends(&is_over);
            let readers: Vec<_> = (0..READERS)
                .map(|_| {
                    let (dataset, answered, is_over) = (&dataset, &answered, &is_over);
                    scope.spawn(move || read_until(dataset, answered, is_over))
                })
                .collect();
            for version in 1..=updates {
                for (record, id) in ids.iter().enumerate() {
                    let new = content(&key(record), &version.to_string());
                    assert!(done(version)(dataset.update(*id, version - 1, new)));
                    answered[record].store(version, Ordering::Release);
                }
            }
            drop(ends);
            for reader in readers {
                assert!(reader.join().expect("no read is older") > 0);
            }
        });
    });
}

#[test]
fn a_key_that_was_read_leads_to_its_record_only_while_that_has_it() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = dataset.create("A");
        let found = |key: &str| {
            dataset
                .by_key(key)
                .map(|record| (record.id, record.version))
        };
        assert_eq!(found("A"), Some((id, 0)));
        assert_eq!(found("A"), Some((id, 0)));
        assert!(done(1)(dataset.update(id, 0, content("B", "moved"))));
        assert_eq!((found("A"), found("B")), (None, Some((id, 1))));
        let other = dataset.create("A");
        assert_eq!((found("A"), found("B")), (Some((other, 0)), Some((id, 1))));
        // one that loses changes nothing
        assert_eq!(
            dataset.update(id, 1, content("A", "")),
            WriteVerdict::DuplicateKey
        );
        assert_eq!((found("A"), found("B")), (Some((other, 0)), Some((id, 1))));
        assert!(done(1)(dataset.delete(id, 1)));
        assert_eq!(found("B"), None);
        assert!(done(2)(dataset.restore(id)));
        assert_eq!(found("B"), Some((id, 2)));
        assert!(done(2)(dataset.delete(id, 2)));
        assert!(done(2)(dataset.purge(id)));
        assert_eq!((found("A"), found("B")), (Some((other, 0)), None));
        dataset.is_sound();
    });
}

//! Throwaway copies: they have all that was committed, share nothing with the store, and leave nothing behind.

use crate::engines::{each, wait};
use crate::test_dataset::{actor, content};
use runtime::store::records::{Change, Counts, Records, Write, WriteVerdict};
use runtime::value::Timestamp;

fn write(key: &str) -> Write {
    let change = Change::Create {
        nonce: 7,
        content: content(key, "of the copy"),
    };
    Write {
        dataset: 1,
        actor: actor(),
        at: Timestamp::from_millis(5),
        judged_under: None,
        audit: None,
        change,
    }
}

fn records(store: &(impl Records + ?Sized)) -> u64 {
    let Counts { records, .. } = wait(store.counts(1));
    records
}

#[test]
fn a_copy_has_all_that_was_committed_and_what_is_written_to_it_goes_with_it() {
    each(|folder| {
        let dataset = folder.dataset();
        let kept = dataset.create("A");
        let copy = wait(dataset.store.throwaway_copy()).expect("a copy");
        assert_eq!(records(&*copy.store), 1);
        let found = wait(copy.store.by_key(1, "A")).expect("the record");
        assert_eq!(found.id, kept);
        assert!(matches!(
            wait(copy.store.write(write("B"))),
            WriteVerdict::Done { .. }
        ));
        assert_eq!(
            wait(copy.store.write(write("A"))),
            WriteVerdict::DuplicateKey
        );
        dataset.create("C");
        assert_eq!((records(&*copy.store), records(&*dataset.store)), (2, 2));
        assert!(wait(copy.store.by_key(1, "C")).is_none());
        assert!(wait(dataset.store.by_key(1, "B")).is_none());
        assert_eq!(wait(copy.store.check()), Vec::<String>::new());
        assert_eq!(folder.left_of_copies().len(), 1);
        drop(copy);
        wait(dataset.store.copies_gone());
        assert_eq!(folder.left_of_copies(), Vec::<String>::new());
        dataset.is_sound();
    });
}

#[test]
fn a_copy_is_one_state_of_the_store_while_others_write() {
    each(|folder| {
        let dataset = folder.dataset();
        for number in 0..200 {
            dataset.create(&format!("{number}"));
        }
        std::thread::scope(|threads| {
            let writer = threads.spawn(|| {
                for number in 200..600 {
                    dataset.create(&format!("{number}"));
                }
            });
            while !writer.is_finished() {
                let copy = wait(dataset.store.throwaway_copy()).expect("a copy");
                assert_eq!(wait(copy.store.check()), Vec::<String>::new());
                let (log, count) = (wait(copy.store.log_head()), records(&*copy.store));
                assert_eq!(log, count, "all of each write, or nothing");
            }
        });
        assert_eq!(records(&*dataset.store), 600);
    });
}

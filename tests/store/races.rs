//! Many threads at once: every race has one winner, and those that lose leave no trace.

use crate::engines::{each, wait};
use crate::test_dataset::{TestDataset, content, done};
use runtime::store::records::{Shelf, WriteVerdict};
use std::sync::{Arc, Barrier};
use std::thread;

/// What so many threads get that do something at one moment.
fn race<T: Send + 'static>(
    dataset: &TestDataset,
    racers: usize,
    act: impl Fn(&TestDataset, usize) -> T + Send + Sync + 'static,
) -> Vec<T> {
    let (start, act) = (Arc::new(Barrier::new(racers)), Arc::new(act));
    let threads: Vec<_> = (0..racers)
        .map(|racer| {
            let (dataset, start, act) = (dataset.clone(), start.clone(), act.clone());
            thread::spawn(move || {
                start.wait();
                act(&dataset, racer)
            })
        })
        .collect();
    let results = threads.into_iter().map(thread::JoinHandle::join);
    results
        .map(|result| result.expect("no racer panics"))
        .collect()
}

fn winners(verdicts: &[WriteVerdict]) -> usize {
    let won = |verdict: &&WriteVerdict| matches!(verdict, WriteVerdict::Done { .. });
    verdicts.iter().filter(won).count()
}

#[test]
fn of_64_racing_creates_of_one_key_one_wins() {
    each(|folder| {
        let dataset = folder.dataset();
        for round in 0..5 {
            let key = format!("K{round}");
            let verdicts = race(&dataset, 64, move |dataset, racer| {
                dataset.offer(content(&key, &racer.to_string()))
            });
            assert_eq!(winners(&verdicts), 1);
            let lost = |verdict: &&WriteVerdict| **verdict == WriteVerdict::DuplicateKey;
            assert_eq!(verdicts.iter().filter(lost).count(), 63);
            assert_eq!(dataset.counts(), (round + 1, 0));
        }
        assert_eq!(wait(dataset.store.log_head()), 5);
        dataset.is_sound();
    });
}

#[test]
fn of_racing_updates_of_one_version_one_wins() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = dataset.create("A");
        for round in 0..5 {
            let verdicts = race(&dataset, 32, move |dataset, racer| {
                dataset.update(id, round, content("A", &format!("{round} {racer}")))
            });
            assert_eq!(winners(&verdicts), 1);
            let stale = WriteVerdict::Stale { version: round + 1 };
            assert_eq!(verdicts.iter().filter(|v| **v == stale).count(), 31);
            let winner = verdicts
                .iter()
                .position(|v| done(round + 1)(*v))
                .expect("one won");
            let kept = dataset.by_key("A").expect("it is there").body;
            assert_eq!(kept, content("A", &format!("{round} {winner}")).body);
        }
        dataset.is_sound();
    });
}

#[test]
fn of_an_update_and_a_delete_of_one_version_one_wins() {
    each(|folder| {
        let dataset = folder.dataset();
        for round in 0..20 {
            let id = dataset.create(&format!("K{round}"));
            let verdicts = race(&dataset, 2, move |dataset, racer| match racer {
                0 => dataset.update(id, 0, content(&format!("K{round}"), "new")),
                _ => dataset.delete(id, 0),
            });
            assert_eq!(winners(&verdicts), 1, "{verdicts:?}");
            let loses = [WriteVerdict::Stale { version: 1 }, WriteVerdict::NotFound];
            assert!(verdicts.iter().any(|v| loses.contains(v)));
            let is_deleted = dataset.get(id.place).expect("kept").deleted;
            assert_eq!(is_deleted, winners(&verdicts[1..]) == 1);
        }
        dataset.is_sound();
    });
}

#[test]
fn of_racing_moves_onto_one_key_one_wins() {
    each(|folder| {
        let dataset = folder.dataset();
        let ids: Vec<_> = (0..16).map(|n| dataset.create(&format!("K{n}"))).collect();
        let verdicts = race(&dataset, 16, move |dataset, racer| {
            dataset.update(ids[racer], 0, content("wanted", ""))
        });
        assert_eq!(winners(&verdicts), 1);
        assert_eq!(dataset.counts(), (16, 0));
        dataset.is_sound();
    });
}

#[test]
fn of_racing_restores_of_one_key_one_wins() {
    each(|folder| {
        let dataset = folder.dataset();
        let ids: Vec<_> = (0..8)
            .map(|_| {
                let id = dataset.create("A");
                dataset.delete(id, 0);
                id
            })
            .collect();
        let verdicts = race(&dataset, 8, move |dataset, racer| {
            dataset.restore(ids[racer])
        });
        assert_eq!(winners(&verdicts), 1);
        assert_eq!((dataset.live().len(), dataset.counts()), (1, (1, 0)));
        assert_eq!(dataset.walk(Shelf::Deleted, 3).len(), 7);
        dataset.is_sound();
    });
}

#[test]
fn what_is_acknowledged_is_seen_by_the_next_read_of_any_thread() {
    each(|folder| {
        let dataset = folder.dataset();
        race(&dataset, 16, |dataset, racer| {
            for n in 0..20 {
                let key = format!("{racer}-{n}");
                let id = dataset.create(&key);
                let beside = dataset.clone();
                let seen = thread::spawn(move || {
                    let own = beside.by_key(&key).expect("by its key");
                    let page = beside.page(Shelf::Live, id.place.sequence - 1, 1);
                    assert_eq!(page[0], own);
                    assert!(beside.counts().0 > n);
                    own.id
                });
                assert_eq!(seen.join().expect("a reader"), id);
            }
        });
        assert_eq!(dataset.counts(), (320, 0));
        dataset.is_sound();
    });
}

#[test]
fn a_write_whose_answer_nobody_waits_for_harms_no_other() {
    each(|folder| {
        let dataset = folder.dataset();
        for n in 0..50 {
            drop(
                dataset
                    .store
                    .write(dataset.write(TestDataset::creation(content(&format!("K{n}"), "")))),
            );
        }
        dataset.create("last");
        assert!(dataset.live().len() <= 51);
        dataset.is_sound();
    });
}

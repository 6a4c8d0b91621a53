//! Many threads at once: every race has one winner, and those that lose leave no trace.

use crate::desk::{Desk, content, done};
use crate::engines::{each, wait};
use runtime::store::records::{Shelf, WriteVerdict};
use std::sync::{Arc, Barrier};
use std::thread;

/// What so many threads get that do something at one moment.
fn race<T: Send + 'static>(
    desk: &Desk,
    racers: usize,
    act: impl Fn(&Desk, usize) -> T + Send + Sync + 'static,
) -> Vec<T> {
    let (start, act) = (Arc::new(Barrier::new(racers)), Arc::new(act));
    let threads: Vec<_> = (0..racers)
        .map(|racer| {
            let (desk, start, act) = (desk.clone(), start.clone(), act.clone());
            thread::spawn(move || {
                start.wait();
                act(&desk, racer)
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
    each(|house| {
        let desk = house.desk();
        for round in 0..5 {
            let key = format!("K{round}");
            let verdicts = race(&desk, 64, move |desk, racer| {
                desk.offer(content(&key, &racer.to_string()))
            });
            assert_eq!(winners(&verdicts), 1);
            let lost = |verdict: &&WriteVerdict| **verdict == WriteVerdict::DuplicateKey;
            assert_eq!(verdicts.iter().filter(lost).count(), 63);
            assert_eq!(desk.counts(), (round + 1, 0));
        }
        assert_eq!(wait(desk.store.log_head()), 5);
        desk.is_sound();
    });
}

#[test]
fn of_racing_updates_of_one_version_one_wins() {
    each(|house| {
        let desk = house.desk();
        let id = desk.create("A");
        for round in 0..5 {
            let verdicts = race(&desk, 32, move |desk, racer| {
                desk.update(id, round, content("A", &format!("{round} {racer}")))
            });
            assert_eq!(winners(&verdicts), 1);
            let stale = WriteVerdict::Stale { version: round + 1 };
            assert_eq!(verdicts.iter().filter(|v| **v == stale).count(), 31);
            let winner = verdicts
                .iter()
                .position(|v| done(round + 1)(*v))
                .expect("one won");
            let kept = desk.by_key("A").expect("it is there").body;
            assert_eq!(kept, content("A", &format!("{round} {winner}")).body);
        }
        desk.is_sound();
    });
}

#[test]
fn of_an_update_and_a_delete_of_one_version_one_wins() {
    each(|house| {
        let desk = house.desk();
        for round in 0..20 {
            let id = desk.create(&format!("K{round}"));
            let verdicts = race(&desk, 2, move |desk, racer| match racer {
                0 => desk.update(id, 0, content(&format!("K{round}"), "new")),
                _ => desk.delete(id, 0),
            });
            assert_eq!(winners(&verdicts), 1, "{verdicts:?}");
            let loses = [WriteVerdict::Stale { version: 1 }, WriteVerdict::NotFound];
            assert!(verdicts.iter().any(|v| loses.contains(v)));
            let is_deleted = desk.get(id.place).expect("kept").deleted;
            assert_eq!(is_deleted, winners(&verdicts[1..]) == 1);
        }
        desk.is_sound();
    });
}

#[test]
fn of_racing_moves_onto_one_key_one_wins() {
    each(|house| {
        let desk = house.desk();
        let ids: Vec<_> = (0..16).map(|n| desk.create(&format!("K{n}"))).collect();
        let verdicts = race(&desk, 16, move |desk, racer| {
            desk.update(ids[racer], 0, content("wanted", ""))
        });
        assert_eq!(winners(&verdicts), 1);
        assert_eq!(desk.counts(), (16, 0));
        desk.is_sound();
    });
}

#[test]
fn of_racing_restores_of_one_key_one_wins() {
    each(|house| {
        let desk = house.desk();
        let ids: Vec<_> = (0..8)
            .map(|_| {
                let id = desk.create("A");
                desk.delete(id, 0);
                id
            })
            .collect();
        let verdicts = race(&desk, 8, move |desk, racer| desk.restore(ids[racer]));
        assert_eq!(winners(&verdicts), 1);
        assert_eq!((desk.live().len(), desk.counts()), (1, (1, 0)));
        assert_eq!(desk.walk(Shelf::Deleted, 3).len(), 7);
        desk.is_sound();
    });
}

#[test]
fn what_is_acknowledged_is_seen_by_the_next_read_of_any_thread() {
    each(|house| {
        let desk = house.desk();
        race(&desk, 16, |desk, racer| {
            for n in 0..20 {
                let key = format!("{racer}-{n}");
                let id = desk.create(&key);
                let beside = desk.clone();
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
        assert_eq!(desk.counts(), (320, 0));
        desk.is_sound();
    });
}

#[test]
fn a_write_whose_answer_nobody_waits_for_harms_no_other() {
    each(|house| {
        let desk = house.desk();
        for n in 0..50 {
            drop(
                desk.store
                    .write(desk.write(Desk::creation(content(&format!("K{n}"), "")))),
            );
        }
        desk.create("last");
        assert!(desk.live().len() <= 51);
        desk.is_sound();
    });
}

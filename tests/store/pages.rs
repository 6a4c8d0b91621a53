//! Pages: in order of creation, by place, never by count; what exists throughout a walk is on it
//! exactly once.

use crate::desk::{Desk, content};
use crate::engines::{each, wait};
use runtime::store::records::{Shelf, WriteVerdict};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

fn filled(desk: &Desk, count: usize) -> Vec<u64> {
    let ids = (0..count).map(|n| desk.create(&format!("K{n}")));
    ids.map(|id| id.place.sequence).collect()
}

#[test]
fn pages_hold_every_record_once_in_order_of_creation() {
    each(|house| {
        let desk = house.desk();
        let meant = filled(&desk, 25);
        desk.beside(2).create("neighbour");
        desk.beside(0).create("neighbour");
        for limit in [1, 2, 7, 24, 25, 26, 1000] {
            let walk = desk.walk(Shelf::Live, limit);
            let found: Vec<u64> = walk.iter().map(|r| r.id.place.sequence).collect();
            assert_eq!(found, meant, "pages of {limit}");
        }
    });
}

#[test]
fn nothing_follows_a_last_page_that_is_exactly_full() {
    each(|house| {
        let desk = house.desk();
        let meant = filled(&desk, 10);
        let last = desk.page(Shelf::Live, meant[4], 5);
        assert_eq!(last.len(), 5);
        assert_eq!(desk.page(Shelf::Live, meant[9], 5), []);
        // a page of one more than is shown tells whether something follows
        assert_eq!(desk.page(Shelf::Live, meant[4], 6).len(), 5);
        assert_eq!(desk.page(Shelf::Live, meant[3], 6).len(), 6);
    });
}

#[test]
fn an_empty_dataset_has_empty_pages_and_counts() {
    each(|house| {
        let desk = house.desk();
        assert_eq!(desk.page(Shelf::Live, 0, 10), []);
        assert_eq!(desk.page(Shelf::Deleted, 0, 10), []);
        assert_eq!(desk.counts(), (0, 0));
        assert_eq!(wait(desk.store.log_head()), 0);
        assert_eq!(desk.page(Shelf::Live, 0, 0), []);
        desk.is_sound();
    });
}

#[test]
fn deleted_records_have_pages_of_their_own() {
    each(|house| {
        let desk = house.desk();
        let ids: Vec<_> = (0..30).map(|n| desk.create(&format!("K{n}"))).collect();
        let beside = desk.beside(2).create("X");
        desk.beside(2).delete(beside, 0);
        let (mut live, mut deleted) = (Vec::new(), Vec::new());
        for (n, id) in ids.iter().enumerate() {
            if n % 3 == 0 {
                desk.delete(*id, 0);
                deleted.push(*id);
            } else {
                live.push(*id);
            }
        }
        for (shelf, meant) in [(Shelf::Live, live), (Shelf::Deleted, deleted)] {
            let walk = desk.walk(shelf, 4);
            assert!(walk.iter().all(|r| r.deleted == (shelf == Shelf::Deleted)));
            let found: Vec<_> = walk.iter().map(|r| r.id).collect();
            assert_eq!(found, meant);
        }
    });
}

#[test]
fn a_walk_among_writers_returns_what_exists_throughout_exactly_once() {
    each(|house| {
        let desk = house.desk();
        let staying: BTreeSet<u64> = (0..60)
            .map(|n| {
                if n % 2 == 0 {
                    let passing = desk.create(&format!("passing {n}"));
                    desk.delete(passing, 0);
                }
                desk.create(&format!("staying {n}")).place.sequence
            })
            .collect();
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            for writer in 0..3 {
                let (desk, is_over, staying) = (&desk, &is_over, &staying);
                scope.spawn(move || {
                    let mut n = 0;
                    while !is_over.load(Ordering::Relaxed) {
                        let passing = desk.create(&format!("{writer} {n}"));
                        if n % 4 != 0 {
                            desk.delete(passing, 0);
                        }
                        // what stays is changed under the walk, and keeps its place
                        let changed = staying.iter().nth(n % staying.len()).expect("one");
                        let place = runtime::store::records::RecordPlace {
                            dataset: desk.dataset,
                            sequence: *changed,
                        };
                        let record = desk.get(place).expect("it stays");
                        let key = format!("{writer} changed {n}");
                        let verdict = desk.update(record.id, record.version, content(&key, ""));
                        assert!(!matches!(verdict, WriteVerdict::NotFound));
                        n += 1;
                    }
                });
            }
            for round in 0..30 {
                let walk = desk.walk(Shelf::Live, 1 + round % 13);
                let seen: Vec<u64> = walk.iter().map(|r| r.id.place.sequence).collect();
                assert!(seen.is_sorted_by(|a, b| a < b), "none twice, in order");
                let seen: BTreeSet<u64> = seen.into_iter().collect();
                let missed: Vec<_> = staying.difference(&seen).collect();
                assert!(missed.is_empty(), "round {round} missed {missed:?}");
            }
            is_over.store(true, Ordering::Relaxed);
        });
        desk.is_sound();
    });
}

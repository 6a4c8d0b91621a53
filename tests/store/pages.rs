//! Pages: in order of creation, by place, never by count; what exists throughout a walk is on it
//! exactly once.

use crate::engines::{each, wait};
use crate::test_dataset::{TestDataset, actor, content, done};
use runtime::store::records::{PageLimit, Shelf, WriteVerdict};
use runtime::value::Timestamp;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use tests::ends::Ends;

fn filled(dataset: &TestDataset, count: usize) -> Vec<u64> {
    let ids = (0..count).map(|n| dataset.create(&format!("K{n}")));
    ids.map(|id| id.place.sequence).collect()
}

#[test]
fn pages_hold_every_record_once_in_order_of_creation() {
    each(|folder| {
        let dataset = folder.dataset();
        let meant = filled(&dataset, 25);
        dataset.beside(2).create("neighbour");
        dataset.beside(0).create("neighbour");
        for limit in [1, 2, 7, 24, 25, 26, 1000] {
            let walk = dataset.walk(Shelf::Live, limit);
            let found: Vec<u64> = walk.iter().map(|r| r.id.place.sequence).collect();
            assert_eq!(found, meant, "pages of {limit}");
        }
    });
}

#[test]
fn nothing_follows_a_last_page_that_is_exactly_full() {
    each(|folder| {
        let dataset = folder.dataset();
        let meant = filled(&dataset, 10);
        let last = dataset.page(Shelf::Live, meant[4], 5);
        assert_eq!(last.len(), 5);
        assert_eq!(dataset.page(Shelf::Live, meant[9], 5), []);
        // a page of one more than is shown tells whether something follows
        assert_eq!(dataset.page(Shelf::Live, meant[4], 6).len(), 5);
        assert_eq!(dataset.page(Shelf::Live, meant[3], 6).len(), 6);
    });
}

#[test]
fn a_page_tells_what_is_behind_it() {
    each(|folder| {
        let dataset = folder.dataset();
        let meant = filled(&dataset, 10);
        let behind = |shelf, after, records| {
            let bytes = usize::MAX;
            let page = dataset.limited(shelf, after, PageLimit { records, bytes });
            (page.records.len(), page.behind)
        };
        assert_eq!(behind(Shelf::Live, 0, 3), (3, Some(meant[3])));
        assert_eq!(behind(Shelf::Live, 0, 10), (10, None));
        assert_eq!(behind(Shelf::Live, meant[6], 3), (3, None));
        assert_eq!(behind(Shelf::Live, meant[9], 3), (0, None));
        assert_eq!(behind(Shelf::Live, 0, 0), (0, Some(meant[0])));
        assert_eq!(behind(Shelf::Deleted, 0, 3), (0, None));
        // what is deleted is behind no live record, and what is alive behind no deleted one
        for record in dataset.page(Shelf::Live, meant[3], 10) {
            dataset.delete(record.id, 0);
        }
        assert_eq!(behind(Shelf::Live, 0, 4), (4, None));
        assert_eq!(behind(Shelf::Live, 0, 3), (3, Some(meant[3])));
        assert_eq!(behind(Shelf::Deleted, 0, 5), (5, Some(meant[9])));
        assert_eq!(behind(Shelf::Deleted, 0, 6), (6, None));
    });
}

#[test]
fn a_page_of_large_records_ends_with_the_one_that_brings_it_to_its_bytes() {
    each(|folder| {
        let dataset = folder.dataset();
        for n in 0..9 {
            // values, errors and hidden values count alike
            let large = "x".repeat(1000);
            let mut content = content(&n.to_string(), "");
            match n % 3 {
                0 => content.body = format!(r#"{{"Key":"{n}","Text":"{large}"}}"#),
                1 => content.errors = Some(format!(r#"[{{"name":"Text","errors":"{large}"}}]"#)),
                _ => content.hidden = Some(format!(r#"{{"f-old":"{large}"}}"#)),
            }
            let verdict = dataset.offer(content);
            assert!(done(0)(verdict), "{verdict:?}");
        }
        let walk = |shelf, bytes| {
            let (mut sizes, mut seen, mut after) = (Vec::new(), Vec::new(), 0);
            loop {
                let records = 4;
                let page = dataset.limited(shelf, after, PageLimit { records, bytes });
                let sequences = page.records.iter().map(|r| r.id.place.sequence);
                seen.extend(sequences);
                sizes.push(page.records.len());
                let last = *seen.last().expect("a record at least");
                if page.behind.is_none() {
                    assert_eq!(seen, (1..=9).collect::<Vec<u64>>());
                    return sizes;
                }
                assert_eq!(page.behind, Some(last + 1));
                after = last;
            }
        };
        let check = |shelf| {
            for bytes in [0, 1, 1000] {
                assert_eq!(walk(shelf, bytes), [1; 9], "{bytes} bytes");
            }
            assert_eq!(walk(shelf, 1500), [2, 2, 2, 2, 1]);
            assert_eq!(walk(shelf, 2500), [3, 3, 3]);
            assert_eq!(
                walk(shelf, 100_000),
                [4, 4, 1],
                "no more than were asked for"
            );
        };
        check(Shelf::Live);
        for record in dataset.page(Shelf::Live, 0, 9) {
            dataset.delete(record.id, 0);
        }
        check(Shelf::Deleted);
    });
}

#[test]
fn long_stretches_of_deleted_records_hide_none_between_them() {
    each(|folder| {
        let dataset = folder.dataset();
        let ids: Vec<_> = (0..120).map(|n| dataset.create(&format!("K{n}"))).collect();
        let is_kept = |n: usize| [0, 1, 40, 41, 79, 119].contains(&n) || n % 17 == 3;
        let mut kept = Vec::new();
        for (n, id) in ids.iter().enumerate() {
            if is_kept(n) || n == 61 {
                kept.push(*id);
            }
            if !is_kept(n) {
                dataset.delete(*id, 0);
            }
            if !is_kept(n) && n % 2 == 0 {
                dataset.purge(*id);
            }
        }
        dataset.restore(ids[61]);
        for limit in [1, 2, 5, 100] {
            let walk = dataset.walk(Shelf::Live, limit);
            let found: Vec<_> = walk.iter().map(|record| record.id).collect();
            assert_eq!(found, kept, "pages of {limit}");
        }
        // from the middle of a stretch, too
        let page = dataset.page(Shelf::Live, ids[50].place.sequence, 1);
        assert_eq!(page[0].id, ids[54]);
        dataset.is_sound();
    });
}

#[test]
fn an_empty_dataset_has_empty_pages_and_counts() {
    each(|folder| {
        let dataset = folder.dataset();
        assert_eq!(dataset.page(Shelf::Live, 0, 10), []);
        assert_eq!(dataset.page(Shelf::Deleted, 0, 10), []);
        assert_eq!(dataset.counts(), (0, 0));
        assert_eq!(wait(dataset.store.log_head()), 0);
        assert_eq!(dataset.page(Shelf::Live, 0, 0), []);
        dataset.is_sound();
    });
}

#[test]
fn deleted_records_have_pages_of_their_own() {
    each(|folder| {
        let dataset = folder.dataset();
        let ids: Vec<_> = (0..30).map(|n| dataset.create(&format!("K{n}"))).collect();
        let beside = dataset.beside(2).create("X");
        dataset.beside(2).delete(beside, 0);
        let (mut live, mut deleted) = (Vec::new(), Vec::new());
        for (n, id) in ids.iter().enumerate() {
            if n % 3 == 0 {
                dataset.delete(*id, 0);
                deleted.push(*id);
            } else {
                live.push(*id);
            }
        }
        for (shelf, meant) in [(Shelf::Live, live), (Shelf::Deleted, deleted)] {
            let walk = dataset.walk(shelf, 4);
            assert!(walk.iter().all(|r| r.deleted == (shelf == Shelf::Deleted)));
            let found: Vec<_> = walk.iter().map(|r| r.id).collect();
            assert_eq!(found, meant);
        }
    });
}

#[test]
fn a_walk_among_writers_returns_what_exists_throughout_exactly_once() {
    each(|folder| {
        let dataset = folder.dataset();
        let staying: BTreeSet<u64> = (0..60)
            .map(|n| {
                if n % 2 == 0 {
                    let passing = dataset.create(&format!("passing {n}"));
                    dataset.delete(passing, 0);
                }
                dataset.create(&format!("staying {n}")).place.sequence
            })
            .collect();
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let _ends = Ends(&is_over);
            for writer in 0..3 {
                let (dataset, is_over, staying) = (&dataset, &is_over, &staying);
                scope.spawn(move || {
                    let mut n = 0;
                    while !is_over.load(Ordering::Relaxed) {
                        let passing = dataset.create(&format!("{writer} {n}"));
                        if n % 4 != 0 {
                            dataset.delete(passing, 0);
                        }
                        // what stays is changed under the walk, and keeps its place
                        let changed = staying.iter().nth(n % staying.len()).expect("one");
                        let place = runtime::store::records::RecordPlace {
                            dataset: dataset.number,
                            sequence: *changed,
                        };
                        let record = dataset.get(place).expect("it stays");
                        let key = format!("{writer} changed {n}");
                        let verdict = dataset.update(record.id, record.version, content(&key, ""));
                        assert!(!matches!(verdict, WriteVerdict::NotFound));
                        n += 1;
                    }
                });
            }
            for round in 0..30 {
                let walk = dataset.walk(Shelf::Live, 1 + round % 13);
                let seen: Vec<u64> = walk.iter().map(|r| r.id.place.sequence).collect();
                assert!(seen.is_sorted_by(|a, b| a < b), "none twice, in order");
                let seen: BTreeSet<u64> = seen.into_iter().collect();
                let missed: Vec<_> = staying.difference(&seen).collect();
                assert!(missed.is_empty(), "round {round} missed {missed:?}");
            }
        });
        dataset.is_sound();
    });
}

#[test]
fn deleted_records_come_in_the_order_of_their_deletion_the_last_one_first() {
    each(|folder| {
        let dataset = folder.dataset();
        let ids: Vec<_> = (0..7).map(|n| dataset.create(&format!("K{n}"))).collect();
        let beside = dataset.beside(2);
        let neighbour = beside.create("neighbour");
        for at in [3, 0, 5, 1, 4] {
            assert!(done(0)(dataset.delete(ids[at], 0)));
        }
        assert!(done(0)(beside.delete(neighbour, 0)));
        // one comes back, and one is deleted anew
        assert!(done(1)(dataset.restore(ids[5])));
        assert!(done(1)(dataset.restore(ids[3])));
        assert!(done(1)(dataset.delete(ids[3], 1)));
        let meant: Vec<u64> = [3, 4, 1, 0].map(|at| ids[at].place.sequence).into();
        for records in [1, 2, 3, 4, 5] {
            for bytes in [0, usize::MAX] {
                let (mut found, mut before, mut pages) = (Vec::new(), u64::MAX, 0);
                loop {
                    let limit = PageLimit { records, bytes };
                    let (page, has_more) = dataset.deleted_last(before, limit);
                    assert!(page.len() <= records && page.iter().all(|(it, _)| *it < before));
                    found.extend(page.iter().map(|(_, sequence)| *sequence));
                    pages += 1;
                    if !has_more {
                        break;
                    }
                    before = page.last().expect("a record at least").0;
                }
                assert_eq!(found, meant, "pages of {records} and {bytes} bytes");
                let own = if bytes == 0 { 1 } else { records };
                assert_eq!(pages, meant.len().div_ceil(own));
            }
        }
        // each tells of its own deletion
        let deletions = dataset.deletions(PageLimit::of(5));
        let told = Some((Timestamp::from_millis(1_769_850_300_007), actor()));
        assert_eq!(deletions, vec![told; 4]);
    });
}

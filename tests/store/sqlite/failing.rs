//! The writer's thrift, one transaction for many writes; and that a write at fault in such a transaction
//! costs its neighbours nothing. (A full disk is told beside the writer.)

use super::{dataset, file, open};
use crate::engines::{folder, wait};
use crate::test_dataset::{TestDataset, content};
use runtime::store::StoreError;
use runtime::store::deliveries::{Deliveries as _, Delivery};
use runtime::store::records::WriteVerdict;
use std::collections::BTreeMap;
use std::sync::{Arc, Barrier};
use std::thread;

/// What became of creates from many threads, by key.
fn create_at_once(
    dataset: &TestDataset,
    threads: usize,
    writes: usize,
) -> BTreeMap<String, Result<WriteVerdict, StoreError>> {
    let start = Arc::new(Barrier::new(threads));
    let running: Vec<_> = (0..threads)
        .map(|racer| {
            let (dataset, start) = (dataset.clone(), start.clone());
            thread::spawn(move || {
                start.wait();
                let keys = (0..writes).map(|n| format!("{racer}-{n}"));
                keys.map(|key| (key.clone(), dataset.try_offer(content(&key, ""))))
                    .collect::<Vec<_>>()
            })
        })
        .collect();
    let results = running.into_iter().map(thread::JoinHandle::join);
    results
        .flat_map(|result| result.expect("no writer panics"))
        .collect()
}

#[test]
fn a_delivery_that_a_disk_damaged_hides_no_other() {
    let folder = folder();
    let store = open(folder.path());
    let noted = |webhook: &str| {
        let [seen, next] = [(); 2].map(|()| Delivery::default());
        wait(store.note_delivery(webhook, seen, next, None))
    };
    for webhook in ["a", "b"] {
        assert!(noted(webhook));
    }
    file(folder.path())
        .execute(
            "UPDATE deliveries SET document = '?' WHERE webhook = 'a'",
            [],
        )
        .expect("damaged");
    let of_all = || {
        let known = wait(store.deliveries_of(vec!["a".to_owned(), "b".to_owned()]));
        let mut known: Vec<_> = known.into_iter().map(|(id, it)| (id, it.ok())).collect();
        known.sort_by(|one, other| one.0.cmp(&other.0));
        known
    };
    let [a, b] = ["a", "b"].map(str::to_owned);
    let delivery = Some(Delivery::default());
    assert_eq!(of_all(), [(a.clone(), None), (b.clone(), delivery.clone())]);
    assert!(noted("a"));
    assert_eq!(of_all(), [(a, delivery.clone()), (b, delivery)]);
}

#[test]
fn writes_that_wait_together_share_a_transaction() {
    let folder = folder();
    let store = open(folder.path());
    let before = store.transactions();
    let dataset = TestDataset::new(store.clone(), 1);
    let made = create_at_once(&dataset, 64, 20);
    assert!(made.values().all(Result::is_ok));
    assert_eq!(dataset.counts(), (64 * 20, 0));
    let transactions = store.transactions() - before;
    assert!(
        transactions < 64 * 20 / 4,
        "{transactions} transactions for 1280 writes"
    );
}

/// A rule inside the database that fails some inserts, as a broken page would.
const FAULT: &str = "CREATE TRIGGER fault BEFORE INSERT ON records WHEN new.primary_key LIKE 'bad%'
   BEGIN SELECT raise(ABORT, 'a planted fault'); END;";

#[test]
fn a_write_at_fault_gets_its_error_and_its_neighbours_are_done() {
    let folder = folder();
    drop(open(folder.path()));
    file(folder.path()).execute_batch(FAULT).expect("planted");
    let dataset = dataset(folder.path());
    let start = Arc::new(Barrier::new(32));
    thread::scope(|scope| {
        for racer in 0..32 {
            let (dataset, start) = (dataset.clone(), start.clone());
            scope.spawn(move || {
                start.wait();
                for n in 0..5 {
                    let is_bad = (racer + n) % 7 == 0;
                    let key = format!("{}{racer}-{n}", if is_bad { "bad" } else { "good" });
                    match dataset.try_offer(content(&key, "")) {
                        Ok(WriteVerdict::Done { .. }) => assert!(!is_bad, "{key}"),
                        Err(error) => {
                            assert!(is_bad, "{key}: {error}");
                            let source = std::error::Error::source(&error).expect("its source");
                            assert!(source.to_string().contains("a planted fault"), "{source}");
                        }
                        other => panic!("{key}: {other:?}"),
                    }
                }
            });
        }
    });
    let meant = (0..32)
        .flat_map(|r| (0..5).map(move |n| r + n))
        .filter(|sum| sum % 7 != 0);
    let meant = meant.count() as u64;
    assert_eq!(dataset.counts(), (meant, 0));
    let sequences = dataset.live();
    assert_eq!(
        sequences,
        (1..=meant).collect::<Vec<_>>(),
        "no place is lost to a fault"
    );
    drop(dataset);
    file(folder.path())
        .execute_batch("DROP TRIGGER fault")
        .expect("gone");
    super::dataset(folder.path()).is_sound();
}

//! What a store holds is there when it is opened again, and its numbers go on where they were.

use crate::engines::{StoreFolder, each, wait};
use crate::test_dataset::{TestDataset, faulty};
use runtime::store::records::{PageLimit, Shelf};

/// Everything a dataset shows.
fn everything(dataset: &TestDataset) -> impl PartialEq + std::fmt::Debug + use<> {
    (
        dataset.walk(Shelf::Live, 9),
        dataset.walk(Shelf::Deleted, 9),
        dataset.counts(),
        wait(dataset.store.log(0, PageLimit::of(1000))),
    )
}

fn filled(folder: &StoreFolder) -> TestDataset {
    let dataset = folder.dataset();
    for n in 0..20 {
        let id = dataset.create(&format!("K{n}"));
        if n % 3 == 0 {
            dataset.update(id, 0, faulty(&format!("K{n}")));
        }
        if n % 5 == 0 {
            dataset.delete(id, i64::from(n % 3 == 0));
        }
    }
    dataset
}

#[test]
fn everything_is_there_after_the_store_is_opened_again() {
    each(|folder| {
        let dataset = filled(folder);
        let before = everything(&dataset);
        drop(dataset);
        for _ in 0..3 {
            let dataset = folder.dataset();
            assert_eq!(everything(&dataset), before);
            dataset.is_sound();
        }
    });
}

#[test]
fn places_and_numbers_go_on_where_they_were() {
    each(|folder| {
        let dataset = filled(folder);
        let last = dataset.create("last");
        dataset.delete(last, 0);
        dataset.purge(last);
        let head = wait(dataset.store.log_head());
        drop(dataset);
        let dataset = folder.dataset();
        assert_eq!(
            dataset.create("next").place.sequence,
            last.place.sequence + 1,
            "the place of what was purged is not used again"
        );
        assert_eq!(wait(dataset.store.log_head()), head + 1);
        dataset.is_sound();
    });
}

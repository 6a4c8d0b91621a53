//! The newest entries of the change log about some datasets, however many others were written meanwhile.

use crate::engines::{each, wait};
use crate::test_dataset::{TestDataset, content, done};
use runtime::store::records::RecordId;

/// The newest entries, and what each is about.
fn newest(one: &TestDataset, datasets: &[u32], most: usize) -> Vec<(u64, RecordId)> {
    wait(one.store.newest_changes(datasets.to_vec(), most))
}

#[test]
fn the_newest_entries_come_first_and_only_those_of_the_datasets_that_were_asked_for() {
    each(|folder| {
        let one = folder.dataset();
        let (two, three) = (one.beside(2), one.beside(3));
        assert_eq!(newest(&one, &[1, 2, 3], 9), []);
        let a = one.create("a");
        let b = two.create("b");
        let c = three.create("c");
        assert!(done(1)(one.update(a, 0, content("a", "second"))));
        assert!(done(0)(two.delete(b, 0)));
        assert_eq!(
            newest(&one, &[1, 2, 3], 9),
            [(5, b), (4, a), (3, c), (2, b), (1, a)]
        );
        assert_eq!(newest(&one, &[1, 2, 3], 2), [(5, b), (4, a)]);
        assert_eq!(newest(&one, &[1, 3], 2), [(4, a), (3, c)]);
        assert_eq!(newest(&one, &[3, 77], 9), [(3, c)]);
        assert_eq!(newest(&one, &[77], 9), []);
        assert_eq!(newest(&one, &[], 9), []);
        assert_eq!(newest(&one, &[1], 0), []);
    });
}

#[test]
fn one_busy_dataset_does_not_hide_the_newest_entries_of_the_others() {
    each(|folder| {
        let one = folder.dataset();
        let quiet = one.beside(2).create("quiet");
        let busy: Vec<_> = (0..20).map(|at| one.create(&format!("K{at}"))).collect();
        let last = one.beside(3).create("last");
        let found = newest(&one, &[1, 2, 3], 4);
        assert_eq!(
            found,
            [(22, last), (21, busy[19]), (20, busy[18]), (19, busy[17])]
        );
        assert_eq!(newest(&one, &[2, 3], 4), [(22, last), (1, quiet)]);
    });
}

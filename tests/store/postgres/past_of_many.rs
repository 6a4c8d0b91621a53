//! A page of the change log that goes across many datasets, as a move reads it: whole, and by few statements.

use crate::engines::{open_at, wait};
use crate::sent::{noting, sent};
use crate::test_dataset::{TestDataset, content, done};
use runtime::store::postgres::{PostgresOptions, PostgresTransfer};
use runtime::store::records::{PageLimit, Records as _, WriteVerdict};
use runtime::store::transfer::{Part, TransferRow, TransferSource as _};

const DATASETS: u32 = 300;
/// One of so many has a record that was changed.
const CHANGED: u32 = 30;

#[test]
fn a_page_across_many_datasets_is_read_by_few_statements() {
    let cluster = noting("many");
    let address = cluster.address("many");
    let store = open_at(&address);
    let datasets = (1..=DATASETS).map(|number| TestDataset::new(store.clone(), number));
    let datasets: Vec<_> = datasets.collect();
    let writes = datasets.iter().map(|dataset| {
        let first = content("K1", "first");
        let write = dataset.write(TestDataset::creation(first));
        dataset.store.write(write)
    });
    let writes: Vec<_> = writes.collect();
    let mut expected = Vec::new();
    for (written, dataset) in writes.into_iter().zip(&datasets) {
        let WriteVerdict::Done { id, version: 0 } = wait(written) else {
            panic!("it can be created");
        };
        expected.push((dataset.number, content("K1", "first").body));
        if dataset.number % CHANGED == 0 {
            assert!(done(1)(dataset.update(id, 0, content("K1", "second"))));
        }
    }
    let changed = (1..=DATASETS).filter(|number| number % CHANGED == 0);
    expected.extend(changed.map(|number| (number, content("K1", "second").body)));
    // as who follows the whole log reads it
    let entries = wait(store.log(0, PageLimit::of(1000)));
    let read = entries
        .iter()
        .map(|it| (it.id.place.dataset, it.after.clone().expect("values")));
    assert_eq!(sorted(read), sorted(expected.iter().cloned()));
    // nobody else asks from here on
    drop((store, datasets));
    let options = PostgresOptions::default();
    let transfer = wait(PostgresTransfer::open(&address, &options));
    let before = sent(&cluster);
    let rows = wait(transfer.rows(Part::ChangeLog, None, 1000));
    let count = sent(&cluster) - before;
    let read = rows.into_iter().map(|row| match row {
        TransferRow::Entry(entry) => {
            let number = u32::try_from(entry.dataset).expect("a number");
            (number, entry.after.expect("values"))
        }
        other => panic!("no entry: {other:?}"),
    });
    assert_eq!(sorted(read), sorted(expected.into_iter()));
    // the page, one for each hundred entries, and one for each record that has a past
    assert!(
        count <= 1 + 4 + (DATASETS / CHANGED) as usize + 5,
        "{count}"
    );
}

fn sorted(read: impl Iterator<Item = (u32, String)>) -> Vec<(u32, String)> {
    let mut read: Vec<_> = read.collect();
    read.sort();
    read
}

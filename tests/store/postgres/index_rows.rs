//! What an update writes of the index: the rows of its record, and those of no other one.

use crate::engines::{StoreFolder, each};
use crate::finder::{Finder, document, gone, place};
use runtime::store::records::RecordPlace;
use runtime::store::search::{Document, FactValue, FieldFacts, Key};
use std::collections::BTreeSet;

const TABLES: [&str; 4] = [
    "search_records",
    "search_words",
    "search_keys",
    "search_marks",
];
/// Another record of the same dataset, and one of another dataset with the same number.
const OTHERS: [(u32, u64); 2] = [(1, 2), (2, 1)];

/// The rows that the index has of a record, each as it lies in its table's file, by the transaction that wrote it: one that is written
/// anew lies elsewhere, or is of another transaction.
fn rows(folder: &StoreFolder, at: RecordPlace) -> BTreeSet<String> {
    let RecordPlace { dataset, sequence } = at;
    let of_table = |table: &str| {
        format!(
            "SELECT 'row: {table} ' || concat_ws(' ', ctid, xmin) FROM {table}
             WHERE dataset = {dataset} AND sequence = {sequence}"
        )
    };
    let told = folder.told(&TABLES.map(of_table).join(" UNION ALL "));
    let rows = told
        .lines()
        .filter_map(|line| line.trim().strip_prefix("row: "));
    rows.map(str::to_owned).collect()
}

/// A record with a name, which has an order and is faulty: one row in each table.
fn named(at: RecordPlace, name: &str) -> Document {
    let mut made = document(at, "s", &[("n", &[name])]);
    made.content.as_mut().expect("a document").facts = vec![FieldFacts {
        field: "n".into(),
        value: FactValue::Keys(vec![Key::Text(name.into())]),
        faults: vec!["max".into()],
    }];
    made
}

#[test]
fn an_update_writes_the_rows_of_its_record_and_those_of_all_others_stay_as_they_lie() {
    each(|folder| {
        let finder = Finder {
            index: folder.index(),
        };
        let one = place(1, 1);
        let others = OTHERS.map(|(dataset, sequence)| place(dataset, sequence));
        let all = others.into_iter().chain([one]);
        finder.put(all.map(|at| named(at, "Riga")).collect());
        let rows_of_others = || others.map(|at| rows(folder, at));
        let (mut before, as_they_lie) = (rows(folder, one), rows_of_others());
        for rows in as_they_lie.iter().chain([&before]) {
            assert_eq!(rows.len(), TABLES.len(), "{rows:?}");
        }
        for name in ["Bonn", "Oslo"] {
            finder.put(vec![named(one, name)]);
            let after = rows(folder, one);
            assert_eq!(after.len(), TABLES.len(), "{after:?}");
            assert_ne!(after, before, "it is seen what is written");
            assert_eq!(rows_of_others(), as_they_lie);
            before = after;
        }
        finder.put(vec![gone(one)]);
        assert_eq!(rows(folder, one), BTreeSet::new());
        assert_eq!(rows_of_others(), as_they_lie);
    });
}

//! How SQLite goes about what searches ask: by an order that there is, and never through a whole table.

use super::counting::{FAULTS, KEYS, SAMPLES};
use super::open;
use super::sorting::walked;
use super::sql_key::{FIRST, LAST};
use super::values::{FACTS_AT, FACTS_FROM, listed};
use std::ops::Bound;
use store::search::{Key, KeyRange};

#[test]
fn no_form_goes_through_a_whole_table_or_sorts_what_it_finds() {
    let folder = tempfile::tempdir().unwrap();
    let connection = open::writer_connection(&folder.path().join(open::FILE)).unwrap();
    let mut statements: Vec<String> = [FACTS_AT, FACTS_FROM, FIRST, LAST, KEYS, FAULTS, SAMPLES]
        .map(str::to_owned)
        .into();
    let key = || Key::Int(1);
    let ends = [
        Bound::Unbounded,
        Bound::Included(key()),
        Bound::Excluded(key()),
    ];
    for from in &ends {
        for to in &ends {
            let range = KeyRange {
                from: from.clone(),
                to: to.clone(),
            };
            statements.push(listed(&range));
            statements.extend([false, true].map(|descending| walked(&range, descending)));
        }
    }
    for sql in statements {
        let mut plan = connection
            .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
            .unwrap();
        let mut rows = plan.raw_query();
        while let Some(row) = rows.next().unwrap() {
            let step: String = row.get(3).unwrap();
            assert!(step.starts_with("SEARCH"), "{sql}: {step}");
        }
    }
}

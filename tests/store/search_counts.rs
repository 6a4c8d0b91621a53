//! How often keys are there: the most frequent are told, and how many others there are, of all records and of those that a
//! search finds.

use crate::engines::{each, wait};
use crate::finder::{Finder, aim, document, of_field, place};
use runtime::store::search::{
    Count, Counted, FactValue, FieldFacts, FieldName, Key, KeyCounts, Tally,
};
use std::time::{Duration, Instant};

/// More than are counted without an order of their keys.
const RECORDS: u64 = 3000;

#[test]
fn the_most_frequent_keys_are_told_and_how_many_others_there_are() {
    each(|folder| {
        let finder = Finder {
            index: folder.index(),
        };
        // each second record has a key of its own
        let record = |sequence: u64| {
            let key = match sequence % 2 {
                0 => "often".to_owned(),
                _ => format!("{sequence:04}"),
            };
            let mut made = document(place(1, sequence), "s", &[("a", &["word"])]);
            made.content.as_mut().expect("a document").facts = vec![FieldFacts {
                field: "a".into(),
                value: FactValue::Keys(vec![Key::Text(key.into())]),
                faults: Vec::new(),
            }];
            made
        };
        finder.put((1..=RECORDS).map(record).collect());
        let count = |expression, most| {
            let count = Count {
                expression,
                aims: vec![aim(1, "s", &[("Kind", "a")])],
                what: Counted::Keys {
                    of: FieldName::of("Kind"),
                    most,
                },
                deadline: Instant::now() + Duration::from_secs(60),
            };
            match wait(async { finder.index.count(count).await }) {
                Tally::Keys(counts) => counts,
                Tally::Faults(_) => panic!("keys"),
            }
        };
        for expression in [None, Some(of_field("Kind", "word"))] {
            let told = |key: &str, records| (Key::Text(key.into()), records);
            let few = KeyCounts {
                most: vec![told("often", 1500), told("0001", 1), told("0003", 1)],
                others: 1498,
                other_records: 1498,
            };
            assert_eq!(count(expression.clone(), 3), few);
            let all = count(expression, 1501);
            assert_eq!((all.most.len(), all.others), (1501, 0));
        }
    });
}

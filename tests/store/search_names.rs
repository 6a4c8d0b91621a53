//! Names of fields: one that is typed as the schema has it is that field alone, in words, faults, missing values, counts
//! and orders; only without such a field, those are asked whose names have the same letters and digits.

use crate::engines::{each, wait};
use crate::finder::{Finder, aim, document, of_field, place};
use runtime::store::search::{
    Aim, Count, Counted, Document, Expression, FactValue, FaultTerm, FieldFacts, FieldName, Key,
    Search, SortField, Tally, Term,
};
use std::time::{Duration, Instant};

fn fact(field: &str, value: FactValue, faults: &[&str]) -> FieldFacts {
    FieldFacts {
        field: field.into(),
        value,
        faults: faults.iter().map(|rule| (*rule).into()).collect(),
    }
}

fn number(number: i64) -> FactValue {
    FactValue::Keys(vec![Key::Int(number)])
}

/// A record with words and facts of two fields.
fn record(sequence: u64, [one, other]: [&str; 2], facts: [FieldFacts; 2]) -> Document {
    let fields: [(&str, &[&str]); 2] = [("a", &[one]), ("b", &[other])];
    let mut made = document(place(1, sequence), "s", &fields);
    made.content.as_mut().expect("a document").facts = facts.into();
    made
}

/// Tells a story of two fields, and of records that have something in one of them that they do not have in the other.
fn each_filled(story: impl Fn(&Finder)) {
    each(|folder| {
        let finder = Finder {
            index: folder.index(),
        };
        let plain = |field| fact(field, FactValue::Plain, &[]);
        finder.put(vec![
            record(
                1,
                ["keep", "kill"],
                [fact("a", number(1), &[]), fact("b", number(9), &[])],
            ),
            record(
                2,
                ["kill", "keep"],
                [fact("a", number(2), &[]), fact("b", number(8), &[])],
            ),
            record(
                3,
                ["x", "x"],
                [fact("a", FactValue::Missing, &[]), plain("b")],
            ),
            record(
                4,
                ["x", "x"],
                [plain("a"), fact("b", FactValue::Unread, &["min"])],
            ),
        ]);
        story(&finder);
    });
}

/// The first dataset, whose two fields have these names.
fn named(one: &str, other: &str) -> [Aim; 1] {
    [aim(1, "s", &[(one, "a"), (other, "b")])]
}

#[track_caller]
fn check(finder: &Finder, aims: &[Aim], expression: Expression, expected: &[u64]) {
    let shown = format!("{expression:?}");
    let found = finder.find(expression, aims).places;
    let sequences: Vec<u64> = found.iter().map(|at| at.sequence).collect();
    assert_eq!(sequences, expected, "{shown}");
}

/// Names that have the same words, or none.
const ALIKE: [[&str; 2]; 6] = [
    ["Code", "code"],
    ["NÁME", "Name"],
    ["b c", "b  c"],
    ["b c", "b-c"],
    ["?", "!"],
    ["q\"t", "q\\t"],
];

#[test]
fn a_field_of_exactly_the_name_is_asked_alone() {
    each_filled(|finder| {
        for [one, other] in ALIKE {
            let aims = named(one, other);
            let check = |expression, expected: &[u64]| check(finder, &aims, expression, expected);
            check(of_field(one, "kill"), &[2]);
            check(of_field(other, "kill"), &[1]);
            check(Expression::Missing(FieldName::of(one)), &[3]);
            check(Expression::Missing(FieldName::of(other)), &[]);
            let fault = |name| {
                let field = FieldName::of(name);
                Expression::Fault(FaultTerm { field, rule: None })
            };
            check(fault(one), &[]);
            check(fault(other), &[4]);
        }
    });
}

#[test]
fn without_a_field_of_exactly_the_name_those_of_the_same_letters_are_asked() {
    each_filled(|finder| {
        let aims = named("Code", "code");
        check(finder, &aims, of_field("CODE", "kill"), &[1, 2]);
        check(finder, &named("b c", "?"), of_field("BC", "kill"), &[2]);
        check(
            finder,
            &aims,
            Expression::Missing(FieldName::of("CODE")),
            &[3],
        );
        // each schema says for itself what a name means
        let other = document(place(2, 1), "z", &[("c", &["kill"])]);
        finder.put(vec![other]);
        let [first] = named("Code", "code");
        let both = [first, aim(2, "z", &[("CODE", "c")])];
        let found = finder.find(of_field("code", "kill"), &both).places;
        assert_eq!(found, [place(1, 1), place(2, 1)]);
        // signs alone are no words, so names of them are not alike
        check(finder, &named("?", "!"), of_field("#", "kill"), &[]);
    });
}

#[test]
fn a_field_of_exactly_the_name_is_counted_and_sorted_by_alone() {
    each_filled(|finder| {
        for [one, other] in ALIKE {
            let aims = named(one, other);
            for (name, keys, order) in [(one, [1, 2], [1, 2, 3, 4]), (other, [8, 9], [2, 1, 3, 4])]
            {
                let deadline = Instant::now() + Duration::from_secs(60);
                let count = Count {
                    expression: None,
                    aims: aims.to_vec(),
                    what: Counted::Keys {
                        of: FieldName::of(name),
                        most: 10,
                    },
                    deadline,
                };
                let Tally::Keys(counts) = wait(async { finder.index.count(count).await }) else {
                    panic!("keys")
                };
                let mut tally = counts.most;
                tally.sort_by(|one, other| one.0.order(&other.0));
                assert_eq!(tally, keys.map(|key| (Key::Int(key), 1)), "{name}");
                let search = Search {
                    expression: Expression::All(Vec::new()),
                    aims: aims.to_vec(),
                    sort: vec![SortField {
                        field: FieldName::of(name),
                        descending: false,
                    }],
                    after: None,
                    limit: 10,
                    total_max: 10,
                    unordered: false,
                    deadline,
                };
                let page = wait(async { finder.index.find(search).await });
                let sequences: Vec<u64> = page.places.iter().map(|at| at.sequence).collect();
                assert_eq!(sequences, order, "{name}");
            }
        }
    });
}

#[test]
fn a_field_of_the_name_that_is_not_asked_for_words_is_left_out() {
    each_filled(|finder| {
        let other = document(place(2, 1), "z", &[("c", &["kill"])]);
        finder.put(vec![other]);
        let both = [aim(1, "s", &[("Code", "a")]), aim(2, "z", &[("Code", "c")])];
        let Expression::Term(term) = of_field("Code", "kill") else {
            panic!("a term");
        };
        let found = |except: &[(&str, &str)]| {
            let except = except.iter();
            let except = except.map(|(schema, field)| ((*schema).into(), (*field).into()));
            let term = Term {
                except: except.collect(),
                ..term.clone()
            };
            finder.find(Expression::Term(term), &both).places
        };
        assert_eq!(found(&[]), [place(1, 2), place(2, 1)]);
        assert_eq!(found(&[("s", "a")]), [place(2, 1)]);
        assert_eq!(found(&[("z", "a"), ("s", "c")]).len(), 2);
        assert_eq!(found(&[("z", "c"), ("s", "a")]), []);
    });
}

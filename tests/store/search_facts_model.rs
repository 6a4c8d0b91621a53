//! What the index knows beside words, against a plain model in memory: random facts and conditions over
//! a dataset that is large enough for every way to look, sorted or not, and page by page.

use crate::engines::each;
use crate::finder::{Finder, aim, document, gone, place};
use runtime::store::records::RecordPlace;
use runtime::store::search::{
    Aim, AimField, AimFields, Content, Count, Counted, Document, Expression, FactValue, FaultCount,
    FaultTerm, FieldFacts, FieldName, FieldRange, Key, KeyRange, Position, Search, SearchPage,
    SortField, Tally, Term, order_of,
};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tests::seeded_rng::SeededRng;

const RECORDS: u64 = 6000;
const TOTAL_MAX: u64 = 900;
const RULES: [&str; 3] = ["min", "required", "max_length"];

/// Numbers about zero that a sum with a whole one would lose.
const NEAR_ZERO: [f64; 6] = [-0.1, -0.25, -2.8e-17, -1e-20, -5e-324, 5e-324];

/// How many different keys each field has.
const KEYS: [usize; 4] = [3, 40, 2000, 100_000];

type Model = BTreeMap<RecordPlace, Content>;

fn key(rng: &mut SeededRng, field: usize) -> Key {
    let number = rng.below(KEYS[field]);
    match field {
        0 => Key::Text(format!("code {number}").into()),
        // one of eight is whole, and kept as either
        1 if number % 8 == 4 && rng.below(2) == 0 => {
            Key::Int(i64::try_from(number / 8).expect("small") - 2)
        }
        1 => Key::Real(NEAR_ZERO.get(number).copied().unwrap_or_else(|| {
            let eighths = u32::try_from(number).expect("small");
            (f64::from(eighths) - 20.0) / 8.0
        })),
        _ => Key::Int(i64::try_from(number).expect("small") - 50),
    }
}

fn fact(rng: &mut SeededRng, field: usize) -> FieldFacts {
    let value = match rng.below(20) {
        0 => FactValue::Missing,
        1 => FactValue::Unread,
        2 if field == 3 => FactValue::Keys(vec![key(rng, 3), key(rng, 3)]),
        _ => FactValue::Keys(vec![key(rng, field)]),
    };
    let is_faulty = rng.below(60) == 0;
    let faults = RULES.iter().filter(|_| is_faulty && rng.below(2) == 0);
    FieldFacts {
        field: format!("f{field}").into(),
        value,
        faults: faults.map(|rule| (*rule).into()).collect(),
    }
}

fn random_document(rng: &mut SeededRng, at: RecordPlace) -> Document {
    let word = ["rare", "tenth", "common"][match rng.below(200) {
        0 => 0,
        1..=20 => 1,
        _ => 2,
    }];
    let mut made = document(at, "s", &[("w", &[word])]);
    let content = made.content.as_mut().expect("a document");
    // the last field came with the second version
    content.version = if rng.below(4) == 0 { 1 } else { 2 };
    let fields = if content.version == 1 { 3 } else { 4 };
    content.facts = (0..fields).map(|field| fact(rng, field)).collect();
    made
}

fn aims() -> Vec<Aim> {
    let names = aim(
        1,
        "s",
        &[("W", "w"), ("F0", "f0"), ("F1", "f1"), ("F2", "f2")],
    );
    let mut active = names.fields.active.clone();
    active.push(AimField {
        name: FieldName::of("f3"),
        id: "f3".into(),
        is_list: true,
        has_words: true,
        unknown_to: Arc::from([1]),
    });
    let fields = Arc::new(AimFields {
        schema: "s".into(),
        active,
    });
    let of = |dataset| Aim {
        dataset,
        fields: fields.clone(),
    };
    vec![of(1), of(2)]
}

fn random_range(rng: &mut SeededRng, field: usize) -> KeyRange {
    let (one, other) = (key(rng, field), key(rng, field));
    let (from, to) = if one.order(&other).is_le() {
        (one, other)
    } else {
        (other, one)
    };
    match rng.below(5) {
        0 => KeyRange::only(from),
        1 => KeyRange {
            from: Bound::Excluded(from),
            to: Bound::Unbounded,
        },
        2 => KeyRange {
            from: Bound::Unbounded,
            to: Bound::Excluded(to),
        },
        _ => KeyRange {
            from: Bound::Included(from),
            to: Bound::Included(to),
        },
    }
}

fn random_expression(rng: &mut SeededRng, depth: usize) -> Expression {
    let field = rng.below(4);
    let name = FieldName::of(&format!("f{field}"));
    let parts = |rng: &mut SeededRng| {
        let count = 1 + rng.below(3);
        (0..count)
            .map(|_| random_expression(rng, depth - 1))
            .collect()
    };
    match rng.below(if depth == 0 { 5 } else { 9 }) {
        0 => Expression::Faulty,
        1 => Expression::Fault(FaultTerm {
            field: name,
            rule: (rng.below(2) == 0).then(|| RULES[rng.below(3)].to_owned()),
        }),
        2 => Expression::Missing(name),
        3 => Expression::Term(Term {
            field: None,
            except: Vec::new(),
            words: vec![["rare", "tenth", "common"][rng.below(3)].to_owned()],
            is_prefix: false,
        }),
        5 => Expression::Any(parts(rng)),
        6 => Expression::Not(Box::new(random_expression(rng, depth - 1))),
        7 | 8 => Expression::All(parts(rng)),
        _ => Expression::Range(vec![FieldRange {
            schema: "s".into(),
            field: format!("f{field}").into(),
            range: random_range(rng, field),
        }]),
    }
}

fn fact_of<'c>(content: &'c Content, field: &str) -> Option<&'c FieldFacts> {
    content.facts.iter().find(|fact| *fact.field == *field)
}

fn keys_of<'c>(content: &'c Content, field: &str) -> &'c [Key] {
    match fact_of(content, field).map(|fact| &fact.value) {
        Some(FactValue::Keys(keys)) => keys,
        _ => &[],
    }
}

fn holds(expression: &Expression, content: &Content) -> bool {
    match expression {
        Expression::All(parts) => parts.iter().all(|part| holds(part, content)),
        Expression::Any(parts) => parts.iter().any(|part| holds(part, content)),
        Expression::Not(inner) => !holds(inner, content),
        Expression::Term(term) => {
            let mut rows = content.fields.iter().flat_map(|(_, words)| words.values());
            rows.any(|mut row| row.any(|word| word == term.words[0]))
        }
        Expression::Faulty => content.facts.iter().any(|fact| !fact.faults.is_empty()),
        Expression::Fault(fault) => fact_of(content, fault.field.text()).is_some_and(|fact| {
            let mut rules = fact.faults.iter();
            rules.any(|rule| fault.rule.as_deref().is_none_or(|asked| asked == &**rule))
        }),
        Expression::Missing(name) => {
            let fact = fact_of(content, name.text());
            fact.is_none_or(|fact| fact.value == FactValue::Missing)
        }
        Expression::Range(fields) => fields.iter().any(|field| {
            let mut keys = keys_of(content, &field.field).iter();
            keys.any(|key| field.range.holds(key))
        }),
    }
}

fn random_sort(rng: &mut SeededRng) -> Vec<SortField> {
    let mut fields: Vec<usize> = (0..4).collect();
    let mut sort = Vec::new();
    for _ in 0..rng.below(3) {
        let field = fields.remove(rng.below(fields.len()));
        sort.push(SortField {
            field: FieldName::of(&format!("f{field}")),
            descending: rng.below(2) == 0,
        });
    }
    sort
}

/// What is to be found, in order.
fn expected(model: &Model, expression: &Expression, sort: &[SortField]) -> Vec<Position> {
    let found = model
        .iter()
        .filter(|(_, content)| holds(expression, content));
    let mut found: Vec<_> = found
        .map(|(at, content)| {
            let key = |field: &SortField| {
                let keys = keys_of(content, field.field.text()).iter();
                keys.min_by(|one, other| one.order(other)).cloned()
            };
            Position {
                place: *at,
                keys: sort.iter().map(key).collect(),
            }
        })
        .collect();
    found.sort_by(|one, other| order_of(sort, one, other));
    found
}

fn page(
    finder: &Finder,
    expression: &Expression,
    sort: &[SortField],
    after: Option<Position>,
    limit: usize,
) -> SearchPage {
    let search = Search {
        expression: expression.clone(),
        aims: aims(),
        sort: sort.to_vec(),
        after,
        limit,
        total_max: TOTAL_MAX,
        unordered: false,
        deadline: Instant::now() + Duration::from_secs(60),
    };
    crate::engines::wait(async { finder.index.find(search).await })
}

fn check(rng: &mut SeededRng, finder: &Finder, model: &Model) {
    let expression = random_expression(rng, 2);
    let sort = random_sort(rng);
    let meant = expected(model, &expression, &sort);
    let total = u64::try_from(meant.len()).expect("few").min(TOTAL_MAX);
    let limit = 1 + rng.below(200);
    // from the start, and from anywhere
    let starts = [
        0,
        rng.below(meant.len() + 1),
        meant.len().saturating_sub(limit / 2),
    ];
    for start in starts {
        let after = start.checked_sub(1).map(|last| meant[last].clone());
        let found = page(finder, &expression, &sort, after, limit);
        let end = (start + limit).min(meant.len());
        let places: Vec<_> = meant[start..end].iter().map(|hit| hit.place).collect();
        let told = format!("from {start} of {}: {sort:?} {expression:?}", meant.len());
        assert_eq!(found.places, places, "{told}");
        assert_eq!(found.total, total, "{told}");
        if !sort.is_empty() {
            let keys: Vec<_> = meant[start..end]
                .iter()
                .map(|hit| hit.keys.clone())
                .collect();
            assert_eq!(found.keys, keys, "{told}");
        }
    }
}

fn check_counts(rng: &mut SeededRng, finder: &Finder, model: &Model) {
    let expression = (rng.below(2) == 0).then(|| random_expression(rng, 1));
    let found = || {
        let all = model.values();
        all.filter(|content| {
            expression
                .as_ref()
                .is_none_or(|asked| holds(asked, content))
        })
    };
    let count = |what| {
        let count = Count {
            expression: expression.clone(),
            aims: aims(),
            what,
            deadline: Instant::now() + Duration::from_secs(60),
        };
        crate::engines::wait(async { finder.index.count(count).await })
    };
    let of = FieldName::of("f0");
    let Tally::Keys(keys) = count(Counted::Keys { of, most: 999 }) else {
        panic!("keys")
    };
    let mut meant: BTreeMap<String, u64> = BTreeMap::new();
    for key in found().flat_map(|content| keys_of(content, "f0")) {
        *meant.entry(format!("{key:?}")).or_default() += 1;
    }
    let keys: BTreeMap<_, _> = keys
        .most
        .into_iter()
        .map(|(key, count)| (format!("{key:?}"), count))
        .collect();
    assert_eq!(keys, meant, "{expression:?}");
    let Tally::Faults(faults) = count(Counted::Faults { samples: 3 }) else {
        panic!("faults")
    };
    let mut meant: BTreeMap<(u32, String, String), u64> = BTreeMap::new();
    let places = model.iter();
    let places = places.filter(|(_, content)| {
        let asked = expression.as_ref();
        asked.is_none_or(|asked| holds(asked, content))
    });
    for (place, content) in places {
        for fact in &content.facts {
            for rule in &fact.faults {
                let (field, rule) = (fact.field.to_string(), rule.to_string());
                *meant.entry((place.dataset, field, rule)).or_default() += 1;
            }
        }
    }
    let kind_of = |fault: &FaultCount| {
        let (field, rule) = (fault.field.to_string(), fault.rule.to_string());
        (fault.dataset, field, rule)
    };
    for fault in &faults {
        let is_full = fault.samples.len() as u64 == fault.records.min(3);
        let is_own = |place: &RecordPlace| place.dataset == fault.dataset;
        assert!(is_full && fault.samples.iter().all(is_own), "{fault:?}");
    }
    // without samples the same is counted
    let Tally::Faults(bare) = count(Counted::Faults { samples: 0 }) else {
        panic!("faults")
    };
    assert!(bare.iter().all(|fault| fault.samples.is_empty()));
    let counted = |faults: &[FaultCount]| -> BTreeMap<_, _> {
        let told = faults.iter().map(|fault| (kind_of(fault), fault.records));
        told.collect()
    };
    let faults = counted(&faults);
    assert_eq!(counted(&bare), faults);
    assert_eq!(faults, meant, "{expression:?}");
}

#[test]
fn forms_and_sorted_pages_find_what_the_model_finds() {
    finds_what_the_model_finds(10);
}

#[ignore = "large data: the full lane runs it"]
#[test]
fn forms_and_sorted_pages_find_what_the_model_finds_after_a_large_number_of_changes() {
    finds_what_the_model_finds(30);
}

/// Asks so many times, and changes something after each.
fn finds_what_the_model_finds(rounds: usize) {
    each(|folder| {
        let finder = Finder {
            index: folder.index(),
        };
        let mut rng = SeededRng(20_261_122);
        let mut model = Model::new();
        let put = |model: &mut Model, documents: Vec<Document>| {
            for document in &documents {
                match &document.content {
                    Some(content) => model.insert(document.place, content.clone()),
                    None => model.remove(&document.place),
                };
            }
            finder.put(documents);
        };
        for dataset in [1, 2] {
            let count = if dataset == 1 { RECORDS } else { 50 };
            let all =
                (1..=count).map(|sequence| random_document(&mut rng, place(dataset, sequence)));
            let all: Vec<_> = all.collect();
            put(&mut model, all);
        }
        for _ in 0..rounds {
            for _ in 0..6 {
                check(&mut rng, &finder, &model);
            }
            check_counts(&mut rng, &finder, &model);
            let changed = (0..20)
                .map(|_| 1 + rng.below(6000) as u64)
                .collect::<std::collections::BTreeSet<_>>();
            let changed: Vec<_> = changed
                .into_iter()
                .map(|sequence| {
                    let at = place(1, sequence);
                    if rng.below(3) == 0 {
                        gone(at)
                    } else {
                        random_document(&mut rng, at)
                    }
                })
                .collect();
            put(&mut model, changed);
        }
    });
}

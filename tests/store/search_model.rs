//! The index against a plain one in memory: random documents, conditions and pages; and what is large,
//! deep or wide.

use crate::engines::each;
use crate::finder::{Finder, aim, document, gone, place, text};
use runtime::store::records::RecordPlace;
use runtime::store::search::{
    Aim, AimField, Content, Document, Expression, FieldName, FieldWords, Term,
};
use std::collections::BTreeMap;
use tests::seeded_rng::SeededRng;

const WORDS: [&str; 6] = ["ab", "abc", "b", "東", "1", "zz"];
/// More fields than an index may have room for side by side.
const FIELDS: usize = 40;

/// What the index should hold.
type Model = BTreeMap<RecordPlace, Content>;

fn is_in(row: &[&str], term: &Term) -> bool {
    let (last, before) = term.words.split_last().expect("a term has words");
    row.windows(term.words.len()).any(|part| {
        let end = &part[part.len() - 1];
        let fits = if term.is_prefix {
            end.starts_with(last.as_str())
        } else {
            *end == last
        };
        fits && &part[..part.len() - 1] == before
    })
}

/// Whether a field is the one of this name, or, where none is of exactly this name, has the same words in its own.
fn is_meant(active: &AimField, name: &FieldName, aim: &Aim) -> bool {
    let is_it = |field: &AimField| field.name.text() == name.text();
    if aim.fields.active.iter().any(is_it) {
        is_it(active)
    } else {
        active.name.words() == name.words()
    }
}

fn holds(expression: &Expression, content: &Content, aim: &Aim) -> bool {
    match expression {
        Expression::All(parts) => parts.iter().all(|part| holds(part, content, aim)),
        Expression::Any(parts) => parts.iter().any(|part| holds(part, content, aim)),
        Expression::Not(inner) => !holds(inner, content, aim),
        Expression::Term(term) => content.fields.iter().any(|(id, values)| {
            let is_asked = aim.fields.active.iter().any(|active| {
                let name = term.field.as_ref();
                active.id == *id && name.is_none_or(|name| is_meant(active, name, aim))
            });
            let mut rows = values.values().map(Iterator::collect::<Vec<&str>>);
            is_asked && rows.any(|row| is_in(&row, term))
        }),
        other => panic!("not of this model: {other:?}"),
    }
}

fn random_text(rng: &mut SeededRng) -> String {
    let count = rng.below(4);
    let picked: Vec<&str> = (0..count).map(|_| WORDS[rng.below(WORDS.len())]).collect();
    picked.join(" ")
}

fn random_document(rng: &mut SeededRng) -> Document {
    let dataset = u32::try_from(1 + rng.below(3)).expect("small");
    let at = place(dataset, 1 + rng.below(30) as u64);
    if rng.below(5) == 0 {
        return gone(at);
    }
    let schema = if dataset == 3 { "z" } else { "s" };
    let mut made = document(at, schema, &[]);
    let content = made.content.as_mut().expect("a document");
    for field in 0..FIELDS {
        if rng.below(8) == 0 {
            let mut words = FieldWords::default();
            for _ in 0..=rng.below(2) {
                words.push(&random_text(rng));
            }
            if !words.is_empty() {
                content.fields.push((format!("f{field}").into(), words));
            }
        }
    }
    made
}

fn random_expression(rng: &mut SeededRng, depth: usize) -> Expression {
    let below = |rng: &mut SeededRng| {
        let count = 1 + rng.below(3);
        (0..count)
            .map(|_| random_expression(rng, depth - 1))
            .collect()
    };
    match rng.below(if depth == 0 { 1 } else { 4 }) {
        1 => Expression::All(below(rng)),
        2 => Expression::Any(below(rng)),
        3 => Expression::Not(Box::new(random_expression(rng, depth - 1))),
        _ => {
            let mut words = runtime::store::search::words(&random_text(rng));
            if words.is_empty() {
                words.push("ab".to_owned());
            }
            let field = rng.below(2 * FIELDS);
            Expression::Term(Term {
                field: (field < FIELDS).then(|| {
                    let letter = ["N", "n", "Ñ"][field % 3];
                    FieldName::of(&format!("{letter}{}", field % 20))
                }),
                except: Vec::new(),
                words,
                is_prefix: rng.below(3) == 0,
            })
        }
    }
}

/// Each dataset with some of its fields active; two fields have names that differ by case alone.
fn random_aims(rng: &mut SeededRng) -> Vec<Aim> {
    let mut aims = Vec::new();
    for dataset in 1..=3 {
        if rng.below(4) == 0 {
            continue;
        }
        let active: Vec<(String, String)> = (0..FIELDS)
            .filter(|_| rng.below(5) > 0)
            .map(|field| {
                let letter = if field < 20 { "N" } else { "n" };
                (format!("{letter}{}", field % 20), format!("f{field}"))
            })
            .collect();
        let active: Vec<(&str, &str)> = active
            .iter()
            .map(|(name, id)| (name.as_str(), id.as_str()))
            .collect();
        let schema = if dataset == 3 { "z" } else { "s" };
        aims.push(aim(dataset, schema, &active));
    }
    aims
}

fn expected(model: &Model, expression: &Expression, aims: &[Aim]) -> Vec<RecordPlace> {
    let aim_of = |dataset: u32| aims.iter().find(|aim| aim.dataset == dataset);
    let found = model.iter().filter(|(at, content)| {
        aim_of(at.dataset).is_some_and(|aim| holds(expression, content, aim))
    });
    found.map(|(at, _)| *at).collect()
}

#[test]
fn the_index_finds_what_the_model_finds() {
    each(|folder| {
        let finder = Finder {
            index: folder.index(),
        };
        let mut model = Model::new();
        let mut rng = SeededRng(20_260_731);
        let mut hits = 0;
        for round in 0..40 {
            let documents: Vec<Document> = (0..8).map(|_| random_document(&mut rng)).collect();
            let mut seen = std::collections::BTreeSet::new();
            let documents: Vec<Document> = documents
                .into_iter()
                .filter(|document| seen.insert(document.place))
                .collect();
            for document in &documents {
                match &document.content {
                    Some(content) => model.insert(document.place, content.clone()),
                    None => model.remove(&document.place),
                };
            }
            finder.put(documents);
            for _ in 0..6 {
                let expression = random_expression(&mut rng, 3);
                let aims = random_aims(&mut rng);
                let meant = expected(&model, &expression, &aims);
                let found = finder.find(expression.clone(), &aims);
                assert_eq!(found.places, meant, "round {round}: {expression:?}");
                assert_eq!(found.total, meant.len() as u64);
                hits += meant.len();
                // page by page it is the same
                let limit = 3 + rng.below(20);
                let (mut walked, mut after) = (Vec::new(), None);
                loop {
                    let page = finder.page(expression.clone(), &aims, after, limit);
                    assert_eq!(page.total, meant.len() as u64, "{expression:?}");
                    after = page.places.last().copied();
                    let is_last = page.places.len() < limit;
                    walked.extend(page.places);
                    if is_last {
                        break;
                    }
                }
                assert_eq!(walked, meant, "pages of {limit}: {expression:?}");
            }
        }
        assert!(hits > 1000, "{hits} hits");
    });
}

#[test]
fn a_total_is_exact_up_to_the_number_asked_for() {
    each(|folder| {
        let finder = Finder {
            index: folder.index(),
        };
        for thousand in 0..10 {
            let one = |number: u64| {
                let sequence = 1000 * thousand + number;
                let dataset = 1 + u32::from(sequence > 6000);
                let rare = if sequence < 10_000 { "most" } else { "late" };
                document(place(dataset, sequence), "s", &[("n", &["common", rare])])
            };
            finder.put((1..=1000).map(one).collect());
        }
        let aims = [aim(1, "s", &[("N", "n")]), aim(2, "s", &[("N", "n")])];
        let totals = |finder: &Finder, after| {
            ["common", "most", "late"].map(|word| {
                let found = finder.page(text(word), &aims, after, 3);
                assert!(found.places.len() <= 3);
                found.total
            })
        };
        let middle = Some(place(2, 6500));
        for after in [None, middle] {
            assert_eq!(totals(&finder, after), [10_000, 9_999, 1]);
        }
        finder.put(vec![document(place(1, 0), "s", &[("n", &["common most"])])]);
        for after in [None, middle] {
            assert_eq!(totals(&finder, after), [10_000, 10_000, 1]);
        }
        let page = finder.page(text("common"), &aims, middle, 2).places;
        assert_eq!(page, [place(2, 6501), place(2, 6502)]);
    });
}

#[test]
fn deep_long_and_wide_conditions_are_answered() {
    use Expression::{All, Any, Not};
    each(|folder| {
        let finder = Finder {
            index: folder.index(),
        };
        let ids: Vec<String> = (0..200).map(|number| format!("f{number}")).collect();
        let fields: Vec<(&str, &[&str])> =
            ids.iter().map(|id| (id.as_str(), &["a b"][..])).collect();
        finder.put(vec![document(place(1, 1), "s", &fields)]);
        let active: Vec<(&str, &str)> = ids.iter().map(|id| (&**id, &**id)).collect();
        let aims = [aim(1, "s", &active)];
        let total = |expression| finder.find(expression, &aims).total;
        let many = || (0..64).map(|number| text(&format!("w{number}")));
        let not = |inner: Expression| Not(Box::new(inner));
        assert_eq!(total(Any(many().chain([text("a b")]).collect())), 1);
        assert_eq!(total(All(many().chain([text("a")]).collect())), 0);
        let without = many().map(not).chain([text("a")]);
        assert_eq!(total(All(without.collect())), 1);
        let without_all = All(many().map(not).collect());
        assert_eq!(total(without_all.clone()), 1);
        assert_eq!(total(All(vec![text("a"), not(without_all)])), 0);
        let deep = (0..16).fold(text("a"), |inner, _| not(inner));
        assert_eq!(total(deep), 1);
        let nested = (0..16).fold(text("a"), |inner, level| {
            let word = text(&format!("w{level}"));
            if level % 2 == 0 {
                Any(vec![word, inner])
            } else {
                All(vec![not(word), inner])
            }
        });
        assert_eq!(total(nested), 1);
        assert_eq!(total(text(&"a b ".repeat(32))), 0);
    });
}

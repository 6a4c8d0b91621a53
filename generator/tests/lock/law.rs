//! The law of the lock: no sequence of changes of a schema, of many and of random ones, moves an identifier.

use super::step;
use crate::support::{field, members, picklist, schema};
use ::schema::json::{Member, Node, Value, parse};
use generator::Lock;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn object<'n>(node: &Node<'n>) -> Vec<Member<'n>> {
    match node.value.clone() {
        Value::Object(members) => members,
        _ => Vec::new(),
    }
}

/// Every identifier of a lock, by what has it.
fn identifiers(lock: &Lock) -> BTreeMap<String, String> {
    let text = lock.to_string();
    let root = parse(&text).unwrap();
    let mut all = BTreeMap::new();
    let said = |node: &Node<'_>| match &node.value {
        Value::String(text) => text.to_string(),
        other => panic!("{other:?}"),
    };
    for schema in object(root.get("schemas").unwrap()) {
        for key in ["module", "record"] {
            let name = said(schema.value.get(key).unwrap());
            all.insert(format!("{} {key}", schema.key), name);
        }
        for field in object(schema.value.get("fields").unwrap()) {
            for part in object(&field.value) {
                let place = format!("{} {} {}", schema.key, field.key, part.key);
                for code in object(&part.value) {
                    all.insert(format!("{place} {}", code.key), said(&code.value));
                }
                if let Value::String(name) = &part.value.value {
                    all.insert(place, name.to_string());
                }
            }
        }
    }
    all
}

/// Display names that fold into one another, and some that are no words.
const NAMES: &[&str] = &[
    "Post Code",
    "Post-Code",
    "post_code",
    "PostCode",
    "POST CODE",
    "Post Code 2",
    "self",
    "Self",
    "type",
    "Type",
    "1",
    "2nd",
    "-",
    "+",
    "Größe",
    "Grosse",
    "名前",
    "Kind",
    "Post",
    "Code",
    "Vec",
    "Option",
    "get",
];
const CODES: &[&str] = &["a", "A", "ä", "Ok", "Some", "1", "-", "a b", "A-B", "self"];

/// A field of the model.
#[derive(Clone, Debug)]
struct ModelField {
    name: usize,
    codes: Option<Vec<usize>>,
    active: bool,
    there: bool,
}

#[derive(Clone, Debug)]
enum Change {
    Add(usize, Option<Vec<usize>>),
    Rename(usize, usize),
    Remove(usize),
    Return(usize),
    Deactivate(usize),
    Codes(usize, Vec<usize>),
    Reverse,
    RenameSchema(usize),
}

fn change() -> impl Strategy<Value = Change> {
    let name = 0..NAMES.len();
    let codes = || prop::collection::vec(0..CODES.len(), 1..5);
    let at = || 0..12_usize;
    prop_oneof![
        4 => (name.clone(), prop::option::of(codes())).prop_map(|(name, codes)| Change::Add(name, codes)),
        2 => (at(), name.clone()).prop_map(|(at, name)| Change::Rename(at, name)),
        2 => at().prop_map(Change::Remove),
        2 => at().prop_map(Change::Return),
        1 => at().prop_map(Change::Deactivate),
        2 => (at(), codes()).prop_map(|(at, codes)| Change::Codes(at, codes)),
        1 => Just(Change::Reverse),
        1 => name.prop_map(Change::RenameSchema),
    ]
}

/// The schema as a document; names that stand twice are told apart as a service would have it.
fn document(fields: &[ModelField], order: bool, schema_name: usize) -> String {
    let mut seen = BTreeSet::new();
    let mut all: Vec<_> = fields
        .iter()
        .enumerate()
        .filter(|(_, field)| field.there)
        .map(|(at, model)| {
            let mut name = NAMES[model.name].to_owned();
            while model.active && !seen.insert(name.clone()) {
                name.push('.');
            }
            let id = format!("f{at}");
            let text = match &model.codes {
                None => field(&id, &name, "string", ""),
                Some(codes) => {
                    let codes: BTreeSet<&str> = codes.iter().map(|code| CODES[*code]).collect();
                    picklist(&id, &name, &codes.into_iter().collect::<Vec<_>>())
                }
            };
            let active = format!("\"active\":{}", model.active);
            text.replacen("\"active\":true", &active, 1)
        })
        .collect();
    if order {
        all.reverse();
    }
    schema("s1", NAMES[schema_name], &all)
}

fn apply(change: &Change, fields: &mut Vec<ModelField>, order: &mut bool, schema_name: &mut usize) {
    let count = fields.len().max(1);
    let mut at = |at: &usize, act: &dyn Fn(&mut ModelField)| {
        if let Some(field) = fields.get_mut(at % count) {
            act(field);
        }
    };
    match change {
        Change::Add(name, codes) => fields.push(ModelField {
            name: *name,
            codes: codes.clone(),
            active: true,
            there: true,
        }),
        Change::Rename(place, name) => at(place, &|field| field.name = *name),
        Change::Remove(place) => at(place, &|field| field.there = false),
        Change::Return(place) => at(place, &|field| (field.there, field.active) = (true, true)),
        Change::Deactivate(place) => at(place, &|field| field.active = false),
        Change::Codes(place, codes) => at(place, &|field| {
            if field.codes.is_some() {
                field.codes = Some(codes.clone());
            }
        }),
        Change::Reverse => *order = !*order,
        Change::RenameSchema(name) => *schema_name = *name,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_sequence_of_schema_changes_moves_an_identifier_and_no_two_are_equal(
        changes in prop::collection::vec(change(), 1..24),
    ) {
        let (mut fields, mut order, mut schema_name) = (Vec::new(), false, 0);
        let mut lock = Lock::new();
        for change in &changes {
            apply(change, &mut fields, &mut order, &mut schema_name);
            let before = identifiers(&lock);
            let (code, next) = step(&document(&fields, order, schema_name), &lock, &[]);
            let after = identifiers(&next);
            for (place, name) in &before {
                prop_assert_eq!(after.get(place), Some(name), "{} after {:?}", place, change);
            }
            let file = generator::File { path: String::new(), text: code, notes: Vec::new(), has_made_ids: false, warnings: Vec::new() };
            let found = members(&file);
            let types: BTreeSet<_> = found.iter().map(|(name, _)| name).collect();
            prop_assert_eq!(types.len(), found.len());
            for (name, members) in &found {
                let distinct: BTreeSet<_> = members.iter().collect();
                prop_assert_eq!(distinct.len(), members.len(), "{}", name);
            }
            // the text is the lock
            lock = Lock::read("lock", &next.to_string()).unwrap();
            prop_assert_eq!(&lock, &next);
        }
    }
}

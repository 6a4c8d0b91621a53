//! Which field is which: by `fieldId`. A field whose id was made of its names goes by its name, and so do all fields of
//! two schemas that share no id at all, such as those of two stores. docs/rules.md, "Field ids".

use crate::model::{Field, Schema, id_of};
use std::collections::{HashMap, HashSet};

/// A field on both sides, or on one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'s> {
    /// With its place among the fields.
    pub(super) old: Option<(usize, &'s Field)>,
    pub(super) new: Option<(usize, &'s Field)>,
    pub(super) is_by_name: bool,
}

/// All fields of both: those of the new schema in its order, then those that only the old one has.
pub(super) fn pairs<'s>(old: &'s Schema, new: &'s Schema) -> Vec<Pair<'s>> {
    let by_id: HashMap<&str, usize> = places(old, |field| &field.id);
    let mut partners: Vec<Option<(usize, bool)>> = new
        .fields
        .iter()
        .map(|field| by_id.get(field.id.as_str()).map(|at| (*at, false)))
        .collect();
    let mut taken: HashSet<usize> = partners.iter().flatten().map(|(at, _)| *at).collect();
    let shares_none = taken.is_empty();
    let by_name: HashMap<&str, usize> = places(old, |field| &field.name);
    for (field, partner) in new.fields.iter().zip(&mut partners) {
        let at = by_name.get(field.name.as_str()).copied();
        let Some(at) = at.filter(|at| partner.is_none() && field.active && !taken.contains(at))
        else {
            continue;
        };
        if shares_none || is_made(new, field) || is_made(old, &old.fields[at]) {
            *partner = Some((at, true));
            taken.insert(at);
        }
    }
    let both = new.fields.iter().enumerate().zip(partners);
    let both = both.map(|(here, partner)| Pair {
        old: partner.map(|(at, _)| (at, &old.fields[at])),
        new: Some(here),
        is_by_name: partner.is_some_and(|(_, is_by_name)| is_by_name),
    });
    let gone = old.fields.iter().enumerate();
    let gone = gone.filter(|(at, _)| !taken.contains(at));
    both.chain(gone.map(|there| Pair {
        old: Some(there),
        new: None,
        is_by_name: false,
    }))
    .collect()
}

/// The fields that records have, by their names alone: what a body says of them.
pub(super) fn pairs_by_name<'s>(old: &'s Schema, new: &'s Schema) -> Vec<Pair<'s>> {
    let active = |schema: &'s Schema| {
        let fields = schema.fields.iter().enumerate();
        fields.filter(|(_, field)| field.active)
    };
    let before: HashMap<&str, (usize, &Field)> =
        active(old).map(|it| (it.1.name.as_str(), it)).collect();
    let after: HashSet<&str> = active(new).map(|(_, field)| field.name.as_str()).collect();
    let there = active(new).map(|(at, field)| Pair {
        old: before.get(field.name.as_str()).copied(),
        new: Some((at, field)),
        is_by_name: true,
    });
    let gone = active(old).filter(|(_, field)| !after.contains(field.name.as_str()));
    let gone = gone.map(|it| Pair {
        old: Some(it),
        new: None,
        is_by_name: true,
    });
    there.chain(gone).collect()
}

/// Where fields stand, by a key. Where two have the same, the active one counts, and of these the first.
fn places(schema: &Schema, key: impl Fn(&Field) -> &str) -> HashMap<&str, usize> {
    let mut found = HashMap::new();
    for is_active in [true, false] {
        for (at, field) in schema.fields.iter().enumerate() {
            if field.active == is_active {
                found.entry(key(field)).or_insert(at);
            }
        }
    }
    found
}

fn is_made(schema: &Schema, field: &Field) -> bool {
    field.id == id_of(&[&schema.name, &field.name])
}

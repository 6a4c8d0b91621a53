//! Which fields a query may name: those that are active in a schema that the caller may view, whatever the filters of the
//! search are. One that is none of them would find nothing and is a mistake, which is told with names that are near; so
//! would words in a field that no schema has searched.

use super::forms;
use super::query::NamedField;
use super::targets::Looker;
use crate::{Caller, Refusal};
use schema::Field;
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;
use store::search::words;

/// How many names are told, and from which likeness on (1 is the same).
const NEAR_MAX: usize = 3;
const LIKENESS_MIN: f64 = 0.8;

/// Refuses a query that names a field which no schema has, or asks for words where none has them looked for.
pub(super) fn require(
    looker: Looker<'_>,
    query: &str,
    named: &[NamedField],
) -> Result<(), Refusal> {
    let caller = looker.caller;
    if named.is_empty() {
        return Ok(());
    }
    let visible: BTreeSet<&str> = visible(caller);
    let known: HashSet<Vec<String>> = visible.iter().map(|name| words(name)).collect();
    if let Some(field) = named.iter().find(|field| !known.contains(&field.words)) {
        return Err(unknown(query, field, &visible));
    }
    let searched: HashSet<Vec<String>> = active(caller)
        .filter(|field| field.is_searched())
        .map(|field| words(&field.name))
        .collect();
    let mut for_words = named.iter().filter(|field| field.is_for_words);
    if let Some(field) = for_words.find(|field| !searched.contains(&field.words)) {
        return Err(not_searched(field));
    }
    let seen: HashSet<Vec<String>> = active(caller)
        .filter(|field| looker.may_look_for(field))
        .map(|field| words(&field.name))
        .collect();
    let mut for_words = named.iter().filter(|field| field.is_for_words);
    match for_words.find(|field| !seen.contains(&field.words)) {
        Some(field) => Err(forms::is_personal("query", &field.name)),
        None => Ok(()),
    }
}

/// The active fields of all schemas that the caller may see.
fn active(caller: &Caller) -> impl Iterator<Item = &Field> {
    forms::visible(caller).flat_map(|schema| schema.current().schema.active_fields())
}

fn not_searched(field: &NamedField) -> Refusal {
    let NamedField { position, name, .. } = field;
    let text = format!(
        "`query` looks for words at character {position} in a field whose schema says that it is not searched \
        (`isSearched`): `{name}`; ask for a range, a fault or `{name}:none`, or let the schema search it"
    );
    Refusal::Parameter(text.into())
}

/// The names of all fields that the caller may see.
fn visible(caller: &Caller) -> BTreeSet<&str> {
    active(caller).map(|field| field.name.as_str()).collect()
}

fn unknown(query: &str, field: &NamedField, visible: &BTreeSet<&str>) -> Refusal {
    let NamedField { position, name, .. } = field;
    let mut text = format!(
        "`query` names a field at character {position} that no schema has which the credential may view: `{name}`"
    );
    // INVARIANT: writing to a text does not fail
    if let Some(whole) = in_pieces(query, field, visible) {
        let _ = write!(
            text,
            "; a name of several words stands in quotes, such as `\"{whole}\":…`"
        );
        return Refusal::Parameter(text.into());
    }
    let near = near(field, visible);
    if !near.is_empty() {
        let near: Vec<_> = near.iter().map(|name| format!("`{name}`")).collect();
        let _ = write!(text, "; near names are {}", near.join(", "));
    }
    text.push_str("; a text with a colon stands in quotes");
    Refusal::Parameter(text.into())
}

/// The field that was meant where only the end of its name stands before the colon: in `Full Name:grace`, `Full` is
/// a word to look for.
fn in_pieces<'n>(query: &str, field: &NamedField, visible: &BTreeSet<&'n str>) -> Option<&'n str> {
    let before: String = query.chars().take(field.position - 1).collect();
    let before = words(&before);
    let is_it = |name: &&&str| {
        let whole = words(name);
        let rest = whole.strip_suffix(&*field.words);
        rest.is_some_and(|rest| !rest.is_empty() && before.ends_with(rest))
    };
    visible.iter().find(is_it).copied()
}

/// The names that are most like it.
fn near<'n>(field: &NamedField, visible: &BTreeSet<&'n str>) -> Vec<&'n str> {
    let asked = field.words.join(" ");
    let mut rated: Vec<_> = visible
        .iter()
        .map(|name| {
            let own = words(name);
            let is_part = !field.words.is_empty() && own.contains(&asked);
            let likeness = strsim::jaro_winkler(&own.join(" "), &asked);
            (if is_part { 1.0 } else { likeness }, *name)
        })
        .filter(|(likeness, _)| *likeness >= LIKENESS_MIN)
        .collect();
    rated.sort_by(|one, other| other.0.total_cmp(&one.0));
    rated
        .into_iter()
        .take(NEAR_MAX)
        .map(|(_, name)| name)
        .collect()
}

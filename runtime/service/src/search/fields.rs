//! Which fields a query may name: those that are active in a schema that the caller may view, whatever the filters of the
//! search are. One that is none of them would find nothing and is a mistake, which is told with names that are near; so
//! would words in a field that no schema searches whose datasets are asked.

use super::by_value::Compared;
use super::names::VisibleFields;
use super::query::{NamedField, Query};
use super::targets::{Looker, Target};
use crate::Refusal;
use crate::masking::is_personal;
use schema::Field;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;
use store::catalog::SchemaEntry;
use store::search::{FieldName, words};

/// How many names are told, and from which likeness on (1 is the same).
const NEAR_MAX: usize = 3;
const LIKENESS_MIN: f64 = 0.8;

/// What a query names.
pub(super) struct Named<'q> {
    /// As it was written.
    pub(super) query: &'q str,
    pub(super) fields: &'q [NamedField],
    /// Where texts behind them are values, and no words.
    pub(super) compared: &'q [Compared],
}

/// Refuses a query that names a field which no schema has, or asks for words where none of the schemas whose datasets are asked
/// has them looked for; where none of these has the field, no schema at all. Behind `NOT` each of these has to: of one that does
/// not, what has the words would be found with all else.
pub(super) fn require(
    looker: Looker<'_>,
    visible: &VisibleFields<'_>,
    targets: &BTreeMap<u32, Target<'_>>,
    named: &Named<'_>,
) -> Result<(), Refusal> {
    let schemas = schemas_of(targets);
    for (number, asked) in named.fields.iter().enumerate() {
        let meant: Vec<(&SchemaEntry, &Field)> = visible.meant(&asked.name).collect();
        if meant.is_empty() {
            return Err(unknown(named.query, asked, &visible.names()));
        }
        if !asked.is_for_words {
            continue;
        }
        let is_looked_into = |schema: &SchemaEntry, field: &Field| {
            let mut compared = named.compared.iter();
            (field.is_searched() && !field.data_type.is_file())
                || compared.any(|it| it.is_of(number, schema, field))
        };
        let is_own = |(schema, _): &&(&SchemaEntry, &Field)| schemas.contains(schema.id.as_str());
        let own: Vec<_> = meant.iter().filter(is_own).copied().collect();
        // where no schema that is asked has it, the others say what it is
        let judged = if own.is_empty() { &meant } else { &own };
        let are_looked_into: Vec<bool> = judged
            .iter()
            .map(|(schema, field)| is_looked_into(schema, field))
            .collect();
        let (is_any, is_each) = (
            are_looked_into.contains(&true),
            !are_looked_into.contains(&false),
        );
        // of those that are not asked, nothing is found behind `NOT` either
        let is_for_each = asked.is_negated && !own.is_empty();
        if !is_any || (is_for_each && !is_each) {
            return Err(not_searched(asked));
        }
        if !meant.iter().any(|(_, field)| looker.may_look_for(field)) {
            return Err(is_personal("query", asked.name.text()));
        }
    }
    Ok(())
}

/// The ids of the schemas whose datasets are asked.
fn schemas_of<'t>(targets: &'t BTreeMap<u32, Target<'_>>) -> HashSet<&'t str> {
    let schemas = targets.values().map(|target| target.schema.id.as_str());
    schemas.collect()
}

/// Refuses a query that asks for values of a field which is personal in a schema whose datasets are asked, whatever it is in
/// others: nothing would be found by them, and what is negated would find all.
///
/// # Errors
/// [`Refusal::Forbidden`], with the field.
pub(super) fn require_seen(
    looker: Looker<'_>,
    visible: &VisibleFields<'_>,
    targets: &BTreeMap<u32, Target<'_>>,
    query: &Query,
) -> Result<(), Refusal> {
    let schemas = schemas_of(targets);
    for name in of_values(query) {
        let mut meant = visible.meant(name);
        let is_hidden = meant.any(|(schema, field)| {
            !looker.may_look_for(field) && schemas.contains(schema.id.as_str())
        });
        if is_hidden {
            return Err(is_personal("query", name.text()));
        }
    }
    Ok(())
}

/// The datasets that are asked, by number, of which a query asks for values of a personal field, also for such as are not there.
pub(super) fn asked_of_personal(
    visible: &VisibleFields<'_>,
    targets: &BTreeMap<u32, Target<'_>>,
    query: &Query,
) -> Vec<u32> {
    let mut schemas: HashSet<&str> = HashSet::new();
    for name in of_values(query) {
        let meant = visible.meant(name).filter(|(_, field)| field.is_pii());
        schemas.extend(meant.map(|(schema, _)| schema.id.as_str()));
    }
    let asked = targets
        .iter()
        .filter(|(_, target)| schemas.contains(target.schema.id.as_str()));
    asked.map(|(number, _)| *number).collect()
}

/// The names by which a query asks for values: by words or as a range, not for faults or whether there is any.
fn of_values(query: &Query) -> impl Iterator<Item = &FieldName> {
    let for_words = query.fields.iter().filter(|field| field.is_for_words);
    let for_words = for_words.map(|field| &field.name);
    let in_ranges = query.ranges.iter().map(|range| &range.field);
    for_words.chain(in_ranges)
}

fn not_searched(field: &NamedField) -> Refusal {
    let (position, name) = (field.position, field.name.text());
    let text = format!(
        "`query` looks for words at character {position} in a field that is not searched (`isSearched`, or files): \
        `{name}`; ask for a range, a fault or `{name}:none`, or let the schema search it"
    );
    Refusal::Parameter(text.into())
}

fn unknown(query: &str, field: &NamedField, visible: &BTreeSet<&str>) -> Refusal {
    let (position, name) = (field.position, field.name.text());
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
    let own = field.name.words();
    if own.is_empty() {
        return None;
    }
    let is_it = |name: &&&str| {
        let whole = words(name);
        let rest = whole.strip_suffix(own);
        rest.is_some_and(|rest| !rest.is_empty() && before.ends_with(rest))
    };
    visible.iter().find(is_it).copied()
}

/// The names that are most like it.
fn near<'n>(field: &NamedField, visible: &BTreeSet<&'n str>) -> Vec<&'n str> {
    let asked = field.name.words().join(" ");
    let mut rated: Vec<_> = visible
        .iter()
        .map(|name| {
            let own = words(name);
            let is_part = !asked.is_empty() && own.contains(&asked);
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

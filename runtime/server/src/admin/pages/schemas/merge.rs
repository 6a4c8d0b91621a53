//! Two change one schema at a time: what one of them changed is brought onto what the other one made of it, property by
//! property. What an author did not touch stays as the other one made it; what both changed is as the author has it, and
//! stands among the differences, also a field that the other one took away. It stores nothing.

use super::document::{Draft, Members, text_of};
use super::editor_state::Edited;
use super::head::find;
use super::long_lists::Source;
use crate::admin::pages::visit::Visit;
use service::Refusal;
use std::collections::{BTreeSet, HashMap};

/// Brings what is edited onto the version in force, where it was made from an earlier one; whether it was. What was made
/// from a version that is not there stays as it is, since what is whose change is not known: saving it is refused.
///
/// # Errors
/// No such schema, missing rights.
pub(super) fn rebase<P>(visit: &Visit<P>, edited: &mut Edited) -> Result<bool, Refusal> {
    if edited.schema.is_empty() {
        return Ok(false);
    }
    let stored = find(visit, &edited.schema)?;
    let current = stored.current();
    let Some(number) = edited.version.filter(|it| *it != current.number) else {
        return Ok(false);
    };
    let Some(base) = stored.version(number) else {
        return Ok(false);
    };
    let [base, theirs] = [base, current].map(|it| Draft::of(&it.schema));
    edited.draft = merged(&base, &theirs, &edited.draft);
    edited.version = Some(current.number);
    edited.source = Some(Source {
        schema: stored.id.clone(),
        version: current.number,
    });
    // fields may stand elsewhere now
    edited.open = None;
    Ok(true)
}

/// What was made of `base` in `mine`, brought onto what was made of it in `theirs`.
fn merged(base: &Draft, theirs: &Draft, mine: &Draft) -> Draft {
    let (old, own, other) = (by_id(base), by_id(mine), by_id(theirs));
    let stored = ordered(base, theirs, mine).into_iter();
    let stored = stored.filter_map(|field| {
        let id = text_of(field, ID);
        match (old.get(&id), own.get(&id)) {
            (Some(old), Some(own)) => Some(of_both(old, field, own)),
            // it was taken away in mine
            (Some(_), None) => None,
            // both made it
            (None, Some(own)) => Some(of_both(&Members::new(), field, own)),
            (None, None) => Some(field.clone()),
        }
    });
    let made = mine.fields.iter().filter(|field| {
        let id = text_of(field, ID);
        id.is_empty()
            || match (old.get(&id), other.get(&id)) {
                // theirs took away what mine changed
                (Some(old), None) => !is_same(old, field),
                (None, None) => true,
                (_, Some(_)) => false,
            }
    });
    Draft {
        head: of_both(&base.head, &theirs.head, &mine.head),
        fields: stored.chain(made.cloned()).collect(),
    }
}

const ID: &str = "fieldId";

type ById<'f> = HashMap<String, &'f Members>;

fn by_id(draft: &Draft) -> ById<'_> {
    let fields = draft.fields.iter();
    fields.map(|field| (text_of(field, ID), field)).collect()
}

/// Their fields in their order, or in that of mine where mine moved those that were there.
fn ordered<'t>(base: &Draft, theirs: &'t Draft, mine: &Draft) -> Vec<&'t Members> {
    let ids = |draft: &Draft| -> Vec<String> {
        let fields = draft.fields.iter();
        fields.map(|field| text_of(field, ID)).collect()
    };
    let (was, is) = (ids(base), ids(mine));
    let before = was.iter().filter(|id| is.contains(id));
    let is_moved = before.ne(is.iter().filter(|id| was.contains(id)));
    let mut fields: Vec<&Members> = theirs.fields.iter().collect();
    if is_moved {
        fields.sort_by_cached_key(|field| {
            let id = text_of(field, ID);
            is.iter().position(|it| *it == id).unwrap_or(usize::MAX)
        });
    }
    fields
}

/// Whether two fields are written alike.
fn is_same(one: &Members, other: &Members) -> bool {
    let pairs = one.iter().map(|(name, raw)| (name, raw.get()));
    pairs.eq(other.iter().map(|(name, raw)| (name, raw.get())))
}

/// Their members with what mine made otherwise than it was.
fn of_both(base: &Members, theirs: &Members, mine: &Members) -> Members {
    let mut all = theirs.clone();
    let names: BTreeSet<&String> = base.keys().chain(mine.keys()).collect();
    for name in names {
        let [was, is] = [base, mine].map(|it| it.get(name).map(|raw| raw.get()));
        match mine.get(name) {
            _ if was == is => {}
            Some(value) => {
                all.insert(name.clone(), value.clone());
            }
            None => {
                all.remove(name);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A draft of fields, each with its id and what else it has.
    fn draft(name: &str, fields: &[(&str, &str)]) -> Draft {
        let field = |(id, rest): &(&str, &str)| match *id {
            "" => format!("{{{rest}}}"),
            id => format!(r#"{{"fieldId":"{id}",{rest}}}"#),
        };
        let fields: Vec<_> = fields.iter().map(field).collect();
        let text = format!(r#"{{"name":"{name}","fields":[{}]}}"#, fields.join(","));
        Draft::read(&text).expect("a document")
    }

    #[test]
    fn what_mine_did_not_touch_is_theirs_and_what_it_did_is_mine() {
        let base = draft("A", &[("a", r#""max":50,"min":1"#), ("b", r#""max":1"#)]);
        let theirs = draft("B", &[("a", r#""max":60,"min":2"#), ("b", r#""max":1"#)]);
        let mine = draft(
            "A",
            &[("a", r#""max":50,"min":3,"tip":"x""#), ("b", r#""min":0"#)],
        );
        let both = draft(
            "B",
            &[("a", r#""max":60,"min":3,"tip":"x""#), ("b", r#""min":0"#)],
        );
        let found = merged(&base, &theirs, &mine).to_json();
        assert_eq!(found, both.to_json());
    }

    #[test]
    fn fields_come_and_go_as_either_one_made_it_and_new_ones_are_last() {
        let own = r#""max":1"#;
        let base = draft("A", &[("a", own), ("b", own), ("c", own), ("d", own)]);
        // theirs took b away and made n; mine took c away, moved d and made one that has no id yet
        let theirs = draft("A", &[("a", own), ("c", own), ("d", own), ("n", own)]);
        let mine = draft("A", &[("d", own), ("a", own), ("b", own), ("", own)]);
        let both = draft("A", &[("d", own), ("a", own), ("n", own), ("", own)]);
        let found = merged(&base, &theirs, &mine).to_json();
        assert_eq!(found, both.to_json());
        // whose order nobody touched has the other one's
        let mine = draft(
            "A",
            &[("a", own), ("b", own), ("c", own), ("d", r#""max":2"#)],
        );
        let theirs = draft("A", &[("d", own), ("c", own), ("b", own), ("a", own)]);
        let both = draft(
            "A",
            &[("d", r#""max":2"#), ("c", own), ("b", own), ("a", own)],
        );
        let found = merged(&base, &theirs, &mine).to_json();
        assert_eq!(found, both.to_json());
    }
    #[test]
    fn a_field_that_theirs_took_away_stays_where_mine_changed_it_and_goes_where_mine_did_not() {
        let own = r#""max":1"#;
        let base = draft("A", &[("a", own), ("b", own), ("c", own)]);
        let theirs = draft("A", &[("a", own)]);
        let mine = draft("A", &[("a", own), ("b", r#""max":2"#), ("c", own)]);
        let both = draft("A", &[("a", own), ("b", r#""max":2"#)]);
        let found = merged(&base, &theirs, &mine).to_json();
        assert_eq!(found, both.to_json());
    }

    #[test]
    fn a_field_that_both_made_has_what_mine_says_and_what_theirs_alone_says() {
        let base = draft("A", &[]);
        let theirs = draft("A", &[("n", r#""max":1,"min":0"#)]);
        let mine = draft("A", &[("n", r#""max":2"#)]);
        let both = draft("A", &[("n", r#""max":2,"min":0"#)]);
        let found = merged(&base, &theirs, &mine).to_json();
        assert_eq!(found, both.to_json());
    }
}

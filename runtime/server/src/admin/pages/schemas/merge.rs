//! Two change one schema at a time: what one of them changed is brought onto what the other one made of it, property by
//! property, and of a picklist code by code. What an author did not touch stays as the other one made it; what both changed is
//! as the author has it, and stands among the differences, also a field that the other one took away. It stores nothing.

use super::document::{Draft, Members, raw, text_of};
use super::editor_state::Edited;
use super::head::find;
use super::pairs::CODES;
use super::stored_fields::{Source, is_same};
use crate::admin::pages::merged_codes::{self, Coded};
use crate::admin::pages::visit::Visit;
use serde_json::value::RawValue;
use service::Refusal;
use std::collections::{BTreeSet, HashMap};

/// Brings what is edited onto the version in force, where it was made from an earlier one; what is told of that, if it was. What
/// was made from a version that is not there stays as it is, since what is whose change is not known: saving it is refused.
///
/// # Errors
/// No such schema, missing rights.
pub(super) fn rebase<P>(visit: &Visit<P>, edited: &mut Edited) -> Result<Option<String>, Refusal> {
    if edited.schema.is_empty() {
        return Ok(None);
    }
    let stored = find(visit, &edited.schema)?;
    let current = stored.current();
    let Some(number) = edited.version.filter(|it| *it != current.number) else {
        return Ok(None);
    };
    let Some(base) = stored.version(number) else {
        return Ok(None);
    };
    let [base, theirs] = [base, current].map(|it| Draft::of(&it.schema));
    let (draft, contested) = merged(&base, &theirs, &edited.draft);
    edited.draft = draft;
    edited.version = Some(current.number);
    edited.source = Some(Source {
        schema: stored.id.clone(),
        version: current.number,
    });
    // fields may stand elsewhere now
    edited.open = None;
    let told = visit.texts.schemas.changed_meanwhile.to_owned();
    let codes = contested.iter();
    let codes = codes.filter_map(|it| merged_codes::told_of(&it.field, &it.codes, visit.texts));
    let told: Vec<String> = std::iter::once(told).chain(codes).collect();
    Ok(Some(told.join(" ")))
}

/// The codes of a picklist that both changed.
#[derive(Debug, PartialEq, Eq)]
struct Contested {
    /// The name of its field.
    field: String,
    codes: Vec<String>,
}

/// What was made of `base` in `mine`, brought onto what was made of it in `theirs`; and the codes of picklists that both changed.
fn merged(base: &Draft, theirs: &Draft, mine: &Draft) -> (Draft, Vec<Contested>) {
    let mut contested = Vec::new();
    let mut of_field = |old: &Members, field: &Members, own: &Members| {
        let mut codes = Vec::new();
        let both = of_both(old, field, own, &mut codes);
        if !codes.is_empty() {
            let field = text_of(&both, "name");
            contested.push(Contested { field, codes });
        }
        both
    };
    let (old, own, other) = (by_id(base), by_id(mine), by_id(theirs));
    let stored = ordered(base, theirs, mine).into_iter();
    let stored = stored.filter_map(|field| {
        let id = text_of(field, ID);
        match (old.get(&id), own.get(&id)) {
            (Some(old), Some(own)) => Some(of_field(old, field, own)),
            // it was taken away in mine
            (Some(_), None) => None,
            // both made it
            (None, Some(own)) => Some(of_field(&Members::new(), field, own)),
            (None, None) => Some(field.clone()),
        }
    });
    let mut fields: Vec<Members> = stored.collect();
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
    fields.extend(made.cloned());
    // it has no picklist
    let head = of_both(&base.head, &theirs.head, &mine.head, &mut Vec::new());
    (Draft { head, fields }, contested)
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

/// Their members with what mine made otherwise than it was; notes the codes that both changed.
fn of_both(
    base: &Members,
    theirs: &Members,
    mine: &Members,
    contested: &mut Vec<String>,
) -> Members {
    let mut all = theirs.clone();
    let names: BTreeSet<&String> = base.keys().chain(mine.keys()).collect();
    for name in names {
        let [was, is] = [base, mine].map(|it| it.get(name).map(|raw| raw.get()));
        match mine.get(name) {
            _ if was == is => {}
            Some(value) => {
                let lists = [base, theirs, mine].map(|it| it.get(name).map(|raw| &**raw));
                let codes = if name == CODES {
                    codes_of_both(lists, contested)
                } else {
                    None
                };
                all.insert(name.clone(), codes.unwrap_or_else(|| value.clone()));
            }
            None => {
                all.remove(name);
            }
        }
    }
    all
}

/// The codes of a picklist as they were, as theirs are and as mine are, in one; nothing where one is no list of objects.
fn codes_of_both(
    lists: [Option<&RawValue>; 3],
    contested: &mut Vec<String>,
) -> Option<Box<RawValue>> {
    let [was, Some(theirs), Some(mine)] = lists else {
        return None;
    };
    let was = was.map_or(Some(Vec::new()), coded)?;
    let (theirs, mine) = (coded(theirs)?, coded(mine)?);
    let read = |text: &String| serde_json::from_str::<Members>(text).unwrap_or_default();
    let both = |was: Option<&String>, theirs: &String, mine: &String| {
        let was = was.map(read).unwrap_or_default();
        let [theirs, mine] = [theirs, mine].map(read);
        let entry = of_both(&was, &theirs, &mine, &mut Vec::new());
        let entry = raw(&entry).get().to_owned();
        (entry, is_contested(&was, &theirs, &mine))
    };
    let merged = merged_codes::merged([&was[..], &theirs, &mine], both);
    contested.extend(merged.contested);
    let entries = merged.entries.into_iter();
    let entries: Result<Vec<_>, _> = entries.map(RawValue::from_string).collect();
    Some(raw(&entries.ok()?))
}

/// The entries of a list, each as it is written; nothing where it is no list of objects.
fn coded(list: &RawValue) -> Option<Vec<Coded<String>>> {
    let entries: Vec<&RawValue> = serde_json::from_str(list.get()).ok()?;
    let entries = entries.into_iter().map(|entry| {
        let members: Members = serde_json::from_str(entry.get()).ok()?;
        Some(Coded {
            code: text_of(&members, "code"),
            entry: entry.get().to_owned(),
        })
    });
    entries.collect()
}

/// Whether both changed a member, each in its own way.
fn is_contested(was: &Members, theirs: &Members, mine: &Members) -> bool {
    let mut names = was.keys().chain(theirs.keys()).chain(mine.keys());
    names.any(|name| {
        let texts = [was, theirs, mine].map(|it| it.get(name).map(|raw| raw.get()));
        let [was, theirs, mine] = texts;
        was != theirs && was != mine && theirs != mine
    })
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
        let found = merged(&base, &theirs, &mine).0.to_json();
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
        let found = merged(&base, &theirs, &mine).0.to_json();
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
        let found = merged(&base, &theirs, &mine).0.to_json();
        assert_eq!(found, both.to_json());
    }
    #[test]
    fn a_field_that_theirs_took_away_stays_where_mine_changed_it_and_goes_where_mine_did_not() {
        let own = r#""max":1"#;
        let base = draft("A", &[("a", own), ("b", own), ("c", own)]);
        let theirs = draft("A", &[("a", own)]);
        let mine = draft("A", &[("a", own), ("b", r#""max":2"#), ("c", own)]);
        let both = draft("A", &[("a", own), ("b", r#""max":2"#)]);
        let found = merged(&base, &theirs, &mine).0.to_json();
        assert_eq!(found, both.to_json());
    }

    #[test]
    fn a_field_that_both_made_has_what_mine_says_and_what_theirs_alone_says() {
        let base = draft("A", &[]);
        let theirs = draft("A", &[("n", r#""max":1,"min":0"#)]);
        let mine = draft("A", &[("n", r#""max":2"#)]);
        let both = draft("A", &[("n", r#""max":2,"min":0"#)]);
        let found = merged(&base, &theirs, &mine).0.to_json();
        assert_eq!(found, both.to_json());
    }

    /// A draft of one picklist with these codes, of which each has what stands behind `=` for its description.
    fn picklist(codes: &str) -> Draft {
        let entry = |text: &str| match text.split_once('=') {
            Some((code, means)) => {
                format!(r#"{{"code":"{code}","description":"{means}","x":1.50}}"#)
            }
            None => format!(r#"{{"code":"{text}","x":1.50}}"#),
        };
        let codes: Vec<_> = codes.split_whitespace().map(entry).collect();
        let list = format!(r#""{CODES}":[{}]"#, codes.join(","));
        draft("A", &[("p", &*list)])
    }

    /// The codes that both changed, of all picklists.
    fn codes_of(contested: &[Contested]) -> Vec<&str> {
        let codes = contested.iter().flat_map(|it| &it.codes);
        codes.map(String::as_str).collect()
    }

    #[test]
    fn codes_that_both_changed_are_told_with_the_name_that_their_picklist_has_by_now() {
        let lists = |names: [&str; 3], codes: [&str; 3]| {
            let field = |(name, code): (&str, &str)| {
                let entry = format!(r#"{{"code":"X","description":"{code}"}}"#);
                format!(r#""name":"{name}","{CODES}":[{entry}]"#)
            };
            let all = names.into_iter().zip(codes).map(field);
            let all: Vec<String> = all.collect();
            draft("A", &[("a", &*all[0]), ("b", &*all[1]), ("c", &*all[2])])
        };
        let base = lists(["Colour", "Size", "Shape"], ["", "", ""]);
        let theirs = lists(
            ["Colour", "Extent", "Shape"],
            ["theirs", "theirs", "theirs"],
        );
        let mine = lists(["Colour", "Size", "Shape"], ["mine", "mine", ""]);
        let (_, contested) = merged(&base, &theirs, &mine);
        let fields: Vec<&str> = contested.iter().map(|it| it.field.as_str()).collect();
        assert_eq!(fields, ["Colour", "Extent"]);
        assert_eq!(codes_of(&contested), ["X", "X"]);
    }

    #[test]
    fn two_who_change_one_picklist_each_keep_what_they_changed_code_by_code() {
        let [base, theirs, mine, both] = [
            "A B=b C D=d",
            "A B=other C D=d AX",
            "A B=b D=mine BX",
            "A B=other D=mine AX BX",
        ]
        .map(picklist);
        let (found, contested) = merged(&base, &theirs, &mine);
        assert_eq!(found.to_json(), both.to_json());
        assert!(contested.is_empty(), "{contested:?}");
    }

    #[test]
    fn a_code_that_both_changed_is_mine_with_what_theirs_alone_changed_and_is_told() {
        let base = picklist("A B C");
        let theirs =
            r#""staticPicklist":[{"code":"A","description":"theirs","x":2},{"code":"C","x":1.50}]"#;
        let theirs = draft("A", &[("p", theirs)]);
        let mine = picklist("A=mine B=mine C");
        let (found, contested) = merged(&base, &theirs, &mine);
        let both = r#""staticPicklist":[{"code":"A","description":"mine","x":2},{"code":"B","description":"mine","x":1.50},{"code":"C","x":1.50}]"#;
        assert_eq!(found.to_json(), draft("A", &[("p", both)]).to_json());
        assert_eq!(codes_of(&contested), ["A", "B"]);
        // what is no list of objects is as mine has it
        let mine = draft("A", &[("p", r#""staticPicklist":"A""#)]);
        let (found, contested) = merged(&base, &theirs, &mine);
        assert_eq!(found.to_json(), mine.to_json());
        assert!(contested.is_empty(), "{contested:?}");
    }
}

//! What the trail keeps of a change: the members that differ, of long lists the entries that differ, and of what is
//! larger than anyone reads its size alone. What goes for good is kept whole, because nothing else has it.
//!
//! ```text
//! before {"name": "Countries", "codes": [… 20,000 …], "version": 4}    {"codes": [{"code": "XX"}], "version": 4}
//! after  {"name": "Countries", "codes": [… 20,000 …], "version": 5}    {"codes": [{"code": "ZZ"}], "version": 5}
//! ```

use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// Lists and objects of more bytes show only what differs in them.
const WHOLE_BYTES_MAX: usize = 4 << 10;
/// Values of more bytes show only how many they had.
const SHOWN_BYTES_MAX: usize = 32 << 10;
/// The member that stands for a value that is not shown.
const CUT: &str = "_cutBytes";

/// What is kept of both documents.
pub(super) fn kept(before: Option<Value>, after: Option<Value>) -> [Option<Value>; 2] {
    match (before, after) {
        (Some(before), Some(after)) => {
            let (mut before, mut after) = differing(before, after);
            shorten(&mut before);
            shorten(&mut after);
            [Some(before), Some(after)]
        }
        (before, after) => [
            before,
            after.map(|mut after| {
                shorten(&mut after);
                after
            }),
        ],
    }
}

/// What two values don't have in common.
fn differing(before: Value, after: Value) -> (Value, Value) {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => of_objects(before, after),
        (Value::Array(before), Value::Array(after)) => of_lists(before, after),
        both => both,
    }
}

fn of_objects(before: Map<String, Value>, mut after: Map<String, Value>) -> (Value, Value) {
    let (mut old, mut new) = (Map::new(), Map::new());
    for (name, before) in before {
        match after.remove(&name) {
            Some(after) if after == before => {}
            Some(after) => {
                let is_large = size(&before).max(size(&after)) > WHOLE_BYTES_MAX;
                let (before, after) = if is_large {
                    differing(before, after)
                } else {
                    (before, after)
                };
                old.insert(name.clone(), before);
                new.insert(name, after);
            }
            None => {
                old.insert(name, before);
            }
        }
    }
    new.extend(after);
    (old.into(), new.into())
}

/// The entries that the other list does not have; the lists as they are, where only the order differs.
fn of_lists(before: Vec<Value>, after: Vec<Value>) -> (Value, Value) {
    let texts = |list: &[Value]| -> HashSet<String> { list.iter().map(Value::to_string).collect() };
    let (known, own) = (texts(&before), texts(&after));
    if known == own {
        return (before.into(), after.into());
    }
    let without = |list: Vec<Value>, other: &HashSet<String>| -> Value {
        let rest = list.into_iter();
        rest.filter(|entry| !other.contains(&entry.to_string()))
            .collect()
    };
    (without(before, &own), without(after, &known))
}

/// Puts sizes in place of members that are too large, the innermost that bring it about.
fn shorten(value: &mut Value) {
    let bytes = size(value);
    if bytes <= SHOWN_BYTES_MAX {
        return;
    }
    if let Value::Object(members) = value {
        members.values_mut().for_each(shorten);
    }
    if size(value) > 2 * SHOWN_BYTES_MAX || !value.is_object() {
        *value = json!({CUT: bytes});
    }
}

/// Bytes of a value as text.
fn size(value: &Value) -> usize {
    crate::pager::json_bytes(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(before: &Value, after: &Value) -> [Value; 2] {
        kept(Some(before.clone()), Some(after.clone())).map(Option::unwrap)
    }

    #[test]
    fn members_that_differ_are_kept_and_no_others() {
        let before = json!({"name": "a", "note": null, "roles": ["x", "y"], "gone": 1});
        let after = json!({"name": "b", "note": null, "roles": ["y"], "new": {}});
        assert_eq!(
            of(&before, &after),
            [
                json!({"name": "a", "roles": ["x", "y"], "gone": 1}),
                json!({"name": "b", "roles": ["y"], "new": {}})
            ]
        );
        assert_eq!(of(&before, &before), [json!({}), json!({})]);
    }

    #[test]
    fn of_a_long_list_the_entries_that_differ_are_kept_however_deep_it_is() {
        let codes = |change: &str| -> Value {
            let code = |number: usize| match number {
                700 => json!({"code": change}),
                number => json!({"code": format!("code {number}")}),
            };
            (0..1000).map(code).collect()
        };
        let document = |change: &str| json!({"document": {"fields": codes(change), "name": "n"}, "version": change});
        assert_eq!(
            of(&document("a"), &document("b")),
            ["a", "b"].map(
                |change| json!({"document": {"fields": [{"code": change}]}, "version": change})
            )
        );
    }

    #[test]
    fn of_what_is_too_large_the_size_is_kept_and_of_what_goes_all() {
        let large = json!({"name": "n", "codes": vec!["x".repeat(1000); 100]});
        let bytes = large["codes"].to_string().len();
        let short = json!({"name": "n", "codes": {CUT: bytes}});
        assert_eq!(kept(None, Some(large.clone())), [None, Some(short.clone())]);
        assert_eq!(kept(Some(large.clone()), None), [Some(large.clone()), None]);
        let text = json!({"name": "n", "codes": "x".repeat(100_000)});
        assert_eq!(
            of(&large, &text),
            [
                json!({"codes": {CUT: bytes}}),
                json!({"codes": {CUT: 100_002}})
            ]
        );
        let many: Map<String, Value> = (0..1000)
            .map(|n| (n.to_string(), "x".repeat(100).into()))
            .collect();
        let cut = kept(None, Some(many.into()));
        assert!(size(cut[1].as_ref().unwrap()) < 100, "{cut:?}");
    }
}

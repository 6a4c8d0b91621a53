//! Lists of two texts each, such as codes with their descriptions, as lines that people write: `code = description`.

use super::document::{Members, raw, set_text, text_of};
use crate::admin::pages::code_part::{CodePart, Pair};
use crate::admin::pages::pair_lines::{line_of, pairs, quoted};
use serde_json::value::RawValue;
use std::collections::HashMap;

/// The property that lists the codes of a picklist.
pub(super) const CODES: &str = "staticPicklist";

/// Gives a member a list; an empty one takes it away.
pub(super) fn set_list(field: &mut Members, property: &str, items: &[impl serde::Serialize]) {
    if items.is_empty() {
        field.remove(property);
    } else {
        field.insert(property.to_owned(), raw(&items));
    }
}

/// The pairs of a list, one a line; nothing where it is no list of objects.
pub(super) fn lines_of(list: &RawValue, first: &str, second: &str) -> Option<String> {
    let items: Vec<Members> = serde_json::from_str(list.get()).ok()?;
    let line = |item: &Members| {
        let [first, second] = [first, second].map(|name| text_of(item, name));
        line_of(&first, &second)
    };
    let lines: Vec<_> = items.iter().map(line).collect();
    Some(lines.join("\n"))
}

/// The things of a list by their names, one a line; with the id behind it where the name does not tell which one it is.
pub(super) fn named_lines_of(list: &RawValue, name: &str, id: &str) -> Option<String> {
    let items: Vec<Members> = serde_json::from_str(list.get()).ok()?;
    let names: Vec<String> = items.iter().map(|item| text_of(item, name)).collect();
    let line = |(item, own): (&Members, &String)| {
        let is_alone = names.iter().filter(|other| *other == own).count() == 1;
        if is_alone && !own.is_empty() {
            quoted(own)
        } else {
            line_of(own, &text_of(item, id))
        }
    };
    let lines: Vec<_> = items.iter().zip(&names).map(line).collect();
    Some(lines.join("\n"))
}

/// The objects of a list; none where it is no list of objects.
fn items_of(field: &Members, property: &str) -> Vec<Members> {
    let list = field.get(property);
    list.and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default()
}

/// Makes things of lines that name them. What has the name of one keeps its id, and so does one that was renamed where it
/// stands; what is new has its name for its id, where none is given.
pub(super) fn take_named(field: &mut Members, property: &str, text: &str, names: [&str; 2]) {
    let [name, id] = names;
    let old = items_of(field, property);
    let lines: Vec<[String; 2]> = pairs(text).collect();
    let items: Vec<Members> = lines
        .iter()
        .enumerate()
        .map(|(at, [own, given])| {
            let is_same = |item: &&Members| {
                let (member, told) = if given.is_empty() {
                    (name, own)
                } else {
                    (id, given)
                };
                text_of(item, member) == *told
            };
            let renamed = || {
                let there = old.get(at)?;
                let was = text_of(there, name);
                let is_gone = lines.iter().all(|[other, _]| *other != was);
                let is_one = given.is_empty() && old.len() == lines.len();
                (is_one && is_gone).then_some(there)
            };
            let known = old.iter().find(is_same).or_else(renamed);
            let mut item = known.cloned().unwrap_or_default();
            item.insert(name.to_owned(), raw(own));
            if !given.is_empty() {
                item.insert(id.to_owned(), raw(given));
            } else if text_of(&item, id).is_empty() {
                item.insert(id.to_owned(), raw(own));
            }
            item
        })
        .collect();
    set_list(field, property, &items);
}

/// Makes objects of lines; what else an object had stays, if its first text does.
pub(super) fn take(field: &mut Members, property: &str, text: &str, names: [&str; 2]) {
    set_pairs(field, property, pairs(text).collect(), names);
}

/// The same of lines that stand in place of a part of the list; what is no list stays as it is.
pub(super) fn take_part(
    field: &mut Members,
    property: &str,
    (part, text): (&CodePart, &str),
    names: [&str; 2],
) {
    if let Some(all) = pairs_of(field, property, names) {
        set_pairs(field, property, part.put(all, text), names);
    }
}

/// The pairs of a list; nothing where it is no list of objects.
pub(super) fn pairs_of(field: &Members, property: &str, names: [&str; 2]) -> Option<Vec<Pair>> {
    let items: Vec<Members> = serde_json::from_str(field.get(property)?.get()).ok()?;
    let pair = |item: &Members| names.map(|name| text_of(item, name));
    Some(items.iter().map(pair).collect())
}

/// Makes objects of pairs. One that says what its pair does stays as it was written; what else an object had stays, if its
/// first text does.
fn set_pairs(field: &mut Members, property: &str, all: Vec<Pair>, names: [&str; 2]) {
    let [first_name, second_name] = names;
    let old = items_of(field, property);
    let written = field.get(property);
    let written: Vec<Box<RawValue>> = written
        .and_then(|list| serde_json::from_str(list.get()).ok())
        .unwrap_or_default();
    let mut by_first = HashMap::new();
    for (item, written) in old.iter().zip(&written) {
        let first = text_of(item, first_name);
        by_first.entry(first).or_insert((item, written));
    }
    let object = |[first, second]: Pair| {
        let known = by_first.get(&first);
        let is_text = |item: &Members| {
            let raw = item.get(first_name);
            raw.is_some_and(|raw| raw.get().starts_with('"'))
        };
        if let Some(&(item, written)) = known
            && is_text(item)
            && text_of(item, second_name) == second
        {
            return written.clone();
        }
        let mut item = known.map_or_else(Members::new, |(item, _)| (*item).clone());
        item.insert(first_name.to_owned(), raw(&first));
        set_text(&mut item, second_name, &second);
        raw(&item)
    };
    let items: Vec<_> = all.into_iter().map(object).collect();
    set_list(field, property, &items);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn tags(list: &str) -> Members {
        serde_json::from_str(&format!(r#"{{"classifiers":{list}}}"#)).unwrap()
    }

    /// What tags become whose lines are these.
    fn taken(list: &str, text: &str) -> Value {
        let mut field = tags(list);
        take_named(&mut field, "classifiers", text, ["tagName", "tagId"]);
        serde_json::from_str(field["classifiers"].get()).unwrap()
    }

    #[test]
    fn tags_are_told_by_their_names_and_keep_their_ids() {
        let list = r#"[{"tagId":"t-1","tagName":"Core","x":1},{"tagId":"t-2","tagName":"a | b"},
            {"tagId":"t-3","tagName":"Twice"},{"tagId":"t-4","tagName":"Twice"},{"tagId":"t-5"}]"#;
        let before: Value = serde_json::from_str(list).unwrap();
        let text = named_lines_of(&tags(list)["classifiers"], "tagName", "tagId").unwrap();
        let lines: Vec<_> = text.lines().collect();
        let told = ["Core", r#""a | b""#, "Twice = t-3", "Twice = t-4", " = t-5"];
        assert_eq!(lines, told);
        let after = taken(list, &text);
        assert_eq!(after[0], before[0]);
        assert_eq!(
            after.as_array().unwrap()[..4],
            before.as_array().unwrap()[..4]
        );
        let two = r#"[{"tagId":"t-1","tagName":"Core"},{"tagId":"t-2","tagName":"Old"}]"#;
        let ids = |text: &str| {
            let after = taken(two, text);
            let ids = after.as_array().unwrap().iter();
            let ids: Vec<_> = ids
                .map(|tag| tag["tagId"].as_str().unwrap().to_owned())
                .collect();
            ids.join(" ")
        };
        // renamed, in another order, one more, one with an id, one less
        assert_eq!(ids("Core\nNew"), "t-1 t-2");
        assert_eq!(ids("Old\nCore"), "t-2 t-1");
        assert_eq!(ids("Core\nOld\nMore"), "t-1 t-2 More");
        assert_eq!(ids("Core\nOld\nMore | t-9"), "t-1 t-2 t-9");
        assert_eq!(ids("Renamed = t-2"), "t-2");
    }

    #[test]
    fn pairs_are_read_as_they_are_written() {
        let list = r#"[{"code":"A","description":"First","x":1},{"code":"B"},{"code":"a | b","description":"\"q\""},
            {"code":" c","description":"two\nlines"},{"code":"t|x"}]"#;
        let mut field: Members =
            serde_json::from_str(&format!(r#"{{"staticPicklist":{list}}}"#)).unwrap();
        let text = lines_of(&field["staticPicklist"], "code", "description").unwrap();
        assert_eq!(text.lines().count(), 5, "{text}");
        take(&mut field, "staticPicklist", &text, ["code", "description"]);
        let before: Value = serde_json::from_str(list).unwrap();
        let after: Value = serde_json::from_str(field["staticPicklist"].get()).unwrap();
        assert_eq!(after, before);
        take(
            &mut field,
            "staticPicklist",
            "N\tpasted from a sheet",
            ["code", "description"],
        );
        let after: Value = serde_json::from_str(field["staticPicklist"].get()).unwrap();
        assert_eq!(
            after,
            serde_json::json!([{"code": "N", "description": "pasted from a sheet"}])
        );
    }
}

//! Lists of two texts each, such as codes with their descriptions, as lines that people write: `code = description`.

use super::document::{Members, raw, set_text, text_of};
use crate::admin::pages::code_part::{CodePart, ListEntry, Pair, entries};
use crate::admin::pages::pair_lines::{line_of, pairs, quoted};
use serde_json::value::RawValue;

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
    let all = pairs_of(field, property, names).unwrap_or_default();
    set_entries(field, property, entries(&all, pairs(text).collect()), names);
}

/// The same of lines that stand in place of a part of the list. What is no list stays as it is, and so does a list of whose
/// part nothing was changed.
pub(super) fn take_part(
    field: &mut Members,
    property: &str,
    (part, text): (&CodePart, &str),
    names: [&str; 2],
) {
    let all = pairs_of(field, property, names);
    if let Some(entries) = all.and_then(|all| part.put(&all, text)) {
        set_entries(field, property, entries, names);
    }
}

/// The pairs of a list; nothing where it is no list of objects.
pub(super) fn pairs_of(field: &Members, property: &str, names: [&str; 2]) -> Option<Vec<Pair>> {
    let items: Vec<Members> = serde_json::from_str(field.get(property)?.get()).ok()?;
    let pair = |item: &Members| names.map(|name| text_of(item, name));
    Some(items.iter().map(pair).collect())
}

/// Makes objects of entries. One that says what it said before stays as it was written; of one that was changed, what else
/// it had stays.
fn set_entries(field: &mut Members, property: &str, entries: Vec<ListEntry>, names: [&str; 2]) {
    let [first_name, second_name] = names;
    let written = field.get(property);
    let written: Vec<Box<RawValue>> = written
        .and_then(|list| serde_json::from_str(list.get()).ok())
        .unwrap_or_default();
    let object = |ListEntry { pair, former }: ListEntry| {
        let former = former.and_then(|at| written.get(at));
        let members = former.and_then(|it| serde_json::from_str::<Members>(it.get()).ok());
        let mut item = members.unwrap_or_default();
        if let Some(former) = former
            && names.map(|name| text_of(&item, name)) == pair
        {
            return former.clone();
        }
        let [first, second] = pair;
        item.insert(first_name.to_owned(), raw(&first));
        set_text(&mut item, second_name, &second);
        raw(&item)
    };
    let items: Vec<_> = entries.into_iter().map(object).collect();
    set_list(field, property, &items);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::admin::pages::code_part::CODES_SHOWN;
    use crate::admin::pages::codes_view::CodesView;
    use crate::admin::pages::texts::Texts;
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

    const NAMES: [&str; 2] = ["code", "description"];

    /// A picklist with a code that is a number, one that stands twice, and very many others.
    fn long_list() -> Members {
        let own = [
            r#"{"code": 5}"#,
            r#"{ "code":"A","description":"one","x":1 }"#,
            r#"{"code":"A","description":"one","x":2}"#,
            r#"{"code":"A","description":"two","x":3}"#,
        ];
        let others = (0..CODES_SHOWN).map(|at| format!(r#"{{"code":"C{at}","x":1.50}}"#));
        let all = own.map(str::to_owned).into_iter().chain(others);
        let all = all.collect::<Vec<_>>().join(", ");
        serde_json::from_str(&format!(r#"{{"{CODES}":[{all}]}}"#)).unwrap()
    }

    #[test]
    fn a_part_that_nobody_touched_leaves_a_long_list_as_it_was_written() {
        let mut field = long_list();
        let before = field[CODES].get().to_owned();
        let part = CodePart::default();
        let all = pairs_of(&field, CODES, NAMES).unwrap();
        let shown = CodesView::of(&all, &part, Texts::liked("en"));
        assert!(shown.part.is_some() && shown.lines.starts_with("5\nA = one\nA = one\n"));
        take_part(&mut field, CODES, (&part, &shown.lines), NAMES);
        assert_eq!(field[CODES].get(), before);
    }

    #[test]
    fn what_is_changed_of_a_list_leaves_all_else_as_it_was_written() {
        let texts_of = |field: &Members| {
            let all: Vec<Box<RawValue>> = serde_json::from_str(field[CODES].get()).unwrap();
            let all = all.iter().map(|it| it.get().to_owned());
            all.collect::<Vec<_>>()
        };
        let mut after = texts_of(&long_list());
        after[3] = r#"{"code":"A","description":"other","x":3}"#.to_owned();
        after.remove(10);
        after.push(r#"{"code":"NEW"}"#.to_owned());
        let changed = |lines: String| lines.replace("A = two", "A = other").replace("C6\n", "");
        let mut field = long_list();
        let lines = changed(lines_of(&field[CODES], "code", "description").unwrap());
        take(&mut field, CODES, &(lines + "\nNEW"), NAMES);
        assert_eq!(texts_of(&field), after);
        // of a part, which ends before the last codes
        let mut field = long_list();
        let part = CodePart::default();
        let all = pairs_of(&field, CODES, NAMES).unwrap();
        let lines = changed(CodesView::of(&all, &part, Texts::liked("en")).lines);
        take_part(&mut field, CODES, (&part, &lines), NAMES);
        after.pop();
        assert_eq!(texts_of(&field), after);
    }
}

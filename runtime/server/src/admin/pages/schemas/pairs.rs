//! Lists of two texts each, such as codes with their descriptions, as lines that people write: `code | description`.

use super::document::{Members, raw, set_text, text_of};
use serde_json::Value;
use serde_json::value::RawValue;

/// What parts the texts of a pair.
const BETWEEN: &str = " | ";

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
        match (quoted(&first), quoted(&second)) {
            (first, second) if second.is_empty() => first,
            (first, second) => format!("{first}{BETWEEN}{second}"),
        }
    };
    let lines: Vec<_> = items.iter().map(line).collect();
    Some(lines.join("\n"))
}

/// A text that could not be told from what is around it stands in quotes, as in JSON.
fn quoted(text: &str) -> String {
    let is_plain = !text.contains(BETWEEN.trim())
        && !text.contains(['\n', '\r', '\t'])
        && !text.starts_with('"')
        && text.trim() == text;
    if is_plain {
        return text.to_owned();
    }
    Value::from(text).to_string()
}

/// The text that was quoted.
fn unquoted(text: &str) -> String {
    let text = text.trim();
    serde_json::from_str(text).unwrap_or_else(|_| text.to_owned())
}

/// The two texts of a line: what stands in quotes is one, else the first bar or tab parts them.
fn halves(line: &str) -> [String; 2] {
    let mut strings = serde_json::Deserializer::from_str(line).into_iter::<String>();
    let end = match strings.next() {
        Some(Ok(_)) => strings.byte_offset(),
        _ => 0,
    };
    let at = line[end..].find(['|', '\t']);
    let (first, second) = match at {
        Some(at) => (&line[..end + at], &line[end + at + 1..]),
        None => (line, ""),
    };
    [first, second].map(unquoted)
}

/// Makes objects of lines; what else an object had stays, if its first text does.
pub(super) fn take(field: &mut Members, property: &str, text: &str, names: [&str; 2]) {
    let old = field.get(property);
    let old: Vec<Members> = old
        .and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let items: Vec<Members> = lines
        .map(|line| {
            let [first, second] = halves(line);
            let mut known = old.iter().filter(|item| text_of(item, names[0]) == first);
            let mut item = known.next().cloned().unwrap_or_default();
            item.insert(names[0].to_owned(), raw(&first));
            set_text(&mut item, names[1], &second);
            item
        })
        .collect();
    set_list(field, property, &items);
}

#[cfg(test)]
mod tests {
    use super::*;

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

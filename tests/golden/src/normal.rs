//! Texts without what differs from run to run, and HTML with one tag a line.

use regex::Regex;
use std::{collections::HashMap, fmt::Write, sync::LazyLock};

/// What differs from run to run, by its name. The first that matches a place wins.
static VOLATILE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&[
        r#"(?:pageKey=|nextPageKey":\s*")(?P<page>[^"&]+)"#,
        r"(?P<id>\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)",
r"(?P<cut>\b[0-9a-f]{8}-[0-9a-f-]*) …",
            r"fst_…(?P<masked>[A-Za-z0-9_-]{4})",
        r"(?P<token>\b[0-9a-f]{32,}\b|\bfs[a-z]_[A-Za-z0-9_-]{20,})",
        r"(?P<hash>\b[0-9a-f]{12})\.(?:css|js|svg|woff2|png)\b",
        r"(?P<time>\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?|\b\d\d\.\d\d\.20\d\d,? \d\d:\d\d(?::\d\d)?)",
        r"(?P<took>\b\d+(?:[.,]\d+)? (?:ms|µs|s)\b)",
        r"127\.0\.0\.1:(?P<port>\d+)",
            // a record's id is 16 bytes in base64url; what else is long is passed over
            r"(?:%[0-9A-F]{2})?(?P<record>[A-Za-z0-9_-]{22,})",
    ].join("|"))
    .expect("a valid pattern")
});

/// Replaces volatile values. An id's placeholder has a number by order of appearance; times have none, because two
/// events may or may not fall in one minute.
pub(crate) fn placeholders(text: &str) -> String {
    let mut numbers: HashMap<(&str, String), usize> = HashMap::new();
    let mut out = String::with_capacity(text.len());
    let (mut end, mut from) = (0, 0);
    while let Some(found) = VOLATILE.captures_at(text, from) {
        let (name, value) = VOLATILE
            .capture_names()
            .flatten()
            .find_map(|name| Some((name, found.name(name)?)))
            .expect("each alternative has a group");
        if name == "record" && !is_record(value.as_str()) {
            let rest = &value.as_str()[1..];
            from = value.start() + 1 + rest.find('-').map_or(rest.len(), |it| it + 1);
            continue;
        }
        out += &text[end..value.start()];
        if ["id", "record"].contains(&name) {
            let next = numbers.keys().filter(|(own, _)| *own == name).count() + 1;
            let number = numbers
                .entry((name, value.as_str().to_owned()))
                .or_insert(next);
            write!(out, "{{{name} {number}}}").expect("a text takes everything");
        } else {
            write!(out, "{{{name}}}").expect("a text takes everything");
        }
        end = value.end();
        from = end;
    }
    out + &text[end..]
}

fn is_record(word: &str) -> bool {
    word.len() == 22
        && word.ends_with(['A', 'Q', 'g', 'w'])
        && word.contains(|it: char| it.is_ascii_uppercase() || it.is_ascii_digit())
}

/// HTML with one tag or text a line, attributes in order, and white space collapsed.
pub(crate) fn html(page: &str) -> String {
    let mut out = String::new();
    let mut rest = page;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(match rest.strip_prefix('<') {
            Some(tag) => 1 + end_of_tag(tag),
            None => rest.find('<').unwrap_or(rest.len()),
        });
        rest = after;
        let line = if piece.starts_with('<') && !piece.starts_with("<!") {
            tag(piece)
        } else {
            words(piece)
        };
        if !line.is_empty() {
            out += &line;
            out.push('\n');
        }
    }
    placeholders(&out)
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How many bytes a tag has after its `<`, with its `>`; one in quotes does not end it.
fn end_of_tag(text: &str) -> usize {
    let mut quote = None;
    for (place, char) in text.char_indices() {
        match quote {
            Some(open) if open == char => quote = None,
            None if char == '"' || char == '\'' => quote = Some(char),
            None if char == '>' => return place + 1,
            _ => {}
        }
    }
    text.len()
}

/// A tag with its attributes in order.
fn tag(text: &str) -> String {
    let inner = text.trim_start_matches('<').trim_end_matches('>');
    let (name, rest) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
    let mut attributes: Vec<_> = ATTRIBUTE
        .find_iter(rest)
        .map(|it| words(it.as_str()))
        .collect();
    attributes.sort();
    attributes.insert(0, name.to_owned());
    format!("<{}>", attributes.join(" "))
}

static ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"[^\s=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"']+))?"#).expect("a valid pattern")
});

#[cfg(test)]
mod tests {
    use super::{html, placeholders};

    #[test]
    fn a_tag_stands_on_its_own_line_with_its_attributes_in_order() {
        let page = "<p  id=\"b\"\n class='a > b' hidden>one\n two<br></p>";
        assert_eq!(
            html(page),
            "<p class='a > b' hidden id=\"b\">\none two\n<br>\n</p>\n"
        );
    }

    #[test]
    fn an_id_has_the_same_number_wherever_it_appears() {
        let [a, b] = [
            "01a225f6-e339-7b2a-8135-2103e4090430",
            "01a225f6-e34d-710f-b86f-2292f0751465",
        ];
        assert_eq!(
            placeholders(&format!("{b} {a} {b} at 2026-11-29 06:21, took 3 ms")),
            "{id 1} {id 2} {id 1} at {time}, took {took}"
        );
    }

    #[test]
    fn a_record_id_is_found_in_small_letters_and_inside_other_words() {
        let text = "r0akshow_jor64amsb_lqw pick-V1YF7hPTO3Cd_UG7tzbOlQ only-a-long-word-below";
        assert_eq!(
            placeholders(text),
            "{record 1} pick-{record 2} only-a-long-word-below"
        );
    }
}

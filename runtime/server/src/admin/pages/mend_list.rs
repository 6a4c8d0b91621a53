//! The list of a repair: values with their successors, as lines that people write and paste. A list that says two things of
//! one value, or nothing, is none.
//!
//! | line | value and successor |
//! | - | - |
//! | `UK = GB`, `UK=GB`, cells of a sheet with a tab between them | `UK`, `GB` |
//! | `UK =` | `UK` and nothing |
//! | `"a = b" = " c"` | `a = b`, ` c`: what stands in quotes, as in JSON, is one text |

use super::pair_lines::{quoted_end, unquoted};
use serde_json::Value;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Why a text is no list.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoList {
    /// A line has no sign between value and successor.
    NotParted(String),
    /// A value has two successors.
    Twice(String),
}

/// The line of a value and its successor.
pub(super) fn line_of(value: &str, successor: &str) -> String {
    let line = format!("{} = {}", quoted(value), quoted(successor));
    line.trim_end().to_owned()
}

/// A text that could not be told from what is around it stands in quotes, as in JSON.
fn quoted(text: &str) -> String {
    let is_plain =
        !text.contains(['=', '\n', '\r', '\t']) && !text.starts_with('"') && text.trim() == text;
    if is_plain {
        return text.to_owned();
    }
    Value::from(text).to_string()
}

/// The values of a list, each with its successor; blank lines say nothing.
pub(super) fn read(text: &str) -> Result<BTreeMap<String, String>, NoList> {
    let mut all = BTreeMap::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let Some([value, successor]) = parted(line) else {
            return Err(NoList::NotParted(line.trim().to_owned()));
        };
        match all.entry(value) {
            Entry::Vacant(place) => {
                place.insert(successor);
            }
            Entry::Occupied(other) if *other.get() != successor => {
                return Err(NoList::Twice(other.key().clone()));
            }
            Entry::Occupied(_) => {}
        }
    }
    Ok(all)
}

/// The two texts of a line: a tab parts them, as between cells of a sheet, or the first sign outside of quotes.
fn parted(line: &str) -> Option<[String; 2]> {
    let end = quoted_end(line);
    let rest = &line[end..];
    let at = end + rest.find('\t').or_else(|| rest.find('='))?;
    Some([&line[..at], &line[at + 1..]].map(unquoted))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(pair: [&str; 2]) -> BTreeMap<String, String> {
        let [value, successor] = pair.map(str::to_owned);
        BTreeMap::from([(value, successor)])
    }

    #[test]
    fn each_way_to_write_a_line_is_read() {
        for (line, pair) in [
            ("UK = GB", ["UK", "GB"]),
            ("UK=GB", ["UK", "GB"]),
            ("UK\tGB", ["UK", "GB"]),
            ("UK =", ["UK", ""]),
            ("a | b = c", ["a | b", "c"]),
            ("a=b=c", ["a", "b=c"]),
            ("\"a = b\" = \" c\"", ["a = b", " c"]),
            ("= x", ["", "x"]),
        ] {
            assert_eq!(read(line), Ok(list(pair)), "{line}");
        }
    }

    #[test]
    fn a_list_is_read_as_it_is_written() {
        for pair in [
            ["UK", "GB"],
            ["a=b", "c = d"],
            [" x ", ""],
            ["\"q", "two\nlines"],
        ] {
            let line = line_of(pair[0], pair[1]);
            assert_eq!(read(&line), Ok(list(pair)), "{line}");
        }
    }

    #[test]
    fn a_line_that_says_nothing_and_a_value_with_two_successors_are_told() {
        let lone = NoList::NotParted("b".to_owned());
        assert_eq!(read("a = 1\n b \n"), Err(lone));
        let twice = NoList::Twice("a".to_owned());
        assert_eq!(read("a = 1\na=2"), Err(twice));
        let once = list(["a", "1"]);
        assert_eq!(read("a = 1\n\na=1"), Ok(once), "the same said twice");
    }
}

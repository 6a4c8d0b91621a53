//! Pairs of texts, such as codes with what they mean, as lines that people write and paste: one way for every page.
//!
//! | line | pair |
//! | - | - |
//! | `DE = Germany`, `DE | Germany`, cells of a sheet with a tab between them | `DE`, `Germany` |
//! | `FR` | `FR` and nothing |
//! | `"a | b" = c` | `a | b`, `c`: what stands in quotes, as in JSON, is one text |

use serde_json::Value;

/// What stands between the texts of a pair.
const BETWEEN: &str = " = ";
/// What may stand there as well.
const BAR: char = '|';

/// The line of a pair.
pub(super) fn line_of(first: &str, second: &str) -> String {
    match (quoted(first), quoted(second)) {
        (first, second) if second.is_empty() => first,
        (first, second) => format!("{first}{BETWEEN}{second}"),
    }
}

/// Pairs, one a line.
pub(super) fn lines_of<'p>(pairs: impl IntoIterator<Item = &'p [String; 2]>) -> String {
    let lines = pairs
        .into_iter()
        .map(|[first, second]| line_of(first, second));
    lines.collect::<Vec<_>>().join("\n")
}

/// A text that could not be told from what is around it stands in quotes, as in JSON.
pub(super) fn quoted(text: &str) -> String {
    let is_plain = !text.contains([BAR, '\n', '\r', '\t'])
        && !text.split(' ').any(|word| word == BETWEEN.trim())
        && !text.starts_with('"')
        && text.trim() == text;
    if is_plain {
        return text.to_owned();
    }
    Value::from(text).to_string()
}

/// The text that was quoted.
pub(super) fn unquoted(text: &str) -> String {
    let text = text.trim();
    serde_json::from_str(text).unwrap_or_else(|_| text.to_owned())
}

/// The two texts of a line: what stands in quotes is one; else a tab parts them, as between cells of a sheet, or the first
/// sign that may.
pub(super) fn halves(line: &str) -> [String; 2] {
    let end = quoted_end(line);
    let rest = &line[end..];
    let signs = || {
        let bar = rest.find(BAR).map(|at| (at, BAR.len_utf8()));
        let between = rest.find(BETWEEN).map(|at| (at, BETWEEN.len()));
        bar.into_iter().chain(between).min()
    };
    let found = rest.find('\t').map(|at| (at, 1)).or_else(signs);
    let (first, second) = match found {
        Some((at, length)) => (&line[..end + at], &rest[at + length..]),
        None => (line, ""),
    };
    [first, second].map(unquoted)
}

/// Where the text in quotes ends that a line begins with; 0 where it begins with none.
pub(super) fn quoted_end(line: &str) -> usize {
    let mut strings = serde_json::Deserializer::from_str(line).into_iter::<String>();
    match strings.next() {
        Some(Ok(_)) => strings.byte_offset(),
        _ => 0,
    }
}

/// The pairs of a text: each of its lines that is not empty.
pub(super) fn pairs(text: &str) -> impl Iterator<Item = [String; 2]> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(halves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_to_write_a_pair_is_read() {
        for (line, pair) in [
            ("DE = Germany", ["DE", "Germany"]),
            ("DE | Germany", ["DE", "Germany"]),
            ("DE|Germany", ["DE", "Germany"]),
            ("DE\tGermany", ["DE", "Germany"]),
            ("a = b | c", ["a", "b | c"]),
            ("a | b = c", ["a", "b = c"]),
            // a cell is one text, whatever stands in it
            ("a | b\tc = d", ["a | b", "c = d"]),
            (" FR ", ["FR", ""]),
            ("a=b", ["a=b", ""]),
            ("\"a | b\" = c", ["a | b", "c"]),
        ] {
            assert_eq!(halves(line), pair, "{line}");
        }
    }

    #[test]
    fn a_pair_is_read_as_it_is_written() {
        for pair in [
            ["DE", "Germany"],
            ["FR", ""],
            ["a = b", "c | d"],
            ["=", "= x"],
            ["a =", "b"],
            [" c", "two\nlines"],
            ["\"q", "\"r\" s"],
            ["t|x", ""],
            ["", "t-5"],
        ] {
            let line = line_of(pair[0], pair[1]);
            assert_eq!(halves(&line), pair, "{line}");
            assert_eq!(line.lines().count(), 1, "{line}");
        }
    }
}

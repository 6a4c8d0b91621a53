//! Formats of dates and times as patterns: regular expressions, and SQLite's `GLOB`. A pattern knows digits and no
//! calendar.

use crate::{DataType, Field};

/// The words of formats, longer ones first, with their expression and their glob.
const WORDS: &[(&str, &str, &str)] = &[
    ("YYYY", "[0-9]{4}", "[0-9][0-9][0-9][0-9]"),
    (
        "MMM",
        "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)",
        "[A-Z][a-z][a-z]",
    ),
    ("YY", "[0-9]{2}", "[0-9][0-9]"),
    ("MM", "(0[1-9]|1[0-2])", "[01][0-9]"),
    ("DD", "(0[1-9]|[12][0-9]|3[01])", "[0-3][0-9]"),
    ("HH", "([01][0-9]|2[0-3])", "[0-2][0-9]"),
    ("hh", "(0[1-9]|1[0-2])", "[01][0-9]"),
    ("mm", "[0-5][0-9]", "[0-5][0-9]"),
    ("ss", "[0-5][0-9]", "[0-5][0-9]"),
    ("a", "(am|pm)", "[ap]m"),
    ("A", "(AM|PM)", "[AP]M"),
];

/// The characters of which a text without a value is made: Unicode's white space.
pub const BLANKS: [u32; 25] = [
    0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004,
    0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000,
];

/// An e-mail address, as an expression of JSON Schema: that of the HTML standard with a dot in the domain. `format` would
/// be stricter where it is asserted: its addresses have no two dots side by side.
pub const EMAIL: &str = concat!(
    r"^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@",
    r"[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?",
    r"(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$",
);

/// A web address: how it begins, and no space or backslash in it. What else is none is beyond what all readers of patterns
/// have the same words for. `format` would be stricter where it is asserted: a browser reads `https://müller.de/größe`,
/// which is no URI.
pub const URL: &str = r"^[Hh][Tt][Tt][Pp][Ss]?://[^ \\]+$";

/// A text of nothing but [`BLANKS`], as an expression of JSON Schema.
pub fn blank() -> String {
    let all = BLANKS.map(|c| format!("\\u{c:04x}"));
    format!("^[{}]*$", all.concat())
}

/// How a field's dates or times are written, such as `DD/MM/YYYY`; `None` for other types.
pub fn label(field: &Field) -> Option<String> {
    match field.data_type {
        DataType::Date => Some(field.date_shape().label()),
        DataType::Time => Some(field.time_shape().name().to_owned()),
        DataType::Datetime => Some(field.moment_shape().label()),
        _ => None,
    }
}

/// The label as an anchored regular expression.
pub fn expression(label: &str) -> String {
    let inner = translated(label, |word| word.1, |c| format!("[{c}]"));
    format!("^{inner}$")
}

/// The label as a glob.
pub fn glob(label: &str) -> String {
    translated(label, |word| word.2, |c| c.to_string())
}

fn translated(
    label: &str,
    side: impl Fn(&(&'static str, &'static str, &'static str)) -> &'static str,
    other: impl Fn(char) -> String,
) -> String {
    let mut out = String::new();
    let mut rest = label;
    while let Some(c) = rest.chars().next() {
        let word = WORDS.iter().find(|word| rest.starts_with(word.0));
        if let Some(word) = word {
            out.push_str(side(word));
            rest = &rest[word.0.len()..];
        } else {
            out.push_str(&match c {
                '.' | '/' => other(c),
                c => c.to_string(),
            });
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_are_what_rust_takes_for_white_space() {
        let all = (0..=0xFFFF).filter_map(char::from_u32);
        let all: Vec<u32> = all.filter(|c| c.is_whitespace()).map(u32::from).collect();
        assert_eq!(all, BLANKS);
    }

    #[test]
    fn a_label_becomes_an_expression_and_a_glob() {
        assert_eq!(
            expression("DD.MM.YYYY"),
            "^(0[1-9]|[12][0-9]|3[01])[.](0[1-9]|1[0-2])[.][0-9]{4}$"
        );
        assert_eq!(
            glob("YY/MM/DD hh:mm A"),
            "[0-9][0-9]/[01][0-9]/[0-3][0-9] [01][0-9]:[0-5][0-9] [AP]M"
        );
    }
}

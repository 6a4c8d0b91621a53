//! Formats of dates and times as patterns: regular expressions, and SQLite's `GLOB`. A pattern knows digits and no
//! calendar.

use schema::{DataType, Field};

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

/// How a field's dates or times are written, such as `DD/MM/YYYY`; `None` for other types.
pub(super) fn label(field: &Field) -> Option<String> {
    match field.data_type {
        DataType::Date => Some(field.date_shape().label()),
        DataType::Time => Some(field.time_shape().name().to_owned()),
        DataType::Datetime => Some(field.moment_shape().label()),
        _ => None,
    }
}

/// The label as an anchored regular expression.
pub(super) fn expression(label: &str) -> String {
    let inner = translated(label, |word| word.1, |c| format!("[{c}]"));
    format!("^{inner}$")
}

/// The label as a glob.
pub(super) fn glob(label: &str) -> String {
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

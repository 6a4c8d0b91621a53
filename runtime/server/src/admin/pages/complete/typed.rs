//! What the last part of a query may become, as far as it is typed. It knows neither fields nor records.

use crate::admin::pages::asked::ORDER;
use service::search::{Quotes, unquoted};
use std::borrow::Cow;

/// What the last part of a query may become.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'t> {
    /// A word or a name, as far as it is typed.
    Begun(Cow<'t, str>),
    /// `is:`
    Is,
    /// `fault:`, with a field and the begin of a rule behind its slash.
    Fault {
        field: Cow<'t, str>,
        rule: Option<&'t str>,
    },
    /// `sort=`, `-` where the order is turned, and the begin of a field.
    Order { sign: &'t str, field: &'t str },
    /// A field, and what is typed behind its colon.
    Value { field: Cow<'t, str>, value: &'t str },
    /// Nothing that is known here.
    Nothing,
}

impl<'t> Part<'t> {
    pub(super) fn of(word: &'t str) -> Self {
        if let Some(rest) = word.strip_prefix('"') {
            return match closed(word) {
                None => Part::Begun(rest.into()),
                Some((name, "")) => Part::Begun(unquoted(name)),
                Some((name, rest)) => match rest.strip_prefix(':') {
                    Some(value) => Part::Value {
                        field: unquoted(name),
                        value,
                    },
                    None => Part::Nothing,
                },
            };
        }
        if let Some(rest) = word.strip_prefix(ORDER) {
            let (sign, rest) = rest.split_at(usize::from(rest.starts_with('-')));
            let field = rest.strip_prefix('"').unwrap_or(rest);
            return Part::Order { sign, field };
        }
        match word.split_once(':') {
            None => Part::Begun(word.into()),
            Some(("is", rest)) if "faulty".starts_with(rest) => Part::Is,
            Some(("fault", rest)) => Part::of_fault(rest),
            Some((field, value)) => Part::Value {
                field: field.into(),
                value,
            },
        }
    }

    fn of_fault(rest: &'t str) -> Self {
        let (field, rule) = match (rest.strip_prefix('"'), closed(rest)) {
            (Some(_), Some((name, end))) => (unquoted(name), end.strip_prefix('/')),
            (Some(begun), None) => (begun.into(), None),
            (None, _) => match rest.rsplit_once('/') {
                Some((name, rule)) => (name.into(), Some(rule)),
                None => (rest.into(), None),
            },
        };
        Part::Fault { field, rule }
    }
}

/// What stands in quotes at the begin of a text, with them, and what comes behind; `None` where they are not closed.
fn closed(text: &str) -> Option<(&str, &str)> {
    if !text.starts_with('"') {
        return None;
    }
    let mut quotes = Quotes::default();
    // only a quote closes quotes
    let end = text.find(|sign: char| !quotes.pass(sign))? + 1;
    Some(text.split_at(end))
}

/// Where the last part of a query begins: behind white space and parentheses that stand in no quotes.
pub(super) fn start_of_last(typed: &str) -> usize {
    let (mut start, mut quotes) = (0, Quotes::default());
    for (at, sign) in typed.char_indices() {
        let is_quoted = quotes.pass(sign);
        match sign {
            '(' | ')' if !is_quoted => start = at + 1,
            sign if sign.is_whitespace() && !is_quoted => start = at + sign.len_utf8(),
            _ => {}
        }
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_part_begins_behind_spaces_and_parentheses_outside_of_quotes() {
        for (typed, last) in [
            ("", ""),
            ("Sta", "Sta"),
            ("a Sta", "Sta"),
            ("a (Sta", "Sta"),
            ("a ", ""),
            ("x \"Credit Li", "\"Credit Li"),
            ("\"Credit Limit\":>", "\"Credit Limit\":>"),
            ("Ort:\"a b\" é\u{3000}Z", "Z"),
            ("x \"a\\\" b", "\"a\\\" b"),
            ("\"a\\\\\" b", "b"),
        ] {
            assert_eq!(&typed[start_of_last(typed)..], last, "{typed}");
        }
    }

    #[test]
    fn a_part_is_read_as_far_as_it_is_typed() {
        let begun = |name: &'static str| Part::Begun(name.into());
        let fault = |field: &'static str, rule| Part::Fault {
            field: field.into(),
            rule,
        };
        let value = |field: &'static str, value| Part::Value {
            field: field.into(),
            value,
        };
        for (typed, part) in [
            ("Sta", begun("Sta")),
            ("\"Credit Li", begun("Credit Li")),
            ("\"Credit Limit\"", begun("Credit Limit")),
            ("\"a\\\"b\"", begun("a\"b")),
            ("\"a\\\"b\":>", value("a\"b", ">")),
            ("\"a\\\\\":x", value("a\\", "x")),
            ("\"Credit Limit\":>", value("Credit Limit", ">")),
            ("\"a\"*", Part::Nothing),
            ("Status:A", value("Status", "A")),
            ("is:fau", Part::Is),
            ("is:n", value("is", "n")),
            (
                "sort=",
                Part::Order {
                    sign: "",
                    field: "",
                },
            ),
            (
                "sort=-\"Credit",
                Part::Order {
                    sign: "-",
                    field: "Credit",
                },
            ),
            ("fault:", fault("", None)),
            ("fault:Pho", fault("Pho", None)),
            ("fault:Phone/re", fault("Phone", Some("re"))),
            ("fault:\"Credit L", fault("Credit L", None)),
            ("fault:\"Credit Limit\"/m", fault("Credit Limit", Some("m"))),
            ("fault:\"a\\\"/b\"/m", fault("a\"/b", Some("m"))),
        ] {
            assert_eq!(Part::of(typed), part, "{typed}");
        }
    }
}

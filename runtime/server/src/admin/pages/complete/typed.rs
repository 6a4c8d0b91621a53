//! What the last part of a query may become, as far as it is typed. It knows neither fields nor records.

use crate::admin::pages::asked::ORDER;

/// What the last part of a query may become.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'t> {
    /// A word or a name, as far as it is typed.
    Begun(&'t str),
    /// `is:`
    Is,
    /// `fault:`, with a field and the begin of a rule behind its slash.
    Fault {
        field: &'t str,
        rule: Option<&'t str>,
    },
    /// `sort=`, `-` where the order is turned, and the begin of a field.
    Order { sign: &'t str, field: &'t str },
    /// A field, and what is typed behind its colon.
    Value { field: &'t str, value: &'t str },
    /// Nothing that is known here.
    Nothing,
}

impl<'t> Part<'t> {
    pub(super) fn of(word: &'t str) -> Self {
        if let Some(rest) = word.strip_prefix('"') {
            return match rest.split_once('"') {
                None => Part::Begun(rest),
                Some((name, "")) => Part::Begun(name),
                Some((field, rest)) => match rest.strip_prefix(':') {
                    Some(value) => Part::Value { field, value },
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
            None => Part::Begun(word),
            Some(("is", rest)) if "faulty".starts_with(rest) => Part::Is,
            Some(("fault", rest)) => Part::of_fault(rest),
            Some((field, value)) => Part::Value { field, value },
        }
    }

    fn of_fault(rest: &'t str) -> Self {
        let (name, rule) = match rest.strip_prefix('"') {
            None => rest.rsplit_once('/').unzip(),
            Some(quoted) => match quoted.split_once('"') {
                Some((name, end)) => (Some(name), end.strip_prefix('/')),
                None => (Some(quoted), None),
            },
        };
        Part::Fault {
            field: name.unwrap_or(rest),
            rule,
        }
    }
}

/// Where the last part of a query begins: behind white space and parentheses that stand in no quotes.
pub(super) fn start_of_last(typed: &str) -> usize {
    let (mut start, mut is_quoted) = (0, false);
    for (at, sign) in typed.char_indices() {
        match sign {
            '"' => is_quoted = !is_quoted,
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
        ] {
            assert_eq!(&typed[start_of_last(typed)..], last, "{typed}");
        }
    }

    #[test]
    fn a_part_is_read_as_far_as_it_is_typed() {
        let fault = |field, rule| Part::Fault { field, rule };
        let value = |field, value| Part::Value { field, value };
        for (typed, part) in [
            ("Sta", Part::Begun("Sta")),
            ("\"Credit Li", Part::Begun("Credit Li")),
            ("\"Credit Limit\"", Part::Begun("Credit Limit")),
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
        ] {
            assert_eq!(Part::of(typed), part, "{typed}");
        }
    }
}

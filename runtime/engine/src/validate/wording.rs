//! Each text of `_errors` as data, for who tells it in other words: which rule was broken, in which of its wordings it is
//! told, and what is filled in there. The way back from `message.rs` where more than the rule's code is asked for.

use super::pattern::values_within;
use super::remark::{self, RemarkParts, remarked};
use super::told::{code_of, positioned, tells_more, texts_told};

/// The code of a rule, the name of a wording of it, and the text, in which `{}` stands for what is filled in.
type Wording = (&'static str, &'static str, &'static str);

/// Every wording. A rule with several of them has a name for each.
const WORDINGS: &[Wording] = &[
    ("required", "required", "is required"),
    ("single", "single", "must be a single value"),
    ("element_missing", "element_missing", "must not be empty"),
    ("string", "string", "must be a string"),
    ("integer", "integer", "must be a whole number"),
    ("float", "float", "must be a number"),
    (
        "finite",
        "finite",
        "must be a number that a 64-bit float can hold",
    ),
    ("decimals", "decimals", "must have at most 2 decimals"),
    ("boolean", "boolean", "must be true or false"),
    ("boolean", "boolean_words", "must be true, false, {} or {}"),
    ("date", "date", "must be a date as {}"),
    ("date", "date_or_iso", "must be a date as {} or YYYY-MM-DD"),
    ("time", "time", "must be a time as {} or {}"),
    (
        "datetime",
        "datetime",
        "must be a date and time as {} or YYYY-MM-DDTHH:mm:ss",
    ),
    ("calendar", "calendar", "must be a day that exists"),
    (
        "year_held",
        "year_held",
        "must have a year from 1970 to 2069, the only ones that {} can hold",
    ),
    (
        "seconds_held",
        "seconds_held",
        "must have no seconds, because {} cannot hold them",
    ),
    (
        "fraction_held",
        "fraction_held",
        "must have no fraction of a second, because {} cannot hold it",
    ),
    (
        "year",
        "year",
        "must be a year: a whole number or a string of 4 digits",
    ),
    (
        "month",
        "month",
        "must be a month: a whole number or a string of 1 or 2 digits",
    ),
    (
        "day",
        "day",
        "must be a day: a whole number or a string of 1 or 2 digits",
    ),
    ("min", "min", "must be at least {}"),
    ("max", "max", "must be at most {}"),
    ("not_before", "not_before", "must be {} or later"),
    ("not_after", "not_after", "must be {} or earlier"),
    (
        "min_length",
        "min_length",
        "must have at least {} characters",
    ),
    (
        "min_length",
        "min_length_one",
        "must have at least {} character",
    ),
    (
        "max_length",
        "max_length",
        "must have at most {} characters",
    ),
    (
        "max_length",
        "max_length_one",
        "must have at most {} character",
    ),
    (
        "alphanumeric",
        "alphanumeric",
        "must have only letters A to Z, a to z and digits 0 to 9",
    ),
    ("email", "email", "must be an e-mail address"),
    (
        "url",
        "url",
        "must be a web address that begins with http:// or https://",
    ),
    (
        "phone",
        "phone",
        "must be a phone number: + and 7 to 15 digits",
    ),
    (
        "latlng",
        "latlng",
        "must be latitude,longitude in decimal degrees, such as 48.1,11.6",
    ),
    (
        "latitude_range",
        "latitude_range",
        "must have a latitude from -90 to 90",
    ),
    (
        "longitude_range",
        "longitude_range",
        "must have a longitude from -180 to 180",
    ),
    ("picklist", "picklist", "must be one of {} or {}"),
    ("picklist", "picklist_one", "must be one of {}"),
    (
        "picklist",
        "picklist_many",
        "must be one of the {} codes of its picklist",
    ),
    (
        "picklist",
        "picklist_empty",
        "must be a code of its picklist, which is empty",
    ),
    ("domain", "domain", "must be a code of the data domain {}"),
    (
        "domain_missing",
        "domain_missing",
        "must be a code of the data domain {}, which does not exist",
    ),
    (
        "file",
        "file",
        "must be the id of a file uploaded to this dataset",
    ),
    ("image", "image", "must be an image"),
    ("video", "video", "must be a video"),
    ("max_size", "max_size", "must be at most {} bytes"),
    ("max_width", "max_width", "must be at most {} pixels wide"),
    ("max_height", "max_height", "must be at most {} pixels high"),
    (
        "unmeasured",
        "unmeasured",
        "must be an image whose size can be measured",
    ),
];

/// One text of an entry of `_errors`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told<'t> {
    /// The position of the element that it is about, from 1.
    pub position: Option<&'t str>,
    /// The rule's code.
    pub code: &'static str,
    /// Which wording of the rule it is; none of a text that only begins as one of them.
    pub wording: Option<&'static str>,
    /// What is filled in: bounds, formats, codes.
    pub values: Vec<&'t str>,
    /// What is told of the value behind it, in parentheses.
    pub remark: Option<RemarkParts<'t>>,
}

impl<'t> Told<'t> {
    /// A text taken apart; `None` where it is of no rule.
    pub fn read(text: &'t str) -> Option<Self> {
        let code = code_of(text)?;
        let (position, rule) = positioned(text);
        let (rule, remark) = remarked(rule);
        let own = WORDINGS.iter().filter(|(own, ..)| *own == code);
        let found =
            own.filter_map(|(_, name, pattern)| Some((*name, values_within(pattern, rule)?)));
        // what says most by itself is what is meant
        let best = found.min_by_key(|(_, values)| values.iter().map(|it| it.len()).sum::<usize>());
        let (wording, values) = match best {
            Some((name, values)) => (Some(name), values),
            None => (None, Vec::new()),
        };
        Some(Told {
            position,
            code,
            wording,
            values,
            remark,
        })
    }

    /// Every wording of a rule or a remark by its name, with the text in which `{}` stands for each of its values.
    pub fn wordings() -> impl Iterator<Item = (&'static str, &'static str)> {
        let of_rules = WORDINGS.iter().map(|(_, name, pattern)| (*name, *pattern));
        of_rules.chain(remark::WORDINGS.iter().copied())
    }
}

/// Whether every text of an entry of `_errors` is worded as it is now: one that another release stored may not be.
pub fn is_worded_as_now(errors: &str) -> bool {
    texts_told(errors).into_iter().all(|text| {
        let is_fault = || Told::read(text).is_some_and(|told| told.wording.is_some());
        tells_more(text) || is_fault()
    })
}

/// Whether a text tells a rule with numbers, times and formats of such alone: whatever else is filled in may be a value, since many
/// wordings end with what is.
fn tells_bounds_alone(text: &str) -> bool {
    let may_be = |it: char| it.is_ascii_digit() || "+-.:/ DMYHTZhms".contains(it);
    let are_bounds = |told: Told<'_>| {
        told.wording.is_some() && told.values.iter().all(|value| value.chars().all(may_be))
    };
    tells_more(text) || Told::read(text).is_some_and(are_bounds)
}

/// An entry of `_errors` for who does not see the value that it is of: rules with their numbers, times and formats. What else a
/// text says, as another release or a hand may have stored it, nobody knows: of that its rule is told, with `…` for what is filled
/// in, and `unknown` where no rule is known.
pub fn told_by_rules(errors: &str, unknown: &str) -> String {
    let told = texts_told(errors).into_iter().map(|text| {
        if tells_bounds_alone(text) {
            return text.to_owned();
        }
        let Some(told) = Told::read(text) else {
            return unknown.to_owned();
        };
        let is_own = |name: &str| told.wording.is_none_or(|own| own == name);
        let mut own = WORDINGS
            .iter()
            .filter(|(code, name, _)| *code == told.code && is_own(name));
        let rule = own.next().map_or(unknown, |(_, _, pattern)| *pattern);
        let rule = rule.replace("{}", "…");
        match told.position {
            Some(position) => format!("value {position} {rule}"),
            None => rule,
        }
    });
    told.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::super::catalogue::examples;
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_text_is_its_wording_with_its_values_filled_in() {
        let mut reached = BTreeSet::new();
        for rule in examples() {
            let text = rule.to_string();
            let told = Told::read(&text).expect(&text);
            assert_eq!((told.position, told.code), (None, rule.code()), "{text}");
            let name = told.wording.expect(&text);
            let mut wordings = Told::wordings();
            let (_, pattern) = wordings.find(|(own, _)| *own == name).expect(name);
            let mut again = pattern.to_owned();
            for value in &told.values {
                again = again.replacen("{}", value, 1);
            }
            assert_eq!(again, text);
            reached.insert(name);
            let within = format!("value 12 {text}");
            let expected = Told {
                position: Some("12"),
                ..told
            };
            assert_eq!(Told::read(&within), Some(expected));
        }
        for (_, name, _) in WORDINGS {
            let is_plural = matches!(*name, "min_length_one" | "max_length");
            assert!(is_plural || reached.contains(name), "{name} is never said");
        }
        let names: BTreeSet<_> = Told::wordings().map(|(name, _)| name).collect();
        assert_eq!(names.len(), WORDINGS.len() + remark::WORDINGS.len());
    }

    #[test]
    fn a_text_is_known_with_a_remark_behind_it() {
        for rule in examples() {
            let plain = rule.to_string();
            let text = format!("value 2 {plain} (the value ends with a blank)");
            let told = Told::read(&text).expect(&text);
            let alone = Told::read(&plain).expect(&plain);
            assert_eq!((told.wording, &told.values), (alone.wording, &alone.values));
            assert_eq!(told.remark.expect(&text).wording, "blank_after");
            assert!(is_worded_as_now(&text), "{text}");
        }
        let errors = "must be at most 90 (the value contains U+00A0, a no-break space)";
        assert_eq!(told_by_rules(errors, "?"), errors);
        assert_eq!(
            told_by_rules("must be one of Smith (the value ends with a blank)", "?"),
            "must be one of …"
        );
    }

    #[test]
    fn a_bound_is_read_out_of_its_text() {
        for (text, wording, values) in [
            ("must be at most 90", "max", &["90"] as &[&str]),
            ("must be at most 90 bytes", "max_size", &["90"]),
            ("must have at least 1 character", "min_length_one", &["1"]),
            ("must have at most 7 characters", "max_length", &["7"]),
            ("must be one of A", "picklist_one", &["A"]),
            ("must be one of A, B or C", "picklist", &["A, B", "C"]),
            ("must be one of A or later", "picklist", &["A", "later"]),
            ("must be one of A or earlier", "picklist", &["A", "earlier"]),
            ("must be 18:00 or earlier", "not_after", &["18:00"]),
            ("is required", "required", &[]),
        ] {
            let told = Told::read(text).expect(text);
            assert_eq!(told.wording, Some(wording), "{text}");
            assert_eq!(told.values, values, "{text}");
        }
    }

    #[test]
    fn what_is_worded_otherwise_has_its_rule_where_it_begins_alike_and_else_none() {
        let told = Told::read("must have at most 5 letters").expect("a rule");
        assert_eq!((told.code, told.wording), ("max_length", None));
        assert_eq!(Told::read("was once told otherwise"), None);
        for (errors, by_rules) in [
            ("must be at most 90", "must be at most 90"),
            (
                "must have at most 5 letters, unlike Smith",
                "must have at most … characters",
            ),
            (
                "value 2 must be a whole number, not 1.5; must be at most 7",
                "value 2 must be a whole number; must be at most 7",
            ),
            ("Smith is no number", "?"),
            ("must be at most 90, not 91 (Smith)", "must be at most …"),
            ("must be at most 90; Smith is none", "must be at most …"),
            ("must be one of A or B, not Smith", "must be one of … or …"),
            ("", ""),
        ] {
            let told = told_by_rules(errors, "?");
            assert_eq!(told, by_rules);
            assert!(is_worded_as_now(&told) || told == "?", "{told}");
        }
        for (errors, is_now) in [
            ("must be at most 90", true),
            ("must be at most 90; value 2 is required; and 7 more", true),
            ("must have at most 5 letters", false),
            ("is required; was once told otherwise", false),
            ("", true),
        ] {
            assert_eq!(is_worded_as_now(errors), is_now, "{errors}");
        }
    }
}

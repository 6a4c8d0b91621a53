//! The rules that the texts of `_errors` tell of: what is stored of a fault is its text, and who counts
//! faults asks for codes. The way back from `message.rs`, of which it says nothing new.

use super::remark::remarked;

/// The texts of one entry of `_errors`, each by itself.
pub fn texts_told(errors: &str) -> Vec<&str> {
    let mut texts = Vec::new();
    let mut rest = errors;
    while !rest.is_empty() {
        let (text, behind) = first_text(rest);
        texts.push(text);
        rest = behind;
    }
    texts
}

/// The codes of the rules that the texts of one entry of `_errors` tell of, each once. A text that no rule
/// has is left out.
pub fn rules_told(errors: &str) -> Vec<&'static str> {
    let mut codes = Vec::new();
    for code in texts_told(errors).into_iter().filter_map(code_of) {
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    codes
}

/// The first text, and what is behind it. A picklist's code may look like what joins the texts, so they are
/// parted only where another one begins.
fn first_text(errors: &str) -> (&str, &str) {
    let mut ends = errors.match_indices("; ").map(|(at, _)| at);
    let end = ends.find(|at| {
        let next = without_position(&errors[at + 2..]);
        next.starts_with("must ") || next.starts_with("is required") || tells_more(next)
    });
    match end {
        Some(end) => (&errors[..end], &errors[end + 2..]),
        None => (errors, ""),
    }
}

/// Whether a text tells how many faults are not told.
pub(super) fn tells_more(text: &str) -> bool {
    let number = text
        .strip_prefix("and ")
        .and_then(|it| it.strip_suffix(" more"));
    number.is_some_and(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A text without the position of the element that it is about.
fn without_position(text: &str) -> &str {
    positioned(text).1
}

/// The position of the element that a text is about, and the text without it.
pub(super) fn positioned(text: &str) -> (Option<&str>, &str) {
    let behind = text.strip_prefix("value ");
    let parts = behind.and_then(|rest| rest.split_once(' '));
    let is_number =
        |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    match parts {
        Some((number, rest)) if is_number(number) => (Some(number), rest),
        _ => (None, text),
    }
}

/// Texts that are told by how they begin; of several, the first counts.
const BEGINNINGS: &[(&str, &str)] = &[
    ("must be a single value", "single"),
    ("must not be empty", "element_missing"),
    ("must be a string", "string"),
    ("must be a whole number", "integer"),
    ("must be a number that", "finite"),
    ("must be a number", "float"),
    ("must have at most 2 decimals", "decimals"),
    ("must be true", "boolean"),
    ("must be a date and time as ", "datetime"),
    ("must be a date as ", "date"),
    ("must be a time as ", "time"),
    ("must be a day that exists", "calendar"),
    ("must have a year from ", "year_held"),
    ("must have no seconds", "seconds_held"),
    ("must have no fraction", "fraction_held"),
    ("must be a year:", "year"),
    ("must be a month:", "month"),
    ("must be a day:", "day"),
    ("must have at least ", "min_length"),
    ("must have at most ", "max_length"),
    ("must have only letters", "alphanumeric"),
    ("must be an e-mail address", "email"),
    ("must be a web address", "url"),
    ("must be a phone number", "phone"),
    ("must be latitude,longitude", "latlng"),
    ("must have a latitude", "latitude_range"),
    ("must have a longitude", "longitude_range"),
    ("must be one of ", "picklist"),
    ("must be a code of its picklist", "picklist"),
    ("must be the id of a file", "file"),
    ("must be an image whose size", "unmeasured"),
    ("must be an image", "image"),
    ("must be a video", "video"),
    ("must be at least ", "min"),
];

/// The code of the rule that one text tells of.
pub(super) fn code_of(text: &str) -> Option<&'static str> {
    let (text, _) = remarked(without_position(text));
    if text == "is required" {
        return Some("required");
    }
    if text.starts_with("must be a code of the data domain ") {
        let is_there = !text.ends_with(", which does not exist");
        return Some(if is_there { "domain" } else { "domain_missing" });
    }
    if let Some(most) = text.strip_prefix("must be at most ") {
        return Some(match most.split_once(' ') {
            Some((_, "bytes")) => "max_size",
            Some((_, "pixels wide")) => "max_width",
            Some((_, "pixels high")) => "max_height",
            _ => "max",
        });
    }
    let mut beginnings = BEGINNINGS.iter();
    if let Some((_, code)) = beginnings.find(|(beginning, _)| text.starts_with(beginning)) {
        return Some(code);
    }
    match text.strip_prefix("must be ") {
        Some(bound) if bound.ends_with(" or later") => Some("not_before"),
        Some(bound) if bound.ends_with(" or earlier") => Some("not_after"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::catalogue::examples;
    use super::*;

    #[test]
    fn every_text_tells_its_rule() {
        for rule in examples() {
            let text = rule.to_string();
            assert_eq!(rules_told(&text), [rule.code()], "{text}");
            assert_eq!(
                rules_told(&format!("value 12 {text}")),
                [rule.code()],
                "{text}"
            );
        }
    }

    #[test]
    fn joined_texts_tell_each_rule_once() {
        for one in examples() {
            for other in examples() {
                let mut expected = vec![one.code(), other.code()];
                expected.dedup();
                let text = format!("{one}; value 2 {other}; value 3 {other}");
                assert_eq!(rules_told(&text), expected, "{text}");
                let texts = [
                    one.to_string(),
                    format!("value 2 {other}"),
                    format!("value 3 {other}"),
                ];
                assert_eq!(texts_told(&text), texts);
                let and_more = format!("{text}; and 1234 more");
                assert_eq!(rules_told(&and_more), expected, "{and_more}");
                assert_eq!(
                    texts_told(&and_more),
                    [&texts[..], &["and 1234 more".into()]].concat()
                );
            }
        }
        assert_eq!(
            rules_told("must be one of a; b or c; d; is required"),
            ["picklist", "required"]
        );
        assert_eq!(rules_told(""), [""; 0]);
        assert_eq!(rules_told("was once told otherwise"), [""; 0]);
    }
}

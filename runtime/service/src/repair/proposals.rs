//! Proposals for a value with a fault: what it may have been meant to be. Each was judged by the rules of its field, so
//! whoever takes it mends the value. Nothing is written here.

use super::{forms, numbers};
use crate::files::KnownFiles;
use crate::records::lookups;
use crate::{DatasetPermit, Permit as _};
use schema::json::{Value as Read, parse, write_string};
use schema::{DataType, Field};
use tabular::CellRule;

/// Proposals for a value, at most.
const PROPOSALS_MAX: usize = 3;
/// How like a code has to be to be proposed.
const LIKE: f64 = 0.75;
/// Codes that a text is compared with, letter by letter, at most.
const CODES_MAX: usize = 2_000;
/// Characters of a text that is compared with codes, at most.
const CHARACTERS_MAX: usize = 256;

/// A code that a field takes, and what it means.
type Code<'c> = (&'c str, Option<&'c str>);

/// What a value with a fault, a JSON text, may have been meant to be, likeliest first, in the form that is stored; each is
/// free of faults, and another value, though its text may be the same. None for fields of several values and for files.
pub fn proposals(permit: &DatasetPermit, field: &Field, json: &str) -> Vec<String> {
    if field.is_multivalue() || field.data_type.is_file() {
        return Vec::new();
    }
    let Ok(held) = parse(json) else {
        return Vec::new();
    };
    let files = KnownFiles::default();
    let lookups = lookups(permit, &files);
    let checker = &permit.schema().current().checker;
    let rule = CellRule::of(field, None);
    let mut found = Vec::new();
    for candidate in candidates(field, &codes(permit, field), &held.value) {
        let body = alone(field, |body| rule.write(Some(&candidate), body));
        let Ok(checked) = checker.check_with(body.as_bytes(), Some(&lookups)) else {
            continue;
        };
        let mut faults = checked.verdict().faults().iter();
        if faults.any(|fault| fault.field() == field.name) {
            continue;
        }
        let stored = stored(checked.normal_form(), &field.name, &held.value);
        if let Some(stored) = stored.filter(|stored| !found.contains(stored)) {
            found.push(stored);
        }
        if found.len() == PROPOSALS_MAX {
            break;
        }
    }
    found
}

/// A record of one field, whose value is written so.
pub(super) fn alone(field: &Field, write: impl FnOnce(&mut String)) -> String {
    let mut body = String::from("{");
    write_string(&mut body, &field.name);
    body.push(':');
    write(&mut body);
    body.push('}');
    body
}

/// A value of a record as it is filled in, where it is another one than was held.
fn stored(record: &str, name: &str, held: &Read<'_>) -> Option<String> {
    let tree = parse(record).ok()?;
    let node = tree.get(name)?;
    match &node.value {
        Read::Null => None,
        value if value == held => None,
        Read::String(text) => Some(text.to_string()),
        _ => Some(record[node.start..node.end].to_owned()),
    }
}

/// The codes that a field takes, each with what it means.
pub fn codes<'c>(permit: &'c DatasetPermit, field: &'c Field) -> Vec<Code<'c>> {
    if let Some(entries) = &field.static_picklist {
        let entries = entries.iter();
        return entries
            .map(|entry| (&*entry.code, entry.description.as_deref()))
            .collect();
    }
    let caller = permit.caller();
    let domain = field.data_domain_id.as_ref();
    let domain = domain.and_then(|id| caller.catalog().domains.get(id));
    let own = domain.filter(|domain| domain.tenant == caller.tenant());
    own.into_iter()
        .flat_map(|domain| &domain.codes)
        .map(|code| (&*code.code, Some(&*code.description)))
        .collect()
}

/// What a value may mean in a field, whether or not the field takes it.
fn candidates(field: &Field, codes: &[Code<'_>], held: &Read<'_>) -> Vec<String> {
    match held {
        Read::Null | Read::Object(_) => Vec::new(),
        Read::Bool(is_true) => vec![is_true.to_string()],
        Read::Number(number) => of_number(field, codes, number),
        Read::String(text) => of_text(field, codes, text),
        Read::Array(values) => {
            // of many values the first ones say enough
            let values = values.iter().take(PROPOSALS_MAX);
            values
                .flat_map(|value| candidates(field, codes, &value.value))
                .collect()
        }
    }
}

/// What a number may mean: itself, so that a field of texts gets its text. Its point parts decimals and nothing else.
fn of_number(field: &Field, codes: &[Code<'_>], number: &str) -> Vec<String> {
    let mut all = vec![number.to_owned()];
    match field.data_type {
        DataType::Currency => all.extend(numbers::rounded(number)),
        DataType::Picklist => all.extend(nearest(codes, number)),
        DataType::Boolean => all.extend(truth(number)),
        DataType::Date => all.extend(forms::days(number)),
        _ => {}
    }
    all
}

/// What a text may mean.
fn of_text(field: &Field, codes: &[Code<'_>], text: &str) -> Vec<String> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Vec::new();
    }
    let mut all = vec![trimmed.to_owned(), forms::squeezed(text)];
    match field.data_type {
        DataType::Picklist => all.extend(nearest(codes, trimmed)),
        DataType::Boolean => all.extend(truth(trimmed)),
        // a letter says on which side of the equator or of Greenwich it is
        DataType::Latitude | DataType::Longitude if text.contains(char::is_alphabetic) => {}
        own if own.is_number() => all.extend(numbers::numbers(text)),
        DataType::Date => all.extend(forms::days(trimmed)),
        DataType::Phone => all.extend(forms::phone(text)),
        DataType::Email => all.push(forms::email(text)),
        DataType::Url if !trimmed.contains("://") => all.extend(forms::url(trimmed)),
        DataType::String => {
            let parts = several(text);
            if parts.is_empty() {
                all.extend(forms::alphanumeric(text));
            }
            all.extend(parts);
        }
        _ => {}
    }
    all
}

/// What a word says of yes and no.
fn truth(word: &str) -> Option<String> {
    let is_yes = match &*word.to_lowercase() {
        "y" | "yes" | "t" | "true" | "1" | "on" | "j" | "ja" | "x" => true,
        "n" | "no" | "f" | "false" | "0" | "off" | "nein" => false,
        _ => return None,
    };
    Some(is_yes.to_string())
}

/// The codes that a text may stand for: written otherwise, meant by its words, or alike by its letters.
fn nearest(codes: &[Code<'_>], text: &str) -> Vec<String> {
    if text.chars().nth(CHARACTERS_MAX).is_some() {
        return Vec::new();
    }
    let folded = text.to_lowercase();
    let is_same = |own: &str| own.to_lowercase() == folded;
    let same = |(code, meaning): &&Code<'_>| is_same(code) || meaning.is_some_and(is_same);
    let mut all: Vec<String> = only(codes.iter().filter(same)).collect();
    let initials = |(_, meaning): &&Code<'_>| {
        text.chars().count() > 1 && meaning.is_some_and(|it| initials(it).starts_with(text))
    };
    all.extend(only(codes.iter().filter(initials)));
    let likeness = |(code, meaning): &Code<'_>| {
        let like = |own: &str| likeness_of(&own.to_lowercase(), &folded);
        // two letters are like any other two
        let by_code = if code.chars().count() > 2 {
            like(code)
        } else {
            0.0
        };
        by_code.max(meaning.map_or(0.0, like))
    };
    let compared = codes.iter().take(CODES_MAX);
    let mut compared: Vec<(f64, &str)> = compared.map(|code| (likeness(code), code.0)).collect();
    compared.retain(|(likeness, _)| *likeness >= LIKE);
    compared.sort_by(|one, other| other.0.total_cmp(&one.0));
    all.extend(
        compared
            .into_iter()
            .take(2)
            .map(|(_, code)| code.to_owned()),
    );
    all
}

/// How like two texts are, from 0 to 1; 0 where more than a third of the longer one would have to be written otherwise.
fn likeness_of(one: &str, other: &str) -> f64 {
    let likeness = strsim::jaro_winkler(one, other);
    let longer = one.chars().count().max(other.chars().count());
    let is_near = likeness >= LIKE && strsim::osa_distance(one, other) <= (longer / 3).max(1);
    if is_near { likeness } else { 0.0 }
}

/// The values that a text seems to have, where it has several.
fn several(text: &str) -> Vec<String> {
    let parts = text.split([';', '|', '\n']).map(str::trim);
    let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
    let parts = if parts.len() > 1 { parts } else { Vec::new() };
    parts.into_iter().map(str::to_owned).collect()
}

/// The code of what was found, where it is one alone.
fn only<'c>(mut found: impl Iterator<Item = &'c Code<'c>>) -> impl Iterator<Item = String> {
    let first = found.next();
    let is_one = found.next().is_none();
    first
        .filter(|_| is_one)
        .map(|(code, _)| (*code).to_owned())
        .into_iter()
}

/// The first letters of words that begin with a large one.
fn initials(words: &str) -> String {
    let first = words
        .split_whitespace()
        .filter_map(|word| word.chars().next());
    first.filter(|letter| letter.is_uppercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATES: [Code<'_>; 3] = [
        ("prospect", Some("Has asked")),
        ("active", Some("Orders regularly")),
        ("on_hold", None),
    ];
    const COUNTRIES: [Code<'_>; 4] = [
        ("GB", Some("United Kingdom of Great Britain")),
        ("UA", Some("Ukraine")),
        ("UG", Some("Uganda")),
        ("DE", Some("Germany")),
    ];

    #[test]
    fn a_code_is_found_by_its_letters_its_meaning_and_its_initials() {
        for (text, code) in [
            ("Active", "active"),
            ("aktiv", "active"),
            ("On Hold", "on_hold"),
        ] {
            let found = nearest(&STATES, text);
            assert_eq!(
                found.first().map(String::as_str),
                Some(code),
                "{text}: {found:?}"
            );
        }
        for (text, code) in [("UK", "GB"), ("germany", "DE"), ("Ugandaa", "UG")] {
            let found = nearest(&COUNTRIES, text);
            assert_eq!(
                found.first().map(String::as_str),
                Some(code),
                "{text}: {found:?}"
            );
        }
        assert_eq!(nearest(&COUNTRIES, "zz"), Vec::<String>::new());
    }

    #[test]
    fn a_code_that_shares_but_a_few_letters_is_not_proposed() {
        let codes = [
            ("SDN", Some("Sudan")),
            ("USM", None),
            ("DEU", Some("Germany")),
        ];
        assert_eq!(nearest(&codes, "USA"), ["USM"]);
        let codes = [("SD", Some("Sudan")), ("ASM", Some("Samoa"))];
        assert_eq!(nearest(&codes, "USA"), Vec::<String>::new());
    }

    #[test]
    fn of_long_texts_and_long_arrays_little_is_compared() {
        let long = "a".repeat(CHARACTERS_MAX);
        let codes = [(&*long, None)];
        assert_eq!(nearest(&codes, &long.to_uppercase())[0], long);
        assert_eq!(nearest(&codes, &format!("{long}a")), Vec::<String>::new());
        let field = Field::new("f", "F", DataType::Picklist);
        let texts = [r#""DEU""#; 100].join(",");
        let array = format!("[{texts}]");
        let held = parse(&array).expect("an array");
        let all = candidates(&field, &COUNTRIES, &held.value).len();
        let one = of_text(&field, &COUNTRIES, "DEU").len();
        assert_eq!(all, PROPOSALS_MAX * one);
    }

    #[test]
    fn of_several_values_each_is_proposed_and_never_all_run_together() {
        let field = Field::new("f", "F", DataType::String);
        let all = of_text(&field, &[], "A-1; B-2|C");
        assert_eq!(all[2..], ["A-1", "B-2", "C"]);
    }

    #[test]
    fn each_type_has_its_own_candidates_behind_the_trimmed_text() {
        let field = |data_type| Field::new("f", "F", data_type);
        for (data_type, text, candidate) in [
            (DataType::Email, " ada(at)example.org ", "ada@example.org"),
            (DataType::Date, "7.5.1971", "1971-05-07"),
            (DataType::Boolean, "Ja", "true"),
            (DataType::Currency, "1.500,00", "1500.00"),
            (DataType::Url, "example.org", "https://example.org"),
            (DataType::String, "A-1", "A1"),
            (DataType::Phone, "0049 30 1", "+49 30 1"),
        ] {
            let all = of_text(&field(data_type), &[], text);
            assert_eq!(all[0], text.trim());
            assert!(all.iter().any(|it| it == candidate), "{text}: {all:?}");
        }
    }

    #[test]
    fn a_number_is_proposed_by_its_text_or_rounded_and_never_as_another_one() {
        for (data_type, json, expected) in [
            (DataType::Currency, "12.345", &["12.345", "12.35"][..]),
            (DataType::Currency, "-1.005", &["-1.005", "-1.01"]),
            (DataType::Float, "1.250", &["1.250"]),
            (DataType::Integer, "12.500", &["12.500"]),
            (DataType::String, "12.50", &["12.50"]),
            (DataType::Url, "5", &["5"]),
            (DataType::String, "[5]", &["5"]),
            (DataType::String, "true", &["true"]),
            (DataType::Boolean, "1", &["1", "true"]),
            (DataType::Date, "20200229", &["20200229", "2020-02-29"]),
            (DataType::String, "null", &[]),
        ] {
            let field = Field::new("f", "F", data_type);
            let held = parse(json).expect(json);
            assert_eq!(candidates(&field, &[], &held.value), expected, "{json}");
        }
    }

    #[test]
    fn what_is_held_already_is_not_proposed_but_its_text_as_another_value_is() {
        for (record, held, expected) in [
            (r#"{"F":"5"}"#, "5", Some("5")),
            (r#"{"F":5}"#, r#""5""#, Some("5")),
            (r#"{"F":"5"}"#, r#"["5"]"#, Some("5")),
            (r#"{"F":"5"}"#, r#""5""#, None),
            (r#"{"F":null}"#, r#""5""#, None),
        ] {
            let held = parse(held).expect(held);
            let found = stored(record, "F", &held.value);
            assert_eq!(found.as_deref(), expected, "{record}");
        }
    }
}

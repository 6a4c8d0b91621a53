//! Random JSON values, biased towards what a field accepts and the edges of that.

use crate::lookups::{ADDRESS, CODES};
use crate::texts::{self, string};
use random::chance::Chance;
use runtime::schema::{Bound, DataType as T, Field};

/// Anything for a field: a value, several, none, something else.
pub(crate) fn member(chance: &mut Chance, field: &Field) -> String {
    match chance.below(24) {
        0 => nothing(chance),
        1 => anything(chance),
        2 => array(chance, field),
        _ if field.is_multivalue() && !chance.one_in(4) => array(chance, field),
        _ => scalar(chance, field),
    }
}

fn array(chance: &mut Chance, field: &Field) -> String {
    let count = chance.below(4);
    let items: Vec<String> = (0..count)
        .map(|_| match chance.below(16) {
            0 => nothing(chance),
            1 => anything(chance),
            _ => scalar(chance, field),
        })
        .collect();
    format!("[{}]", items.join(chance.pick(&[",", ", ", "\n,"])))
}

/// What counts as missing.
fn nothing(chance: &mut Chance) -> String {
    let missing = [
        "null",
        "\"\"",
        "\" \"",
        "[]",
        "[null]",
        "[\"\", null]",
        "\"\\u2003\\t\"",
        "\"\u{a0}\"",
    ];
    chance.pick(&missing).to_owned()
}

/// A scalar that has nothing to do with the field.
fn anything(chance: &mut Chance) -> String {
    let values = [
        "true",
        "false",
        "0",
        "-0",
        "-0.0",
        "1",
        "1.0",
        "1e0",
        "-1",
        "1e400",
        "-1e-400",
        "0.001",
        "1.005",
        "9007199254740992",
        "1e99999999999999999999",
        "\"x\"",
        "\"1\"",
        "\"true\"",
        "\"\\u00e9\\/\"",
        "\"\\ud83e\\udd80\"",
        "\"a\\nb\"",
        "100000000000000000000000000000000000000",
    ];
    chance.pick(&values).to_owned()
}

/// One value, mostly of the field's kind.
fn scalar(chance: &mut Chance, field: &Field) -> String {
    match field.data_type {
        T::Integer | T::Float | T::Currency | T::Latitude | T::Longitude => number(chance, field),
        T::DateYear | T::DateMonth | T::DateDay => match chance.below(3) {
            0 => string(chance, texts::date_part(field.data_type)),
            1 => texts::date_part(field.data_type)(chance),
            _ => number(chance, field),
        },
        T::Boolean if !chance.one_in(3) => chance
            .pick(&["true", "false", "1", "0", "1.0", "0e5", "-0", "2"])
            .to_owned(),
        _ => {
            let text = |chance: &mut Chance| {
                let text = text(chance, field);
                if chance.one_in(6) {
                    texts::mutated(chance, &text)
                } else {
                    text
                }
            };
            string(chance, text)
        }
    }
}

fn text(chance: &mut Chance, field: &Field) -> String {
    match field.data_type {
        T::Boolean => chance
            .pick(&["y", "n", "Y", "N", "1", "0", "t", "f", "T", "F"])
            .to_owned(),
        T::Date => texts::date(chance, field),
        T::Time => texts::time(chance, field),
        T::Datetime => texts::date_time(chance, field),
        T::Email => sized(chance, field, texts::email),
        T::Url => sized(chance, field, texts::url),
        T::Phone => texts::phone(chance),
        T::Latlng => texts::place(chance),
        T::Picklist => code(chance, field),
        T::Attachment | T::Image | T::Document | T::Video => {
            let address = if chance.one_in(3) { ADDRESS } else { "" };
            format!("{address}f{}", chance.below(11))
        }
        _ => sized(chance, field, texts::words),
    }
}

/// A text of a length near the field's bounds.
fn sized(
    chance: &mut Chance,
    field: &Field,
    make: fn(&mut Chance, usize, bool) -> String,
) -> String {
    let lengths: Vec<usize> = [&field.min, &field.max]
        .into_iter()
        .flatten()
        .filter_map(|bound| bound.as_str().parse::<f64>().ok())
        // INVARIANT: the bounds of lengths in random schemas are small
        .map(|bound| format!("{bound:.0}").parse().unwrap_or(5))
        .collect();
    let near = lengths
        .get(chance.below(3))
        .copied()
        .unwrap_or_else(|| chance.below(12));
    let length = (near + chance.below(3)).saturating_sub(1);
    make(chance, length, field.is_alphanumeric())
}

fn code(chance: &mut Chance, field: &Field) -> String {
    let entries = field.static_picklist.as_deref().unwrap_or_default();
    match entries.get(chance.below(entries.len() + 1)) {
        Some(entry) if chance.one_in(8) => entry.code.to_lowercase(),
        Some(entry) => entry.code.clone(),
        None => chance.pick(CODES).to_owned(),
    }
}

/// A number near a bound, or of the type's own edges, in some spelling.
fn number(chance: &mut Chance, field: &Field) -> String {
    let bounds: Vec<&str> = [&field.min, &field.max]
        .into_iter()
        .flatten()
        .map(Bound::as_str)
        .collect();
    let edges: &[&str] = match field.data_type {
        T::Integer => &[
            "9007199254740991",
            "9007199254740992",
            "-9007199254740991",
            "9223372036854775807",
        ],
        T::Currency => &[
            "0.01",
            "-0.00",
            "9007199254740991.01",
            "12.340",
            "12.345",
            "1e-2",
            "79228162514264337593543950335",
        ],
        T::Float => &[
            "1e308",
            "1.8e308",
            "5e-324",
            "0.1",
            "1e21",
            "1e16",
            "123456789.123456789",
            "4.35",
        ],
        T::Latitude => &[
            "90",
            "-90.0",
            "90.00000000000001",
            "90.000000000000000000001",
            "48.137",
        ],
        T::Longitude => &["180", "-180.0", "180.1", "11.5754"],
        _ => &["1", "12", "31", "32", "9999", "10000", "2026", "0"],
    };
    let token = match chance.below(4) {
        0 => bounds.get(chance.below(2)).copied().unwrap_or("0"),
        1 => chance.pick(edges),
        2 => return (i64::try_from(chance.below(40)).unwrap_or(0) - 8).to_string(),
        _ => chance.pick(&[
            "0", "1", "2", "3.5", "7", "10", "28", "1999", "2000", "-1", "99.99", "0.05",
        ]),
    };
    spelled(chance, token)
}

/// The same number, or one beside it, in another spelling.
fn spelled(chance: &mut Chance, token: &str) -> String {
    let has_exponent = token.contains(['e', 'E']);
    let has_point = token.contains('.');
    match chance.below(8) {
        0 if !has_exponent && !has_point => format!("{token}.000"),
        1 if !has_exponent => format!("{token}e0"),
        2 if !has_exponent && !has_point => format!("{token}00E-2"),
        3 if !has_exponent && has_point => format!("{token}0001"),
        4 if !has_exponent && !has_point => format!("{token}.5"),
        5 => match token.strip_prefix('-') {
            Some(positive) => positive.to_owned(),
            None => format!("-{token}"),
        },
        _ => token.to_owned(),
    }
}

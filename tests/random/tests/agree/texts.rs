//! Random texts of each type's grammar, and small changes to them.

use random::chance::Chance;
use runtime::schema::{DataType as T, Field};
use std::fmt::Write as _;

/// A text as a JSON string, with some escapes it does not need.
pub(crate) fn string(chance: &mut Chance, make: impl FnOnce(&mut Chance) -> String) -> String {
    let text = make(chance);
    let rate = [1_000, 1_000, 1_000, 3][chance.below(4)];
    let mut out = String::from("\"");
    for character in text.chars() {
        if character < ' ' || chance.one_in(rate) {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                write!(out, "\\u{unit:04X}").expect("a string takes all text");
            }
        } else {
            if matches!(character, '"' | '\\') {
                out.push('\\');
            }
            out.push(character);
        }
    }
    out.push('"');
    out
}

/// The same text with one character removed, doubled, exchanged, or white space at an end.
pub(crate) fn mutated(chance: &mut Chance, text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let at = chance.below(characters.len().max(1));
    let odd = [
        '0', '9', ' ', '-', '.', '/', ':', 'T', 'Z', '+', '@', ',', 'a', 'M', '\u{a0}', '\u{660}',
        '\n', '"',
    ];
    match chance.below(6) {
        0 if !characters.is_empty() => {
            characters.remove(at);
        }
        1 if !characters.is_empty() => characters.insert(at, characters[at]),
        2 => characters.insert(0, ' '),
        3 => characters.push([' ', '\t', '\u{2003}'][chance.below(3)]),
        4 if !characters.is_empty() => characters[at] = odd[chance.below(odd.len())],
        _ => characters.insert(at, odd[chance.below(odd.len())]),
    }
    characters.into_iter().collect()
}

/// Words of a length in characters.
pub(crate) fn words(chance: &mut Chance, length: usize, is_plain: bool) -> String {
    let odd = [
        '\u{e9}',
        '\u{1F980}',
        '"',
        '\\',
        '/',
        '\n',
        '\u{7f}',
        '\u{1}',
        ' ',
        '\u{301}',
        '-',
    ];
    let plain = ['a', 'Z', '0', 'k', '9', 'x', 'Q'];
    (0..length)
        .map(|_| {
            if chance.one_in(if is_plain { 200 } else { 4 }) {
                odd[chance.below(odd.len())]
            } else {
                plain[chance.below(plain.len())]
            }
        })
        .collect()
}

pub(crate) fn email(chance: &mut Chance, length: usize, _: bool) -> String {
    let domain = chance.pick(&["@a.b", "@example.org", "@x-y.co.uk", "@localhost", "@-a.b"]);
    words(chance, length.saturating_sub(domain.len()).max(1), true) + domain
}

pub(crate) fn url(chance: &mut Chance, length: usize, _: bool) -> String {
    let start = chance.pick(&[
        "http://",
        "https://",
        "HTTPS://",
        "https://[::1]/",
        "http://a.b/?q=%20#",
        "ftp://",
    ]);
    start.to_owned() + &words(chance, length.saturating_sub(start.len()).max(1), true)
}

pub(crate) fn phone(chance: &mut Chance) -> String {
    let mut text = String::from("+");
    for index in 0..6 + chance.below(11) {
        let gap = if chance.one_in(4) {
            chance.pick(&[" ", "-", ".", "(", ")"])
        } else {
            ""
        };
        if index > 0 {
            text.push_str(gap);
        }
        text.push(char::from(
            b'0' + u8::try_from(chance.below(10)).unwrap_or(1),
        ));
    }
    text
}

pub(crate) fn place(chance: &mut Chance) -> String {
    let mut part = |edges: &[&'static str]| chance.pick(edges);
    let latitude = part(&[
        "48.1",
        "-90",
        "90.0",
        "0",
        "-0",
        "007",
        "90.000000000000000000001",
        "91",
        "1.50",
    ]);
    let longitude = part(&["11.6", "180", "-180.00", "0", "181", "5", "-0.0", "1."]);
    let comma = part(&[",", ", ", " ,", " , "]);
    format!("{latitude}{comma}{longitude}")
}

/// A part of a date as digits.
pub(crate) fn date_part(data_type: T) -> fn(&mut Chance) -> String {
    match data_type {
        T::DateYear => |chance| {
            chance
                .pick(&["2026", "1999", "0001", "0000", "26", "9999", "1970"])
                .to_owned()
        },
        _ => |chance| {
            chance
                .pick(&["1", "01", "2", "12", "13", "31", "00", "28", "007"])
                .to_owned()
        },
    }
}

const DAYS: &[(u16, u8, u8)] = &[
    (1, 1, 1),
    (1900, 2, 29),
    (1969, 12, 31),
    (1970, 1, 1),
    (1999, 12, 31),
    (2000, 2, 29),
    (2024, 2, 29),
    (2026, 4, 31),
    (2026, 11, 21),
    (2069, 12, 31),
    (2070, 1, 1),
    (9999, 12, 31),
    (0, 1, 1),
    (2001, 13, 1),
];
const CLOCKS: &[(u8, u8, u8)] = &[
    (0, 0, 0),
    (0, 0, 1),
    (0, 30, 0),
    (9, 5, 0),
    (11, 59, 59),
    (12, 0, 0),
    (12, 30, 0),
    (13, 0, 0),
    (23, 59, 59),
    (24, 0, 0),
    (23, 59, 60),
];
const MONTHS: [&str; 13] = [
    "Jan", "feb", "MAR", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Foo",
];

/// A day in the field's format, or in ISO form; often a bound.
pub(crate) fn date(chance: &mut Chance, field: &Field) -> String {
    if let Some(bound) = bound(chance, field) {
        return bound;
    }
    let (year, month, day) = DAYS[chance.below(DAYS.len())];
    if chance.one_in(4) {
        return format!("{year:04}-{month:02}-{day:02}");
    }
    field
        .date_shape()
        .label()
        .replace("YYYY", &format!("{year:04}"))
        .replace("YY", &format!("{:02}", year % 100))
        .replace("MMM", "@")
        .replace("MM", &format!("{month:02}"))
        .replace("DD", &format!("{day:02}"))
        .replace('@', MONTHS[usize::from(month) - 1])
}

/// A time in the field's format, or in ISO form; often a bound.
pub(crate) fn time(chance: &mut Chance, field: &Field) -> String {
    if let Some(bound) = bound(chance, field) {
        return bound;
    }
    let (hour, minute, second) = CLOCKS[chance.below(CLOCKS.len())];
    if chance.one_in(4) {
        return chance
            .pick(&[
                "12:30",
                "00:00:00",
                "23:59:59",
                "9:30",
                "12:30:15.5",
                "12:30:00.000",
            ])
            .to_owned();
    }
    let twelve = if hour % 12 == 0 { 12 } else { hour % 12 };
    let half = if hour < 12 { "am" } else { "pm" };
    let half = if chance.one_in(3) {
        half.to_uppercase()
    } else {
        half.to_owned()
    };
    let format = field.time_shape().name();
    let (digits, has_half) = match format.split_once(' ') {
        Some((digits, _)) => (digits, true),
        None => (format, false),
    };
    let written = digits
        .replace("HH", &format!("{hour:02}"))
        .replace("hh", &format!("{twelve:02}"))
        .replace("mm", &format!("{minute:02}"))
        .replace("ss", &format!("{second:02}"));
    if has_half {
        format!("{written} {half}")
    } else {
        written
    }
}

/// A moment in the field's formats, or in ISO form; often a bound.
pub(crate) fn date_time(chance: &mut Chance, field: &Field) -> String {
    if let Some(bound) = bound(chance, field) {
        return bound;
    }
    if chance.one_in(3) {
        let (year, month, day) = DAYS[chance.below(DAYS.len())];
        let time = chance.pick(&[
            "00:00",
            "12:30",
            "23:59:59",
            "12:30:00",
            "12:30:15.250",
            "12:30:00.0",
        ]);
        let zone = chance.pick(&["", "Z", "+02:00", "-23:59", "+24:00", "z"]);
        return format!("{year:04}-{month:02}-{day:02}T{time}{zone}");
    }
    // the parts know nothing of the bounds of the whole
    let plain = Field {
        min: None,
        max: None,
        ..field.clone()
    };
    format!("{} {}", date(chance, &plain), time(chance, &plain))
}

fn bound(chance: &mut Chance, field: &Field) -> Option<String> {
    let bounds = [&field.min, &field.max];
    let bound = bounds[chance.below(2)]
        .as_ref()
        .filter(|_| chance.one_in(4))?;
    Some(bound.as_str().to_owned())
}

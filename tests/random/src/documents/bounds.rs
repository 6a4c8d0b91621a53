//! Random bounds of each data type, the lower one first. It knows the formats by their names only.

use super::words::string;
use super::Chance;

/// The settings that temporal bounds are written in.
#[derive(Default)]
pub(super) struct Formats {
    pub(super) date: Option<&'static str>,
    pub(super) separator: Option<&'static str>,
    pub(super) time: Option<&'static str>,
}

type Day = (u16, u8, u8);
type Clock = (u8, u8, u8);

const DAYS: &[Day] = &[
    (1, 1, 1),
    (1969, 12, 31),
    (1970, 1, 1),
    (1999, 12, 31),
    (2000, 2, 29),
    (2026, 11, 21),
    (2069, 12, 31),
    (2070, 1, 1),
    (9999, 12, 31),
];
const CLOCKS: &[Clock] = &[
    (0, 0, 0),
    (0, 0, 1),
    (0, 30, 0),
    (9, 5, 0),
    (11, 59, 59),
    (12, 0, 0),
    (12, 30, 0),
    (23, 59, 59),
];
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// Sorted tokens of a type whose bounds are numbers.
fn tokens(data_type: &str) -> Option<&'static [&'static str]> {
    Some(match data_type {
        "integer" => &[
            "-9223372036854775808",
            "-9007199254740992",
            "-1e3",
            "-100",
            "-1",
            "-0",
            "0",
            "1",
            "1.0",
            "7",
            "1e2",
            "100.00",
            "9007199254740991",
            "9223372036854775807",
        ],
        "float" => &[
            "-1.7e308",
            "-100.5",
            "-1",
            "-0.0",
            "0",
            "1e-300",
            "0.1",
            "0.30000000000000004",
            "3.50",
            "1e10",
            "1.7e308",
        ],
        "latitude" => &[
            "-90",
            "-45.5",
            "-0.0",
            "0",
            "1e-3",
            "45.123456789",
            "89.99",
            "90.0",
        ],
        "longitude" => &["-180", "-90.5", "0", "0.10", "179.999", "18e1"],
        "currency" => &[
            "-9007199254740991",
            "-10.50",
            "-0.01",
            "0",
            "0.1",
            "1.50",
            "99.99",
            "1e3",
            "9007199254740991",
        ],
        "date-year" => &["1", "1900", "1970", "1999.0", "2e3", "2026", "9999"],
        "date-month" => &["1", "2", "6", "12"],
        "date-day" => &["1", "15", "28", "3.1e1"],
        "string" | "email" | "url" => &["0", "1", "2", "5", "10", "4e1", "100", "1000.0"],
        _ => return None,
    })
}

/// A lower and an upper bound as JSON text; `None` for types without bounds.
pub(super) fn pair(chance: &mut Chance, data_type: &str, formats: &Formats) -> Option<[String; 2]> {
    if let Some(tokens) = tokens(data_type) {
        return Some(ordered(chance, tokens.len()).map(|at| as_number(chance, tokens[at])));
    }
    let is_short = matches!(formats.date, Some("MM$DD$YY" | "YY$MM$DD" | "YYMMDD"));
    let has_seconds = formats.time.is_none_or(|format| format.contains("ss"));
    let held = |day: &Day| !is_short || (1970..=2069).contains(&day.0);
    let days: Vec<Day> = DAYS.iter().copied().filter(held).collect();
    let whole = |clock: &Clock| has_seconds || clock.2 == 0;
    let clocks: Vec<Clock> = CLOCKS.iter().copied().filter(whole).collect();
    let texts = match data_type {
        "date" => ordered(chance, days.len()).map(|at| {
            if chance.one_in(3) {
                iso(days[at])
            } else {
                written_day(formats, days[at])
            }
        }),
        "time" => ordered(chance, clocks.len()).map(|at| {
            if chance.one_in(3) {
                let (hour, minute, second) = clocks[at];
                format!("{hour:02}:{minute:02}:{second:02}")
            } else {
                written_clock(formats, clocks[at])
            }
        }),
        "datetime" => ordered(chance, days.len() * clocks.len()).map(|at| {
            let (day, clock) = (days[at / clocks.len()], clocks[at % clocks.len()]);
            if chance.one_in(3) {
                let (hour, minute, second) = clock;
                format!("{}T{hour:02}:{minute:02}:{second:02}Z", iso(day))
            } else {
                format!(
                    "{} {}",
                    written_day(formats, day),
                    written_clock(formats, clock)
                )
            }
        }),
        _ => return None,
    };
    Some(texts.map(|text| string(chance, &text)))
}

/// Two places in a sorted list, the lower one first.
fn ordered(chance: &mut Chance, count: usize) -> [usize; 2] {
    let mut places = [chance.below(count), chance.below(count)];
    places.sort_unstable();
    places
}

/// A number, or a text that holds it.
fn as_number(chance: &mut Chance, token: &str) -> String {
    if chance.one_in(5) {
        format!("\"{token}\"")
    } else {
        token.to_owned()
    }
}

fn iso((year, month, day): Day) -> String {
    format!("{year:04}-{month:02}-{day:02}")
}

fn written_day(formats: &Formats, (year, month, day): Day) -> String {
    let name = MONTHS[usize::from(month) - 1];
    formats
        .date
        .unwrap_or("YYYY$MM$DD")
        .replace('$', formats.separator.unwrap_or("-"))
        .replace("YYYY", &format!("{year:04}"))
        .replace("YY", &format!("{:02}", year % 100))
        .replace("MMM", "@")
        .replace("MM", &format!("{month:02}"))
        .replace("DD", &format!("{day:02}"))
        .replace('@', name)
}

fn written_clock(formats: &Formats, (hour, minute, second): Clock) -> String {
    let format = formats.time.unwrap_or("HH:mm:ss");
    let twelve = if hour % 12 == 0 { 12 } else { hour % 12 };
    let half = if hour < 12 { "am" } else { "pm" };
    let (date, halves) = format.split_once(' ').unwrap_or((format, ""));
    let written = date
        .replace("HH", &format!("{hour:02}"))
        .replace("hh", &format!("{twelve:02}"))
        .replace("mm", &format!("{minute:02}"))
        .replace("ss", &format!("{second:02}"));
    match halves {
        "a" => format!("{written} {half}"),
        "A" => format!("{written} {}", half.to_uppercase()),
        _ => written,
    }
}

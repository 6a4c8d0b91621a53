//! Days and times of a file that are written in another way than their fields: by what was said of the file, as ISO 8601, which
//! every field reads. A text that is not written so stays as it is.
//!
//! | reading | text | read as |
//! | - | - | - |
//! | `us` | `3/4/2024`, `3/4/2024 5:06 PM` | `2024-03-04`, `2024-03-04T17:06` |
//! | `european` | `4.3.2024`, `4/3/2024 17:06` | `2024-03-04`, `2024-03-04T17:06` |
//! | `timestamp` | `2024-03-04 10:00:00+02` | `2024-03-04T10:00:00+02:00` |
//! | `timestamp`, a day | `2024-03-04 00:00:00.000` | `2024-03-04` |
//! | `compact` | `20240304`, `20240304T100000Z` | `2024-03-04`, `2024-03-04T10:00:00Z` |

use crate::moment_rule::{MomentKind, MomentRule};
use schema::format::Day;
use std::fmt::Write as _;

/// How days and times of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateReading {
    /// Month, day, year; a time with or without AM and PM.
    Us,
    /// Day, month, year; the same.
    European,
    /// ISO 8601 with a blank for the `T`, a fraction, a zone; a day with the time of midnight.
    Timestamp,
    /// Digits alone.
    Compact,
}

/// A text as its parts.
struct Parts {
    day: Day,
    /// Hour, minute and second with what stands behind it.
    time: Option<ClockTime>,
    /// As ISO has it; empty where none is said.
    zone: String,
}

struct ClockTime {
    hour: u16,
    minute: u16,
    second: u16,
    /// Its digits.
    fraction: String,
}

impl DateReading {
    /// Every reading.
    pub const ALL: [Self; 4] = [
        DateReading::Us,
        DateReading::European,
        DateReading::Timestamp,
        DateReading::Compact,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            DateReading::Us => "us",
            DateReading::European => "european",
            DateReading::Timestamp => "timestamp",
            DateReading::Compact => "compact",
        }
    }

    /// The text as ISO 8601; `None` where it is not written so, or is no such value.
    pub(crate) fn iso(self, text: &str, kind: MomentKind) -> Option<String> {
        if kind == MomentKind::Time {
            let is_timestamp = self == DateReading::Timestamp;
            let time = is_timestamp.then(|| clock_time(text, false))??;
            return Some(time.iso());
        }
        let parts = match self {
            DateReading::Us | DateReading::European => self.by_signs(text)?,
            DateReading::Timestamp => timestamp(text)?,
            DateReading::Compact => compact(text)?,
        };
        let Parts { day, time, zone } = parts;
        let mut iso = format!("{:04}-{:02}-{:02}", day.year(), day.month(), day.day());
        match (kind, time) {
            (MomentKind::Day, Some(time)) if !time.is_midnight() => return None,
            (MomentKind::Day | MomentKind::Time, _) => {}
            (MomentKind::Moment, Some(time)) => {
                let _ = write!(iso, "T{}{zone}", time.iso());
            }
            (MomentKind::Moment, None) => iso.push_str("T00:00:00"),
        }
        Some(iso)
    }

    /// Whether a text has the shape of this reading, whatever day it would be.
    pub(crate) fn has_shape(self, text: &str) -> bool {
        match self {
            DateReading::Us | DateReading::European => {
                let day = text.split_once(' ').map_or(text, |(day, _)| day);
                numbers(day).is_some()
            }
            // nothing else is written like these
            DateReading::Timestamp | DateReading::Compact => false,
        }
    }

    fn by_signs(self, text: &str) -> Option<Parts> {
        let (day, time) = match text.split_once(' ') {
            Some((day, time)) => (day, Some(clock_time(time.trim_start(), true)?)),
            None => (text, None),
        };
        let [first, second, year] = numbers(day)?;
        let (month, day) = if self == DateReading::Us {
            (first, second)
        } else {
            (second, first)
        };
        Some(Parts {
            day: Day::new(year, month, day)?,
            time,
            zone: String::new(),
        })
    }
}

impl ClockTime {
    fn iso(&self) -> String {
        let mut iso = format!("{:02}:{:02}:{:02}", self.hour, self.minute, self.second);
        if !self.fraction.is_empty() {
            let _ = write!(iso, ".{}", self.fraction);
        }
        iso
    }

    fn is_midnight(&self) -> bool {
        let is_zero = self.fraction.bytes().all(|digit| digit == b'0');
        (self.hour, self.minute, self.second) == (0, 0, 0) && is_zero
    }
}

/// Three numbers between one sign, the last of four digits, as a date with its parts in any order but the year's.
fn numbers(text: &str) -> Option<[u16; 3]> {
    let sign = text.chars().find(|sign| matches!(sign, '/' | '.' | '-'))?;
    let mut parts = text.split(sign);
    let (first, second, year) = (parts.next()?, parts.next()?, parts.next()?);
    let is_short = |part: &str| matches!(part.len(), 1 | 2);
    if parts.next().is_some() || !is_short(first) || !is_short(second) || year.len() != 4 {
        return None;
    }
    Some([number(first)?, number(second)?, number(year)?])
}

/// A time of day: hours and minutes, seconds and their fraction where they are there, and `AM` or `PM` where it may have them.
fn clock_time(text: &str, has_halves: bool) -> Option<ClockTime> {
    let (text, is_later) = match text.to_ascii_lowercase() {
        low if has_halves && low.ends_with("am") => (&text[..text.len() - 2], Some(false)),
        low if has_halves && low.ends_with("pm") => (&text[..text.len() - 2], Some(true)),
        _ => (text, None),
    };
    let text = if is_later.is_some() {
        text.trim_end()
    } else {
        text
    };
    let mut parts = text.split(':');
    let (hour, minute) = (parts.next()?, parts.next()?);
    let (second, fraction) = match parts.next() {
        Some(second) => second.split_once('.').unwrap_or((second, "")),
        None => ("0", ""),
    };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if parts.next().is_some() || minute.len() != 2 || !is_digits(fraction) {
        return None;
    }
    let hour = number(hour).filter(|_| hour.len() <= 2)?;
    let hour = match is_later {
        None => hour,
        Some(is_later) if (1..=12).contains(&hour) => hour % 12 + if is_later { 12 } else { 0 },
        Some(_) => return None,
    };
    let time = ClockTime {
        hour,
        minute: number(minute)?,
        second: number(second).filter(|_| second.len() <= 2)?,
        fraction: fraction.to_owned(),
    };
    (time.hour < 24 && time.minute < 60 && time.second < 60).then_some(time)
}

fn timestamp(text: &str) -> Option<Parts> {
    let (day, rest) = text.split_once(['T', ' ']).unwrap_or((text, ""));
    let mut parts = day.split('-');
    let (year, month, of_month) = (parts.next()?, parts.next()?, parts.next()?);
    let lengths = (year.len(), month.len(), of_month.len());
    if parts.next().is_some() || lengths != (4, 2, 2) {
        return None;
    }
    let day = Day::new(number(year)?, number(month)?, number(of_month)?)?;
    if rest.is_empty() {
        return (day_is_all(text)).then_some(Parts {
            day,
            time: None,
            zone: String::new(),
        });
    }
    let (time, zone) = zoned(rest)?;
    Some(Parts {
        day,
        time: Some(clock_time(time, false)?),
        zone,
    })
}

/// Whether nothing stands behind a day, not even a sign.
fn day_is_all(text: &str) -> bool {
    text.len() == "YYYY-MM-DD".len()
}

/// A time, and the zone behind it as ISO 8601 has it: `Z`, `UTC`, `+02`, `+0200`, `+02:00`.
fn zoned(text: &str) -> Option<(&str, String)> {
    let universal = ["Z", "z", " UTC", "UTC"];
    if let Some(time) = universal.iter().find_map(|zone| text.strip_suffix(zone)) {
        return Some((time.trim_end(), "Z".to_owned()));
    }
    let Some(at) = text.find(['+', '-']) else {
        return Some((text, String::new()));
    };
    let (time, zone) = text.split_at(at);
    let digits: String = zone[1..].replacen(':', "", 1);
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (hours, minutes) = match digits.len() {
        2 => (&*digits, "00"),
        4 => digits.split_at(2),
        _ => return None,
    };
    Some((time.trim_end(), format!("{}{hours}:{minutes}", &zone[..1])))
}

fn compact(text: &str) -> Option<Parts> {
    let (text, zone) = match text.strip_suffix('Z') {
        Some(text) => (text, "Z".to_owned()),
        None => (text, String::new()),
    };
    let (day, time) = text.split_at_checked(8)?;
    if !day.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let time = time.strip_prefix('T').unwrap_or(time);
    let day = Day::new(number(&day[..4])?, number(&day[4..6])?, number(&day[6..])?)?;
    let time = match time.len() {
        0 if zone.is_empty() => None,
        4 | 6 => {
            number(time.get(..4)?)?;
            let second = time.get(4..).filter(|it| !it.is_empty()).unwrap_or("00");
            let text = format!("{}:{}:{second}", &time[..2], &time[2..4]);
            Some(clock_time(&text, false)?)
        }
        _ => return None,
    };
    Some(Parts { day, time, zone })
}

/// Digits as a number.
fn number(text: &str) -> Option<u16> {
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits.then(|| text.parse().ok())?
}

/// How the days and times of a column are written: how many each reading would read that its field does not, and how many it would
/// take from what the field reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DateTexts {
    /// By [`DateReading::Us`].
    pub us: u64,
    /// By [`DateReading::European`].
    pub european: u64,
    /// By [`DateReading::Timestamp`].
    pub timestamp: u64,
    /// By [`DateReading::Compact`].
    pub compact: u64,
    /// How many that the field reads [`DateReading::Us`] would read as another day, or not at all. Only days with signs between
    /// their numbers are read in two ways.
    pub us_changed: u64,
    /// The same of [`DateReading::European`].
    pub european_changed: u64,
}

impl DateTexts {
    /// Notes a text.
    pub(crate) fn note(&mut self, text: &str, rule: &MomentRule) {
        let own = rule.value(text);
        for reading in DateReading::ALL {
            if own.is_some() && !reading.has_shape(text) {
                continue;
            }
            let iso = reading.iso(text, rule.kind);
            if iso.and_then(|iso| rule.value(&iso)) == own {
                continue;
            }
            let count = match (reading, own) {
                (DateReading::Us, None) => &mut self.us,
                (DateReading::Us, Some(_)) => &mut self.us_changed,
                (DateReading::European, None) => &mut self.european,
                (DateReading::European, Some(_)) => &mut self.european_changed,
                (DateReading::Timestamp, _) => &mut self.timestamp,
                (DateReading::Compact, _) => &mut self.compact,
            };
            *count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schema::format::{DateFormat, Separator};
    use schema::{DataType, Field};

    /// Texts by each reading, in a field of days, and in one of days with times.
    const TEXTS: &str = "
us | 3/4/2024 | 2024-03-04 | 2024-03-04T00:00:00
us | 12-31-2024 | 2024-12-31 | 2024-12-31T00:00:00
us | 3/4/2024 5:06 PM | - | 2024-03-04T17:06:00
us | 3/4/2024 12:00:00 AM | 2024-03-04 | 2024-03-04T00:00:00
us | 3/4/2024 13:00 PM | - | -
us | 13/4/2024 | - | -
us | 3/4/24 | - | -
us | 2/30/2024 | - | -
us | 2024-03-04 | - | -
us | 3/4-2024 | - | -
european | 4.3.2024 | 2024-03-04 | 2024-03-04T00:00:00
european | 04/03/2024 17:06 | - | 2024-03-04T17:06:00
timestamp | 2024-04-03 10:00:00.000 | - | 2024-04-03T10:00:00.000
timestamp | 2024-04-03 10:00:00+02 | - | 2024-04-03T10:00:00+02:00
timestamp | 2024-04-03T10:00-0330 | - | 2024-04-03T10:00:00-03:30
timestamp | 2024-04-03 10:00:00 UTC | - | 2024-04-03T10:00:00Z
timestamp | 2024-04-03 00:00:00 | 2024-04-03 | 2024-04-03T00:00:00
timestamp | 2024-04-03 | 2024-04-03 | 2024-04-03T00:00:00
timestamp | 2024-04-03T | - | -
timestamp | 2024-04-03 24:00:00 | - | -
timestamp | 2024-04-03 10:00:00+2 | - | -
timestamp | 2024-04-03 10:00+a\u{e4}b | - | -
compact | 20240403 | 2024-04-03 | 2024-04-03T00:00:00
compact | 20240403T101500Z | - | 2024-04-03T10:15:00Z
compact | 202404031015 | - | 2024-04-03T10:15:00
compact | 20241340 | - | -
compact | 2024040 | - | -
compact | 202\u{e4}040 | - | -";

    #[test]
    fn a_day_is_read_as_it_was_said_and_in_no_other_way() {
        for line in TEXTS.trim_start().lines() {
            let parts: Vec<&str> = line.split(" | ").collect();
            let [name, text, day, moment] = parts[..] else {
                panic!("{line}");
            };
            let mut readings = DateReading::ALL.into_iter();
            let reading = readings.find(|it| it.name() == name).expect(name);
            for (kind, expected) in [(MomentKind::Day, day), (MomentKind::Moment, moment)] {
                let found = reading.iso(text, kind);
                let expected = Some(expected).filter(|it| *it != "-");
                assert_eq!(found.as_deref(), expected, "{kind:?} {line}");
            }
        }
        let time = |text| DateReading::Timestamp.iso(text, MomentKind::Time);
        assert_eq!(time("10:00:00.000").as_deref(), Some("10:00:00.000"));
        assert_eq!(DateReading::Us.iso("10:00", MomentKind::Time), None);
    }

    #[test]
    fn what_a_reading_would_take_from_the_field_is_counted_beside_what_it_would_add() {
        let mut field = Field::new("f", "F", DataType::Date);
        field.date_format = Some(DateFormat::DayMonthYear);
        field.date_separator = Some(Separator::Slash);
        let rule = MomentRule::of(&field).expect("a field of days");
        for (text, us, european) in [
            // what it would read: fixed, changed
            ("12/31/2024", (1, 0), (0, 0)),
            ("31.12.2024", (0, 0), (1, 0)),
            ("3.4.2024", (1, 0), (1, 0)),
            ("31/12/2024", (0, 1), (0, 0)),
            ("03/04/2024", (0, 1), (0, 0)),
            ("04/04/2024", (0, 0), (0, 0)),
            ("2024-04-03", (0, 0), (0, 0)),
            ("soon", (0, 0), (0, 0)),
        ] {
            let mut texts = DateTexts::default();
            texts.note(text, &rule);
            let found = (texts.us, texts.us_changed);
            assert_eq!(found, us, "{text}");
            let found = (texts.european, texts.european_changed);
            assert_eq!(found, european, "{text}");
        }
        // a year that the field has no room for is no day of it
        field.date_format = Some(DateFormat::MonthDayShort);
        let rule = MomentRule::of(&field).expect("a field of days");
        let mut texts = DateTexts::default();
        texts.note("31.12.1950", &rule);
        assert_eq!(texts, DateTexts::default());
    }
}

//! A day and a time together: the `datetime` type. Offsets are converted to UTC on reading.

use super::date::{DateShape, ISO};
use super::day::Day;
use super::digits::two_digits;
use super::fault::FormatFault;
use super::time::{TimeFormat, TimeOfDay, read_iso};

/// A day and a time of day; UTC where the source named an offset, as written otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    /// The day.
    pub day: Day,
    /// The time.
    pub time: TimeOfDay,
}

/// How a field writes its moments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MomentShape {
    /// Its dates.
    pub date: DateShape,
    /// Its times.
    pub time: TimeFormat,
}

impl MomentShape {
    /// The shape of a field with these settings; an absent time format is `HH:mm:ss`.
    pub fn new(date: DateShape, time: Option<TimeFormat>) -> Self {
        MomentShape {
            date,
            time: time.unwrap_or(TimeFormat::Seconds),
        }
    }

    /// Reads a whole text: date, one space and time in the field's formats, or ISO 8601 with `T`.
    ///
    /// # Errors
    /// Says what is wrong with the text.
    pub fn read(self, text: &str) -> Result<Moment, FormatFault> {
        let bytes = text.as_bytes();
        if let Some((day, rest)) = self.date.read_prefix(bytes)
            && let Some(time) = rest
                .strip_prefix(b" ")
                .and_then(|rest| self.time.read_own(rest))
        {
            return Ok(Moment {
                day: day.ok_or(FormatFault::Calendar)?,
                time,
            });
        }
        self.read_iso(bytes).unwrap_or(Err(FormatFault::Shape))
    }

    /// Whether a text that was [read](Self::read) is what [`write`](Self::write) makes of its moment. It may be so where
    /// this says no.
    #[inline]
    pub fn is_own(self, text: &str) -> bool {
        let parts = text.as_bytes().split_at_checked(self.date.length());
        matches!(parts, Some((date, [b' ', time @ ..]))
            if self.date.is_own_bytes(date) && self.time.is_own_bytes(time))
    }

    /// `None` when the text is no ISO date and time.
    fn read_iso(self, text: &[u8]) -> Option<Result<Moment, FormatFault>> {
        let (day, rest) = ISO.read_prefix(text)?;
        let after_minute = rest.get(6..)?;
        let (time, mut rest) = read_iso(rest.strip_prefix(b"T")?)?;
        let mut fraction = false;
        if after_minute.first() == Some(&b':')
            && let Some(digits) = rest.strip_prefix(b".")
        {
            let count = digits
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count();
            if count == 0 {
                return None;
            }
            fraction = digits[..count].iter().any(|digit| *digit != b'0');
            rest = &digits[count..];
        }
        let minutes_ahead = offset(rest)?;
        let Some(moment) = day.and_then(|day| Moment { day, time }.earlier(minutes_ahead)) else {
            return Some(Err(FormatFault::Calendar));
        };
        Some(self.hold(moment, fraction))
    }

    fn hold(self, moment: Moment, fraction: bool) -> Result<Moment, FormatFault> {
        self.date.hold(moment.day)?;
        self.time.hold(moment.time)?;
        if fraction {
            Err(FormatFault::Fraction)
        } else {
            Ok(moment)
        }
    }

    /// Whether the formats can write the moment without loss.
    pub fn can_hold(self, moment: Moment) -> bool {
        self.hold(moment, false).is_ok()
    }

    /// Appends the moment in this shape. The caller has asked [`can_hold`](Self::can_hold).
    pub fn write(self, moment: Moment, out: &mut String) {
        self.date.write(moment.day, out);
        out.push(' ');
        self.time.write(moment.time, out);
    }

    /// The shape as people write it, such as `DD/MM/YYYY HH:mm`.
    pub fn label(self) -> String {
        format!("{} {}", self.date.label(), self.time.name())
    }
}

/// The minutes that an offset lies ahead of UTC; nothing and `Z` are zero.
fn offset(text: &[u8]) -> Option<i32> {
    let ahead = match text.first() {
        None => return Some(0),
        Some(b'Z') if text.len() == 1 => return Some(0),
        Some(b'+') => 1,
        Some(b'-') => -1,
        _ => return None,
    };
    let (hours, rest) = two_digits(&text[1..])?;
    let (minutes, rest) = two_digits(rest.strip_prefix(b":")?)?;
    (rest.is_empty() && hours < 24 && minutes < 60)
        .then(|| ahead * (i32::from(hours) * 60 + i32::from(minutes)))
}

impl Moment {
    /// The moment so many minutes before (less than a day either way), unless the calendar ends.
    fn earlier(self, minutes: i32) -> Option<Moment> {
        let now = i32::from(self.time.hour()) * 60 + i32::from(self.time.minute()) - minutes;
        let day = match now {
            ..0 => self.day.previous()?,
            0..1440 => self.day,
            _ => self.day.next()?,
        };
        let now = u16::try_from(now.rem_euclid(1440)).ok()?;
        let time = TimeOfDay::new(now / 60, now % 60, self.time.second().into())?;
        Some(Moment { day, time })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{DateFormat, Separator};

    fn german() -> MomentShape {
        let date = DateShape::new(Some(DateFormat::DayMonthYear), Some(Separator::Dot));
        MomentShape::new(date, Some(TimeFormat::Minutes))
    }

    #[test]
    fn every_accepted_spelling_comes_out_in_the_fields_format() {
        for (text, expected) in [
            ("03.12.2020 10:15", Ok("03.12.2020 10:15")),
            ("2020-12-03T10:15", Ok("03.12.2020 10:15")),
            ("2020-12-03T10:15:00.000Z", Ok("03.12.2020 10:15")),
            ("2020-12-31T23:30-01:00", Ok("01.01.2021 00:30")),
            ("2021-01-01T00:30+01:00", Ok("31.12.2020 23:30")),
            ("0001-01-01T00:30+01:00", Err(FormatFault::Calendar)),
            ("9999-12-31T23:30-01:00", Err(FormatFault::Calendar)),
            ("31.04.2020 10:15", Err(FormatFault::Calendar)),
            ("2020-12-03T10:15:30", Err(FormatFault::Seconds)),
            ("2020-12-03T10:15:00.5", Err(FormatFault::Fraction)),
            ("2020-12-03 10:15", Err(FormatFault::Shape)),
            ("03.12.2020T10:15", Err(FormatFault::Shape)),
            ("03.12.2020  10:15", Err(FormatFault::Shape)),
            ("2020-12-03T10:15.5", Err(FormatFault::Shape)),
            ("2020-12-03T10:15z", Err(FormatFault::Shape)),
            ("2020-12-03T10:15+0100", Err(FormatFault::Shape)),
            ("2020-12-03T10:15:00.", Err(FormatFault::Shape)),
            ("2020-12-03", Err(FormatFault::Shape)),
        ] {
            let found = german().read(text).map(|moment| {
                let mut out = String::new();
                german().write(moment, &mut out);
                out
            });
            let is_own = found.as_deref() == Ok(text);
            assert_eq!(found, expected.map(str::to_owned), "{text}");
            if expected.is_ok() {
                assert_eq!(german().is_own(text), is_own, "{text}");
            }
        }
    }
}

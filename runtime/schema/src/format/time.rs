//! Times of day and their six formats.

use super::digits::{two_digits, write_digits};
use super::fault::FormatFault;

/// A time of day, to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeOfDay {
    hour: u8,
    minute: u8,
    second: u8,
}

impl TimeOfDay {
    /// The time, if the clock shows it: no `24:00`, no `:60`.
    pub fn new(hour: u16, minute: u16, second: u16) -> Option<Self> {
        (hour < 24 && minute < 60 && second < 60).then_some(TimeOfDay {
            hour: u8::try_from(hour).ok()?,
            minute: u8::try_from(minute).ok()?,
            second: u8::try_from(second).ok()?,
        })
    }

    /// The hour, 0 to 23.
    pub fn hour(self) -> u8 {
        self.hour
    }

    /// The minute, 0 to 59.
    pub fn minute(self) -> u8 {
        self.minute
    }

    /// The second, 0 to 59.
    pub fn second(self) -> u8 {
        self.second
    }
}

/// A value of `timeFormat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeFormat {
    /// `hh:mm:ss a`
    TwelveSecondsLower,
    /// `hh:mm:ss A`
    TwelveSecondsUpper,
    /// `hh:mm a`
    TwelveLower,
    /// `hh:mm A`
    TwelveUpper,
    /// `HH:mm:ss`
    Seconds,
    /// `HH:mm`
    Minutes,
}

use TimeFormat as F;

impl TimeFormat {
    /// All formats, in the order of the interface.
    pub const ALL: [Self; 6] = [
        F::TwelveSecondsLower,
        F::TwelveSecondsUpper,
        F::TwelveLower,
        F::TwelveUpper,
        F::Seconds,
        F::Minutes,
    ];

    /// The name in the interface.
    pub fn name(self) -> &'static str {
        match self {
            F::TwelveSecondsLower => "hh:mm:ss a",
            F::TwelveSecondsUpper => "hh:mm:ss A",
            F::TwelveLower => "hh:mm a",
            F::TwelveUpper => "hh:mm A",
            F::Seconds => "HH:mm:ss",
            F::Minutes => "HH:mm",
        }
    }

    /// The format with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Whether it writes seconds.
    pub fn has_seconds(self) -> bool {
        matches!(
            self,
            F::TwelveSecondsLower | F::TwelveSecondsUpper | F::Seconds
        )
    }

    fn is_twelve(self) -> bool {
        !matches!(self, F::Seconds | F::Minutes)
    }

    fn is_upper(self) -> bool {
        matches!(self, F::TwelveSecondsUpper | F::TwelveUpper)
    }

    /// Reads a whole text, in this format or as `HH:mm[:ss]`.
    ///
    /// # Errors
    /// Says what is wrong with the text.
    #[inline]
    pub fn read(self, text: &str) -> Result<TimeOfDay, FormatFault> {
        let bytes = text.as_bytes();
        if let Some(time) = self.read_own(bytes) {
            return Ok(time);
        }
        match read_iso(bytes) {
            Some((time, b"")) => self.hold(time),
            _ => Err(FormatFault::Shape),
        }
    }

    /// Whether a text that was [read](Self::read) is what [`write`](Self::write) makes of its time. It may be so where
    /// this says no.
    #[inline]
    pub fn is_own(self, text: &str) -> bool {
        self.is_own_bytes(text.as_bytes())
    }

    pub(super) fn is_own_bytes(self, text: &[u8]) -> bool {
        let (length, end) = match self {
            F::TwelveSecondsLower => (11, &b"m"[..]),
            F::TwelveSecondsUpper => (11, &b"M"[..]),
            F::TwelveLower => (8, &b"m"[..]),
            F::TwelveUpper => (8, &b"M"[..]),
            F::Seconds => (8, &b""[..]),
            F::Minutes => (5, &b""[..]),
        };
        text.len() == length && text.ends_with(end)
    }

    /// The time, unless this format can't write its seconds.
    pub(super) fn hold(self, time: TimeOfDay) -> Result<TimeOfDay, FormatFault> {
        if self.has_seconds() || time.second == 0 {
            Ok(time)
        } else {
            Err(FormatFault::Seconds)
        }
    }

    /// Reads a whole text in this format only.
    pub(super) fn read_own(self, text: &[u8]) -> Option<TimeOfDay> {
        let (mut hour, rest) = two_digits(text)?;
        let (minute, mut rest) = two_digits(rest.strip_prefix(b":")?)?;
        let mut second = 0;
        if self.has_seconds() {
            (second, rest) = two_digits(rest.strip_prefix(b":")?)?;
        }
        if self.is_twelve() {
            let afternoon = match rest {
                b" am" | b" AM" => false,
                b" pm" | b" PM" => true,
                _ => return None,
            };
            if !(1..=12).contains(&hour) {
                return None;
            }
            hour = hour % 12 + if afternoon { 12 } else { 0 };
        } else if !rest.is_empty() {
            return None;
        }
        TimeOfDay::new(hour, minute, second)
    }

    /// Appends the time in this format; seconds it does not write are lost, so the caller has made
    /// sure that they are zero.
    pub fn write(self, time: TimeOfDay, out: &mut String) {
        let hour = match time.hour {
            hour if !self.is_twelve() => hour,
            0 | 12 => 12,
            hour => hour % 12,
        };
        write_digits(out, hour.into(), 2);
        out.push(':');
        write_digits(out, time.minute.into(), 2);
        if self.has_seconds() {
            out.push(':');
            write_digits(out, time.second.into(), 2);
        }
        if self.is_twelve() {
            out.push_str(match (time.hour < 12, self.is_upper()) {
                (true, true) => " AM",
                (true, false) => " am",
                (false, true) => " PM",
                (false, false) => " pm",
            });
        }
    }
}

/// `HH:mm` or `HH:mm:ss` at the start of `text`, and the rest.
pub(super) fn read_iso(text: &[u8]) -> Option<(TimeOfDay, &[u8])> {
    let (hour, rest) = two_digits(text)?;
    let (minute, rest) = two_digits(rest.strip_prefix(b":")?)?;
    let (second, rest) = match rest.strip_prefix(b":") {
        Some(rest) => two_digits(rest)?,
        None => (0, rest),
    };
    Some((TimeOfDay::new(hour, minute, second)?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn print_then_parse_is_the_identity_on_every_second_in_every_format() {
        let mut text = String::new();
        for seconds in 0..86_400_u32 {
            let part = |value: u32| u16::try_from(value).unwrap();
            let time = TimeOfDay::new(
                part(seconds / 3600),
                part(seconds / 60 % 60),
                part(seconds % 60),
            )
            .unwrap();
            for format in TimeFormat::ALL {
                if format.hold(time).is_ok() {
                    text.clear();
                    format.write(time, &mut text);
                    assert_eq!(format.read(&text), Ok(time), "{text}");
                    assert!(format.is_own(&text), "{text}");
                }
            }
        }
    }

    #[test]
    fn what_is_written_otherwise_is_not_a_formats_own() {
        for (format, text) in [
            (F::TwelveLower, "05:05 PM"),
            (F::TwelveUpper, "05:05 pm"),
            (F::TwelveUpper, "17:05"),
            (F::TwelveUpper, "17:05:00"),
            (F::TwelveSecondsUpper, "17:05"),
            (F::Seconds, "17:05"),
            (F::Minutes, "17:05:00"),
        ] {
            assert!(format.read(text).is_ok() && !format.is_own(text), "{text}");
        }
    }

    #[test]
    fn twelve_hours_have_no_zero_and_no_thirteen() {
        let read = |text| F::TwelveUpper.read(text);
        assert_eq!(
            read("12:05 AM"),
            TimeOfDay::new(0, 5, 0).ok_or(FormatFault::Shape)
        );
        assert_eq!(
            read("12:05 pm"),
            TimeOfDay::new(12, 5, 0).ok_or(FormatFault::Shape)
        );
        assert_eq!(
            read("17:05"),
            TimeOfDay::new(17, 5, 0).ok_or(FormatFault::Shape)
        );
        for text in [
            "00:05 AM", "13:05 PM", "12:05AM", "12:05 Am", "24:00", "12:60", "12:05 ",
        ] {
            assert_eq!(read(text), Err(FormatFault::Shape), "{text}");
        }
        assert_eq!(read("17:05:01"), Err(FormatFault::Seconds));
    }
}

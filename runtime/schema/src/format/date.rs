//! The ten formats of dates, with their four separators.

use super::day::Day;
use super::digits::{digits, write_digits};
use super::fault::FormatFault;

/// A value of `dateFormat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DateFormat {
    /// `DD$MM$YYYY`
    DayMonthYear,
    /// `DD$MMM$YYYY`
    DayNameYear,
    /// `MM$DD$YYYY`
    MonthDayYear,
    /// `MMM$DD$YYYY`
    NameDayYear,
    /// `MM$DD$YY`
    MonthDayShort,
    /// `YYYY$MM$DD`
    YearMonthDay,
    /// `YYYY$MMM$DD`
    YearNameDay,
    /// `YY$MM$DD`
    ShortMonthDay,
    /// `YYMMDD`
    ShortCompact,
    /// `YYYYMMDD`
    YearCompact,
}

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Day,
    Month,
    Name,
    Year,
    Short,
}

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

use DateFormat as F;

impl DateFormat {
    /// All formats, in the order of the interface.
    pub const ALL: [Self; 10] = [
        F::DayMonthYear,
        F::DayNameYear,
        F::MonthDayYear,
        F::NameDayYear,
        F::MonthDayShort,
        F::YearMonthDay,
        F::YearNameDay,
        F::ShortMonthDay,
        F::ShortCompact,
        F::YearCompact,
    ];

    /// The name in the interface.
    pub fn name(self) -> &'static str {
        match self {
            F::DayMonthYear => "DD$MM$YYYY",
            F::DayNameYear => "DD$MMM$YYYY",
            F::MonthDayYear => "MM$DD$YYYY",
            F::NameDayYear => "MMM$DD$YYYY",
            F::MonthDayShort => "MM$DD$YY",
            F::YearMonthDay => "YYYY$MM$DD",
            F::YearNameDay => "YYYY$MMM$DD",
            F::ShortMonthDay => "YY$MM$DD",
            F::ShortCompact => "YYMMDD",
            F::YearCompact => "YYYYMMDD",
        }
    }

    /// The format with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Whether it writes only two digits of the year.
    pub fn is_short(self) -> bool {
        self.parts().contains(&Part::Short)
    }

    /// Whether a separator stands between its parts.
    pub fn is_separated(self) -> bool {
        !matches!(self, F::ShortCompact | F::YearCompact)
    }

    fn parts(self) -> [Part; 3] {
        match self {
            F::DayMonthYear => [Part::Day, Part::Month, Part::Year],
            F::DayNameYear => [Part::Day, Part::Name, Part::Year],
            F::MonthDayYear => [Part::Month, Part::Day, Part::Year],
            F::NameDayYear => [Part::Name, Part::Day, Part::Year],
            F::MonthDayShort => [Part::Month, Part::Day, Part::Short],
            F::YearMonthDay | F::YearCompact => [Part::Year, Part::Month, Part::Day],
            F::YearNameDay => [Part::Year, Part::Name, Part::Day],
            F::ShortMonthDay | F::ShortCompact => [Part::Short, Part::Month, Part::Day],
        }
    }
}

/// A value of `dateSeparator`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Separator {
    /// `-`
    Dash,
    /// `/`
    Slash,
    /// `.`
    Dot,
    /// One space.
    Space,
}

impl Separator {
    /// All separators, in the order of the interface.
    pub const ALL: [Self; 4] = [Self::Dash, Self::Slash, Self::Dot, Self::Space];

    /// The separator itself.
    pub fn name(self) -> &'static str {
        match self {
            Separator::Dash => "-",
            Separator::Slash => "/",
            Separator::Dot => ".",
            Separator::Space => " ",
        }
    }

    /// The separator with this text.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|separator| separator.name() == name)
    }
}

/// How a field writes its dates: a format and a separator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DateShape {
    /// The order and width of the parts.
    pub format: DateFormat,
    /// What stands between them, where the format has separators.
    pub separator: Separator,
}

/// ISO 8601: what every date field accepts beside its own format.
pub(super) const ISO: DateShape = DateShape {
    format: DateFormat::YearMonthDay,
    separator: Separator::Dash,
};

impl DateShape {
    /// The shape of a field with these settings; absent ones take their defaults.
    pub fn new(format: Option<DateFormat>, separator: Option<Separator>) -> Self {
        DateShape {
            format: format.unwrap_or(ISO.format),
            separator: separator.unwrap_or(ISO.separator),
        }
    }

    /// Whether this is `YYYY-MM-DD`.
    pub fn is_iso(self) -> bool {
        self == ISO
    }

    /// Whether the format writes the year of this day in full or can hold it in two digits.
    pub fn can_hold(self, day: Day) -> bool {
        !self.format.is_short() || (1970..=2069).contains(&day.year())
    }

    /// Reads a whole text, in this shape or in ISO form.
    ///
    /// # Errors
    /// Says what is wrong with the text.
    #[inline]
    pub fn read(self, text: &str) -> Result<Day, FormatFault> {
        let bytes = text.as_bytes();
        if let Some((day, b"")) = self.read_prefix(bytes) {
            return day.ok_or(FormatFault::Calendar);
        }
        match ISO.read_prefix(bytes) {
            Some((day, b"")) => self.hold(day.ok_or(FormatFault::Calendar)?),
            _ => Err(FormatFault::Shape),
        }
    }

    /// The day, unless this shape can't write its year.
    pub(super) fn hold(self, day: Day) -> Result<Day, FormatFault> {
        if self.can_hold(day) {
            Ok(day)
        } else {
            Err(FormatFault::Year)
        }
    }

    /// Reads a date of this shape at the start of `text`: `None` when it is written differently,
    /// the day (or `None`, when the calendar does not have it) and the rest otherwise.
    pub(super) fn read_prefix(self, text: &[u8]) -> Option<(Option<Day>, &[u8])> {
        let (mut year, mut month, mut day) = (0, 0, 0);
        let mut rest = text;
        for (index, part) in self.format.parts().into_iter().enumerate() {
            if index > 0 && self.format.is_separated() {
                rest = rest.strip_prefix(self.separator.name().as_bytes())?;
            }
            match part {
                Part::Day => (day, rest) = digits(rest, 2)?,
                Part::Month => (month, rest) = digits(rest, 2)?,
                Part::Name => (month, rest) = month_name(rest)?,
                Part::Year => (year, rest) = digits(rest, 4)?,
                Part::Short => {
                    (year, rest) = digits(rest, 2)?;
                    year += if year < 70 { 2000 } else { 1900 };
                }
            }
        }
        Some((Day::new(year, month, day), rest))
    }

    /// Appends the day in this shape. The caller has asked [`can_hold`](Self::can_hold).
    pub fn write(self, day: Day, out: &mut String) {
        for (index, part) in self.format.parts().into_iter().enumerate() {
            if index > 0 && self.format.is_separated() {
                out.push_str(self.separator.name());
            }
            match part {
                Part::Day => write_digits(out, day.day().into(), 2),
                Part::Month => write_digits(out, day.month().into(), 2),
                Part::Name => out.push_str(MONTHS[usize::from(day.month() - 1)]),
                Part::Year => write_digits(out, day.year(), 4),
                Part::Short => write_digits(out, day.year() % 100, 2),
            }
        }
    }

    /// The shape as people write it, such as `DD/MM/YYYY`.
    pub fn label(self) -> String {
        self.format.name().replace('$', self.separator.name())
    }
}

fn month_name(text: &[u8]) -> Option<(u16, &[u8])> {
    let (head, rest) = text.split_at_checked(3)?;
    let index = MONTHS
        .iter()
        .position(|name| name.as_bytes().eq_ignore_ascii_case(head))?;
    Some((u16::try_from(index).ok()? + 1, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(format: &str, separator: &str) -> DateShape {
        DateShape::new(DateFormat::named(format), Separator::named(separator))
    }

    #[test]
    fn print_then_parse_is_the_identity_on_every_day_in_every_shape() {
        let mut cases = 0;
        let mut day = Day::new(1, 1, 1);
        let mut text = String::new();
        let with = |format| Separator::ALL.map(|separator| DateShape { format, separator });
        let shapes: Vec<DateShape> = DateFormat::ALL.into_iter().flat_map(with).collect();
        while let Some(today) = day {
            for shape in &shapes {
                if shape.can_hold(today) {
                    text.clear();
                    shape.write(today, &mut text);
                    assert_eq!(shape.read(&text), Ok(today), "{text} as {}", shape.label());
                    cases += 1;
                }
            }
            assert_eq!(today.next().map_or(Some(today), Day::previous), Some(today));
            day = today.next();
        }
        println!("{cases} dates printed and read back");
        assert!(cases > 100_000_000);
    }

    #[test]
    fn a_wrong_text_is_told_apart_from_a_day_that_does_not_exist() {
        let slash = shape("DD$MM$YYYY", "/");
        for (text, expected) in [
            (
                "31/12/1999",
                Day::new(1999, 12, 31).ok_or(FormatFault::Shape),
            ),
            (
                "1999-12-31",
                Day::new(1999, 12, 31).ok_or(FormatFault::Shape),
            ),
            ("31/04/1999", Err(FormatFault::Calendar)),
            ("29/02/1900", Err(FormatFault::Calendar)),
            ("01/01/0000", Err(FormatFault::Calendar)),
            ("1/12/1999", Err(FormatFault::Shape)),
            ("31-12-1999", Err(FormatFault::Shape)),
            ("31/12/1999 ", Err(FormatFault::Shape)),
            ("1999/12/31", Err(FormatFault::Shape)),
            ("", Err(FormatFault::Shape)),
        ] {
            assert_eq!(slash.read(text), expected, "{text}");
        }
        let short = shape("YYMMDD", "-");
        assert_eq!(
            short.read("700101"),
            Day::new(1970, 1, 1).ok_or(FormatFault::Shape)
        );
        assert_eq!(
            short.read("691231"),
            Day::new(2069, 12, 31).ok_or(FormatFault::Shape)
        );
        assert_eq!(short.read("1969-12-31"), Err(FormatFault::Year));
        assert_eq!(
            shape("MMM$DD$YYYY", " ").read("dEC 31 1999"),
            Day::new(1999, 12, 31).ok_or(FormatFault::Shape)
        );
    }
}

//! Dates in text: read by their format or as ISO 8601, written by their format.

use super::date_format::{DateFormat, Layout, Part, Separator};
use super::day::Day;
use super::digits::{pair, write_digits};
use super::fault::FormatFault;

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

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

    /// Whether a text that was [read](Self::read) is what [`write`](Self::write) makes of its day. It may be so where
    /// this says no.
    #[inline]
    pub fn is_own(self, text: &str) -> bool {
        self.is_own_bytes(text.as_bytes())
    }

    pub(super) fn is_own_bytes(self, text: &[u8]) -> bool {
        let layout = self.format.layout();
        if text.len() != layout.length || !self.has_separators(text, layout) {
            return false;
        }
        let month = &text[layout.month..];
        !layout.is_named || matches!(month, [b'A'..=b'Z', b'a'..=b'z', b'a'..=b'z', ..])
    }

    /// How many bytes a day has in this shape.
    pub(super) fn length(self) -> usize {
        self.format.layout().length
    }

    fn has_separators(self, text: &[u8], layout: &Layout) -> bool {
        let separator = self.separator.byte();
        layout
            .separators
            .is_none_or(|[one, two]| text[one] == separator && text[two] == separator)
    }

    /// Reads a date of this shape at the start of `text`: `None` when it is written differently,
    /// the day (or `None`, when the calendar does not have it) and the rest otherwise.
    pub(super) fn read_prefix(self, text: &[u8]) -> Option<(Option<Day>, &[u8])> {
        let layout = self.format.layout();
        let (head, rest) = text.split_at_checked(layout.length)?;
        if !self.has_separators(head, layout) {
            return None;
        }
        let two = |at: usize| pair(head[at], head[at + 1]);
        let day = two(layout.day)?;
        let month = if layout.is_named {
            month_name(&head[layout.month..layout.month + 3])?
        } else {
            two(layout.month)?
        };
        let year = match two(layout.year)? {
            short @ ..70 if layout.is_short => 2000 + short,
            short if layout.is_short => 1900 + short,
            hundreds => hundreds * 100 + two(layout.year + 2)?,
        };
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

/// The month whose name three letters are, in any case.
fn month_name(letters: &[u8]) -> Option<u16> {
    let &[one, two, three] = letters else {
        return None;
    };
    // this bit makes a letter small, and no letter of what is none
    Some(match &[one | 0x20, two | 0x20, three | 0x20] {
        b"jan" => 1,
        b"feb" => 2,
        b"mar" => 3,
        b"apr" => 4,
        b"may" => 5,
        b"jun" => 6,
        b"jul" => 7,
        b"aug" => 8,
        b"sep" => 9,
        b"oct" => 10,
        b"nov" => 11,
        b"dec" => 12,
        _ => return None,
    })
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
                    assert!(shape.is_own(&text), "{text} as {}", shape.label());
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
    fn what_is_written_otherwise_is_not_a_shapes_own() {
        for (format, separator, text) in [
            ("DD$MM$YYYY", "-", "1999-12-31"),
            ("MM$DD$YY", "-", "1999-12-31"),
            ("YYYYMMDD", "-", "1999-12-31"),
            ("DD$MMM$YYYY", " ", "31 DEC 1999"),
            ("DD$MMM$YYYY", " ", "31 dec 1999"),
            ("DD$MMM$YYYY", " ", "1999-12-31"),
            ("MMM$DD$YYYY", " ", "DeC 31 1999"),
        ] {
            let shape = shape(format, separator);
            assert!(shape.read(text).is_ok() && !shape.is_own(text), "{text}");
        }
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

//! A day of the calendar. No time zones, no arithmetic beyond the neighbouring day.

/// A real day of the Gregorian calendar, years 1 to 9999.
#[expect(clippy::struct_field_names, reason = "a day has a day")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    year: u16,
    month: u8,
    day: u8,
}

fn days_in(year: u16, month: u8) -> u8 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 31,
    }
}

impl Day {
    /// The day, if the calendar has it.
    pub fn new(year: u16, month: u16, day: u16) -> Option<Self> {
        let (month, day) = (u8::try_from(month).ok()?, u8::try_from(day).ok()?);
        let real = (1..=9999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_in(year, month)).contains(&day);
        real.then_some(Day { year, month, day })
    }

    /// The year, 1 to 9999.
    pub fn year(self) -> u16 {
        self.year
    }

    /// The month, 1 to 12.
    pub fn month(self) -> u8 {
        self.month
    }

    /// The day of the month, 1 to 31.
    pub fn day(self) -> u8 {
        self.day
    }

    /// The day after, unless the calendar ends.
    pub fn next(self) -> Option<Self> {
        let Day { year, month, day } = self;
        if day < days_in(year, month) {
            Some(Day {
                day: day + 1,
                ..self
            })
        } else if month < 12 {
            Some(Day {
                year,
                month: month + 1,
                day: 1,
            })
        } else {
            (year < 9999).then_some(Day {
                year: year + 1,
                month: 1,
                day: 1,
            })
        }
    }

    /// The day before, unless the calendar begins.
    pub fn previous(self) -> Option<Self> {
        let Day { year, month, day } = self;
        if day > 1 {
            Some(Day {
                day: day - 1,
                ..self
            })
        } else if month > 1 {
            Some(Day {
                year,
                month: month - 1,
                day: days_in(year, month - 1),
            })
        } else {
            (year > 1).then_some(Day {
                year: year - 1,
                month: 12,
                day: 31,
            })
        }
    }
}

//! The ten formats of dates, with their four separators, and where in a text each has its parts. It reads nothing.

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

/// A part of a date, in one of its widths.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Part {
    Day,
    Month,
    Name,
    Year,
    Short,
}

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
    pub const fn is_separated(self) -> bool {
        !matches!(self, F::ShortCompact | F::YearCompact)
    }

    pub(super) fn layout(self) -> &'static Layout {
        &LAYOUTS[self as usize]
    }

    pub(super) const fn parts(self) -> [Part; 3] {
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

    pub(super) fn byte(self) -> u8 {
        match self {
            Separator::Dash => b'-',
            Separator::Slash => b'/',
            Separator::Dot => b'.',
            Separator::Space => b' ',
        }
    }

    /// The separator with this text.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|separator| separator.name() == name)
    }
}

/// Where the parts of a format stand in a text: every format has a fixed length.
pub(super) struct Layout {
    pub(super) day: usize,
    pub(super) month: usize,
    pub(super) year: usize,
    pub(super) length: usize,
    /// Where separators stand, where the format has any.
    pub(super) separators: Option<[usize; 2]>,
    pub(super) is_named: bool,
    pub(super) is_short: bool,
}

impl Layout {
    const fn of(format: DateFormat) -> Self {
        let parts = format.parts();
        let gap = format.is_separated() as usize;
        let mut layout = Layout {
            day: 0,
            month: 0,
            year: 0,
            length: 0,
            separators: None,
            is_named: false,
            is_short: false,
        };
        let (mut at, mut index, mut separators) = (0, 0, [0; 2]);
        while index < parts.len() {
            if index > 0 {
                separators[index - 1] = at;
                at += gap;
            }
            at += match parts[index] {
                Part::Day => {
                    layout.day = at;
                    2
                }
                Part::Month => {
                    layout.month = at;
                    2
                }
                Part::Name => {
                    layout.month = at;
                    layout.is_named = true;
                    3
                }
                Part::Year => {
                    layout.year = at;
                    4
                }
                Part::Short => {
                    layout.year = at;
                    layout.is_short = true;
                    2
                }
            };
            index += 1;
        }
        layout.length = at;
        if gap > 0 {
            layout.separators = Some(separators);
        }
        layout
    }
}

/// The layouts, in the order of [`DateFormat::ALL`].
static LAYOUTS: [Layout; 10] = {
    let mut layouts = [const { Layout::of(F::YearCompact) }; 10];
    let mut index = 0;
    while index < layouts.len() {
        layouts[index] = Layout::of(F::ALL[index]);
        index += 1;
    }
    layouts
};

//! Days and times of records as cells of a sheet: numbers with the format of their field, by which a spreadsheet sorts, filters
//! and computes. What a sheet has no day for stays text.

use rust_xlsxwriter::{ExcelDateTime, Format};
use schema::format::{DateFormat, DateShape, Day, MomentShape, Separator, TimeFormat, TimeOfDay};
use schema::{DataType, Field};

/// The first day of which all spreadsheets say the same: before it, some have a 29th of February 1900.
const FIRST_DAY: (u16, u8) = (1900, 3);

/// How the days or times of a column are read, and how its cells show them.
pub(super) struct MomentCells {
    kind: Kind,
    pub(super) format: Format,
    /// How many characters a cell shows.
    pub(super) width: usize,
}

enum Kind {
    Day(DateShape),
    Moment(MomentShape),
    Time(TimeFormat),
}

impl MomentCells {
    /// Those of a field; none where its values are no days and no times, or several.
    pub(super) fn of(field: &Field) -> Option<Self> {
        if field.is_multivalue() {
            return None;
        }
        let date = DateShape::new(field.date_format, field.date_separator);
        let time = field.time_format.unwrap_or(TimeFormat::Seconds);
        let of_date = || date_format(field.date_format, field.date_separator);
        let (kind, format) = match field.data_type {
            DataType::Date => (Kind::Day(date), of_date()),
            DataType::Datetime => (
                Kind::Moment(MomentShape::new(date, field.time_format)),
                format!("{} {}", of_date(), time_format(time)),
            ),
            DataType::Time => (Kind::Time(time), time_format(time)),
            _ => return None,
        };
        Some(MomentCells {
            kind,
            width: format.len(),
            format: Format::new().set_num_format(format),
        })
    }

    /// A value as its cell has it; `None` where the sheet has none that would be read as the same.
    pub(super) fn cell(&self, text: &str) -> Option<ExcelDateTime> {
        let mut again = String::new();
        let cell = match self.kind {
            Kind::Day(shape) => {
                let day = shape.read(text).ok()?;
                shape.write(day, &mut again);
                of_day(day)?
            }
            Kind::Moment(shape) => {
                let moment = shape.read(text).ok()?;
                shape.write(moment, &mut again);
                let (hour, minute, second) = parts(moment.time);
                of_day(moment.day)?.and_hms(hour, minute, second).ok()?
            }
            Kind::Time(format) => {
                let time = format.read(text).ok()?;
                format.write(time, &mut again);
                let (hour, minute, second) = parts(time);
                ExcelDateTime::from_hms(hour, minute, second).ok()?
            }
        };
        (again == text).then_some(cell)
    }
}

fn of_day(day: Day) -> Option<ExcelDateTime> {
    let has_day = (day.year(), day.month()) >= FIRST_DAY;
    has_day.then(|| ExcelDateTime::from_ymd(day.year(), day.month(), day.day()).ok())?
}

fn parts(time: TimeOfDay) -> (u16, u8, u8) {
    (time.hour().into(), time.minute(), time.second())
}

/// A date format in the words of spreadsheets.
fn date_format(format: Option<DateFormat>, separator: Option<Separator>) -> String {
    let format = format.unwrap_or(DateFormat::YearMonthDay).name();
    // without the backslash, a slash is whatever the reader's country has between days and months
    let separator = format!("\\{}", separator.unwrap_or(Separator::Dash).name());
    format.to_ascii_lowercase().replace('$', &separator)
}

/// A time format in the words of spreadsheets.
fn time_format(format: TimeFormat) -> String {
    let format = format.name().to_ascii_lowercase();
    match format.strip_suffix(" a") {
        Some(format) => format!("{format} AM/PM"),
        None => format,
    }
}

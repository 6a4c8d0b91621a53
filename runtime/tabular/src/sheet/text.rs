//! The text of a sheet's cell, such as a CSV file would have it. It knows no field.
//!
//! | cell | text |
//! | - | - |
//! | the number 19.99, 7 | `19.99`, `7` |
//! | a day; a day with a time | `2020-02-29`; `2020-02-29T12:30:00` |
//! | a time; a moment of 1904-01-01 where days are counted from it | `12:30:00` |
//! | a duration of 36 hours | `36:00:00` |
//! | TRUE | `true` |

use crate::cells::{CellKind, CellText};
use calamine::{CellErrorType, DataRef, ExcelDateTime};
use std::borrow::Cow;

/// Days that a spreadsheet has dates for: to the end of the year 9999.
const DAYS_MAX: f64 = 2_958_466.0;
/// From where on not every whole number is a double (2^53).
pub(super) const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

/// What a cell holds.
///
/// # Errors
/// An error such as `#N/A`.
pub(super) fn of<'c>(value: &'c DataRef<'_>) -> Result<CellText<'c>, &'c CellErrorType> {
    let plain = CellKind::Plain;
    let (text, kind) = match value {
        DataRef::Error(error) => return Err(error),
        DataRef::Empty => (Cow::Borrowed(""), plain),
        DataRef::Int(number) => (number.to_string().into(), CellKind::Number),
        DataRef::Float(number) => (number_text(*number).into(), number_kind(*number)),
        DataRef::Bool(is_true) => (if *is_true { "true" } else { "false" }.into(), plain),
        DataRef::String(text) | DataRef::DurationIso(text) => (Cow::Borrowed(text.as_str()), plain),
        DataRef::SharedString(text) => (Cow::Borrowed(*text), plain),
        DataRef::DateTimeIso(text) => {
            let is_midnight = |time: &str| time.bytes().all(|byte| b"0:.Z".contains(&byte));
            let text = match text.split_once('T') {
                Some((day, time)) if is_midnight(time) => Cow::Borrowed(day),
                _ => Cow::Borrowed(text.as_str()),
            };
            (text, CellKind::Moment)
        }
        DataRef::DateTime(moment) => (moment_text(*moment).into(), moment_kind(*moment)),
    };
    Ok(CellText { text, kind })
}

/// What a number is that the library read as a double.
fn number_kind(number: f64) -> CellKind {
    if !number.is_finite() {
        CellKind::Infinite
    } else if number.abs() >= WHOLE_MAX {
        CellKind::Inexact
    } else {
        CellKind::Number
    }
}

fn moment_kind(moment: ExcelDateTime) -> CellKind {
    if is_first_day(moment) {
        return CellKind::FirstDay;
    }
    match number_kind(moment.as_f64()) {
        CellKind::Number if moment.is_datetime() => CellKind::Moment,
        CellKind::Number => CellKind::Plain,
        kind => kind,
    }
}

/// Whether a moment lies on the first day that a sheet counts from 1904 has. Others have no day before 1900-01-01, so that
/// what is less is a time.
fn is_first_day(moment: ExcelDateTime) -> bool {
    const FIRST_YEAR: u16 = 1904;
    let is_within = (0.0..1.0).contains(&moment.as_f64());
    is_within && moment.is_datetime() && moment.to_ymd_hms_milli().0 == FIRST_YEAR
}

/// The shortest digits that are the number.
fn number_text(number: f64) -> String {
    number.to_string()
}

fn moment_text(moment: ExcelDateTime) -> String {
    let days = moment.as_f64();
    if !(0.0..DAYS_MAX).contains(&days) {
        return number_text(days);
    }
    let (year, month, day, hour, minute, second, milli) = moment.to_ymd_hms_milli();
    let fraction = if milli > 0 {
        format!(".{milli:03}")
    } else {
        String::new()
    };
    let time = format!("{minute:02}:{second:02}{fraction}");
    if moment.is_duration() {
        // whole days, of which the components know nothing
        let hours = (days.trunc() * 24.0) + f64::from(hour);
        return format!("{hours:02}:{time}");
    }
    if days < 1.0 {
        return format!("{hour:02}:{time}");
    }
    let day = format!("{year:04}-{month:02}-{day:02}");
    if (hour, minute, second, milli) == (0, 0, 0, 0) {
        day
    } else {
        format!("{day}T{hour:02}:{time}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use calamine::ExcelDateTimeType::{DateTime, TimeDelta};

    fn shown(value: &DataRef<'_>) -> String {
        of(value).map_or_else(ToString::to_string, |text| text.text.into_owned())
    }

    #[test]
    fn cells_are_texts_that_their_fields_read() {
        let moment = |days, kind| DataRef::DateTime(ExcelDateTime::new(days, kind, false));
        for (cell, text) in [
            (DataRef::Float(7.0), "7"),
            (DataRef::Float(19.99), "19.99"),
            (DataRef::Float(-0.5), "-0.5"),
            (DataRef::Bool(true), "true"),
            (DataRef::SharedString(""), ""),
            (moment(43_890.0, DateTime), "2020-02-29"),
            (
                moment(43_890.520_833_333_336, DateTime),
                "2020-02-29T12:30:00",
            ),
            (moment(0.520_833_333_333_333_3, DateTime), "12:30:00"),
            (moment(60.0, DateTime), "1900-02-29"),
            (moment(1.5, TimeDelta), "36:00:00"),
            (moment(-1.0, DateTime), "-1"),
            (
                DataRef::DateTimeIso("2020-02-29T00:00:00".into()),
                "2020-02-29",
            ),
            (
                DataRef::DateTimeIso("2020-02-29T00:01:00".into()),
                "2020-02-29T00:01:00",
            ),
            (DataRef::Error(CellErrorType::NA), "#N/A"),
        ] {
            assert_eq!(shown(&cell), text, "{cell:?}");
        }
    }

    #[test]
    fn a_time_may_be_one_of_the_first_day_where_days_are_counted_from_1904() {
        for (days, kind, is_1904, is_first_day) in [
            (0.0, DateTime, true, true),
            (0.75, DateTime, true, true),
            (1.0, DateTime, true, false),
            (0.5, TimeDelta, true, false),
            (0.5, DateTime, false, false),
        ] {
            let cell = DataRef::DateTime(ExcelDateTime::new(days, kind, is_1904));
            let text = of(&cell).expect("a text");
            assert_eq!(text.kind == CellKind::FirstDay, is_first_day, "{cell:?}");
        }
    }
}

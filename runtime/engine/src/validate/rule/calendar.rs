//! What the rules of dates, times and both together share: bounds of anything ordered, and the way
//! between the calendar types of Rust programs and those of the formats.

use crate::validate::fault::Rule;
use crate::validate::judge::Judge;
use chrono::{Datelike, NaiveDate, NaiveTime, Timelike};
use schema::Bounds;
use schema::format::{Day, TimeFormat, TimeOfDay};

/// Judges the bounds of anything ordered; the texts of the bounds are made only when needed.
pub(super) fn in_bounds<V: PartialOrd + Copy>(
    value: V,
    bounds: Bounds<Option<V>>,
    text: impl Fn(V) -> String,
    to: &mut Judge<'_>,
) -> bool {
    match (bounds.min, bounds.max) {
        (Some(min), _) if value < min => to.fault(Rule::NotBefore(text(min))),
        (_, Some(max)) if value > max => to.fault(Rule::NotAfter(text(max))),
        _ => return true,
    }
    false
}

/// ISO form for a value that the field's format can't hold: readable, and refused by every judge.
pub(super) fn write_quoted(out: &mut String, value: &dyn std::fmt::Display) {
    schema::json::write_string(out, &value.to_string());
}

/// The day; `None` outside the years 1 to 9999.
pub(super) fn day_of(date: NaiveDate) -> Option<Day> {
    let part = |value: u32| u16::try_from(value).ok();
    Day::new(
        u16::try_from(date.year()).ok()?,
        part(date.month())?,
        part(date.day())?,
    )
}

/// The time, unless the format can't hold its seconds or fraction.
pub(super) fn time_of_day(
    time: NaiveTime,
    format: TimeFormat,
    to: &mut Judge<'_>,
) -> Option<TimeOfDay> {
    let part = |value: u32| u16::try_from(value).unwrap_or(u16::MAX);
    if time.second() != 0 && !format.has_seconds() {
        to.fault(Rule::SecondsHeld(format));
        return None;
    }
    if time.nanosecond() != 0 {
        to.fault(Rule::FractionHeld(format));
        return None;
    }
    TimeOfDay::new(part(time.hour()), part(time.minute()), part(time.second()))
}

/// The calendar type of a day that was read.
pub(crate) fn naive_date(day: Day) -> NaiveDate {
    NaiveDate::from_ymd_opt(day.year().into(), day.month().into(), day.day().into())
        .expect("a Day is a day of the Gregorian calendar")
}

/// The calendar type of a time that was read.
pub(crate) fn naive_time(time: TimeOfDay) -> NaiveTime {
    NaiveTime::from_hms_opt(
        time.hour().into(),
        time.minute().into(),
        time.second().into(),
    )
    .expect("a TimeOfDay is a time of the clock")
}

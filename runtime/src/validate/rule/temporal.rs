//! Dates, times and both together: the field's format or ISO 8601 in, the field's format out.

use super::{Judge, Sent, Slot, Value};
use crate::validate::fault::Rule;
use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, Timelike};
use schema::format::{DateShape, Day, FormatFault, Moment, MomentShape, TimeFormat, TimeOfDay};
use schema::{Bounds, Field};

/// Judges the bounds of anything ordered; the texts of the bounds are made only when needed.
fn in_bounds<V: PartialOrd + Copy>(
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

#[derive(Debug)]
pub(crate) struct Date {
    pub(crate) shape: DateShape,
    bounds: Bounds<Option<Day>>,
}

impl Date {
    pub(super) fn compile(field: &Field, bounds: Bounds<Option<Day>>) -> Self {
        Date {
            shape: field.date_shape(),
            bounds,
        }
    }

    pub(super) fn read(&self, sent: Sent<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        let Sent::Text(text, _) = sent else {
            to.fault(Rule::Date(self.shape));
            return None;
        };
        match self.shape.read(text) {
            Ok(day) => self.judge(day, to).then_some(Slot::Day(day)),
            Err(fault) => {
                to.fault(self.format_rule(fault));
                None
            }
        }
    }

    fn format_rule(&self, fault: FormatFault) -> Rule {
        match fault {
            FormatFault::Calendar => Rule::Calendar,
            FormatFault::Year => Rule::YearHeld(self.shape),
            _ => Rule::Date(self.shape),
        }
    }

    fn judge(&self, day: Day, to: &mut Judge<'_>) -> bool {
        let text = |day| {
            let mut text = String::new();
            self.shape.write(day, &mut text);
            text
        };
        in_bounds(day, self.bounds, text, to)
    }

    pub(super) fn judge_value(&self, value: &Value<'_>, to: &mut Judge<'_>) {
        let Value::Date(date) = value else {
            return to.fault(Rule::Date(self.shape));
        };
        match day_of(*date) {
            None => to.fault(Rule::Calendar),
            Some(day) if !self.shape.can_hold(day) => to.fault(Rule::YearHeld(self.shape)),
            Some(day) => {
                self.judge(day, to);
            }
        }
    }

    pub(super) fn write_value(&self, value: &Value<'_>, out: &mut String) {
        match value {
            Value::Date(date) => match day_of(*date).filter(|day| self.shape.can_hold(*day)) {
                Some(day) => {
                    out.push('"');
                    self.shape.write(day, out);
                    out.push('"');
                }
                None => write_quoted(out, date),
            },
            other => crate::validate::write::write_plain(other, out),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Time {
    pub(crate) format: TimeFormat,
    bounds: Bounds<Option<TimeOfDay>>,
}

impl Time {
    pub(super) fn compile(field: &Field, bounds: Bounds<Option<TimeOfDay>>) -> Self {
        Time {
            format: field.time_shape(),
            bounds,
        }
    }

    pub(super) fn read(&self, sent: Sent<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        let Sent::Text(text, _) = sent else {
            to.fault(Rule::Time(self.format));
            return None;
        };
        match self.format.read(text) {
            Ok(time) => self.judge(time, to).then_some(Slot::Time(time)),
            Err(FormatFault::Seconds) => {
                to.fault(Rule::SecondsHeld(self.format));
                None
            }
            Err(_) => {
                to.fault(Rule::Time(self.format));
                None
            }
        }
    }

    fn judge(&self, time: TimeOfDay, to: &mut Judge<'_>) -> bool {
        let text = |time| {
            let mut text = String::new();
            self.format.write(time, &mut text);
            text
        };
        in_bounds(time, self.bounds, text, to)
    }

    pub(super) fn judge_value(&self, value: &Value<'_>, to: &mut Judge<'_>) {
        let Value::Time(time) = value else {
            return to.fault(Rule::Time(self.format));
        };
        if let Some(time) = time_of_day(*time, self.format, to) {
            self.judge(time, to);
        }
    }

    pub(super) fn write_value(&self, value: &Value<'_>, out: &mut String) {
        match value {
            Value::Time(time) => match time_of_day(*time, self.format, &mut Judge::new(None)) {
                Some(time) => {
                    out.push('"');
                    self.format.write(time, out);
                    out.push('"');
                }
                None => write_quoted(out, time),
            },
            other => crate::validate::write::write_plain(other, out),
        }
    }
}

#[derive(Debug)]
pub(crate) struct DateTime {
    pub(crate) shape: MomentShape,
    bounds: Bounds<Option<Moment>>,
}

impl DateTime {
    pub(super) fn compile(field: &Field, bounds: Bounds<Option<Moment>>) -> Self {
        DateTime {
            shape: field.moment_shape(),
            bounds,
        }
    }

    pub(super) fn read(&self, sent: Sent<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        let Sent::Text(text, _) = sent else {
            to.fault(Rule::Datetime(self.shape));
            return None;
        };
        let fault = match self.shape.read(text) {
            Ok(moment) => return self.judge(moment, to).then_some(Slot::Moment(moment)),
            Err(FormatFault::Shape) => Rule::Datetime(self.shape),
            Err(FormatFault::Calendar) => Rule::Calendar,
            Err(FormatFault::Year) => Rule::YearHeld(self.shape.date),
            Err(FormatFault::Seconds) => Rule::SecondsHeld(self.shape.time),
            Err(FormatFault::Fraction) => Rule::FractionHeld(self.shape.time),
        };
        to.fault(fault);
        None
    }

    fn judge(&self, moment: Moment, to: &mut Judge<'_>) -> bool {
        let text = |moment| {
            let mut text = String::new();
            self.shape.write(moment, &mut text);
            text
        };
        in_bounds(moment, self.bounds, text, to)
    }

    fn moment_of(&self, value: NaiveDateTime, to: &mut Judge<'_>) -> Option<Moment> {
        let Some(day) = day_of(value.date()) else {
            to.fault(Rule::Calendar);
            return None;
        };
        if !self.shape.date.can_hold(day) {
            to.fault(Rule::YearHeld(self.shape.date));
            return None;
        }
        let time = time_of_day(value.time(), self.shape.time, to)?;
        Some(Moment { day, time })
    }

    pub(super) fn judge_value(&self, value: &Value<'_>, to: &mut Judge<'_>) {
        let Value::DateTime(value) = value else {
            return to.fault(Rule::Datetime(self.shape));
        };
        if let Some(moment) = self.moment_of(*value, to) {
            self.judge(moment, to);
        }
    }

    pub(super) fn write_value(&self, value: &Value<'_>, out: &mut String) {
        match value {
            Value::DateTime(value) => match self.moment_of(*value, &mut Judge::new(None)) {
                Some(moment) => {
                    out.push('"');
                    self.shape.write(moment, out);
                    out.push('"');
                }
                None => write_quoted(out, &value.format("%Y-%m-%dT%H:%M:%S%.f")),
            },
            other => crate::validate::write::write_plain(other, out),
        }
    }
}

/// ISO form for a value that the field's format can't hold: readable, and refused by every judge.
fn write_quoted(out: &mut String, value: &dyn std::fmt::Display) {
    schema::json::write_string(out, &value.to_string());
}

fn day_of(date: NaiveDate) -> Option<Day> {
    let part = |value: u32| u16::try_from(value).ok();
    Day::new(
        u16::try_from(date.year()).ok()?,
        part(date.month())?,
        part(date.day())?,
    )
}

/// The time, unless the format can't hold its seconds or fraction.
fn time_of_day(time: NaiveTime, format: TimeFormat, to: &mut Judge<'_>) -> Option<TimeOfDay> {
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

//! Dates, times and both, written as the field writes them or, now and then, in ISO form.

use super::quoted;
use crate::at::At;
use crate::chance::Chance;
use schema::Bounds;
use schema::format::{DateShape, Day, Moment, MomentShape, TimeFormat, TimeOfDay};

/// The dates or times of a field.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Moments {
    Date(DateShape, Bounds<Option<Day>>),
    Time(TimeFormat, Bounds<Option<TimeOfDay>>),
    Both(MomentShape, Bounds<Option<Moment>>),
}

impl Moments {
    pub(super) fn one(&self, at: At, chance: &mut dyn Chance) -> String {
        let mut out = String::new();
        let is_iso = at == At::Random && chance.below(4) == 3;
        match self {
            Moments::Date(shape, bounds) => {
                let day = bounded(*bounds, days(*shape), at, || day(*shape, chance));
                write_day(day, *shape, is_iso, &mut out);
            }
            Moments::Time(format, bounds) => {
                let time = bounded(*bounds, times(*format), at, || time(*format, chance));
                write_time(time, *format, is_iso, &mut out);
            }
            Moments::Both(shape, bounds) => {
                let (days, times) = (days(shape.date), times(shape.time));
                let ends = Bounds {
                    min: moment(days.min, times.min),
                    max: moment(days.max, times.max),
                };
                let random = || moment(day(shape.date, chance), time(shape.time, chance));
                let moment = bounded(*bounds, ends, at, random);
                if is_iso {
                    write_day(moment.day, shape.date, true, &mut out);
                    out.push('T');
                    write_time(moment.time, shape.time, true, &mut out);
                    out.push('Z');
                } else {
                    shape.write(moment, &mut out);
                }
            }
        }
        quoted(&out)
    }
}

fn moment(day: Day, time: TimeOfDay) -> Moment {
    Moment { day, time }
}

/// The value of `At`: a bound, that of the format where there is none, or a random one brought within.
fn bounded<V: Ord + Copy>(
    bounds: Bounds<Option<V>>,
    own: Bounds<V>,
    at: At,
    random: impl FnOnce() -> V,
) -> V {
    let (min, max) = (bounds.min.unwrap_or(own.min), bounds.max.unwrap_or(own.max));
    match at {
        At::Lowest => min,
        At::Highest => max,
        At::Random => random().max(min).min(max),
    }
}

/// The first and the last day that a format can hold.
fn days(shape: DateShape) -> Bounds<Day> {
    let (first, last) = if shape.format.is_short() {
        (1970, 2069)
    } else {
        (1, 9999)
    };
    Bounds {
        min: real(first, 1, 1),
        max: real(last, 12, 31),
    }
}

fn day(shape: DateShape, chance: &mut dyn Chance) -> Day {
    let years = if shape.format.is_short() { 60 } else { 130 };
    let mut part = |count| u16::try_from(chance.below(count)).unwrap_or_default();
    let (year, month, day) = (part(years), part(12), part(28));
    real(
        if shape.format.is_short() {
            1970 + year
        } else {
            2000_u16.saturating_sub(year)
        },
        1 + month,
        1 + day,
    )
}

fn real(year: u16, month: u16, day: u16) -> Day {
    Day::new(year, month, day).expect("a day that every year has")
}

/// The first and the last time that a format can hold.
fn times(format: TimeFormat) -> Bounds<TimeOfDay> {
    let last = if format.has_seconds() { 59 } else { 0 };
    Bounds {
        min: clock(0, 0, 0),
        max: clock(23, 59, last),
    }
}

fn time(format: TimeFormat, chance: &mut dyn Chance) -> TimeOfDay {
    let mut part = |count| u16::try_from(chance.below(count)).unwrap_or_default();
    let (hour, minute) = (part(24), part(60));
    let second = if format.has_seconds() { part(60) } else { 0 };
    clock(hour, minute, second)
}

fn clock(hour: u16, minute: u16, second: u16) -> TimeOfDay {
    TimeOfDay::new(hour, minute, second).expect("a time that every day has")
}

fn write_day(day: Day, shape: DateShape, is_iso: bool, out: &mut String) {
    let shape = if is_iso {
        DateShape::new(None, None)
    } else {
        shape
    };
    shape.write(day, out);
}

fn write_time(time: TimeOfDay, format: TimeFormat, is_iso: bool, out: &mut String) {
    let format = if is_iso { TimeFormat::Seconds } else { format };
    format.write(time, out);
}

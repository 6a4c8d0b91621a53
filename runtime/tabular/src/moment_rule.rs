//! How a field has days and times as its own format says. Of what a file says of them it knows nothing.

use schema::format::{DateShape, Day, Moment, MomentShape, TimeFormat, TimeOfDay};
use schema::{DataType, Field};

/// What a field has: days, times of days, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MomentKind {
    Day,
    Time,
    Moment,
}

/// How a field reads days and times.
#[derive(Clone, Debug)]
pub(crate) struct MomentRule {
    pub(crate) kind: MomentKind,
    date: DateShape,
    time: TimeFormat,
}

impl MomentRule {
    pub(crate) fn of(field: &Field) -> Option<Self> {
        let kind = match field.data_type {
            DataType::Date => MomentKind::Day,
            DataType::Time => MomentKind::Time,
            DataType::Datetime => MomentKind::Moment,
            _ => return None,
        };
        Some(MomentRule {
            kind,
            date: DateShape::new(field.date_format, field.date_separator),
            time: field.time_format.unwrap_or(TimeFormat::Seconds),
        })
    }

    /// Whether the field itself reads a text.
    pub(crate) fn reads(&self, text: &str) -> bool {
        self.value(text).is_some()
    }

    /// The day, the time or both that the field itself reads a text as.
    pub(crate) fn value(&self, text: &str) -> Option<(Option<Day>, Option<TimeOfDay>)> {
        Some(match self.kind {
            MomentKind::Day => (Some(self.date.read(text).ok()?), None),
            MomentKind::Time => (None, Some(self.time.read(text).ok()?)),
            MomentKind::Moment => {
                let shape = MomentShape::new(self.date, Some(self.time));
                let Moment { day, time } = shape.read(text).ok()?;
                (Some(day), Some(time))
            }
        })
    }
}

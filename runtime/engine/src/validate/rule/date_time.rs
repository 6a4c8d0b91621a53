//! Dates with a time: the field's formats or ISO 8601 in, offsets turned to UTC, the field's formats out.
//!
//! ```text
//! {"dataType": "datetime", "timeFormat": "HH:mm"}
//! "2020-12-31T23:30-01:00"  is stored as "2021-01-01 00:30"
//! "2020-12-31T23:30:15Z"    must have no seconds, because HH:mm cannot hold them
//! ```

use super::calendar::{day_of, in_bounds, time_of_day, write_quoted};
use super::plain::write_plain;
use super::scalar::Scalar;
use crate::validate::fault::Rule;
use crate::validate::judge::Judge;
use crate::validate::slot::Slot;
use crate::value::Value;
use chrono::NaiveDateTime;
use schema::format::{FormatFault, Moment, MomentShape};
use schema::{Bounds, Field};

#[derive(Debug)]
pub(crate) struct DateTimeRule {
    pub(crate) shape: MomentShape,
    bounds: Bounds<Option<Moment>>,
}

impl DateTimeRule {
    pub(super) fn compile(field: &Field, bounds: Bounds<Option<Moment>>) -> Self {
        DateTimeRule {
            shape: field.moment_shape(),
            bounds,
        }
    }

    pub(super) fn read(&self, scalar: Scalar<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        let Scalar::Text(text, _) = scalar else {
            to.fault(Rule::Datetime(self.shape));
            return None;
        };
        let fault = match self.shape.read(text) {
            Ok(moment) => {
                let holds = self.judge(moment, to);
                return holds.then(|| to.sent(Slot::Moment(moment), self.shape.is_own(text)));
            }
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
            other => write_plain(other, out),
        }
    }
}

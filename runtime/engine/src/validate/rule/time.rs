//! Times of day: the field's format or ISO 8601 in, the field's format out.
//!
//! ```text
//! {"dataType": "time", "timeFormat": "hh:mm a"}
//! "17:05"  is stored as "05:05 pm"
//! "24:00"  must be a time as hh:mm a, HH:mm:ss or HH:mm
//! ```

use super::calendar::{in_bounds, time_of_day, write_quoted};
use super::plain::write_plain;
use super::scalar::Scalar;
use crate::validate::fault::Rule;
use crate::validate::judge::Judge;
use crate::validate::slot::Slot;
use crate::value::Value;
use schema::format::{FormatFault, TimeFormat, TimeOfDay};
use schema::{Bounds, Field};

#[derive(Debug)]
pub(crate) struct TimeRule {
    pub(crate) format: TimeFormat,
    bounds: Bounds<Option<TimeOfDay>>,
}

impl TimeRule {
    pub(super) fn compile(field: &Field, bounds: Bounds<Option<TimeOfDay>>) -> Self {
        TimeRule {
            format: field.time_shape(),
            bounds,
        }
    }

    pub(super) fn read(&self, scalar: Scalar<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        let Scalar::Text(text, _) = scalar else {
            to.fault(Rule::Time(self.format));
            return None;
        };
        match self.format.read(text) {
            Ok(time) => {
                let holds = self.judge(time, to);
                holds.then(|| to.sent(Slot::Time(time), self.format.is_own(text)))
            }
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
            other => write_plain(other, out),
        }
    }
}

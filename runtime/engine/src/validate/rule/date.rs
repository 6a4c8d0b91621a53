//! Dates: the field's format or ISO 8601 in, the field's format out.
//!
//! ```text
//! {"dataType": "date", "dateFormat": "DD$MM$YYYY", "dateSeparator": ".", "max": "2020-12-31"}
//! "2020-02-29"  is stored as "29.02.2020"
//! "31.04.2020"  must be a day that exists
//! "01.01.2021"  must be 31.12.2020 or earlier
//! ```

use super::calendar::{day_of, in_bounds, write_quoted};
use super::plain::write_plain;
use super::scalar::Scalar;
use crate::validate::fault::Rule;
use crate::validate::judge::Judge;
use crate::validate::slot::Slot;
use crate::value::Value;
use schema::format::{DateShape, Day, FormatFault};
use schema::{Bounds, Field};

#[derive(Debug)]
pub(crate) struct DateRule {
    pub(crate) shape: DateShape,
    bounds: Bounds<Option<Day>>,
}

impl DateRule {
    pub(super) fn compile(field: &Field, bounds: Bounds<Option<Day>>) -> Self {
        DateRule {
            shape: field.date_shape(),
            bounds,
        }
    }

    pub(super) fn read(&self, scalar: Scalar<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        let Scalar::Text(text, _) = scalar else {
            to.fault(Rule::Date(self.shape));
            return None;
        };
        match self.shape.read(text) {
            Ok(day) => {
                let holds = self.judge(day, to);
                holds.then(|| to.sent(Slot::Day(day), self.shape.is_own(text)))
            }
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
            other => write_plain(other, out),
        }
    }
}

//! Whole numbers, read from their token and never by way of a double.
//!
//! ```text
//! {"dataType": "integer", "min": 1, "max": 12}
//! 70e-1  is stored as 7
//! "7"    must be a whole number
//! 13     must be at most 12
//! ```

use super::scalar::Scalar;
use crate::validate::fault::{Limit, Rule};
use crate::validate::judge::Judge;
use crate::validate::slot::Slot;
use crate::value::Value;
use schema::{Bounds, NotWhole, Number, PlainNumber};

#[derive(Debug)]
pub(crate) struct WholeRule {
    bounds: Bounds<i64>,
}

impl WholeRule {
    pub(super) fn compile(bounds: Bounds<i64>) -> Self {
        WholeRule { bounds }
    }

    #[inline]
    pub(super) fn read(&self, scalar: Scalar<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        let Scalar::Number(token) = scalar else {
            to.fault(Rule::Integer);
            return None;
        };
        let value = match Number::of(token).to_i64() {
            Ok(value) => value,
            Err(NotWhole::Fraction) => {
                to.fault(Rule::Integer);
                return None;
            }
            // beyond every i64 is beyond the bound
            Err(NotWhole::Below) => {
                to.fault(Rule::Min(Limit::Integer(self.bounds.min)));
                return None;
            }
            Err(NotWhole::Above) => {
                to.fault(Rule::Max(Limit::Integer(self.bounds.max)));
                return None;
            }
        };
        self.judge(value, to).then_some(Slot::Integer(value))
    }

    /// A number within the bounds that is stored as it was sent; `None` otherwise.
    #[inline]
    pub(super) fn read_plain(&self, number: PlainNumber, to: &mut Judge<'_>) -> Option<Slot> {
        let value = number.to_i64()?;
        let holds = value >= self.bounds.min && value <= self.bounds.max;
        holds.then(|| to.sent(Slot::Integer(value), true))
    }

    #[inline]
    pub(super) fn judge(&self, value: i64, to: &mut Judge<'_>) -> bool {
        if value < self.bounds.min {
            to.fault(Rule::Min(Limit::Integer(self.bounds.min)));
        } else if value > self.bounds.max {
            to.fault(Rule::Max(Limit::Integer(self.bounds.max)));
        } else {
            return true;
        }
        false
    }

    pub(super) fn judge_value(&self, value: &Value<'_>, to: &mut Judge<'_>) {
        match value {
            Value::Integer(value) => {
                self.judge(*value, to);
            }
            _ => to.fault(Rule::Integer),
        }
    }
}

//! Doubles and coordinates: finite ones only.
//!
//! ```text
//! {"dataType": "latitude"}
//! 48.10  is stored as 48.1
//! 90.5   must be at most 90
//! 1e999  must be a number that a 64-bit float can hold
//! ```

use super::scalar::Scalar;
use crate::validate::fault::{Limit, Rule};
use crate::validate::judge::Judge;
use crate::validate::slot::Slot;
use crate::value::Value;
use schema::{Bounds, Number, PlainNumber};

#[derive(Debug)]
pub(crate) struct FloatRule {
    bounds: Bounds<f64>,
}

impl FloatRule {
    pub(super) fn compile(bounds: Bounds<f64>) -> Self {
        FloatRule { bounds }
    }

    #[inline]
    pub(super) fn read(&self, scalar: Scalar<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        let Scalar::Number(token) = scalar else {
            to.fault(Rule::Float);
            return None;
        };
        let Some(value) = Number::of_double(token) else {
            to.fault(Rule::Finite);
            return None;
        };
        self.judge(value, to).then_some(Slot::Float(value))
    }

    /// A number within the bounds whose double one division gives; `None` otherwise.
    #[inline]
    pub(super) fn read_plain(&self, number: PlainNumber, to: &mut Judge<'_>) -> Option<Slot> {
        let value = number.to_f64()?;
        let holds = value >= self.bounds.min && value <= self.bounds.max;
        holds.then(|| to.sent(Slot::Float(value), number.is_shortest_double(value)))
    }

    #[inline]
    fn judge(&self, value: f64, to: &mut Judge<'_>) -> bool {
        if !value.is_finite() {
            to.fault(Rule::Finite);
        } else if value < self.bounds.min {
            to.fault(Rule::Min(Limit::Float(self.bounds.min)));
        } else if value > self.bounds.max {
            to.fault(Rule::Max(Limit::Float(self.bounds.max)));
        } else {
            return true;
        }
        false
    }

    pub(super) fn judge_value(&self, value: &Value<'_>, to: &mut Judge<'_>) {
        match value {
            Value::Float(value) => {
                self.judge(*value, to);
            }
            _ => to.fault(Rule::Float),
        }
    }
}

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
use schema::{Bounds, NotWhole, Number};

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
        let value = match short_whole(token).map_or_else(|| Number::of(token).to_i64(), Ok) {
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

/// The value of a token of up to 18 plain digits: nearly every whole number there is.
#[inline]
pub(super) fn short_whole(token: &str) -> Option<i64> {
    let digits = token.strip_prefix('-').unwrap_or(token);
    if digits.len() > 18 {
        return None;
    }
    let value = digits.bytes().try_fold(0_i64, |sum, byte| {
        byte.is_ascii_digit()
            .then(|| sum * 10 + i64::from(byte - b'0'))
    })?;
    Some(if digits.len() < token.len() {
        -value
    } else {
        value
    })
}

//! Numbers: whole ones, doubles and money. Read from their token; a double only where the type is one.

use super::{Judge, Sent, Slot, Value};
use crate::validate::fault::{Limit, Rule};
use schema::{Bounds, Hundredths, NotHundredths, NotWhole, Number};

#[derive(Debug)]
pub(crate) struct Whole {
    bounds: Bounds<i64>,
}

impl Whole {
    pub(super) fn compile(bounds: Bounds<i64>) -> Self {
        Whole { bounds }
    }

    #[inline]
    pub(super) fn read(&self, sent: Sent<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        let Sent::Number(token) = sent else {
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

#[derive(Debug)]
pub(crate) struct Float {
    bounds: Bounds<f64>,
}

impl Float {
    pub(super) fn compile(bounds: Bounds<f64>) -> Self {
        Float { bounds }
    }

    #[inline]
    pub(super) fn read(&self, sent: Sent<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        let Sent::Number(token) = sent else {
            to.fault(Rule::Float);
            return None;
        };
        let Some(value) = Number::of_double(token) else {
            to.fault(Rule::Finite);
            return None;
        };
        self.judge(value, to).then_some(Slot::Float(value))
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

#[derive(Debug)]
pub(crate) struct Money {
    bounds: Bounds<Hundredths>,
}

impl Money {
    pub(super) fn compile(bounds: Bounds<Hundredths>) -> Self {
        Money { bounds }
    }

    #[inline]
    pub(super) fn read(&self, sent: Sent<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        let Sent::Number(token) = sent else {
            to.fault(Rule::Float);
            return None;
        };
        let amount = match Number::of(token).to_hundredths() {
            Ok(amount) => amount,
            Err(NotHundredths::Decimals) => {
                to.fault(Rule::Decimals);
                return None;
            }
            Err(NotHundredths::Below) => {
                to.fault(Rule::Min(Limit::Money(self.bounds.min)));
                return None;
            }
            Err(NotHundredths::Above) => {
                to.fault(Rule::Max(Limit::Money(self.bounds.max)));
                return None;
            }
        };
        self.judge(amount, to).then(|| Slot::money(amount))
    }

    fn judge(&self, amount: Hundredths, to: &mut Judge<'_>) -> bool {
        if amount < self.bounds.min {
            to.fault(Rule::Min(Limit::Money(self.bounds.min)));
        } else if amount > self.bounds.max {
            to.fault(Rule::Max(Limit::Money(self.bounds.max)));
        } else {
            return true;
        }
        false
    }

    pub(super) fn judge_value(&self, value: &Value<'_>, to: &mut Judge<'_>) {
        let Value::Decimal(decimal) = value else {
            to.fault(Rule::Float);
            return;
        };
        let decimal = decimal.normalize();
        let factor = match decimal.scale() {
            0 => 100,
            1 => 10,
            2 => 1,
            _ => return to.fault(Rule::Decimals),
        };
        // INVARIANT: 96 bits times 100 fit into 128
        let digits = decimal.mantissa();
        match Hundredths::new(digits * factor) {
            Some(amount) => {
                self.judge(amount, to);
            }
            None if digits < 0 => to.fault(Rule::Min(Limit::Money(self.bounds.min))),
            None => to.fault(Rule::Max(Limit::Money(self.bounds.max))),
        }
    }
}

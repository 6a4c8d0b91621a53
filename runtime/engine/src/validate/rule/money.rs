//! Amounts of money: at most two decimals, read from their token and exact to the cent.
//!
//! ```text
//! {"dataType": "currency", "min": 0}
//! 1.50   is stored as 1.5
//! 1.005  must have at most 2 decimals
//! -1     must be at least 0
//! ```

use super::scalar::Scalar;
use crate::validate::fault::{Limit, Rule};
use crate::validate::judge::Judge;
use crate::validate::slot::Slot;
use crate::value::Value;
use schema::{Bounds, Hundredths, NotHundredths, Number};

#[derive(Debug)]
pub(crate) struct MoneyRule {
    bounds: Bounds<Hundredths>,
}

impl MoneyRule {
    pub(super) fn compile(bounds: Bounds<Hundredths>) -> Self {
        MoneyRule { bounds }
    }

    #[inline]
    pub(super) fn read(&self, scalar: Scalar<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        let Scalar::Number(token) = scalar else {
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

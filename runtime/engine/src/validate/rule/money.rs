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
use schema::{Bounds, Hundredths, NotHundredths, Number, PlainNumber};

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

    /// An amount within the bounds that is written with at most two decimals; `None` otherwise.
    #[inline]
    pub(super) fn read_plain(&self, number: PlainNumber, to: &mut Judge<'_>) -> Option<Slot> {
        let amount = number.to_hundredths()?;
        let holds = amount >= self.bounds.min && amount <= self.bounds.max;
        holds.then(|| to.sent(Slot::money(amount), number.is_shortest()))
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

/// Appends the stored form of an amount of up to 64 bits, as `Hundredths::write` does; false for others.
#[inline]
pub(crate) fn write_short_money(hundredths: i128, out: &mut String) -> bool {
    let Ok(amount) = i64::try_from(hundredths) else {
        return false;
    };
    let (units, rest) = (amount.unsigned_abs() / 100, amount.unsigned_abs() % 100);
    if amount < 0 {
        out.push('-');
    }
    out.push_str(itoa::Buffer::new().format(units));
    if rest > 0 {
        // INVARIANT: below a hundred
        let [tens, ones] =
            [rest / 10, rest % 10].map(|digit| b'0' + u8::try_from(digit).unwrap_or_default());
        out.push('.');
        out.push(char::from(tens));
        if ones != b'0' {
            out.push(char::from(ones));
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn short_amounts_are_written_as_long_ones(
            token in "-?(0|[1-9][0-9]{0,17})(\\.[0-9]{1,4})?([eE][+-]?[0-9]{1,2})?"
        ) {
            if let Ok(amount) = Number::of(&token).to_hundredths() {
                let (mut long, mut short) = (String::new(), String::new());
                amount.write(&mut long);
                if write_short_money(amount.get(), &mut short) {
                    prop_assert_eq!(short, long);
                }
            }
        }
    }
}

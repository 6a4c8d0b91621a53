//! Parts of dates: a year, a month, a day of the month, each alone.
//!
//! ```text
//! {"dataType": "date-month"}
//! "03"     is stored as 3
//! 13       must be at most 12
//! "March"  must be a month: a whole number or a string of 1 or 2 digits
//! ```

use super::scalar::Scalar;
use super::whole::WholeRule;
use crate::validate::fault::Rule;
use crate::validate::judge::Judge;
use crate::validate::slot::Slot;
use crate::value::Value;
use schema::{Bounds, DataType, Field, NotWhole, Number};

#[derive(Debug)]
pub(crate) struct DatePartRule {
    data_type: DataType,
    bounds: WholeRule,
}

impl DatePartRule {
    pub(super) fn compile(field: &Field, bounds: Bounds<i64>) -> Self {
        DatePartRule {
            data_type: field.data_type,
            bounds: WholeRule::compile(bounds),
        }
    }

    pub(super) fn read(&self, scalar: Scalar<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        let value = match scalar {
            Scalar::Number(token) => Number::of(token).to_i64(),
            Scalar::Text(text, _) if self.is_shaped(text) => {
                text.parse().map_err(|_| NotWhole::Fraction)
            }
            Scalar::Bool(_) | Scalar::Text(..) => Err(NotWhole::Fraction),
        };
        let value = match value {
            Ok(value) => value,
            Err(NotWhole::Below) => i64::MIN,
            Err(NotWhole::Above) => i64::MAX,
            Err(NotWhole::Fraction) => {
                to.fault(self.type_rule());
                return None;
            }
        };
        self.bounds.judge(value, to).then_some(Slot::Integer(value))
    }

    fn is_shaped(&self, text: &str) -> bool {
        let lengths = if self.data_type == DataType::DateYear {
            4..=4
        } else {
            1..=2
        };
        lengths.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    }

    fn type_rule(&self) -> Rule {
        match self.data_type {
            DataType::DateMonth => Rule::Month,
            DataType::DateDay => Rule::Day,
            _ => Rule::Year,
        }
    }

    pub(super) fn judge_value(&self, value: &Value<'_>, to: &mut Judge<'_>) {
        match value {
            Value::Integer(value) => {
                self.bounds.judge(*value, to);
            }
            _ => to.fault(self.type_rule()),
        }
    }
}

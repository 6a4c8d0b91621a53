//! Parts of dates: a year, a month, a day of the month, each alone.

use super::number::{Whole, short_whole};
use super::{Judge, Sent, Slot, Value};
use crate::validate::fault::Rule;
use schema::{Bounds, DataType, Field, NotWhole, Number};

#[derive(Debug)]
pub(crate) struct DatePart {
    data_type: DataType,
    bounds: Whole,
}

impl DatePart {
    pub(super) fn compile(field: &Field, bounds: Bounds<i64>) -> Self {
        DatePart {
            data_type: field.data_type,
            bounds: Whole::compile(bounds),
        }
    }

    pub(super) fn read(&self, sent: Sent<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        let value = match sent {
            Sent::Number(token) => Number::of(token).to_i64(),
            Sent::Text(text, _) if self.is_shaped(text) => {
                short_whole(text).ok_or(NotWhole::Fraction)
            }
            Sent::Bool(_) | Sent::Text(..) => Err(NotWhole::Fraction),
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

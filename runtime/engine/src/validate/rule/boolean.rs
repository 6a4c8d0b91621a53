//! True and false, and the words a field may accept for them.
//!
//! ```text
//! {"dataType": "boolean", "allowedBooleanValues": "Y/N"}
//! "Y"    is stored as true
//! "yes"  must be true, false, Y or N
//! ```

use super::scalar::Scalar;
use crate::validate::fault::Rule;
use crate::validate::judge::Judge;
use crate::validate::slot::Slot;
use crate::value::Value;
use schema::format::BooleanWords;
use schema::{Field, Number};

#[derive(Debug)]
pub(crate) struct BooleanRule {
    words: Option<BooleanWords>,
}

impl BooleanRule {
    pub(super) fn compile(field: &Field) -> Self {
        BooleanRule {
            words: field.boolean_words,
        }
    }

    pub(super) fn read(&self, scalar: Scalar<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        let value = match scalar {
            Scalar::Bool(value) => Some(value),
            Scalar::Text(text, _) => self.words.and_then(|words| words.read(text)),
            Scalar::Number(token) if self.words == Some(BooleanWords::Digits) => {
                match Number::of(token).to_i64() {
                    Ok(0) => Some(false),
                    Ok(1) => Some(true),
                    _ => None,
                }
            }
            Scalar::Number(_) => None,
        };
        if value.is_none() {
            to.fault(Rule::Boolean(self.words));
        }
        value.map(|value| to.sent(Slot::Bool(value), matches!(scalar, Scalar::Bool(_))))
    }

    pub(super) fn judge_value(&self, value: &Value<'_>, to: &mut Judge<'_>) {
        if !matches!(value, Value::Bool(_)) {
            to.fault(Rule::Boolean(self.words));
        }
    }
}

//! True and false, and the words a field may accept for them.

use super::{Judge, Sent, Slot, Value};
use crate::validate::fault::Rule;
use schema::format::BooleanWords;
use schema::{Field, Number};

#[derive(Debug)]
pub(crate) struct Boolean {
    words: Option<BooleanWords>,
}

impl Boolean {
    pub(super) fn compile(field: &Field) -> Self {
        Boolean {
            words: field.boolean_words,
        }
    }

    pub(super) fn read(&self, sent: Sent<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        let value = match sent {
            Sent::Bool(value) => Some(value),
            Sent::Text(text, _) => self.words.and_then(|words| words.read(text)),
            Sent::Number(token) if self.words == Some(BooleanWords::Digits) => {
                match Number::of(token).to_i64() {
                    Ok(0) => Some(false),
                    Ok(1) => Some(true),
                    _ => None,
                }
            }
            Sent::Number(_) => None,
        };
        if value.is_none() {
            to.fault(Rule::Boolean(self.words));
        }
        value.map(Slot::Bool)
    }

    pub(super) fn judge_value(&self, value: &Value<'_>, to: &mut Judge<'_>) {
        if !matches!(value, Value::Bool(_)) {
            to.fault(Rule::Boolean(self.words));
        }
    }
}

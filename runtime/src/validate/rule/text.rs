//! Free text, e-mail and web addresses: a form, a length, and the rule `alphanumeric`.

use super::{Judge, Sent, Slot, Value};
use crate::validate::fault::Rule;
use crate::value::{is_email, is_url};
use schema::{Bounds, DataType, Field};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Any,
    Email,
    Url,
}

#[derive(Debug)]
pub(crate) struct Text {
    form: Form,
    length: Bounds<u64>,
    alphanumeric: bool,
}

impl Text {
    pub(super) fn compile(field: &Field, length: Bounds<u64>) -> Self {
        let form = match field.data_type {
            DataType::Email => Form::Email,
            DataType::Url => Form::Url,
            _ => Form::Any,
        };
        Text {
            form,
            length,
            alphanumeric: field.is_alphanumeric(),
        }
    }

    /// Whether blank text is a value of its own, kept as sent.
    pub(crate) fn keeps_blank(&self) -> bool {
        self.form == Form::Any
    }

    #[inline]
    pub(super) fn read(&self, sent: Sent<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        match sent {
            Sent::Text(text, piece) => self.judge(text, false, to).then_some(Slot::Text(piece)),
            Sent::Bool(_) | Sent::Number(_) => {
                to.fault(self.type_rule());
                None
            }
        }
    }

    fn type_rule(&self) -> Rule {
        match self.form {
            Form::Any => Rule::String,
            Form::Email => Rule::Email,
            Form::Url => Rule::Url,
        }
    }

    /// `proven`: the value's Rust type has already established the form.
    #[inline]
    fn judge(&self, text: &str, proven: bool, to: &mut Judge<'_>) -> bool {
        let formed = proven
            || match self.form {
                Form::Any => true,
                Form::Email => is_email(text),
                Form::Url => is_url(text),
            };
        if !formed {
            to.fault(self.type_rule());
            return false;
        }
        let before = to.faults.len();
        // a text has at most as many characters as bytes and at least a quarter of them
        let bytes = text.len() as u64;
        if bytes > self.length.max || bytes / 4 < self.length.min {
            let length = text.chars().count() as u64;
            if length < self.length.min {
                to.fault(Rule::MinLength(self.length.min));
            }
            if length > self.length.max {
                to.fault(Rule::MaxLength(self.length.max));
            }
        }
        if self.alphanumeric && !text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            to.fault(Rule::Alphanumeric);
        }
        to.faults.len() == before
    }

    pub(super) fn judge_value(&self, value: &Value<'_>, to: &mut Judge<'_>) {
        match value {
            Value::Text(text) => self.judge(text, false, to),
            Value::Email(text) => self.judge(text, self.form == Form::Email, to),
            Value::Url(text) => self.judge(text, self.form == Form::Url, to),
            _ => {
                to.fault(self.type_rule());
                false
            }
        };
    }
}

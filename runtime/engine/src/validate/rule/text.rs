//! Free text, e-mail and web addresses: a form, a length, and the rule `alphanumeric`.
//!
//! ```text
//! {"dataType": "string", "validationRules": ["alphanumeric"], "max": 3}
//! "C1"    is stored as "C1"
//! "C-1"   must have only letters A to Z, a to z and digits 0 to 9
//! "C123"  must have at most 3 characters
//!
//! {"dataType": "email"}
//! "ada@example.org"  is stored as "ada@example.org"
//! "ada@localhost"    must be an e-mail address
//! ```

use super::scalar::Scalar;
use crate::validate::fault::Rule;
use crate::validate::judge::Judge;
use crate::validate::slot::Slot;
use crate::value::{Value, is_email, is_url};
use schema::{Bounds, DataType, Field};

#[derive(Clone, Copy, Debug, PartialEq)]
enum TextForm {
    Any,
    Email,
    Url,
}

#[derive(Debug)]
pub(crate) struct TextRule {
    form: TextForm,
    length: Bounds<u64>,
    alphanumeric: bool,
}

impl TextRule {
    pub(super) fn compile(field: &Field, length: Bounds<u64>) -> Self {
        let form = match field.data_type {
            DataType::Email => TextForm::Email,
            DataType::Url => TextForm::Url,
            _ => TextForm::Any,
        };
        TextRule {
            form,
            length,
            alphanumeric: field.is_alphanumeric(),
        }
    }

    /// Whether blank text is a value of its own, kept as sent.
    pub(crate) fn keeps_blank(&self) -> bool {
        self.form == TextForm::Any
    }

    #[inline]
    pub(super) fn read(&self, scalar: Scalar<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        match scalar {
            Scalar::Text(text, piece) => {
                let holds = self.judge(text, false, to);
                holds.then(|| to.sent(Slot::Text(piece), true))
            }
            Scalar::Bool(_) | Scalar::Number(_) => {
                to.fault(self.type_rule());
                None
            }
        }
    }

    fn type_rule(&self) -> Rule {
        match self.form {
            TextForm::Any => Rule::String,
            TextForm::Email => Rule::Email,
            TextForm::Url => Rule::Url,
        }
    }

    /// `proven`: the value's Rust type has already established the form.
    #[inline]
    fn judge(&self, text: &str, proven: bool, to: &mut Judge<'_>) -> bool {
        let formed = proven
            || match self.form {
                TextForm::Any => true,
                TextForm::Email => is_email(text),
                TextForm::Url => is_url(text),
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
            Value::Email(text) => self.judge(text, self.form == TextForm::Email, to),
            Value::Url(text) => self.judge(text, self.form == TextForm::Url, to),
            _ => {
                to.fault(self.type_rule());
                false
            }
        };
    }
}

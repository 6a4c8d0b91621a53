//! Phone numbers: stored without the punctuation they were written with.
//!
//! ```text
//! {"dataType": "phone"}
//! "+49 (30) 123-456"  is stored as "+4930123456"
//! "+49 (0)30 123456"  is stored as "+4930123456"
//! "+49 (030) 123456"  is stored as "+4930123456"
//! "+39 (0)6 1234567"  is stored as "+39061234567"
//! "030 123456"        must be a phone number: + and 7 to 15 digits
//! ```

use super::plain::write_plain;
use super::scalar::Scalar;
use crate::validate::fault::Rule;
use crate::validate::judge::Judge;
use crate::validate::slot::Slot;
use crate::value::{Value, is_phone, write_phone};

#[derive(Debug)]
pub(crate) struct PhoneRule;

#[expect(clippy::unused_self, reason = "every family has the same anatomy")]
impl PhoneRule {
    pub(super) fn read(&self, scalar: Scalar<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        match scalar {
            Scalar::Text(text, piece) if is_phone(text) => {
                let is_bare = text.bytes().skip(1).all(|byte| byte.is_ascii_digit());
                Some(to.sent(Slot::Phone(piece), is_bare))
            }
            _ => {
                to.fault(Rule::Phone);
                None
            }
        }
    }

    pub(super) fn judge_value(&self, value: &Value<'_>, to: &mut Judge<'_>) {
        let valid = match value {
            Value::Phone(_) => true,
            Value::Text(text) => is_phone(text),
            _ => false,
        };
        if !valid {
            to.fault(Rule::Phone);
        }
    }

    pub(super) fn write_value(&self, value: &Value<'_>, out: &mut String) {
        match value {
            Value::Text(text) if is_phone(text) => {
                out.push('"');
                write_phone(out, text);
                out.push('"');
            }
            other => write_plain(other, out),
        }
    }
}

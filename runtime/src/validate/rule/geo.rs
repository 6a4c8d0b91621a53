//! Places and phone numbers: texts whose stored form is tidier than what was sent.

use super::{Judge, Sent, Slot, Value};
use crate::validate::fault::Rule;
use crate::value::{Coordinates, is_phone, write_latlng, write_phone};

#[derive(Debug)]
pub(crate) struct LatLng;

#[expect(clippy::unused_self, reason = "every family has the same anatomy")]
impl LatLng {
    pub(super) fn read(&self, sent: Sent<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        if let Sent::Text(text, piece) = sent {
            self.judge(text, to).then_some(Slot::LatLng(piece))
        } else {
            to.fault(Rule::Latlng);
            None
        }
    }

    fn judge(&self, text: &str, to: &mut Judge<'_>) -> bool {
        let Some(coordinates) = Coordinates::read(text) else {
            to.fault(Rule::Latlng);
            return false;
        };
        if !coordinates.has_latitude() {
            to.fault(Rule::LatitudeRange);
        }
        if !coordinates.has_longitude() {
            to.fault(Rule::LongitudeRange);
        }
        coordinates.has_latitude() && coordinates.has_longitude()
    }

    pub(super) fn judge_value(&self, value: &Value<'_>, to: &mut Judge<'_>) {
        match value {
            Value::LatLng(_) => {}
            Value::Text(text) => {
                self.judge(text, to);
            }
            _ => to.fault(Rule::Latlng),
        }
    }

    pub(super) fn write_value(&self, value: &Value<'_>, out: &mut String) {
        match value {
            Value::Text(text) if Coordinates::read(text).is_some() => {
                out.push('"');
                write_latlng(out, text);
                out.push('"');
            }
            other => crate::validate::write::write_plain(other, out),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Phone;

#[expect(clippy::unused_self, reason = "every family has the same anatomy")]
impl Phone {
    pub(super) fn read(&self, sent: Sent<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        match sent {
            Sent::Text(text, piece) if is_phone(text) => Some(Slot::Phone(piece)),
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
            other => crate::validate::write::write_plain(other, out),
        }
    }
}

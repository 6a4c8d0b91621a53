//! Places on earth as text: well formed, and each coordinate in range.
//!
//! ```text
//! {"dataType": "latlng"}
//! "48.10 , 11.6"  is stored as "48.10,11.6"
//! "91,11.6"       must have a latitude from -90 to 90
//! ```

use super::plain::write_plain;
use super::scalar::Scalar;
use crate::validate::fault::Rule;
use crate::validate::judge::Judge;
use crate::validate::slot::Slot;
use crate::value::{Coordinates, Value, write_latlng};

#[derive(Debug)]
pub(crate) struct LatLngRule;

#[expect(clippy::unused_self, reason = "every family has the same anatomy")]
impl LatLngRule {
    pub(super) fn read(&self, scalar: Scalar<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        if let Scalar::Text(text, piece) = scalar {
            let holds = self.judge(text, to);
            holds.then(|| to.sent(Slot::LatLng(piece), !text.contains(' ')))
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
            other => write_plain(other, out),
        }
    }
}

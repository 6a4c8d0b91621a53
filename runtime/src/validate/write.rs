//! Writes the normal form: from slots that were read, and from values that a program made.

use super::Reading;
use super::rule::Family;
use super::slot::{Piece, Slot, Source};
use crate::value::{Value, write_latlng, write_phone};
use schema::Hundredths;
use schema::json::{compact, write_string};

impl Reading<'_, '_, '_> {
    /// Appends one slot as JSON.
    #[inline]
    pub(super) fn write_slot(&self, slot: Slot, index: usize, out: &mut String) {
        match slot {
            Slot::Absent | Slot::Missing => out.push_str("null"),
            Slot::Text(piece) => self.write_text(piece, out),
            Slot::Integer(value) => write_integer(value, out),
            Slot::Float(value) => write_float(value, out),
            Slot::Bool(value) => out.push_str(if value { "true" } else { "false" }),
            Slot::Money(halves) => {
                if let Some(amount) = Hundredths::new(Slot::money_of(halves)) {
                    amount.write(out);
                }
            }
            Slot::Code(code) => {
                if let Family::Static(picklist) = &self.checker.fields()[index].family {
                    write_string(out, picklist.code(code));
                }
            }
            Slot::Day(_) | Slot::Time(_) | Slot::Moment(_) => {
                self.write_temporal(slot, index, out);
            }
            Slot::Phone(piece) => {
                out.push('"');
                write_phone(out, self.sources.get(piece));
                out.push('"');
            }
            Slot::LatLng(piece) => {
                out.push('"');
                write_latlng(out, self.sources.get(piece));
                out.push('"');
            }
            Slot::List { start, end } => {
                out.push('[');
                for (at, element) in self.elements[start as usize..end as usize]
                    .iter()
                    .enumerate()
                {
                    if at > 0 {
                        out.push(',');
                    }
                    self.write_slot(*element, index, out);
                }
                out.push(']');
            }
            Slot::Sent(piece) => compact(out, self.sources.get(piece)),
            Slot::SentOne(piece) => {
                out.push('[');
                compact(out, self.sources.get(piece));
                out.push(']');
            }
        }
    }

    #[inline]
    fn write_text(&self, piece: Piece, out: &mut String) {
        let text = self.sources.get(piece);
        if piece.source == Source::Scratch {
            write_string(out, text);
        } else {
            // it stood between quotes without an escape, so it can again
            out.push('"');
            out.push_str(text);
            out.push('"');
        }
    }

    fn write_temporal(&self, slot: Slot, index: usize, out: &mut String) {
        out.push('"');
        match (slot, &self.checker.fields()[index].family) {
            (Slot::Day(day), Family::Date(rule)) => rule.shape.write(day, out),
            (Slot::Time(time), Family::Time(rule)) => rule.format.write(time, out),
            (Slot::Moment(moment), Family::DateTime(rule)) => rule.shape.write(moment, out),
            // INVARIANT: a slot was read by its own field's family
            _ => {}
        }
        out.push('"');
    }
}

#[inline]
fn write_integer(value: i64, out: &mut String) {
    out.push_str(itoa::Buffer::new().format(value));
}

/// Prints a finite double as `serde_json` does.
#[inline]
fn write_float(value: f64, out: &mut String) {
    out.push_str(zmij::Buffer::new().format_finite(value));
}

/// Appends a value whose stored form does not depend on its field's settings.
pub(crate) fn write_plain(value: &Value<'_>, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Text(text)
        | Value::Email(text)
        | Value::Url(text)
        | Value::Phone(text)
        | Value::LatLng(text) => write_string(out, text),
        Value::Code(code) => write_string(out, code),
        Value::Integer(value) => write_integer(*value, out),
        // minus zero is stored as zero
        Value::Float(value) if *value == 0.0 => write_float(0.0, out),
        Value::Float(value) if value.is_finite() => write_float(*value, out),
        // JSON has no such numbers: a text that every judge refuses, rather than a silent null
        Value::Float(value) => write_string(out, &value.to_string()),
        Value::Decimal(value) => {
            let value = value.normalize();
            out.push_str(&if value.is_zero() {
                "0".to_owned()
            } else {
                value.to_string()
            });
        }
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Date(value) => write_string(out, &value.to_string()),
        Value::Time(value) => write_string(out, &value.to_string()),
        Value::DateTime(value) => {
            write_string(out, &value.format("%Y-%m-%dT%H:%M:%S%.f").to_string());
        }
        Value::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_plain(&item, out);
            }
            out.push(']');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn doubles_are_printed_as_serde_json_prints_them(value in proptest::num::f64::NORMAL | proptest::num::f64::ZERO) {
            let mut out = String::new();
            write_plain(&Value::Float(value), &mut out);
            let zero_has_no_sign = if value == 0.0 { 0.0 } else { value };
            prop_assert_eq!(out, serde_json::to_string(&zero_has_no_sign).unwrap());
        }
    }
}

//! The stored form of values that look the same in every field.

use crate::value::Value;
use schema::json::write_string;

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

/// Appends a whole number.
#[inline]
pub(crate) fn write_integer(value: i64, out: &mut String) {
    out.push_str(itoa::Buffer::new().format(value));
}

/// Prints a finite double as `serde_json` does.
#[inline]
pub(crate) fn write_float(value: f64, out: &mut String) {
    out.push_str(zmij::Buffer::new().format_finite(value));
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

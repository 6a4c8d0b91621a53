//! A stored value shown under a field that has changed: as it is, or, for a date or time that is valid in the old
//! format, in the new one. docs/rules.md, "Records of earlier versions".

use crate::data_type::DataType;
use crate::format::TimeOfDay;
use crate::json::{Value, parse, write_string};
use crate::model::Field;

/// Appends the JSON text `raw`, a value that was stored under `old`, as it is shown under `new`.
///
/// ```
/// use schema::format::DateFormat;
/// use schema::{DataType, Field, carry_value};
///
/// let old = Field::new("f1", "Founded", DataType::Date);
/// let new = Field { date_format: Some(DateFormat::YearCompact), ..old.clone() };
/// let mut out = String::new();
/// carry_value(&mut out, &old, &new, r#""1980-02-01""#);
/// assert_eq!(out, r#""19800201""#);
/// ```
pub fn carry_value(out: &mut String, old: &Field, new: &Field, raw: &str) {
    if old.data_type != new.data_type || !is_reformatted(old, new) {
        out.push_str(raw);
        return;
    }
    let node = parse(raw);
    match node.as_ref().map(|node| &node.value) {
        Ok(Value::String(text)) => write_string(out, &reformatted(old, new, text)),
        Ok(Value::Array(items)) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                match &item.value {
                    Value::String(text) => write_string(out, &reformatted(old, new, text)),
                    _ => out.push_str(&raw[item.start..item.end]),
                }
            }
            out.push(']');
        }
        _ => out.push_str(raw),
    }
}

fn is_reformatted(old: &Field, new: &Field) -> bool {
    match new.data_type {
        DataType::Date => old.date_shape() != new.date_shape(),
        DataType::Time => old.time_shape() != new.time_shape(),
        DataType::Datetime => old.moment_shape() != new.moment_shape(),
        _ => false,
    }
}

/// The text in the new format; as it is, where it is not valid in the old one or the new one can't
/// hold it.
fn reformatted(old: &Field, new: &Field, text: &str) -> String {
    let mut out = String::new();
    match new.data_type {
        DataType::Date => {
            if let Some(day) = old
                .date_shape()
                .read(text)
                .ok()
                .filter(|day| new.date_shape().can_hold(*day))
            {
                new.date_shape().write(day, &mut out);
            }
        }
        DataType::Time => {
            let holds = |clock: &TimeOfDay| new.time_shape().has_seconds() || clock.second() == 0;
            if let Some(clock) = old.time_shape().read(text).ok().filter(holds) {
                new.time_shape().write(clock, &mut out);
            }
        }
        DataType::Datetime => {
            let shape = new.moment_shape();
            if let Some(moment) = old
                .moment_shape()
                .read(text)
                .ok()
                .filter(|moment| shape.can_hold(*moment))
            {
                shape.write(moment, &mut out);
            }
        }
        _ => {}
    }
    if out.is_empty() { text.to_owned() } else { out }
}

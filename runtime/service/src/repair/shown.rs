//! Values as samples of a repair: a long one by its beginning.

use serde_json::Value;

/// What is shown of a value as a sample: bytes.
const SHOWN_BYTES_MAX: usize = 4 << 10;

/// A JSON text as a value that is shown; of a long one its beginning, as a text.
pub(crate) fn shown(raw: &str) -> Value {
    let beginning = |text: &str| {
        let mut ends = (0..=SHOWN_BYTES_MAX).rev();
        let whole = ends.find_map(|end| text.get(..end));
        format!("{}…", whole.unwrap_or_default())
    };
    match serde_json::from_str(raw) {
        Ok(value) if raw.len() <= SHOWN_BYTES_MAX => value,
        Ok(Value::String(text)) if text.len() > SHOWN_BYTES_MAX => Value::String(beginning(&text)),
        Ok(Value::String(text)) => Value::String(text),
        Ok(_) => Value::String(beginning(raw)),
        Err(_) => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn of_a_long_value_its_beginning_is_shown() {
        for (value, is_whole) in [
            (json!("ä".repeat(100)), true),
            (json!("ä".repeat(SHOWN_BYTES_MAX)), false),
            (json!(vec!["b"; SHOWN_BYTES_MAX]), false),
        ] {
            let told = shown(&value.to_string());
            assert_eq!(told == value, is_whole);
            assert!(told.to_string().len() < SHOWN_BYTES_MAX * 2);
        }
    }
}

//! Values as samples of a repair: a long one by its beginning.

use schema::json::{Value, parse};
use wire::RawJson;

/// What is shown of a value as a sample: bytes.
const SHOWN_BYTES_MAX: usize = 4 << 10;

/// A JSON text as a value that is shown; of a long one its beginning, as a text.
pub(crate) fn shown(raw: &str) -> RawJson {
    let beginning = |text: &str| {
        let mut ends = (0..=SHOWN_BYTES_MAX).rev();
        let whole = ends.find_map(|end| text.get(..end));
        RawJson::from(&*format!("{}…", whole.unwrap_or_default()))
    };
    match parse(raw).map(|node| node.value) {
        Ok(Value::String(text)) if text.len() > SHOWN_BYTES_MAX => beginning(&text),
        Ok(Value::String(_)) => read(raw),
        Ok(_) if raw.len() <= SHOWN_BYTES_MAX => read(raw),
        Ok(_) => beginning(raw),
        Err(_) => RawJson::null(),
    }
}

/// What was parsed already.
fn read(raw: &str) -> RawJson {
    serde_json::from_str(raw).unwrap_or_else(|_| RawJson::null())
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
            assert_eq!(told == RawJson::from(value), is_whole);
            assert!(told.to_string().len() < SHOWN_BYTES_MAX * 2);
        }
    }

    #[test]
    fn a_number_is_shown_with_its_own_digits() {
        for token in ["80000000000000.07", "1e400", "[5.00000000000000000001]"] {
            assert_eq!(shown(token).get(), token);
        }
    }
}

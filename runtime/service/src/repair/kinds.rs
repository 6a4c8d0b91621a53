//! Which kind of JSON value a field takes. A schema that changes leaves values behind that look right and are of another
//! kind, such as the number 5 where strings are taken by now: whoever fills in the same text means the other value.

use schema::json::{Value as Read, parse};
use schema::{DataType, Field};
use tabular::CellRule;

/// Whether a JSON text is of the kind that a field takes: numbers, booleans or strings. It says nothing of the value.
pub(super) fn takes(field: &Field, json: &str) -> bool {
    let first = json.bytes().next();
    match field.data_type {
        DataType::Boolean => matches!(first, Some(b't' | b'f')),
        own if own.is_number() => matches!(first, Some(b'-' | b'0'..=b'9')),
        _ => first == Some(b'"'),
    }
}

/// Whether a value, a JSON text, is of another kind than its field takes, and its very text would make one of that kind. Never
/// in fields of several values, whose elements are told apart by what is filled in, nor of files.
pub fn is_of_other_kind(field: &Field, json: &str) -> bool {
    if field.is_multivalue() || field.data_type.is_file() || takes(field, json) {
        return false;
    }
    let Ok(held) = parse(json) else {
        return false;
    };
    let value = match &held.value {
        Read::Array(values) if values.len() == 1 => &values[0].value,
        other => other,
    };
    let text = match value {
        Read::String(text) => &**text,
        Read::Number(number) => *number,
        Read::Bool(true) => "true",
        Read::Bool(false) => "false",
        Read::Null | Read::Array(_) | Read::Object(_) => return false,
    };
    let mut made = String::new();
    CellRule::of(field, None).write(Some(text), &mut made);
    takes(field, &made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_of_another_kind_where_its_text_would_make_one_that_the_field_takes() {
        use DataType as T;
        for (data_type, json, expected) in [
            (T::String, "5", true),
            (T::String, "true", true),
            (T::String, r#"["5"]"#, true),
            (T::String, r#"["a","b"]"#, false),
            (T::String, r#""5""#, false),
            (T::String, "null", false),
            (T::Integer, r#""5""#, true),
            (T::Integer, r#""five""#, false),
            (T::Integer, "12.500", false),
            (T::Integer, "true", false),
            (T::Boolean, r#""true""#, true),
            (T::Boolean, "1", false),
            (T::Picklist, "5", true),
        ] {
            let field = Field::new("f", "F", data_type);
            let found = is_of_other_kind(&field, json);
            assert_eq!(found, expected, "{data_type:?} {json}");
        }
    }
}

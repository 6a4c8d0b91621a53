//! The values of a record in its normal form, one by one, and the text of a cell that has several. It writes no row.

use schema::json::{Scanner, SyntaxError, Token};
use std::borrow::Cow;

/// One value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value<'r> {
    Missing,
    Text(Cow<'r, str>),
    /// A number as it stands.
    Number(&'r str),
    Boolean(bool),
    /// An array as it stands.
    Array(&'r str),
}

/// Gives each member of a flat object: its name, its value, and that one's JSON as it stands.
///
/// # Errors
/// When the text is no such object.
pub(crate) fn each<'r>(
    normal_form: &'r str,
    mut take: impl FnMut(Cow<'r, str>, Value<'r>, &'r str),
) -> Result<(), SyntaxError> {
    let mut scanner = Scanner::new(normal_form);
    scanner.expect(b'{', "`{`")?;
    let mut is_first = true;
    while !scanner.take(b'}') {
        if !std::mem::take(&mut is_first) {
            scanner.expect(b',', "`,` or `}`")?;
        }
        let name = scanner.string()?.decode();
        scanner.expect(b':', "`:`")?;
        let start = scanner.offset();
        let token = scanner.token()?;
        if token == Token::ArrayStart {
            scanner.skip_rest(b']')?;
        }
        let raw = scanner.slice(start, scanner.offset());
        let value = match token {
            Token::Null => Value::Missing,
            Token::String(text) => Value::Text(text.decode()),
            Token::Bool(is_true) => Value::Boolean(is_true),
            Token::Number(number) => Value::Number(number),
            Token::ArrayStart => Value::Array(raw),
            Token::ObjectStart => return Err(scanner.unexpected("a value that is no object")),
        };
        take(name, value, raw);
    }
    Ok(())
}

impl<'r> Value<'r> {
    /// The text of its cell; `None` for one that is missing. `split` parts several values where they can be told apart
    /// again; else they are a JSON array.
    pub(crate) fn cell(self, split: Option<char>) -> Option<Cow<'r, str>> {
        Some(match self {
            Value::Missing => return None,
            Value::Text(text) => text,
            Value::Number(raw) => raw.into(),
            Value::Boolean(true) => "true".into(),
            Value::Boolean(false) => "false".into(),
            Value::Array(raw) => match split.and_then(|split| parted(raw, split)) {
                Some(text) => text.into(),
                None => raw.into(),
            },
        })
    }
}

/// Gives each element of an array.
///
/// # Errors
/// When the text is no array of values.
#[cfg(feature = "parquet")]
pub(crate) fn elements<'r>(
    array: &'r str,
    mut take: impl FnMut(Value<'r>),
) -> Result<(), SyntaxError> {
    let mut scanner = Scanner::new(array);
    scanner.expect(b'[', "`[`")?;
    let mut is_first = true;
    while !scanner.take(b']') {
        if !std::mem::take(&mut is_first) {
            scanner.expect(b',', "`,` or `]`")?;
        }
        let start = scanner.offset();
        take(match scanner.token()? {
            Token::Null => Value::Missing,
            Token::String(text) => Value::Text(text.decode()),
            Token::Bool(is_true) => Value::Boolean(is_true),
            Token::Number(number) => Value::Number(number),
            Token::ArrayStart => {
                scanner.skip_rest(b']')?;
                Value::Array(scanner.slice(start, scanner.offset()))
            }
            Token::ObjectStart => return Err(scanner.unexpected("a value that is no object")),
        });
    }
    Ok(())
}

/// The elements of an array with a character between them. `None` where they would not be read as the same: one is
/// missing, empty, an array, holds the character or begins or ends with white space, or all of them look like an array.
fn parted(raw: &str, split: char) -> Option<String> {
    let mut scanner = Scanner::new(raw);
    let mut out = String::new();
    scanner.take(b'[');
    while !scanner.take(b']') {
        if !out.is_empty() {
            scanner.take(b',');
            out.push(split);
        }
        scanner.skip_space();
        let element: Cow<'_, str> = match scanner.token().ok()? {
            Token::String(text) => text.decode(),
            Token::Number(number) => number.into(),
            Token::Bool(true) => "true".into(),
            Token::Bool(false) => "false".into(),
            Token::Null | Token::ArrayStart | Token::ObjectStart => return None,
        };
        if element.is_empty() || element.trim() != element || element.contains(split) {
            return None;
        }
        out.push_str(&element);
        scanner.skip_space();
    }
    (!out.is_empty() && !out.starts_with('[')).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_values_are_parted_where_they_can_be_told_apart_again() {
        for (array, cell) in [
            (r#"["a","b"]"#, "a;b"),
            ("[1, -2.50]", "1;-2.50"),
            ("[true]", "true"),
            ("[]", "[]"),
            (r#"["a;b"]"#, r#"["a;b"]"#),
            (r#"["a",null]"#, r#"["a",null]"#),
            (r#"["", "a"]"#, r#"["", "a"]"#),
            (r#"[" a"]"#, r#"[" a"]"#),
            (r#"["[1]"]"#, r#"["[1]"]"#),
        ] {
            let found = Value::Array(array).cell(Some(';'));
            assert_eq!(found.as_deref(), Some(cell), "{array}");
            assert_eq!(Value::Array(array).cell(None).as_deref(), Some(array));
        }
    }
}

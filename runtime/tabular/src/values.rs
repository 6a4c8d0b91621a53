//! The values of a record in its normal form, one by one, and the text of a cell that has several. It writes no row.

#[cfg(any(feature = "parquet", feature = "xlsx"))]
use schema::Number;
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
        let (value, raw) = value(&mut scanner)?;
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

/// The double that a number is to its last digit.
#[cfg(any(feature = "parquet", feature = "xlsx"))]
pub(crate) fn exact_double(raw: &str) -> Option<f64> {
    let double = Number::of_double(raw)?;
    (digits(raw) == digits(&format!("{double:e}"))).then_some(double)
}

#[cfg(any(feature = "parquet", feature = "xlsx"))]
/// The digits of a number that count: two numbers of the same double are the same where these are.
fn digits(number: &str) -> Vec<u8> {
    let end = number.find(['e', 'E']).unwrap_or(number.len());
    let kept = number[..end].bytes().filter(u8::is_ascii_digit);
    let mut kept: Vec<u8> = kept.skip_while(|digit| *digit == b'0').collect();
    while kept.last() == Some(&b'0') {
        kept.pop();
    }
    kept
}

/// The value that comes next, and its JSON as it stands.
fn value<'r>(scanner: &mut Scanner<'r>) -> Result<(Value<'r>, &'r str), SyntaxError> {
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
    Ok((value, raw))
}

/// The elements of an array, one by one. An error tells that the text is no array of values; nothing is to be asked behind it.
pub(crate) struct Elements<'r> {
    scanner: Scanner<'r>,
    is_first: bool,
}

impl<'r> Elements<'r> {
    pub(crate) fn of(array: &'r str) -> Self {
        Elements {
            scanner: Scanner::new(array),
            is_first: true,
        }
    }

    fn step(&mut self) -> Result<Option<Value<'r>>, SyntaxError> {
        let scanner = &mut self.scanner;
        let is_first = std::mem::take(&mut self.is_first);
        if is_first {
            scanner.expect(b'[', "`[`")?;
        }
        scanner.skip_space();
        if scanner.take(b']') {
            return Ok(None);
        }
        if !is_first {
            scanner.expect(b',', "`,` or `]`")?;
            scanner.skip_space();
        }
        value(scanner).map(|(value, _)| Some(value))
    }
}

impl<'r> Iterator for Elements<'r> {
    type Item = Result<Value<'r>, SyntaxError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}

/// The elements of an array with a character between them. `None` where they would not be read as the same: one is
/// missing, empty, an array, holds the character or begins or ends with white space, or all of them look like an array.
fn parted(raw: &str, split: char) -> Option<String> {
    let mut out = String::new();
    for element in Elements::of(raw) {
        let text = match element.ok()? {
            Value::Array(_) => return None,
            single => single.cell(None)?,
        };
        if text.is_empty() || text.trim() != text || text.contains(split) {
            return None;
        }
        if !out.is_empty() {
            out.push(split);
        }
        out.push_str(&text);
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
            ("[1,[2]]", "[1,[2]]"),
        ] {
            let found = Value::Array(array).cell(Some(';'));
            assert_eq!(found.as_deref(), Some(cell), "{array}");
            assert_eq!(Value::Array(array).cell(None).as_deref(), Some(array));
        }
    }
}

//! A small JSON tree that knows where each value stands in its source. It is for schema documents
//! and settings; records are read without a tree.

use super::scan::{Scanner, Token};
use super::syntax::{SyntaxError, SyntaxKind};
use std::borrow::Cow;

/// How many levels a document may nest.
pub const DEPTH_MAX: usize = 128;

/// One value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<'a> {
    /// Byte offset of its first byte.
    pub start: usize,
    /// Byte offset behind its last byte.
    pub end: usize,
    /// What it is.
    pub value: Value<'a>,
}

/// The kinds of JSON values.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as written.
    Number(&'a str),
    /// A string, decoded.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Node<'a>>),
    /// An object, its members in the order of the source, duplicates included.
    Object(Vec<Member<'a>>),
}

/// One member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Member<'a> {
    /// The decoded key.
    pub key: Cow<'a, str>,
    /// Byte offset of the key's opening quote.
    pub key_start: usize,
    /// The member's value.
    pub value: Node<'a>,
}

impl<'a> Node<'a> {
    /// The member named `key`, where this is an object that has one.
    pub fn get(&self, key: &str) -> Option<&Node<'a>> {
        match &self.value {
            Value::Object(members) => members.iter().find(|m| m.key == key).map(|m| &m.value),
            _ => None,
        }
    }

    /// What kind of value this is, in words.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }
}

/// Parses a whole text.
///
/// # Errors
/// Names the first byte that cannot continue the text.
pub fn parse(text: &str) -> Result<Node<'_>, SyntaxError> {
    let mut scanner = Scanner::new(text);
    let node = value(&mut scanner, 0)?;
    scanner.skip_space();
    match scanner.peek() {
        None => Ok(node),
        Some(_) => Err(scanner.unexpected("the end of the document")),
    }
}

fn value<'a>(scanner: &mut Scanner<'a>, depth: usize) -> Result<Node<'a>, SyntaxError> {
    scanner.skip_space();
    let start = scanner.offset();
    if depth > DEPTH_MAX {
        return Err(SyntaxError {
            kind: SyntaxKind::Depth,
            offset: start,
        });
    }
    let value = match scanner.token()? {
        Token::Null => Value::Null,
        Token::Bool(value) => Value::Bool(value),
        Token::Number(token) => Value::Number(token),
        Token::String(text) => Value::String(text.decode()),
        Token::ArrayStart => Value::Array(array(scanner, depth)?),
        Token::ObjectStart => Value::Object(object(scanner, depth)?),
    };
    Ok(Node {
        start,
        end: scanner.offset(),
        value,
    })
}

fn array<'a>(scanner: &mut Scanner<'a>, depth: usize) -> Result<Vec<Node<'a>>, SyntaxError> {
    let mut items = Vec::new();
    scanner.skip_space();
    if scanner.take(b']') {
        return Ok(items);
    }
    loop {
        items.push(value(scanner, depth + 1)?);
        scanner.skip_space();
        if scanner.take(b']') {
            return Ok(items);
        }
        scanner.expect(b',', "`,` or `]`")?;
    }
}

fn object<'a>(scanner: &mut Scanner<'a>, depth: usize) -> Result<Vec<Member<'a>>, SyntaxError> {
    let mut members = Vec::new();
    scanner.skip_space();
    if scanner.take(b'}') {
        return Ok(members);
    }
    loop {
        scanner.skip_space();
        let key_start = scanner.offset();
        if scanner.peek() != Some(b'"') {
            return Err(scanner.unexpected("a key"));
        }
        let key = scanner.string()?.decode();
        scanner.skip_space();
        scanner.expect(b':', "`:`")?;
        let value = value(scanner, depth + 1)?;
        members.push(Member {
            key,
            key_start,
            value,
        });
        scanner.skip_space();
        if scanner.take(b'}') {
            return Ok(members);
        }
        scanner.expect(b',', "`,` or `}`")?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_knows_its_place() {
        let text = r#" {"a": [1, "x"]} "#;
        let node = parse(text).unwrap();
        let list = node.get("a").unwrap();
        assert_eq!(&text[list.start..list.end], r#"[1, "x"]"#);
        assert_eq!((node.start, node.end), (1, text.len() - 1));
    }

    #[test]
    fn nesting_has_a_limit_instead_of_a_stack_overflow() {
        let error = parse(&"[".repeat(100_000)).unwrap_err();
        assert_eq!(error.kind, SyntaxKind::Depth);
    }
}

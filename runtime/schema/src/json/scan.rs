//! The JSON lexer: one forward walk over text that is already known to be UTF-8, yielding borrowed
//! tokens with their byte offsets. It never allocates and never converts a number.

use super::plain_run::plain_run;
use super::syntax::{SyntaxError, SyntaxKind};
use super::text::{Text, hex4};
use crate::PlainNumber;

/// What stands at the start of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as written.
    Number(&'a str),
    /// A string.
    String(Text<'a>),
    /// `[`, already passed.
    ArrayStart,
    /// `{`, already passed.
    ObjectStart,
}

/// A place in a JSON text that moves forward token by token.
#[derive(Clone, Debug)]
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    /// A scanner at the start of `text`.
    pub fn new(text: &'a str) -> Self {
        Scanner { text, at: 0 }
    }

    /// The byte offset of the next byte.
    #[inline]
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The next byte, if any.
    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Passes JSON white space.
    #[inline]
    pub fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// Passes `byte` if it comes next.
    #[inline]
    pub fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Passes `text` if it comes next.
    #[inline]
    pub fn take_text(&mut self, text: &str) -> bool {
        let found = self.text.as_bytes()[self.at..].starts_with(text.as_bytes());
        if found {
            self.at += text.len();
        }
        found
    }

    /// Passes `byte`, which must come next; `what` names it in the error.
    #[inline]
    pub fn expect(&mut self, byte: u8, what: &'static str) -> Result<(), SyntaxError> {
        if self.take(byte) {
            Ok(())
        } else {
            Err(self.unexpected(what))
        }
    }

    /// The error for the byte at hand.
    #[cold]
    pub fn unexpected(&self, what: &'static str) -> SyntaxError {
        match self.peek() {
            None => self.error(SyntaxKind::End, self.at),
            Some(0) => self.error(SyntaxKind::Nul, self.at),
            Some(_) => self.error(SyntaxKind::Expected(what), self.at),
        }
    }

    #[cold]
    #[expect(clippy::unused_self, reason = "reads like the other makers of errors")]
    fn error(&self, kind: SyntaxKind, offset: usize) -> SyntaxError {
        SyntaxError { kind, offset }
    }

    /// The text between two offsets of this scanner.
    #[inline]
    pub fn slice(&self, start: usize, end: usize) -> &'a str {
        &self.text[start..end]
    }

    /// Reads the start of any value: a whole scalar, or the bracket that opens a container.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "measured: the reader's inner loop")]
    pub fn token(&mut self) -> Result<Token<'a>, SyntaxError> {
        match self.peek() {
            Some(b'"') => self.string().map(Token::String),
            Some(b'-' | b'0'..=b'9') => self.number().map(Token::Number),
            Some(b't') => self.word("true").map(|()| Token::Bool(true)),
            Some(b'f') => self.word("false").map(|()| Token::Bool(false)),
            Some(b'n') => self.word("null").map(|()| Token::Null),
            Some(b'[') => {
                self.at += 1;
                Ok(Token::ArrayStart)
            }
            Some(b'{') => {
                self.at += 1;
                Ok(Token::ObjectStart)
            }
            _ => Err(self.unexpected("a value")),
        }
    }

    fn word(&mut self, word: &str) -> Result<(), SyntaxError> {
        for byte in word.bytes() {
            if self.peek() != Some(byte) {
                // whatever begins like a word may be a text without quotes
                return Err(self.unexpected("a value"));
            }
            self.at += 1;
        }
        Ok(())
    }

    /// Reads a string; its opening quote comes next.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "measured: the reader's inner loop")]
    pub fn string(&mut self) -> Result<Text<'a>, SyntaxError> {
        self.expect(b'"', "a string")?;
        let start = self.at;
        self.at = plain_run(self.text.as_bytes(), start);
        if self.peek() == Some(b'"') {
            let raw = &self.text[start..self.at];
            self.at += 1;
            return Ok(Text {
                raw,
                escaped: false,
            });
        }
        self.odd_string(start)
    }

    /// The rest of a string in which something else than a quote or a plain character stands.
    #[cold]
    fn odd_string(&mut self, start: usize) -> Result<Text<'a>, SyntaxError> {
        let bytes = self.text.as_bytes();
        let mut escaped = false;
        loop {
            self.at = plain_run(bytes, self.at);
            match bytes.get(self.at) {
                Some(b'"') => {
                    let raw = &self.text[start..self.at];
                    self.at += 1;
                    return Ok(Text { raw, escaped });
                }
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(0) => return Err(self.error(SyntaxKind::Nul, self.at)),
                Some(_) => return Err(self.error(SyntaxKind::Control, self.at)),
                None => return Err(self.error(SyntaxKind::End, self.at)),
            }
        }
    }

    /// Passes one backslash sequence, and the second half of a surrogate pair.
    fn escape(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        match bytes.get(start + 1) {
            None => return Err(self.error(SyntaxKind::End, bytes.len())),
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 2;
                return Ok(());
            }
            Some(b'u') => {}
            Some(_) => return Err(self.error(SyntaxKind::Escape, start)),
        }
        let high = self.unicode(start)?;
        match high {
            0 => Err(self.error(SyntaxKind::Nul, start)),
            0xDC00..=0xDFFF => Err(self.error(SyntaxKind::Surrogate, start)),
            0xD800..=0xDBFF => {
                if bytes.get(start + 6..start + 8) != Some(b"\\u") {
                    return Err(self.error(SyntaxKind::Surrogate, start));
                }
                match self.unicode(start + 6)? {
                    0xDC00..=0xDFFF => {
                        self.at += 12;
                        Ok(())
                    }
                    _ => Err(self.error(SyntaxKind::Surrogate, start)),
                }
            }
            _ => {
                self.at += 6;
                Ok(())
            }
        }
    }

    /// The number of the `\uXXXX` whose backslash stands at `start`.
    fn unicode(&self, start: usize) -> Result<u32, SyntaxError> {
        let digits = &self.text.as_bytes()[start + 2..];
        hex4(digits).ok_or_else(|| {
            let short = digits.len() < 4 && digits.iter().all(u8::is_ascii_hexdigit);
            if short {
                self.error(SyntaxKind::End, self.text.len())
            } else {
                self.error(SyntaxKind::Escape, start)
            }
        })
    }

    /// Reads a number token; `-` or a digit comes next.
    #[inline]
    pub fn number(&mut self) -> Result<&'a str, SyntaxError> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(&self.text[start..self.at])
    }

    /// Passes a number of the short kind, if one comes next, and yields its token beside it.
    #[inline]
    pub fn take_plain_number(&mut self) -> Option<(PlainNumber, &'a str)> {
        let rest = &self.text[self.at..];
        let (number, length) = PlainNumber::at_start_of(rest.as_bytes())?;
        self.at += length;
        Some((number, &rest[..length]))
    }

    #[inline]
    fn digits(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == start {
            Err(self.unexpected("a digit"))
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn surrogate_pairs_decode_to_one_character() {
        let mut scanner = Scanner::new(r#""x\ud83d\ude00\n\/é\u00e9""#);
        assert_eq!(scanner.string().unwrap().decode(), "x😀\n/éé");
    }

    #[test]
    fn a_text_without_quotes_is_no_value_whatever_letter_it_begins_with() {
        for (text, message) in [
            ("not", "expected a value at byte 1"),
            ("tue", "expected a value at byte 1"),
            ("who", "expected a value at byte 0"),
            ("fa", "the text ends too early at byte 2"),
        ] {
            let error = Scanner::new(text).token().unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }

    proptest! {
        #[test]
        fn a_string_decodes_as_serde_json_decodes_it(text in any::<String>()) {
            prop_assume!(!text.contains('\0'));
            let json = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(Scanner::new(&json).string().unwrap().decode(), text);
        }
    }
}

//! The JSON lexer: one forward walk over text that is already known to be UTF-8, yielding borrowed
//! tokens with their byte offsets. It never allocates and never converts a number.

use std::fmt;

/// Why a text is not JSON, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What kind of mistake it is.
    pub kind: SyntaxKind,
    /// Byte offset of the first byte that cannot continue the text (its length at an unexpected end).
    pub offset: usize,
}

/// The kinds of JSON mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxKind {
    /// Something else than what the text names was expected.
    Expected(&'static str),
    /// The text ends too early.
    End,
    /// A backslash sequence that JSON does not have.
    Escape,
    /// Half of a surrogate pair: no Unicode text can hold it.
    Surrogate,
    /// U+0000, raw or escaped, which no store can hold.
    Nul,
    /// A raw control character inside a string.
    Control,
    /// Deeper nesting than [`DEPTH_MAX`](super::DEPTH_MAX).
    Depth,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            SyntaxKind::Expected(what) => write!(f, "expected {what}")?,
            SyntaxKind::End => f.write_str("the text ends too early")?,
            SyntaxKind::Escape => f.write_str("unknown escape sequence")?,
            SyntaxKind::Surrogate => f.write_str("half of a surrogate pair")?,
            SyntaxKind::Nul => f.write_str("the character U+0000")?,
            SyntaxKind::Control => f.write_str("unescaped control character in a string")?,
            SyntaxKind::Depth => f.write_str("nested too deeply")?,
        }
        write!(f, " at byte {}", self.offset)
    }
}

impl std::error::Error for SyntaxError {}

/// The content of a JSON string, between its quotes, already known to be well formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text<'a> {
    /// The characters between the quotes, as written.
    pub raw: &'a str,
    /// Whether `raw` holds a backslash sequence.
    pub escaped: bool,
}

impl<'a> Text<'a> {
    /// The text itself; allocates only where the source has escapes.
    pub fn decode(self) -> std::borrow::Cow<'a, str> {
        if self.escaped {
            let mut out = String::with_capacity(self.raw.len());
            self.decode_into(&mut out);
            out.into()
        } else {
            self.raw.into()
        }
    }

    /// Appends the text itself to `out`.
    pub fn decode_into(self, out: &mut String) {
        let mut rest = self.raw;
        while let Some(backslash) = rest.find('\\') {
            out.push_str(&rest[..backslash]);
            let (decoded, used) = decode_escape(&rest[backslash..]);
            out.push(decoded);
            rest = &rest[backslash + used..];
        }
        out.push_str(rest);
    }
}

/// One escape at the start of `text` (checked before by the scanner) and its length.
fn decode_escape(text: &str) -> (char, usize) {
    let bytes = text.as_bytes();
    let simple = match bytes[1] {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let high = hex4(&bytes[2..]).unwrap_or(0xFFFD);
            if !(0xD800..0xDC00).contains(&high) {
                return (char::from_u32(high).unwrap_or('\u{FFFD}'), 6);
            }
            let low = hex4(&bytes[8..]).unwrap_or(0xDC00);
            let code = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
            return (char::from_u32(code).unwrap_or('\u{FFFD}'), 12);
        }
        other => char::from(other),
    };
    (simple, 2)
}

fn hex4(bytes: &[u8]) -> Option<u32> {
    let digits = bytes.get(..4)?;
    digits.iter().try_fold(0, |sum, digit| {
        Some(sum * 16 + char::from(*digit).to_digit(16)?)
    })
}

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

    fn word(&mut self, word: &'static str) -> Result<(), SyntaxError> {
        for byte in word.bytes() {
            if self.peek() != Some(byte) {
                return Err(self.unexpected(word));
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

    /// Passes a whole value of any depth; white space may come before it. Needs no stack of its own
    /// beyond one byte a level.
    pub fn skip_value(&mut self) -> Result<(), SyntaxError> {
        self.skip_space();
        match self.token()? {
            Token::ArrayStart => self.skip_rest(b']'),
            Token::ObjectStart => self.skip_rest(b'}'),
            _ => Ok(()),
        }
    }

    /// Passes the rest of a container whose opening bracket was just read; `close` ends it.
    pub fn skip_rest(&mut self, close: u8) -> Result<(), SyntaxError> {
        let mut open = vec![close];
        let mut first = true;
        while let Some(&close) = open.last() {
            self.skip_space();
            if self.take(close) {
                open.pop();
                first = false;
                continue;
            }
            if !first {
                self.expect(
                    b',',
                    if close == b'}' {
                        "`,` or `}`"
                    } else {
                        "`,` or `]`"
                    },
                )?;
                self.skip_space();
            }
            if close == b'}' {
                if self.peek() != Some(b'"') {
                    return Err(self.unexpected("a key"));
                }
                self.string()?;
                self.skip_space();
                self.expect(b':', "`:`")?;
                self.skip_space();
            }
            first = false;
            match self.token()? {
                Token::ArrayStart => {
                    open.push(b']');
                    first = true;
                }
                Token::ObjectStart => {
                    open.push(b'}');
                    first = true;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

const ONES: u64 = u64::MAX / 255;
const HIGHS: u64 = ONES * 128;

/// The offset of the first byte from `at` on that is a quote, a backslash or a control character
/// (the length if there is none), eight bytes at a step.
#[inline]
fn plain_run(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..at + 8) {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        let word = u64::from_le_bytes(word);
        let zero_in = |x: u64| x.wrapping_sub(ONES) & !x;
        let special = (zero_in(word ^ (ONES * u64::from(b'"')))
            | zero_in(word ^ (ONES * u64::from(b'\\')))
            | (word.wrapping_sub(ONES * 0x20) & !word))
            & HIGHS;
        if special != 0 {
            return at + (special.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(byte) = bytes.get(at) {
        if matches!(byte, b'"' | b'\\' | 0..=0x1F) {
            break;
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn skip(text: &str) -> Result<(), SyntaxError> {
        let mut scanner = Scanner::new(text);
        scanner.skip_value()?;
        scanner.skip_space();
        match scanner.peek() {
            None => Ok(()),
            Some(_) => Err(scanner.unexpected("nothing")),
        }
    }

    #[test]
    fn errors_name_the_byte_that_cannot_continue() {
        for (text, offset) in [
            ("{\"a\" 1}", 5),
            ("[1,]", 3),
            ("01", 1),
            ("-", 1),
            ("1.", 2),
            ("tru", 3),
            ("\"a\\x\"", 2),
            ("\"\\ud800\"", 1),
            ("\"\\ud800\\u0041\"", 1),
            ("\"\\u12\"", 1),
            ("\"a", 2),
            ("[1 2]", 3),
            ("\"\u{1}\"", 1),
            ("\"12345678901234\u{1}\"", 15),
        ] {
            assert_eq!(skip(text).unwrap_err().offset, offset, "{text}");
        }
    }

    #[test]
    fn a_deep_value_is_passed_without_a_deep_stack() {
        let text = "[".repeat(200_000) + &"]".repeat(200_000);
        assert_eq!(skip(&text), Ok(()));
    }

    #[test]
    fn surrogate_pairs_decode_to_one_character() {
        let mut scanner = Scanner::new(r#""x\ud83d\ude00\n\/é\u00e9""#);
        assert_eq!(scanner.string().unwrap().decode(), "x😀\n/éé");
    }

    proptest! {
        #[test]
        fn it_accepts_exactly_what_serde_json_accepts(text in r#"[\[\]{}",:0-9eE+\-. \\utrfalsn/]{0,12}"#) {
            // serde_json stops at 128 levels and reads numbers that overflow as errors; neither fits in 12 bytes
            let theirs = serde_json::from_str::<serde_json::Value>(&text);
            let overflow = theirs.as_ref().is_err_and(|e| e.to_string().contains("out of range"));
            prop_assume!(!overflow && !text.contains("\\u0000"));
            prop_assert_eq!(skip(&text).is_ok(), theirs.is_ok(), "{}", text);
        }

        #[test]
        fn a_string_decodes_as_serde_json_decodes_it(text in any::<String>()) {
            prop_assume!(!text.contains('\0'));
            let json = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(Scanner::new(&json).string().unwrap().decode(), text);
        }
    }
}

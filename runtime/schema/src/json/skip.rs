//! Passing over values that nobody asked for, at any depth.

use super::scan::{Scanner, Token};
use super::syntax::SyntaxError;

impl Scanner<'_> {
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

    proptest! {
        #[test]
        fn it_accepts_exactly_what_serde_json_accepts(text in r#"[\[\]{}",:0-9eE+\-. \\utrfalsn/]{0,12}"#) {
            // serde_json stops at 128 levels and reads numbers that overflow as errors; neither fits in 12 bytes
            let theirs = serde_json::from_str::<serde_json::Value>(&text);
            let overflow = theirs.as_ref().is_err_and(|e| e.to_string().contains("out of range"));
            prop_assume!(!overflow && !text.contains("\\u0000"));
            prop_assert_eq!(skip(&text).is_ok(), theirs.is_ok(), "{}", text);
        }
    }
}

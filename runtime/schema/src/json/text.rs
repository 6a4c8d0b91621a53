//! The content of a JSON string, as it stands in its source, and what its escapes mean. It judges
//! nothing: the scanner has passed every character before.

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

/// The number of four hexadecimal digits.
pub(super) fn hex4(bytes: &[u8]) -> Option<u32> {
    let digits = bytes.get(..4)?;
    digits.iter().try_fold(0, |sum, digit| {
        Some(sum * 16 + char::from(*digit).to_digit(16)?)
    })
}

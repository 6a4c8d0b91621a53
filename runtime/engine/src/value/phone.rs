//! Phone numbers in international form.

use super::text_type::text_type;

/// A phone number: `+` and 7 to 15 digits, without the spaces and brackets it was written with.
/// docs/rules.md, "Text forms".
///
/// ```
/// assert_eq!(engine::Phone::parse("+49 (30) 123-456").unwrap().as_str(), "+4930123456");
/// assert_eq!(engine::Phone::parse("+49 (0)30 123456").unwrap().as_str(), "+4930123456");
/// assert_eq!(engine::Phone::parse("+49 (030) 123456").unwrap().as_str(), "+4930123456");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Phone(String);

text_type!(Phone, "a phone number: + and 7 to 15 digits", |text| {
    is_phone(text).then(|| {
        let mut stored = String::with_capacity(text.len());
        write_phone(&mut stored, text);
        stored
    })
});

pub(crate) const fn is_phone(text: &str) -> bool {
    let bytes = text.as_bytes();
    let trunk_prefix = trunk_prefix(bytes);
    let (mut digits, mut at) = (0, 1);
    while at < bytes.len() {
        match bytes[at] {
            b'0' if at == trunk_prefix => {}
            b'0' if digits == 0 => return false,
            b'0'..=b'9' => digits += 1,
            b' ' | b'-' | b'.' | b'(' | b')' => {}
            _ => return false,
        }
        at += 1;
    }
    digits >= 7
        && digits <= 15
        && bytes[0] == b'+'
        && matches!(bytes[bytes.len() - 1], b'0'..=b'9' | b')')
}

/// Appends the stored form of a valid number.
pub(crate) fn write_phone(out: &mut String, text: &str) {
    let trunk_prefix = trunk_prefix(text.as_bytes());
    let mut stored = [0; 16];
    let mut length = 0;
    for (at, byte) in text.bytes().enumerate() {
        if matches!(byte, b'0'..=b'9' | b'+')
            && at != trunk_prefix
            && let Some(place) = stored.get_mut(length)
        {
            *place = byte;
            length += 1;
        }
    }
    // INVARIANT: a valid number has `+` and at most 15 digits, all of them ASCII
    out.push_str(str::from_utf8(&stored[..length]).unwrap_or_default());
}

/// Where the zero of a `(0)` or `(040)` after the country code stands, which is dialled within the country only; the end of the text
/// if there is none. Two zeros are no such prefix.
/// In Italy, Ivory Coast, Gabon, Congo, San Marino and the Vatican numbers themselves begin with a zero.
const fn trunk_prefix(bytes: &[u8]) -> usize {
    let (mut at, mut digits, mut code) = (1, 0, 0_u32);
    while at < bytes.len() && digits <= 3 {
        match bytes[at] {
            b'(' if digits > 0
                && at + 2 < bytes.len()
                && bytes[at + 1] == b'0'
                && bytes[at + 2] != b'0' =>
            {
                let belongs_to_number = matches!(code, 39 | 225 | 241 | 242 | 378 | 379);
                return if belongs_to_number {
                    bytes.len()
                } else {
                    at + 1
                };
            }
            digit @ b'0'..=b'9' => {
                code = code * 10 + (digit - b'0') as u32;
                digits += 1;
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

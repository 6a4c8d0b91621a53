//! Phone numbers in international form.

use super::text_type::text_type;

/// A phone number: `+` and 7 to 15 digits, without the spaces and brackets it was written with.
/// docs/rules.md, "Text forms".
///
/// ```
/// assert_eq!(engine::Phone::parse("+49 (30) 123-456").unwrap().as_str(), "+4930123456");
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
    let (mut digits, mut at) = (0, 1);
    while at < bytes.len() {
        match bytes[at] {
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
    let mut stored = [0; 16];
    let mut length = 0;
    for byte in text.bytes() {
        if matches!(byte, b'0'..=b'9' | b'+')
            && let Some(place) = stored.get_mut(length)
        {
            *place = byte;
            length += 1;
        }
    }
    // INVARIANT: a valid number has `+` and at most 15 digits, all of them ASCII
    out.push_str(str::from_utf8(&stored[..length]).unwrap_or_default());
}

//! E-mail addresses: the expression of the HTML standard, and a dot in the domain.

use super::text_type::text_type;

/// The longest address, in bytes.
const BYTES_MAX: usize = 254;

/// An e-mail address, as it was written. docs/rules.md, "Text forms".
///
/// ```
/// assert!(engine::Email::parse("ada@example.org").is_ok());
/// assert!(engine::Email::parse("ada@localhost").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Email(String);

text_type!(Email, "an e-mail address", |text| is_email(text)
    .then(|| text.to_owned()));

pub(crate) const fn is_email(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() && LOCAL[bytes[at] as usize] {
        at += 1;
    }
    at > 0
        && at < bytes.len()
        && bytes[at] == b'@'
        && bytes.len() <= BYTES_MAX
        && is_domain(bytes, at + 1)
}

/// From there on two or more labels: letters, digits and, inside, hyphens; 1 to 63 of them.
const fn is_domain(bytes: &[u8], mut at: usize) -> bool {
    let (mut length, mut dots, mut before) = (0_usize, 0_usize, b'-');
    while at < bytes.len() {
        let byte = bytes[at];
        match byte {
            b'.' => {
                if length == 0 || length > 63 || before == b'-' {
                    return false;
                }
                dots += 1;
                length = 0;
            }
            b'-' if length == 0 => return false,
            b'-' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => length += 1,
            _ => return false,
        }
        before = byte;
        at += 1;
    }
    dots > 0 && length >= 1 && length <= 63 && before != b'-'
}

const LOCAL: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = byte.is_ascii_alphanumeric();
        byte += 1;
    }
    let signs = b".!#$%&'*+/=?^_`{|}~-";
    let mut at = 0;
    while at < signs.len() {
        table[signs[at] as usize] = true;
        at += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const STANDARD: &str = r"^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$";

    proptest! {
        #[test]
        fn it_is_the_standards_expression_and_a_dot(text in r"[a-c.@!\- é]{0,4}@?[a-c.\-]{0,6}(\.[a-b-]{1,70})?") {
            let standard = regex::Regex::new(STANDARD).unwrap();
            let dot = text.split_once('@').is_some_and(|(_, domain)| domain.contains('.'));
            prop_assert_eq!(is_email(&text), standard.is_match(&text) && dot, "{}", text);
        }
    }

    #[test]
    fn an_address_has_at_most_254_bytes() {
        let labels = format!("{0}.{0}.{0}", "a".repeat(63));
        let rest = 254 - labels.len() - 1;
        assert!(is_email(&format!("{}@{labels}", "b".repeat(rest))));
        assert!(!is_email(&format!("{}@{labels}", "b".repeat(rest + 1))));
    }
}

//! E-mail addresses: the expression of the HTML standard, and a dot in the domain.

use super::text_type;

/// The longest address, in bytes.
const BYTES_MAX: usize = 254;

/// An e-mail address, as it was written. Decisions section 3, row `email`.
///
/// ```
/// assert!(runtime::Email::parse("ada@example.org").is_ok());
/// assert!(runtime::Email::parse("ada@localhost").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Email(String);

text_type!(Email, "an e-mail address", |text| is_email(text)
    .then(|| text.to_owned()));

pub(crate) fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.as_bytes().split_once_at(b'@') else {
        return false;
    };
    text.len() <= BYTES_MAX
        && !local.is_empty()
        && local
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(byte))
        && domain.contains(&b'.')
        && domain.split(|byte| *byte == b'.').all(is_label)
}

fn is_label(label: &[u8]) -> bool {
    let ends = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    label.len() <= 63
        && ends(label.first())
        && ends(label.last())
        && label
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}

trait SplitOnceAt {
    fn split_once_at(&self, byte: u8) -> Option<(&[u8], &[u8])>;
}

impl SplitOnceAt for [u8] {
    fn split_once_at(&self, byte: u8) -> Option<(&[u8], &[u8])> {
        let at = self.iter().position(|found| *found == byte)?;
        Some((&self[..at], &self[at + 1..]))
    }
}

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

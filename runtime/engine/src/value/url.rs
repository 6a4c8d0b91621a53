//! Web addresses. A plain one is recognised at a glance; every other is judged by the `url` crate.

use super::text_type::text_type;

/// A web address, as it was written. docs/rules.md, "Text forms".
///
/// ```
/// assert!(engine::Url::parse("https://example.org/a?b=c").is_ok());
/// assert!(engine::Url::parse("ftp://example.org").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Url(String);

text_type!(Url, "a web address", |text| is_url(text)
    .then(|| text.to_owned()));

pub(crate) fn is_url(text: &str) -> bool {
    let Some(rest) = after_scheme(text) else {
        return false;
    };
    let graphic = text
        .bytes()
        .all(|byte| matches!(byte, 0x21..=0x7E) && byte != b'\\');
    if graphic && is_plain(rest) {
        return true;
    }
    let forbidden = |c: char| c.is_whitespace() || c.is_control() || c == '\\';
    !text.contains(forbidden) && url::Url::parse(text).is_ok()
}

fn after_scheme(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix("https://") {
        return Some(rest);
    }
    ["https://", "http://"].into_iter().find_map(|scheme| {
        let (head, rest) = text.split_at_checked(scheme.len())?;
        head.eq_ignore_ascii_case(scheme).then_some(rest)
    })
}

/// Whether what follows the scheme is an ASCII host name of ordinary labels, the last beginning with a
/// letter, and then nothing or a path. The `url` crate accepts every such address (a property test
/// holds it to that), and this needs no allocation.
fn is_plain(rest: &str) -> bool {
    let bytes = rest.as_bytes();
    let ends = |byte: &u8| matches!(byte, b'/' | b'?' | b'#');
    let host = &bytes[..bytes.iter().position(ends).unwrap_or(bytes.len())];
    let mut last = b' ';
    for label in host.split(|byte| *byte == b'.') {
        let plain = label.first().is_some_and(u8::is_ascii_alphanumeric)
            && label.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
            // punycode has rules of its own
            && label.get(2..4) != Some(b"--");
        if !plain {
            return false;
        }
        last = label[0];
    }
    last.is_ascii_alphabetic()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_looks_plain_parses(rest in r"[a-zA-Z0-9.-]{1,12}([/?#][ -~é]{0,9})?") {
            if is_plain(&rest) {
                let text = format!("http://{rest}");
                prop_assert!(url::Url::parse(&text).is_ok(), "{}", text);
            }
        }
    }

    #[test]
    fn odd_addresses_are_left_to_the_url_crate() {
        for (text, expected) in [
            ("HTTPS://example.org", true),
            ("http://user:secret@example.org:8080/", true),
            ("http://[::1]/", true),
            ("http://bücher.example/", true),
            ("http://", false),
            ("http:///", false),
            ("http://256.256.256.256", false),
            ("http://example.org:99999", false),
            ("http://a b", false),
            ("http://a\\b", false),
            ("http:example.org", false),
        ] {
            assert_eq!(is_url(text), expected, "{text}");
        }
    }
}

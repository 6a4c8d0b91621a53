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
    if is_plain_url(text) {
        return true;
    }
    let forbidden = |c: char| c.is_whitespace() || c.is_control() || c == '\\';
    host_at(text.as_bytes()) > 0 && !text.contains(forbidden) && url::Url::parse(text).is_ok()
}

/// Whether a text is a web address at a glance: every character graphic ASCII, and an ordinary host.
pub(crate) const fn is_plain_url(text: &str) -> bool {
    let bytes = text.as_bytes();
    let host = host_at(bytes);
    if host == 0 {
        return false;
    }
    is_plain(bytes, host)
}

/// Where the host begins, behind `http://` or `https://`; 0 where neither stands.
const fn host_at(bytes: &[u8]) -> usize {
    let schemes: [&[u8]; 2] = [b"https://", b"http://"];
    let mut scheme = 0;
    while scheme < schemes.len() {
        let word = schemes[scheme];
        let mut at = 0;
        while at < word.len() && at < bytes.len() && bytes[at].to_ascii_lowercase() == word[at] {
            at += 1;
        }
        if at == word.len() {
            return at;
        }
        scheme += 1;
    }
    0
}

/// Whether what stands from `at` on is an ASCII host name of ordinary labels, the last beginning with a
/// letter, and then nothing or a path of graphic ASCII characters. The `url` crate accepts every such address (a property test
/// holds it to that), and this needs no allocation.
const fn is_plain(bytes: &[u8], mut at: usize) -> bool {
    loop {
        let first = at;
        while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'-') {
            at += 1;
        }
        // punycode has rules of its own
        let is_puny = at - first >= 4 && bytes[first + 2] == b'-' && bytes[first + 3] == b'-';
        if at == first || bytes[first] == b'-' || is_puny {
            return false;
        }
        if at == bytes.len() || matches!(bytes[at], b'/' | b'?' | b'#') {
            return bytes[first].is_ascii_alphabetic() && is_graphic(bytes, at);
        }
        if bytes[at] != b'.' {
            return false;
        }
        at += 1;
    }
}

/// Whether every byte from `at` on is a graphic ASCII character, and no backslash.
const fn is_graphic(bytes: &[u8], mut at: usize) -> bool {
    while at < bytes.len() {
        if !matches!(bytes[at], 0x21..=0x7E) || bytes[at] == b'\\' {
            return false;
        }
        at += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_looks_plain_parses(rest in r"[a-zA-Z0-9.-]{1,12}([/?#][ -~é]{0,9})?") {
            if is_plain(rest.as_bytes(), 0) {
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
